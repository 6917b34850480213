package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/special"
)

// renyi integrates D_α(p_Z ‖ p_{Z'}) of the exact densities in one dimension.
func (p scalar) renyi(t *testing.T, alpha float64, z, other []record) float64 {
	t.Helper()
	var knots []float64
	for u := -20.0; u <= 20; u += 0.25 {
		theta := p.preimage(u*p.sigma, z)
		if len(knots) == 0 || theta > knots[len(knots)-1] {
			knots = append(knots, theta)
		}
	}
	value, _, err := special.Adaptive(func(theta float64) float64 {
		return math.Exp(
			alpha*p.logDensity(theta, z)+(1-alpha)*p.logDensity(theta, other),
		) / (math.Sqrt(2*math.Pi) * p.sigma)
	}, knots, 1e-9, 0)
	require.NoError(t, err)
	return math.Log(value) / (alpha - 1)
}

// No exact divergence between data sets that differ in one record exceeds the
// bound under replace-one, by any theorem, and the sharpest comes near it (where
// both gradients are clipped, so that they may point apart by 2L); half
// the way (add/remove's own) would be exceeded.
func TestReplaceOneRenyiAgainstDensities(t *testing.T) {
	nativetest.Only(t)
	closest, half := 0.0, 0
	for _, p := range []scalar{{1, 0.5, 3, bend{}}, {1, 4, 1.5, bend{}}, {0.25, 20, 2, bend{}}} {
		event := p.event(1)
		event.Adjacency = privacy.ReplaceOne
		event.Lambda = p.lambda
		alone, _, err := Renyi(p.event(1), BoundAuto)
		require.NoError(t, err)
		sets, joining := neighbours(1, p.sigma)
		for _, bound := range []Bound{
			BoundControl, BoundLogistic, BoundSigned, BoundGLM, BoundRDP,
		} {
			added, removed, err := Renyi(event, bound)
			require.NoError(t, err)
			for _, alpha := range []float64{1.3, 2, 4} {
				limit := added(alpha)
				require.Equal(t, limit, removed(alpha))
				for i, z := range sets {
					for k, first := range joining {
						second := joining[(k+1)%len(joining)]
						if second == first {
							continue
						}
						exact := p.renyi(t, alpha, with(z, first), with(z, second))
						require.LessOrEqual(
							t, exact, limit*(1+1e-9), "%v of %+v at α = %v, set %d", bound, p,
							alpha, i,
						)
						if bound == BoundLogistic {
							closest = math.Max(closest, exact/limit)
							if exact > alone(alpha) {
								half++
							}
						}
					}
				}
			}
		}
	}
	assert.Greater(t, closest, 0.7)
	assert.Positive(t, half)
}

// Replacing costs a Gaussian mechanism of ratio μ what ratio 2μ does, no more,
// where the loss of one change is a Gaussian's at the orders that matter; and the
// output step adds its own once.
func TestReplaceOneRenyiOfMinima(t *testing.T) {
	o := logisticEvent(1, 1, 50, 4)
	o.Adjacency = privacy.ReplaceOne
	plain, _, err := Renyi(o, BoundAuto)
	require.NoError(t, err)
	with, _, err := Renyi(privacy.ApproximateMinima{Objective: o, Tau: 1, SigmaOut: 1}, BoundAuto)
	require.NoError(t, err)
	muOut := 2.0 / 50
	for _, alpha := range []float64{1.5, 10, 300} {
		assert.InEpsilon(t, plain(alpha)+alpha*muOut*muOut/2, with(alpha), 1e-12)
	}
	assert.InEpsilon(t, 300*4.0/16/2, plain(300), 0.02)
}
