package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// The bound on noisy min and the proximal centre is that on randomised response of
// the same odds, to the last digit: nothing is given away.
func TestAllowanceOfSearchEvents(t *testing.T) {
	for _, limit := range []float64{0.01, 0.3, 1, 4} {
		for _, event := range []privacy.Event{
			privacy.NoisyMin{
				Adjacency: privacy.AddRemove, Epsilon: limit, Span: 1,
				Noise: privacy.GeometricNoise, Denominator: 64,
			},
			privacy.NoisyMin{
				Adjacency: privacy.AddRemove, Epsilon: limit, Span: 1, Noise: privacy.GumbelNoise,
			},
			privacy.ProximalCentre{
				Adjacency: privacy.AddRemove, Epsilon: limit, Span: 1, Bound: 1, Dimension: 23,
				Denominator: 32,
			},
		} {
			profile, ok := closedForm(event)
			require.True(t, ok)
			for _, epsilon := range []float64{0, limit / 3, limit / 1.01, limit * (1 - 0x1p-42)} {
				// h − e^ε l with h = e^ε₀/(1+e^ε₀), l = 1/(1+e^ε₀).
				exact := math.Exp(epsilon) * math.Expm1(limit-epsilon) / (1 + math.Exp(limit))
				assert.GreaterOrEqual(
					t, profile.LogDeltaUpper(epsilon), math.Log(exact)-1e-14, "%T at %v", event,
					epsilon,
				)
			}
			assert.Less(t, profile.LogDeltaUpper(limit*1.001), -1e300)
		}
	}
}

// Report noisy min by its laws, for every pair of losses of three candidates that
// one record may make of each other: the profile is nowhere above the bound.
func TestSearchEventsKeepTheirBound(t *testing.T) {
	const limit = 0.7
	softmax := func(losses [3]float64) (p [3]float64) {
		sum := 0.0
		for i, f := range losses {
			p[i] = math.Exp(-limit * f)
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		return p
	}
	profile, _ := closedForm(
		privacy.NoisyMin{
			Adjacency: privacy.AddRemove,
			Epsilon:   limit,
			Span:      1,
			Noise:     privacy.GumbelNoise,
		},
	)
	for _, losses := range [][3]float64{{0, 0, 0}, {0, 1, 3}, {2, 0, 0}, {5, 4, 5}} {
		for change := range 8 {
			next := losses
			for i := range next {
				next[i] += float64(change >> i & 1)
			}
			p, q := softmax(losses), softmax(next)
			for _, epsilon := range []float64{0, 0.1, 0.5, 0.69} {
				there, back := 0.0, 0.0
				for i := range p {
					there += math.Max(0, p[i]-math.Exp(epsilon)*q[i])
					back += math.Max(0, q[i]-math.Exp(epsilon)*p[i])
				}
				assert.LessOrEqual(
					t, math.Max(there, back), math.Exp(profile.LogDeltaUpper(epsilon))+1e-15,
				)
			}
		}
	}
}
