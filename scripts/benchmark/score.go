package main

import (
	"cmp"
	"slices"

	"cloister/core/data"
)

// score returns the accuracy, or for a number the share of the variance explained, and
// for two classes the area under the ROC curve (else 0), all in percent.
func score(m model, test *data.Dataset) (score, auc float64) {
	margins := make([][]float64, len(test.Y))
	for i := range margins {
		margins[i] = m.Margins(test.X.Row(i))
	}
	switch test.Schema.Label.Type {
	case data.NumericLabel:
		return 100 * determination(margins, test.Y), 0
	case data.SeveralClasses:
		right := 0
		for i, y := range test.Y {
			if best(margins[i]) == int(y) {
				right++
			}
		}
		return 100 * float64(right) / float64(len(test.Y)), 0
	}
	right := 0
	for i, y := range test.Y {
		if (margins[i][0] >= 0) == (y > 0) {
			right++
		}
	}
	return 100 * float64(right) / float64(len(test.Y)), 100 * area(margins, test.Y)
}

// best is the first of the largest.
func best(margins []float64) int {
	at := 0
	for k, m := range margins {
		if m > margins[at] {
			at = k
		}
	}
	return at
}

// determination is R², 1 − squared error/variance.
func determination(margins [][]float64, y []float64) float64 {
	mean, errors, variance := 0.0, 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for i, v := range y {
		errors += (margins[i][0] - v) * (margins[i][0] - v)
		variance += (v - mean) * (v - mean)
	}
	return 1 - errors/variance
}

// area is the probability that a record of the positive class has the larger margin of
// two, one of each class; equal ones count half. It is ½ where one class is missing.
func area(margins [][]float64, y []float64) float64 {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(margins[a][0], margins[b][0]) })
	var positive, negative, pairs float64
	for first := 0; first < len(order); {
		var p, n float64 // of one margin
		end := first
		for ; end < len(order) && margins[order[end]][0] == margins[order[first]][0]; end++ {
			if y[order[end]] > 0 {
				p++
			} else {
				n++
			}
		}
		pairs += p*negative + p*n/2
		positive, negative, first = positive+p, negative+n, end
	}
	if positive == 0 || negative == 0 {
		return 0.5
	}
	return pairs / (positive * negative)
}
