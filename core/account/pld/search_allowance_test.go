package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Noisy min and the proximal centre are composed as any mechanism of their ε; of Gumbel
// noise the lower end is that of the one with a bounded range.
func TestAllowanceOfSearchEvents(t *testing.T) {
	const epsilon, runs, delta = 0.2, 5, 1e-5
	interval := func(event privacy.Event) EpsilonInterval {
		d, err := Of(privacy.Composition{
			Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: event, Count: runs}},
		}, Options{})
		require.NoError(t, err)
		found, err := d.Epsilon(delta)
		require.NoError(t, err)
		return found
	}
	pure := interval(privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: epsilon})
	half := interval(privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: epsilon / 2})
	geometric := interval(
		privacy.NoisyMin{
			Adjacency:   privacy.AddRemove,
			Epsilon:     epsilon,
			Span:        1,
			Noise:       privacy.GeometricNoise,
			Denominator: 64,
		},
	)
	centre := interval(
		privacy.ProximalCentre{
			Adjacency:   privacy.AddRemove,
			Epsilon:     epsilon,
			Span:        1,
			Bound:       1,
			Dimension:   3,
			Denominator: 1,
		},
	)
	gumbel := interval(
		privacy.NoisyMin{
			Adjacency: privacy.AddRemove,
			Epsilon:   epsilon,
			Span:      1,
			Noise:     privacy.GumbelNoise,
		},
	)
	assert.Equal(t, pure, geometric)
	assert.Equal(t, pure, centre)
	assert.GreaterOrEqual(t, gumbel.Upper, pure.Lower)
	assert.InEpsilon(t, half.Lower, gumbel.Lower, 0.01)
	assert.LessOrEqual(t, gumbel.Lower, half.Upper)
	assert.False(t, math.IsInf(gumbel.Upper, 1))
}
