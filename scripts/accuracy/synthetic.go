package main

import (
	"math"

	"cloister/core/data"
	"cloister/scripts/madeup"
	"cloister/scripts/splitmix"
)

// uniform is n records of d features that are uniform on [0, 1], ten of which
// the label depends on: a class by a logistic model, or a number with noise of
// standard deviation 0.15, whose own is 0.35 without.
func uniform(n, d int, numeric bool, change func(*data.Schema)) *data.Dataset {
	schema := madeup.Schema(d)
	if numeric {
		schema.Label = data.Label{
			Name:       "y",
			Type:       data.NumericLabel,
			Min:        -1,
			Max:        1,
			Provenance: data.Public,
		}
	}
	change(schema)
	state := splitmix.Source(d)
	normal := func() float64 {
		return math.Sqrt(-2*math.Log(1-state.Uniform())) * math.Cos(2*math.Pi*state.Uniform())
	}
	weights, squares := make([]float64, d), 0.0
	for j := range min(d, 10) {
		weights[j] = normal()
		squares += weights[j] * weights[j] / 12 // the variance of a uniform number
	}
	var blocks [][]float64
	var labels []float64
	for i := range n {
		if i%data.BlockRows == 0 {
			blocks = append(blocks, nil)
		}
		last := &blocks[len(blocks)-1]
		at := len(*last)
		signal, square := 0.0, 0.0
		for j := range d {
			x := state.Uniform()
			signal += weights[j] * (x - 0.5) / math.Sqrt(squares)
			square += x * x
			*last = append(*last, x)
		}
		if length := math.Sqrt(square) * (1 + 0x1p-40); length > 1 ||
			schema.Rows.Norm == data.Unit {
			for j := range (*last)[at:] {
				(*last)[at+j] /= length
			}
		}
		if schema.Intercept > 0 {
			*last = append(*last, schema.Intercept)
		}
		switch {
		case numeric:
			labels = append(labels, max(-1, min(1, 0.35*signal+0.15*normal())))
		case state.Uniform() < 1/(1+math.Exp(-2*signal)):
			labels = append(labels, 1)
		default:
			labels = append(labels, -1)
		}
	}
	return &data.Dataset{Schema: schema, X: data.NewDense(schema.Dimension(), blocks...), Y: labels}
}
