package special_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/random/randomtest"
	"cloister/core/special"
)

// Below the noise of a function there are no digits to be had: that is found out soon.
func TestAdaptiveStopsAtNoise(t *testing.T) {
	for _, noise := range []float64{1e-15, 1e-12, 1e-10} {
		asked := 0
		f := func(x float64) float64 {
			asked++
			_, hash := math.Modf(math.Sin(x*12345.678) * 43758.5453)
			return math.Exp(-x*x) * (1 + noise*hash)
		}
		value, bound, err := special.Adaptive(f, []float64{-6, -2, 0, 2, 6}, 1e-14, 0)
		exact := math.Sqrt(math.Pi) * math.Erf(6)
		assert.Less(t, math.Abs(value-exact), 0.3*noise*exact+1e-14, "noise %g", noise)
		assert.Less(t, bound, (8*noise+1e-14)*exact, "noise %g", noise)
		assert.Less(t, asked, 2000, "noise %g", noise)
		if noise > 1e-14 {
			assert.ErrorIs(t, err, special.ErrQuadrature)
			assert.Greater(t, bound, math.Abs(value-exact))
		}
	}
}

// The bound of an integral with noise is an estimate: errors are below half of it. Some are above a
// sixteenth, so that they would be above half of a bound an eighth as large.
func TestAllowanceOfNoise(t *testing.T) {
	draws := 3000
	if testing.Short() {
		draws = 1000
	}
	source := randomtest.New(3)
	ended, beyond, worst := 0, 0, 0.0
	for _, knots := range [][]float64{
		{-6, 6}, {-6, -2, 0, 2, 6}, {-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6},
	} {
		for range draws {
			word, _ := source.Uint64()
			salt, _ := source.Uint64()
			noise := math.Pow(10, -13+3.5*float64(word>>11)/0x1p53)
			f := func(x float64) float64 {
				hash := (math.Float64bits(x) ^ salt) * 0x9E3779B97F4A7C15
				hash ^= hash >> 29
				hash *= 0xBF58476D1CE4E5B9
				hash ^= hash >> 32
				return math.Exp(-x*x) * (1 + noise*(float64(hash>>12)*0x1p-51-1))
			}
			value, bound, err := special.Adaptive(f, knots, 1e-14, 0)
			apart := math.Abs(value - math.Sqrt(math.Pi)*math.Erf(6))
			if err == nil { // met by chance
				assert.Less(t, apart, 2*noise)
				continue
			}
			ended++
			worst = math.Max(worst, apart/bound)
			if apart > bound/16 {
				beyond++
			}
		}
	}
	t.Logf("%d ended by noise, errors at most %.3f of the bound, %d a 16th", ended, worst, beyond)
	assert.Greater(t, ended, draws)
	assert.Positive(t, beyond)
	assert.Less(t, worst, 0.5)
}

// What is hard but not noisy is bisected until it is known: a peak that most panels miss, a kink,
// and an end where the derivative is infinite.
func TestAdaptiveGoesOnWhereItHelps(t *testing.T) {
	for name, c := range map[string]struct {
		f     func(x float64) float64
		exact float64
	}{
		"peak": {
			func(x float64) float64 { y := (x - 0.3) / 1e-6; return 1 / (1 + y*y) },
			1e-6 * (math.Atan(0.7e6) + math.Atan(0.3e6)),
		},
		"kink": {func(x float64) float64 { return math.Abs(x - 1/math.E) }, 0},
		"root": {math.Sqrt, 2.0 / 3},
	} {
		if name == "kink" {
			a := 1 / math.E
			c.exact = (a*a + (1-a)*(1-a)) / 2
		}
		value, bound, err := special.Adaptive(c.f, []float64{0, 0.3, 1}, 1e-12, 0)
		assert.NoError(t, err, name)
		assert.LessOrEqual(t, bound, 1e-12*value, name)
		assert.InEpsilon(t, c.exact, value, 1e-11, name)
	}
}
