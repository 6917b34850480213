// Command tested times what tested releases are made of: the privacy loss of one posterior
// sample, the tested regression, and votes. Natively it prints milliseconds of the processor a
// call, as JSON; in a page it has a function pass(name, times).
package main

import (
	"context"
	"math"

	"cloister/core/account/posterior"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/ops"
	"cloister/core/pate"
	"cloister/core/privacy"
	"cloister/core/random"
)

// action is what is timed, by the name of its row in scripts/bench/tested.mjs.
type action struct {
	name  string
	times int // in a turn: some tenths of a second
	run   func()
}

// kept holds what is computed, so that it is.
var kept float64

func prepare() ([]action, error) {
	sample, err := regression()
	if err != nil {
		return nil, err
	}
	labels := votes()
	shape, err := pate.ShapeOf(labels)
	if err != nil {
		return nil, err
	}
	plan, err := pate.NewPlan(privacy.AddRemove, shape, 40, 30, 0.05, 10, 2e-6)
	if err != nil {
		return nil, err
	}
	i := 0
	chances := []float64{1e-12, 1e-5, 0.01, 0.3}
	return []action{
		{"tested-pair", 400_000, func() {
			kept += posterior.Pair{Leverage: 0.01, Shift: 0.3}.LogDeltaUpper(1)
		}},
		{"tested-pair-renyi", 2_000_000, func() {
			kept += posterior.Pair{Leverage: 0.01, Shift: 0.3}.Renyi(8)
		}},
		{"tested-shift", 2_000, func() {
			a, _ := posterior.Shift(1, 1e-6, 0.001)
			kept += a
		}},
		{"tested-tails", 20_000, func() {
			i++
			kept += pate.TwoTails(chances[i%4], 40, 20)
		}},
		{"tested-votes", 200, func() {
			forward, _ := pate.Divergences(
				[]int{375, 9, 3, 11, 1, 1, 0, 0, 0, 0}, 40, []float64{20})
			kept += forward[0]
		}},
		{"tested-distance", 10, func() { kept += float64(plan.Distance(labels)) }},
		{"tested-sample", 8, sample},
	}, nil
}

// votes are of 400 teachers for ten classes on 200 queries, nine in ten or more for one class.
func votes() [][]int {
	out := make([][]int, 200)
	for i := range out {
		rest := 8 + i*32/200
		out[i] = make([]int, 10)
		out[i][0] = 400 - rest
		for j := range rest {
			out[i][1+(j*j+i)%9]++
		}
	}
	return out
}

// regression is a tested sample of 20,000 dense rows of 20 columns.
func regression() (func(), error) {
	const n, d = 20_000, 20
	schema := &data.Schema{
		Label: data.Label{
			Name: "y", Type: data.NumericLabel, Min: -1, Max: 1, Provenance: data.Public,
		},
		Rows: data.Rows{Norm: data.Clip},
	}
	for j := range d {
		schema.Features = append(schema.Features, data.Feature{
			Name: "x" + string(rune('a'+j)), Type: data.Numeric, Min: -1, Max: 1,
			Provenance: data.Public,
		})
	}
	var blocks [][]float64
	labels := make([]float64, n)
	for i := range n {
		if i%data.BlockRows == 0 {
			blocks = append(blocks, make([]float64, 0, min(data.BlockRows, n-i)*d))
		}
		last := &blocks[len(blocks)-1]
		for j := range d {
			v := math.Sin(float64(i*d+j)*12.9898) / math.Sqrt(d) * (1 - 1e-9)
			labels[i] += v * math.Cos(float64(j))
			*last = append(*last, v)
		}
	}
	problem := learn.Problem{
		Data: &data.Dataset{Schema: schema, X: data.NewDense(d, blocks...), Y: labels},
		Loss: glm.Squared{},
	}
	guarantee := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-6}
	plan, err := ops.NewPlan(guarantee, d, schema.RowNorm())
	if err != nil {
		return nil, err
	}
	fit := func() error {
		model, _, _, err := ops.Fit(context.Background(), problem, plan, random.Secure(), nil)
		if err == nil {
			kept += model.Coefficients[0]
		}
		return err
	}
	return func() {
		if err := fit(); err != nil {
			panic(err)
		}
	}, fit()
}
