// Large times fits of dense data sets that it makes up, 100 columns wide, of ten
// thousand to a million rows, and prints the figures as JSON: milliseconds, and
// the exponent p of time ~ rows^p. It is compiled for this machine and, as it
// is, to js/wasm for Chromium.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/scripts/madeup"
	"cloister/scripts/splitmix"
	"cloister/wasm/kernel"
)

const features = 99 // and an intercept

func main() {
	most := flag.Int("rows", 1_000_000, "the largest data set")
	flag.Parse()
	kernel.Use()
	if err := run(*most); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(most int) error {
	all := made(most)
	guarantee := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	source := random.Secure()
	var rows, times []float64
	for n := most / 100; n <= most; n *= 10 {
		problem := learn.Problem{Data: first(all, n), Loss: glm.Logistic{}}
		var taken []float64
		for range 3 {
			start := time.Now()
			fit, err := methods.Choose(
				methods.Default,
				learn.Asked{Schema: all.Schema, Loss: problem.Loss, Guarantee: guarantee},
			)
			if err != nil {
				return err
			}
			if _, _, err := fit.Fit(
				context.Background(), problem, source, learn.Watch{},
			); err != nil {
				return err
			}
			taken = append(taken, float64(time.Since(start))/float64(time.Millisecond))
		}
		slices.Sort(taken)
		rows, times = append(rows, float64(n)), append(times, taken[len(taken)/2])
	}
	figures := map[string]float64{"large-exponent": exponent(rows, times)}
	for i, n := range rows {
		figures["large-fit-"+strconv.FormatFloat(n, 'f', 0, 64)] = times[i]
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}

// exponent is p of the least-squares fit log y = p log x + constant.
func exponent(x, y []float64) float64 {
	var mx, my, xy, xx float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	for i := range x {
		xy += (math.Log(x[i]) - mx) * (math.Log(y[i]) - my)
		xx += (math.Log(x[i]) - mx) * (math.Log(x[i]) - mx)
	}
	return xy / xx
}

// made is n records of features from 0 to 1, brought to norm 1, and labels that
// follow a logistic model of ten of them.
func made(n int) *data.Dataset {
	schema := madeup.Schema(features)
	const columns = features + 1
	state := splitmix.Source(1)
	var blocks [][]float64
	labels := make([]float64, n)
	for i := range n {
		if i%data.BlockRows == 0 {
			blocks = append(blocks, make([]float64, 0, min(n-i, data.BlockRows)*columns))
		}
		block := &blocks[len(blocks)-1]
		at := len(*block)
		*block = (*block)[:at+columns]
		row := (*block)[at:]
		squares, margin := 0.0, 0.0
		for j := range features {
			row[j] = state.Uniform()
			squares += row[j] * row[j]
			if j < 10 {
				margin += float64(2*(j%2)-1) * 3 * row[j]
			}
		}
		scale := (1 - 128*0x1p-53) / math.Sqrt(squares)
		for j := range features {
			row[j] *= scale
		}
		row[features] = schema.Intercept
		labels[i] = -1
		if state.Uniform() < 1/(1+math.Exp(-margin)) {
			labels[i] = 1
		}
	}
	return &data.Dataset{Schema: schema, X: data.NewDense(columns, blocks...), Y: labels}
}

// first is the first n records, sharing memory.
func first(d *data.Dataset, n int) *data.Dataset {
	blocks := slices.Clone(d.X.Blocks[:(n+data.BlockRows-1)/data.BlockRows])
	last := &blocks[len(blocks)-1]
	*last = (*last)[:(n-data.BlockRows*(len(blocks)-1))*d.X.Columns]
	return &data.Dataset{Schema: d.Schema, X: data.NewDense(d.X.Columns, blocks...), Y: d.Y[:n]}
}
