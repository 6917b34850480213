package curve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The gates: nothing that failed comes out as a number.
func TestGates(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, x := range []float64{nan, -inf, inf, 1e-300} {
		assert.Zero(t, CertifiedLogDelta(x), x)
		assert.Zero(t, RoundUp(x), x)
	}
	for _, x := range []float64{nan, -inf, -1e-300, inf} {
		assert.Equal(t, inf, CertifiedEpsilon(x), x)
		assert.Equal(t, inf, RenyiUp(x), x)
	}
	assert.Equal(t, -3.0, CertifiedLogDelta(-3))
	assert.Equal(t, -math.MaxFloat64, CertifiedLogDelta(-math.MaxFloat64))
	assert.Equal(t, 3.0, CertifiedEpsilon(3))
	assert.Equal(t, 1.0, ExpUp(nan))
	for _, c := range [][2]float64{{2, 1}, {nan, 1}, {1, nan}, {-1, 1}} {
		low, high := CertifiedEpsilons(c[0], c[1])
		assert.Equal(t, [2]float64{0, inf}, [2]float64{low, high}, "%v", c)
	}
	for _, c := range [][2]float64{{-1, -2}, {nan, -1}, {-1, nan}, {-3, -inf}} {
		low, high := CertifiedLogDeltas(c[0], c[1])
		assert.Zero(t, high, "%v", c)
		assert.LessOrEqual(t, low, high, "%v", c)
	}
	assert.True(t, LosesMass(1-2e-9, 1e-9) && LosesMass(nan, 1) && LosesMass(1, nan))
	assert.False(t, LosesMass(1-1e-10, 1e-9) || LosesMass(1.5, 1e-9))
	// A Rényi curve that fails, or is below 0, promises nothing.
	for _, spoilt := range []float64{nan, -1, -inf} {
		curve := func(float64) float64 { return spoilt }
		assert.Zero(t, LogDeltaFromRenyi(curve, 1), spoilt)
		assert.Equal(t, inf, EpsilonFromRenyi(curve, -10), spoilt)
	}
}
