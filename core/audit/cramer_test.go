package audit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// masses of a binomial.
func masses(n int, p float64) []float64 {
	out := make([]float64, n+1)
	for k := range out {
		choose, _ := math.Lgamma(float64(n) + 1)
		a, _ := math.Lgamma(float64(k) + 1)
		b, _ := math.Lgamma(float64(n-k) + 1)
		out[k] = math.Exp(choose - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return out
}

// The bound is above the exact probability for every pair of binomials that it is for,
// and not far above the largest of them.
func TestTheTailIsAnUpperBound(t *testing.T) {
	all := Interval{0, 1}
	for _, c := range []struct {
		n, m           int
		factor, delta  float64
		tightWithin    float64
		differenceFrom float64
		within         Interval
	}{
		{40, 30, 1, 0, 12, 0.3, all}, {40, 30, 1, 0.1, 12, 0.4, all},
		{30, 45, math.E, 0.02, 20, 0.3, all}, {25, 60, 3, 0.3, 20, 0.55, all},
		{60, 20, 1.2, 0.05, 20, 0.45, all}, {40, 30, 1, 0.1, 12, 0.4, Interval{0.05, 0.15}},
		{30, 45, math.E, 0.02, 20, 0.3, Interval{0.01, 0.1}},
		{40, 30, 1, 0.05, 12, 0.3, Interval{0.7, 0.9}},
	} {
		for _, d := range []float64{c.differenceFrom, c.differenceFrom + 0.15} {
			bound := tail(c.n, c.m, c.factor, d, c.delta, c.within)
			worst := 0.0
			for q := math.Max(0.001, c.within.Lower); q < c.within.Upper; q += 0.004 {
				p := c.delta + c.factor*q
				if p >= 1 {
					break
				}
				first, second := masses(c.n, p), masses(c.m, q)
				exact := 0.0
				for a, x := range first {
					for b, y := range second {
						if float64(a)/float64(c.n)-c.factor*float64(b)/float64(c.m) >= d-1e-12 {
							exact += x * y
						}
					}
				}
				worst = math.Max(worst, exact)
			}
			assert.LessOrEqual(t, worst, bound*(1+1e-9), "%+v, d = %g", c, d)
			assert.Less(t, bound, c.tightWithin*worst, "%+v, d = %g", c, d)
		}
	}
}

// The probability that the lower bound is wrong, added up over all outcomes.
func TestTheLowerDifferenceCovers(t *testing.T) {
	const n, m, alpha = 22, 18, 0.05
	for _, c := range []float64{1, 2} {
		var bounds [n + 1][m + 1]float64
		for a := range bounds {
			for b := range bounds[a] {
				bounds[a][b] = lowerDifference(a, n, b, m, c, alpha)
			}
		}
		informs := false
		for p := 0.02; p < 1; p += 0.07 {
			for q := 0.02; q < 1; q += 0.07 {
				first, second, wrong := masses(n, p), masses(m, q), 0.0
				for a, x := range first {
					for b, y := range second {
						informs = informs || bounds[a][b] > 0
						if bounds[a][b] > math.Max(0, p-c*q) {
							wrong += x * y
						}
					}
				}
				assert.LessOrEqual(t, wrong, alpha, "p = %g, q = %g, c = %g", p, q, c)
			}
		}
		assert.True(t, informs)
	}
	assert.Zero(t, lowerDifference(0, 0, 5, 10, 1, alpha))
	assert.Zero(t, lowerDifference(3, 10, 0, 0, 1, alpha))
	assert.Greater(t, lowerDifference(1000, 1000, 0, 1000, 1, 1e-6), 0.95)
}
