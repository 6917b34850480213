package main

import (
	"slices"

	"cloister/core/data"
	"cloister/scripts/tables"
)

// load is tables.Load, or makes a synthetic data set.
func load(name string, change func(*data.Schema)) (*data.Dataset, error) {
	switch name {
	case "synthetic":
		return tables.Load("clinic", change)
	case "iris":
		return iris(change)
	case "clouds":
		return clouds(change), nil
	case "wide":
		return uniform(20_000, 300, false, change), nil
	case "numbers":
		return uniform(5_000, 10, true, change), nil
	case "numbers-300": // of which split leaves 300 to fit to
		return uniform(375, 10, true, change), nil
	case "adult-age":
		return load("adult", predict("age", 17, 90, change))
	case "tumour-radius":
		return load("breast_cancer", predict("mean_radius", 0, 50, change))
	}
	return tables.Load(name, change)
}

// predict makes a numeric feature the label.
func predict(feature string, low, high float64, change func(*data.Schema)) func(*data.Schema) {
	return func(s *data.Schema) {
		s.Features = slices.DeleteFunc(
			s.Features, func(f data.Feature) bool { return f.Name == feature },
		)
		s.Label = data.Label{
			Name:       feature,
			Type:       data.NumericLabel,
			Min:        low,
			Max:        high,
			Missing:    s.Label.Missing,
			Provenance: data.Public,
		}
		change(s)
	}
}
