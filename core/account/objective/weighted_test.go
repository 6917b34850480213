package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
)

// The one-dimensional certificate with weights (theory §4.9): no density of two neighbours exceeds
// a bound of the loss without weights, whichever class the record is of, whether gradients are
// clipped or not. The rounded hinge and the shifted loss may have weights too.
func TestCertificateOfWeights(t *testing.T) {
	nativetest.Only(t)
	closest := map[float64]float64{} // by the record's label
	bends := []bend{{false, 0, 0.5}, {true, 1, 0.2}, {false, 0, 0.05}, {false, 2, 0.2}}
	for _, b := range bends {
		for _, c := range []struct{ lipschitz, lambda, sigma float64 }{
			{1, 1, 3.7}, {0.6, 0.3, 2}, {1, 0.1, 1},
		} {
			p := scalar{c.lipschitz, c.lambda, c.sigma, b}
			pairs := p.directions(t)
			sets := [][]record{
				nil, {{1, 1, 1}}, {{1, 1, 3}, {0.5, -1, 40}}, p.pulled(-3 * c.sigma),
				p.pulled(2 * c.sigma), with(p.pulled(-3*c.sigma), record{1, -1, 5}),
			}
			for _, z := range sets {
				for _, extra := range []record{{1, 1, 1}, {1, -1, 1}, {-0.4, -1, 1}} {
					for _, epsilon := range []float64{-0.4, 0.3, 1.5} {
						for _, near := range p.within(t, pairs, epsilon, z, extra) {
							closest[extra.y] = math.Max(closest[extra.y], near.removed)
						}
					}
				}
			}
		}
	}
	t.Logf("heavier class: at most %.4f of a bound, lighter %.4f", closest[1], closest[-1])
	assert.Greater(t, closest[1], 0.98)
}

// At the λ of zero overhead a record of the heavier class meets the price of one Gaussian
// mechanism, so weights lose nothing. A weight of 2 that is priced as one of 1 is caught.
func TestWeightsAreTightAndWrongOnesAreCaught(t *testing.T) {
	for _, c := range []struct{ sigma, epsilon, light float64 }{
		{3.7, 1, 0.05}, {1, 0.5, 0.2}, {0.5, 3, 0.9},
	} {
		lambda := ZeroOverheadLambda(c.epsilon, 1, c.sigma)
		p := scalar{1, lambda, c.sigma, bend{false, 0, c.light}}
		pair, err := Directions(p.event(1), BoundLogistic)
		require.NoError(t, err)
		const short = 1e-6 // of the heavier class too, the other way
		z := []record{{-short, 1, 2 * (30*lambda + 10*c.sigma) / short}}
		p.touches(t, pair, c.epsilon, z)
		// Two copies of the record are one of weight 2.
		wrong := p.hockeyStick(t, c.epsilon, with(z, record{1, 1, 2}), z)
		gaussian := math.Exp(logGaussianDelta(c.epsilon, 1/c.sigma))
		assert.Greater(t, wrong, 1.5*gaussian, "%+v", c)
	}
}
