package rdp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/special"
)

// Randomised response of ±ε/2 has a loss of range ε, and comes next to ε²/8-zCDP;
// geometric noise has no bounded range, and is any ε-DP mechanism.
func TestAllowanceOfBoundedRange(t *testing.T) {
	for _, epsilon := range []float64{1e-3, 0.1, 1, 5} {
		gumbel, err := Of(
			privacy.NoisyMin{
				Adjacency: privacy.AddRemove,
				Epsilon:   epsilon,
				Span:      1,
				Noise:     privacy.GumbelNoise,
			},
		)
		require.NoError(t, err)
		geometric, err := Of(
			privacy.NoisyMin{
				Adjacency:   privacy.AddRemove,
				Epsilon:     epsilon,
				Span:        1,
				Noise:       privacy.GeometricNoise,
				Denominator: 64,
			},
		)
		require.NoError(t, err)
		centre, err := Of(
			privacy.ProximalCentre{
				Adjacency:   privacy.AddRemove,
				Epsilon:     epsilon,
				Span:        1,
				Bound:       1,
				Dimension:   5,
				Denominator: 8,
			},
		)
		require.NoError(t, err)
		half, worst := pure(epsilon/2), pure(epsilon)
		for _, alpha := range []float64{1.001, 2, 8, 100, 1e6} {
			assert.GreaterOrEqual(t, gumbel.At(alpha), half(alpha)*(1-2*relativeSlack))
			assert.LessOrEqual(t, gumbel.At(alpha), worst(alpha))
			assert.LessOrEqual(t, gumbel.At(alpha), epsilon*epsilon/8*alpha*(1+1e-12))
			assert.Equal(t, worst(alpha), geometric.At(alpha))
			assert.Equal(t, worst(alpha), centre.At(alpha))
		}
		assert.InEpsilon(t, epsilon, gumbel.At(1e9), 1e-6, "the largest loss is ε")
	}
}

// The exponential mechanism on two and on many candidates, by its masses.
func TestExponentialMechanismKeepsItsCurve(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1, 3} {
		bound := boundedRange(epsilon)
		for _, others := range []float64{1, 10, 1e4} {
			// One candidate against others of equal loss, whose losses all rise by Δ.
			p := 1 / (1 + others)
			q := 1 / (1 + others*math.Exp(-epsilon))
			for _, alpha := range []float64{1.1, 2, 10, 60} {
				moment := func(p, q float64) float64 {
					return special.LogAddExp(
						alpha*math.Log(p)+(1-alpha)*math.Log(q),
						alpha*math.Log1p(-p)+(1-alpha)*math.Log1p(-q)) / (alpha - 1)
				}
				assert.LessOrEqual(t, moment(p, q), bound(alpha)*(1+1e-9))
				assert.LessOrEqual(t, moment(q, p), bound(alpha)*(1+1e-9))
			}
		}
	}
}
