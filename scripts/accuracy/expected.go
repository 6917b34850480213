package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cloister/core/lab/expect"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/scripts/madeup"
)

// The table of the documentation (site/docs/choosing.md): what a private fit
// with the library's defaults can be expected to predict of made-up records.
// Trials are numbered, and their records and noise go by the number: the same
// command gives the same table.
const expectedTrials = 40

var (
	expectedRows     = []int{300, 1000, 3000, 10_000, 30_000}
	expectedEpsilons = []float64{0.1, 0.3, 1, 3}
)

// expectedScores are the mean shares of fresh records that are predicted right:
// at each ε, and last without noise. Of each comes the standard error.
func expectedScores(records, trials int) (means, deviations []float64, err error) {
	schema := madeup.Schema(10)
	loss, err := learn.ParseLoss(learn.LogisticLoss, learn.DefaultHuberWidth)
	if err != nil {
		return nil, nil, err
	}
	request := expect.Request{Schema: schema, Records: records, Signal: expect.Medium, Loss: loss}
	for _, epsilon := range expectedEpsilons {
		guarantee := privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}
		fit, err := methods.Choose(
			methods.Default, learn.Asked{Schema: schema, Loss: loss, Guarantee: guarantee},
		)
		if err != nil {
			return nil, nil, err
		}
		trial, err := fit.Trial()
		if err != nil {
			return nil, nil, err
		}
		request.Fits = append(request.Fits, trial)
	}
	sums, squares := make(
		[]float64, len(expectedEpsilons)+1,
	), make(
		[]float64, len(expectedEpsilons)+1,
	)
	for request.Trial = 1; request.Trial <= trials; request.Trial++ {
		result, err := expect.Run(context.Background(), request)
		if err != nil {
			return nil, nil, err
		}
		for i, score := range append(result.Private, result.Plain) {
			sums[i] += score
			squares[i] += score * score
		}
	}
	n := float64(trials)
	for i, sum := range sums {
		means = append(means, sum/n)
		deviations = append(deviations, math.Sqrt(max(0, squares[i]/n-sum*sum/(n*n))/(n-1)))
	}
	return means, deviations, nil
}

// expectedRow is a row of the table, in Markdown.
func expectedRow(records int, means []float64) string {
	thousands := strconv.Itoa(records % 1000)
	if records >= 1000 {
		thousands = fmt.Sprintf("%d,%03d", records/1000, records%1000)
	}
	var cells strings.Builder
	for _, mean := range means {
		fmt.Fprintf(&cells, " %.0f %% |", 100*mean)
	}
	return "| " + thousands + " |" + cells.String()
}

// printExpected prints the table, and below it the largest standard error.
func printExpected() error {
	widest := 0.0
	for _, records := range expectedRows {
		means, deviations, err := expectedScores(records, expectedTrials)
		if err != nil {
			return err
		}
		fmt.Println(expectedRow(records, means))
		for _, deviation := range deviations {
			widest = max(widest, deviation)
		}
	}
	fmt.Printf("\n%d trials; no standard error is above %.1f %%.\n", expectedTrials, 100*widest)
	return nil
}
