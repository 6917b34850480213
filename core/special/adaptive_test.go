package special_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/special"
)

// Below the noise of a function there are no digits to be had: that is found out soon, with a
// bound that holds and is about as close as ten times the work would make it.
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
		assert.Less(t, bound, (4*noise+1e-14)*exact, "noise %g", noise)
		assert.Less(t, asked, 2000, "noise %g", noise)
		if noise > 1e-14 {
			assert.ErrorIs(t, err, special.ErrQuadrature)
			assert.Greater(t, bound, math.Abs(value-exact))
		}
	}
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
