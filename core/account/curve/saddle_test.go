package curve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Balle & Wang 2018, Theorem 8, at σ = 1 and sensitivity 1, by the C library's erfc.
func TestSaddleOfGaussianIsItsProfile(t *testing.T) {
	saddle := SaddleOf(gaussianRenyi(1))
	for epsilon, delta := range map[float64]float64{
		0.5: 0.23842170813487656, 1: 0.1269367375066439, 2: 0.02092363582111372,
		4: 4.712241200793116e-5,
	} {
		assert.InDelta(
			t, math.Log(delta), saddle.EstimatedLogDelta(epsilon), 1e-9, "ε = %v", epsilon,
		)
	}
}

// The second way: the normal loss in x, integrated by the trapezoidal rule.
func TestSaddleOfGaussianAgainstQuadrature(t *testing.T) {
	for _, mu := range []float64{0.01, 0.3, 5} {
		saddle := SaddleOf(gaussianRenyi(mu))
		for _, z := range []float64{-2, 0, 1, 3} {
			epsilon := mu*mu/2 + z*mu
			if epsilon < 0 {
				continue
			}
			delta, h := 0.0, 1e-4
			for x := h; x < 15; x += h {
				delta += h * -math.Expm1(-x*mu) * math.Exp(-(x+z)*(x+z)/2)
			}
			assert.InDelta(
				t, math.Log(delta/math.Sqrt(2*math.Pi)), saddle.EstimatedLogDelta(epsilon), 1e-5,
				"μ = %v, ε = %v", mu, epsilon,
			)
		}
	}
}

func TestSaddleSaysNothingWhereTheOrdersDoNotReach(t *testing.T) {
	none := SaddleOf(func(float64) float64 { return math.Inf(1) })
	assert.Equal(t, math.Inf(1), none.EstimatedLogDelta(1))
	assert.Equal(t, math.Inf(1), SaddleOf(gaussianRenyi(1e-4)).EstimatedLogDelta(100))
	assert.Equal(t, math.Inf(1), SaddleOf(gaussianRenyi(1)).EstimatedLogDelta(math.NaN()))
	assert.Less(t, SaddleOf(gaussianRenyi(2)).EstimatedLogDelta(0), 0.0)
}
