package goe

import (
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/special"
)

func largest(t testing.TB, d int) *Largest {
	t.Helper()
	l, err := NewLargest(d)
	require.NoError(t, err)
	return l
}

// d = 1: N(0, 2). d = 2: λ₁ = m + r, m ~ N(0, 1) and r Rayleigh, so
// F(x) = Φ(x) − e^{−x²/4}Φ(x/√2)/√2.
func TestClosedForms(t *testing.T) {
	one, two := largest(t, 1), largest(t, 2)
	for x := -1.0; x < 12; x += 0.5 {
		assert.InEpsilon(
			t, special.NormalSurvival(x/math.Sqrt2), one.Survival(x), 1e-10, "d = 1, x = %g", x,
		)
		want := special.NormalSurvival(x) +
			math.Exp(-x*x/4)/math.Sqrt2*special.NormalCDF(x/math.Sqrt2)
		assert.InEpsilon(t, want, two.Survival(x), 1e-10, "d = 2, x = %g", x)
		assert.InDelta(t, 1-want, two.CDF(x), 1e-13)
	}
}

// The thesis' value (appendix A.4.1), in Chiani's units: 12 at d = 50 is the
// (1 − ρ/2) quantile for ρ = 8.465e-6.
func TestThesisValue(t *testing.T) {
	l := largest(t, 50)
	assert.InEpsilon(t, 8.465e-6/2, l.Survival(12*math.Sqrt2), 2e-4)
	q, err := l.Quantile(8.465e-6 / 2)
	require.NoError(t, err)
	assert.InDelta(t, 12, q/math.Sqrt2, 1e-4)
	assert.Greater(t, l.Survival(12), 0.99) // in the units of the thesis' own Lemma A.4.3
}

// Draws of the matrix itself: λ₁ < x just where x·I − M has a Cholesky factor.
func TestSimulation(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct{ d, short int }{{2, 40_000}, {10, 20_000}, {50, 1_500}} {
		runs := c.short
		if os.Getenv("CLOISTER_AUDIT") == "long" {
			runs = 1_000_000
		}
		l := largest(t, c.d)
		var xs []float64
		for _, tail := range []float64{0.5, 0.1, 0.01} {
			x, err := l.Quantile(tail)
			require.NoError(t, err)
			xs = append(xs, x)
		}
		counts := make([]int, len(xs))
		source := randomtest.New(uint64(c.d))
		entries, m := make([]float64, c.d*(c.d+1)/2), make([]float64, c.d*(c.d+1)/2)
		for range runs {
			require.NoError(t, random.Gaussian(source, entries, 1))
			for k, x := range xs {
				if above(m, entries, c.d, x) {
					counts[k]++
				}
			}
		}
		for k, x := range xs {
			p := l.Survival(x)
			assert.InDelta(
				t, p, float64(counts[k])/float64(runs), 5*math.Sqrt(p*(1-p)/float64(runs)),
				"d = %d, x = %g", c.d, x,
			)
		}
		// In other units (Chiani's for the thesis') the same draws tell.
		assert.Greater(t, math.Abs(l.Survival(xs[1]*math.Sqrt2)-0.1), 0.05)
	}
}

// above reports whether λ₁ > x, for entries of N(0, 1).
func above(m, entries []float64, d int, x float64) bool {
	at := 0
	for i := range d {
		row := m[at : at+i+1]
		for j := range row {
			v := -entries[at+j]
			if i == j {
				v = x + math.Sqrt2*v
			}
			other := m[j*(j+1)/2:]
			for k := range j {
				v -= row[k] * other[k]
			}
			if i == j {
				if v <= 0 {
					return true
				}
				row[j] = math.Sqrt(v)
			} else {
				row[j] = v / other[j]
			}
		}
		at += i + 1
	}
	return false
}

func TestQuantile(t *testing.T) {
	nativetest.Only(t)
	for _, d := range []int{1, 2, 3, 20, 51, 200} {
		l := largest(t, d)
		before := math.Inf(-1)
		for _, tail := range []float64{0.5, 0.005, 5e-7, 1e-30} {
			start := time.Now()
			q, err := l.Quantile(tail)
			require.NoError(t, err)
			t.Logf("d %d tail %g: %.6g in %v", d, tail, q, time.Since(start))
			assert.LessOrEqual(t, l.Survival(q), tail, "d = %d", d)
			assert.Greater(t, l.Survival(q-1e-6), tail, "d = %d, tail = %g", d, tail)
			bound, err := TailBound(d, tail)
			require.NoError(t, err)
			assert.Less(t, q, bound)
			assert.Greater(t, q, before)
			before = q
		}
	}
	for _, tail := range []float64{0, -1, 0.6, math.NaN()} {
		_, err := largest(t, 2).Quantile(tail)
		assert.ErrorContains(t, err, "tail")
	}
	for _, d := range []int{0, 201} {
		_, err := NewLargest(d)
		assert.ErrorContains(t, err, "dimension")
	}
	wide, err := QuantileUpper(300, 0.01)
	require.NoError(t, err)
	narrow, err := QuantileUpper(200, 0.01)
	require.NoError(t, err)
	assert.Greater(t, wide, narrow)
}

// Far out no second eigenvalue is there, and P[λ₁ > x] is the expected number of
// eigenvalues above x, which Mehta's one-point density gives without any
// Pfaffian (Random Matrices, §7.2): with ε(u) = sgn(u)/2,
//
//	Σ_{k<d} φₖ² + √(d/2)·φ_{d−1}(x)·∫ ε(x − t)φ_d(t) dt + [d odd] φ_{d−1}(x)/∫ φ_{d−1}.
func TestFarTailIsTheExpectedNumber(t *testing.T) {
	for _, d := range []int{3, 10, 51, 120} {
		l := largest(t, d)
		x, err := l.Quantile(1e-13)
		require.NoError(t, err)
		total := 0.0 // ∫ φ_d
		if d%2 == 0 {
			total = l.total[0]
			for k := 2; k <= d; k += 2 {
				total *= math.Sqrt(float64(k-1) / float64(k))
			}
		}
		density := func(y float64) float64 {
			values, tails := hermite(y, d+1)
			sum := 0.0
			for _, v := range values[:d] {
				sum += v * v
			}
			sum += math.Sqrt(float64(d)/2) * values[d-1] * (total/2 - tails[d])
			if d%2 == 1 {
				sum += values[d-1] / l.total[d-1]
			}
			return sum
		}
		number, low := 0.0, x/math.Sqrt2
		for p := range 60 {
			number += rule.Integrate(density, low+0.1*float64(p), low+0.1*float64(p+1))
		}
		assert.InEpsilon(t, number, l.Survival(x), 1e-9, "d = %d", d)
	}
}
