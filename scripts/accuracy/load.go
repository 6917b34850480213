package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cloister/core/data"
)

// load reads a published data set by the schema in core/data/testdata, after
// change has had its way with it, or makes the synthetic one.
func load(name string, change func(*data.Schema)) (*data.Dataset, error) {
	switch name {
	case "synthetic":
		schema := syntheticSchema()
		change(schema)
		return data.Read(strings.NewReader(syntheticText()), schema, data.ReadOptions{})
	case "wide":
		return uniform(20_000, 300, false, change), nil
	case "numbers":
		return uniform(5_000, 10, true, change), nil
	case "adult-age":
		return load("adult", predict("age", 17, 90, change))
	case "tumour-radius":
		return load("breast_cancer", predict("mean_radius", 0, 50, change))
	}
	text, err := os.ReadFile(filepath.Join("core", "data", "testdata", name+".schema.json"))
	if err != nil {
		return nil, err
	}
	schema, err := data.ParseSchema(text)
	if err != nil {
		return nil, err
	}
	change(schema)
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "shared", "data")
	}
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
		s.Features = slices.DeleteFunc(s.Features, func(f data.Feature) bool { return f.Name == feature })
		s.Label = data.Label{Name: feature, Type: data.NumericLabel, Min: low, Max: high, Missing: s.Label.Missing, Provenance: data.Public}
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
	state := splitmix(seed)
	for i := len(rows) - 1; i > 0; i-- {
		j := int(state.next() % uint64(i+1))
		rows[i], rows[j] = rows[j], rows[i]
	}
	cut := len(rows) * 4 / 5
	return d.Select(rows[:cut]), d.Select(rows[cut:])
}

// splitmix is SplitMix64 (Steele, Lea & Flood 2014): for shuffling and making
// up public data, never for noise.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *splitmix) uniform() float64 { return float64(s.next()>>11) * 0x1p-53 }
