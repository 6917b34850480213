package learntest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/random/randomtest"
)

// Degenerate are logistic problems of two classes that are odd in one way or
// another, by what is odd about them. Their rows keep what their schemas promise,
// so a learner fits them, or fails with an error that says why.
func Degenerate() map[string]learn.Problem {
	problem := func(features int, x [][]float64, y []float64) learn.Problem {
		return Problem(Schema(features, 0.5), x, y)
	}
	scattered, source := make([][]float64, 4), randomtest.New(8)
	for i := range scattered {
		for range 20 {
			scattered[i] = append(scattered[i], 0.2*Uniform(source))
		}
		scattered[i] = append(scattered[i], 0.5)
	}
	sparse := make([][]float64, 3)
	for i := range sparse {
		sparse[i] = make([]float64, 12)
		sparse[i][i], sparse[i][i+5] = 0.6, -0.7
	}
	alike := make([]float64, 41)
	for j := range alike {
		alike[j] = 0.15
	}
	alike[40] = 0.5
	return map[string]learn.Problem{
		"no records": problem(2, nil, nil),
		"one record": problem(2, [][]float64{{0.6, 0.7, 0.5}}, []float64{1}),
		"zero rows":  problem(2, repeat(6, 0, 0, 0), labels(6, 1, -1)),
		"one class": problem(
			2, [][]float64{{0.5, 0.1, 0.5}, {0.1, 0.5, 0.5}}, labels(2, 1),
		),
		"one class, one row":   problem(2, repeat(25, 0.4, 0.1, 0.5), labels(25, -1)),
		"constant features":    problem(2, repeat(40, 0.5, 0.25, 0.5), labels(40, 1, -1, -1)),
		"all entries the same": problem(2, repeat(3, 0.5, 0.5, 0.5), labels(3, 1, -1)),
		"duplicated columns": problem(
			2, [][]float64{{0.1, 0.1, 0.5}, {0.6, 0.6, 0.5}, {0.3, 0.3, 0.5}}, labels(3, 1, -1),
		),
		"two of three duplicated": problem(
			3, append(repeat(30, 0.5, 0.5, 0, 0.5), repeat(30, 0.1, 0.1, 0.9, 0.5)...),
			labels(60, 1, 1, -1),
		),
		"separable": problem(
			2, [][]float64{{0.9, 0, 0.5}, {0, 0.9, 0.5}, {0.8, 0, 0.5}}, labels(3, 1, -1),
		),
		"separable, many": problem(
			2, append(repeat(300, 0.9, 0.1, 0.5), repeat(300, 0.1, 0.9, 0.5)...),
			append(labels(300, 1), labels(300, -1)...),
		),
		"n < d":          problem(20, scattered, labels(4, 1, -1)),
		"n < d, sparse":  Problem(Schema(12, 0), sparse, labels(3, 1, -1)),
		"n < d, one row": problem(40, [][]float64{alike, alike}, labels(2, 1, -1)),
		"tiny entries":   problem(2, repeat(10, 1e-300, 5e-324, 0.5), labels(10, 1, -1)),
		"tiny, of many sizes": problem(
			2, [][]float64{{5e-324, 1e-200, 0.5}, {1e-160, 0, 0.5}}, labels(2, 1, -1),
		),
	}
}

func repeat(n int, row ...float64) (x [][]float64) {
	for range n {
		x = append(x, row)
	}
	return x
}

func labels(n int, pattern ...float64) (y []float64) {
	for i := range n {
		y = append(y, pattern[i%len(pattern)])
	}
	return y
}

// RequireFinite ends the test unless there are so many coefficients, all of them
// finite.
func RequireFinite(t testing.TB, coefficients []float64, dimension int, what string) {
	t.Helper()
	require.Len(t, coefficients, dimension, what)
	for _, c := range coefficients {
		require.False(t, math.IsNaN(c) || math.IsInf(c, 0), what)
	}
}
