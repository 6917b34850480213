package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"

	"cloister/core/data"
	"cloister/scripts/splitmix"
	"cloister/scripts/tables"
)

// The data of several classes: Iris with bounds from 0 to 10, and eight clouds.

// classes is the schema of numeric features and a label of these classes.
func classes(features []string, low, high float64, label string, names ...string) *data.Schema {
	schema := &data.Schema{
		Label:     data.Label{Name: label, Type: data.SeveralClasses, Provenance: data.Public},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: 0.5,
	}
	for _, name := range features {
		schema.Features = append(schema.Features, data.Feature{
			Name: name, Type: data.Numeric, Min: low, Max: high, Provenance: data.Public,
		})
	}
	for _, name := range names {
		schema.Label.Classes = append(schema.Label.Classes, []string{name})
	}
	return schema
}

func iris(change func(*data.Schema)) (*data.Dataset, error) {
	schema := classes(
		strings.Fields("sepal_length sepal_width petal_length petal_width"), 0, 10,
		"species", "setosa", "versicolor", "virginica",
	)
	change(schema)
	file, err := os.Open(filepath.Join(tables.Folder(), "iris.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return data.Read(file, schema, data.ReadOptions{})
}

// clouds are 4,000 records in six dimensions, about one of eight centres each, which lie
// within the ball of radius 1/2 about (1/2, …), with normal noise of 0.15.
func clouds(change func(*data.Schema)) *data.Dataset {
	const n, d, k = 4000, 6, 8
	schema := classes(
		strings.Fields("x1 x2 x3 x4 x5 x6"), 0, 1, "cloud", strings.Fields("a b c d e f g h")...,
	)
	change(schema)
	state := splitmix.Source(8)
	normal := func() float64 {
		return math.Sqrt(-2*math.Log(1-state.Uniform())) * math.Cos(2*math.Pi*state.Uniform())
	}
	var centres [k][d]float64
	for c := range centres {
		square := 0.0
		for j := range d {
			centres[c][j] = normal()
			square += centres[c][j] * centres[c][j]
		}
		for j := range d {
			centres[c][j] = 0.5 + centres[c][j]*0.35/math.Sqrt(square)
		}
	}
	var block, labels []float64
	for i := range n {
		class, square := i%k, 0.0
		row := make([]float64, d)
		for j := range d {
			row[j] = max(0, min(1, centres[class][j]+0.15*normal()))
			square += row[j] * row[j]
		}
		if length := math.Sqrt(square) * (1 + 0x1p-40); length > 1 {
			for j := range row {
				row[j] /= length
			}
		}
		block = append(block, row...)
		if schema.Intercept > 0 {
			block = append(block, schema.Intercept)
		}
		labels = append(labels, float64(class))
	}
	var blocks [][]float64
	width := schema.Dimension() * data.BlockRows
	for ; len(block) > width; block = block[width:] {
		blocks = append(blocks, block[:width])
	}
	return &data.Dataset{
		Schema: schema, X: data.NewDense(schema.Dimension(), append(blocks, block)...), Y: labels,
	}
}
