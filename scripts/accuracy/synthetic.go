package main

import (
	"math"
	"strconv"
	"strings"

	"cloister/core/data"
	"cloister/scripts/madeup"
	"cloister/scripts/splitmix"
)

// The synthetic data: 2,000 records of a small clinic's kind, three features, a
// rare outcome that depends on one of them, features that may all be 0. It is
// where an intercept matters, and scaling every row to norm 1 hurts.

func syntheticSchema() *data.Schema {
	numeric := func(name string) data.Feature {
		return data.Feature{Name: name, Type: data.Numeric, Min: 0, Max: 1, Provenance: data.Public}
	}
	return &data.Schema{
		Features: []data.Feature{numeric("dose"), numeric("noise"), numeric("treated")},
		Label: data.Label{
			Name:       "outcome",
			Negative:   []string{"no"},
			Positive:   []string{"yes"},
			Provenance: data.Public,
		},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: 0.5,
	}
}

func syntheticText() string {
	state := splitmix.Source(7)
	var b strings.Builder
	b.WriteString("dose,noise,treated,outcome\n")
	for range 2000 {
		dose, noise, treated := state.Uniform(), state.Uniform(), math.Floor(2*state.Uniform())
		outcome := "no"
		if state.Uniform() < 1/(1+math.Exp(1.5-8*(dose-0.5))) {
			outcome = "yes"
		}
		for _, x := range []float64{dose, noise, treated} {
			b.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + ",")
		}
		b.WriteString(outcome + "\n")
	}
	return b.String()
}

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
