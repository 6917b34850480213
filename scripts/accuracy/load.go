package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cloister/core/data"
	"cloister/scripts/splitmix"
)

// load reads a published data set by the schema in core/data/testdata, or one of the folder
// more by the schema beside it, after change has had its way with it; or makes a synthetic one.
func load(name string, change func(*data.Schema)) (*data.Dataset, error) {
	switch name {
	case "synthetic":
		schema := syntheticSchema()
		change(schema)
		return data.Read(strings.NewReader(syntheticText()), schema, data.ReadOptions{})
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
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "shared", "data")
	}
	schemas := filepath.Join("core", "data", "testdata")
	if strings.HasPrefix(name, "more/") {
		schemas = folder // beside the table
	}
	schema := irisSchema()
	if name != "iris" {
		text, err := os.ReadFile(filepath.Join(schemas, name+".schema.json"))
		if err != nil {
			return nil, err
		}
		if schema, err = data.ParseSchema(text); err != nil {
			return nil, err
		}
	}
	change(schema)
	files := []string{name + ".csv"}
	if name == "adult" {
		// Rows with any value missing are left out, as the papers do; the
		// schema's own rule for an unknown category ("zero") does not come into it.
		files = []string{"adult.train.csv", "adult.test.csv"}
	}
	var parts []data.Part
	for _, file := range files {
		opened, err := os.Open(filepath.Join(folder, file))
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		parts = append(parts, data.Part{Name: file, Reader: opened})
	}
	return data.ReadParts(parts, schema, data.ReadOptions{})
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

// split deals the rows out by a seeded shuffle: four fifths to train on, the
// rest to test on.
func split(d *data.Dataset, seed uint64) (train, test *data.Dataset) {
	rows := make([]int, d.X.Rows())
	for i := range rows {
		rows[i] = i
	}
	state := splitmix.Source(seed)
	for i := len(rows) - 1; i > 0; i-- {
		j := int(state.Next() % uint64(i+1))
		rows[i], rows[j] = rows[j], rows[i]
	}
	cut := len(rows) * 4 / 5
	return d.Select(rows[:cut]), d.Select(rows[cut:])
}
