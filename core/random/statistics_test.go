package random

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mathext"
)

// Every statistical check of this package raises a false alarm with at most
// this probability over the seed; there are fewer than a hundred of them in
// any one test, which therefore has at most 1e-6. The seeds are fixed, so a
// test either always passes or always fails.
const falseAlarm = 1e-8

// ksDistance is the largest distance between the empirical distribution
// function of draws, which it does not change, and cdf.
func ksDistance(draws []float64, cdf func(float64) float64) float64 {
	sorted := slices.Clone(draws)
	slices.Sort(sorted)
	n, worst := float64(len(sorted)), 0.0
	for i, x := range sorted {
		p := cdf(x)
		worst = max(worst, math.Abs(p-float64(i)/n), math.Abs(p-float64(i+1)/n))
	}
	return worst
}

// ksThreshold is exceeded by the distance of n draws with probability at most
// alpha, for every n: Dvoretzky–Kiefer–Wolfowitz with Massart's constant.
func ksThreshold(n int, alpha float64) float64 {
	return math.Sqrt(math.Log(2/alpha) / (2 * float64(n)))
}

// plausibleCount is false for a count of n events of probability p that is as
// far out as this one, on its side, with probability at most alpha/2
// (Chernoff's bound, valid for every n).
func plausibleCount(count, n int, p, alpha float64) bool {
	q := float64(count) / float64(n)
	divergence := 0.0
	if q > 0 {
		divergence += q * math.Log(q/p)
	}
	if q < 1 {
		divergence += (1 - q) * (math.Log1p(-q) - math.Log1p(-p))
	}
	return float64(n)*divergence <= math.Log(2/alpha)
}

// chiSquare returns the p-value of Pearson's statistic for counts against
// expected ones, which must be at least 25 each for the approximation.
func chiSquare(observed []int, expected []float64) float64 {
	statistic := 0.0
	for i, e := range expected {
		if e < 25 {
			panic("chiSquare: pool the cells first")
		}
		statistic += (float64(observed[i]) - e) * (float64(observed[i]) - e) / e
	}
	return mathext.GammaIncRegComp(float64(len(expected)-1)/2, statistic/2)
}

func chiSquareUniform(observed []int) float64 {
	total := 0
	for _, o := range observed {
		total += o
	}
	expected := make([]float64, len(observed))
	for i := range expected {
		expected[i] = float64(total) / float64(len(observed))
	}
	return chiSquare(observed, expected)
}

func TestStatisticsAgainstTables(t *testing.T) {
	// Upper quantiles of χ²: 16.919 (9 degrees, 0.05), 29.588 (10, 0.001).
	counts := make([]int, 10)
	expected := make([]float64, 10)
	for i := range counts {
		counts[i], expected[i] = 1000, 1000
	}
	shift := math.Sqrt(16.919 * 1000 / 2)
	expected[0] += shift
	expected[1] -= shift
	want := shift*shift/expected[0] + shift*shift/expected[1]
	assert.InDelta(t, mathext.GammaIncRegComp(4.5, want/2), chiSquare(counts, expected), 1e-12)
	assert.InDelta(t, 0.05, mathext.GammaIncRegComp(4.5, 16.919/2), 1e-5)
	assert.InDelta(t, 0.001, mathext.GammaIncRegComp(5, 29.588/2), 1e-6)

	assert.True(t, plausibleCount(500, 1000, 0.5, 1e-6))
	assert.False(t, plausibleCount(600, 1000, 0.5, 1e-6)) // 6.3 standard deviations
	assert.False(t, plausibleCount(0, 1000, 0.05, 1e-6))
	assert.True(t, plausibleCount(0, 1000, 0.001, 1e-6))
}
