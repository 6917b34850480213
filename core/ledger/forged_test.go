package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// noiseless are events that hide nothing, or next to nothing, with numbers whose
// squares no float64 holds.
func noiseless() map[string]privacy.Event {
	const a = privacy.AddRemove
	objective := privacy.ObjectivePerturbation{
		Adjacency: a, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25,
		Lambda: 1, Sigma: 1e-160, Dimension: 3,
	}
	noisy := objective
	noisy.Sigma = 1e3
	return map[string]privacy.Event{
		"gaussian": gaussian(1e-160),
		"sampled": privacy.SubsampledGaussian{
			Adjacency:       a,
			Rate:            0.5,
			NoiseMultiplier: 1e-160,
			Steps:           10,
		},
		"discrete": privacy.DiscreteGaussian{Adjacency: a, Sensitivity: 1, Sigma: 1e-160},
		"output":   privacy.ApproximateMinima{Objective: noisy, Tau: 1e-6, SigmaOut: 1e-200},
		"composed": privacy.Composition{
			Adjacency: a,
			Parts:     []privacy.Part{{Event: objective, Count: 2}},
		},
		"with ε": privacy.Composition{Adjacency: a, Parts: []privacy.Part{
			{
				Event: gaussian(1e-160),
				Count: 1,
			}, {Event: privacy.PureDP{Adjacency: a, Epsilon: 1e-3}, Count: 1},
		}},
		// In range, and no more private.
		"gaussian 1e-50": gaussian(privacy.LeastScale),
		"sampled 1e-50": privacy.SubsampledGaussian{
			Adjacency:       a,
			Rate:            0.5,
			NoiseMultiplier: privacy.LeastScale,
			Steps:           10,
		},
		"discrete 1e-50": privacy.DiscreteGaussian{
			Adjacency:   a,
			Sensitivity: 1,
			Sigma:       privacy.LeastScale,
		},
		"many failures": privacy.Composition{Adjacency: a, Parts: []privacy.Part{
			{Event: privacy.ApproximateDP{Adjacency: a, Epsilon: 1e-3, Delta: 0.6}, Count: 1 << 40},
		}},
	}
}

// No budget affords an event without noise, neither by the filter nor as the one
// charge that closes the account.
func TestNoBudgetAffordsNoNoise(t *testing.T) {
	for _, epsilon := range []float64{0.01, 1e6} {
		for name, event := range noiseless() {
			if epsilon > 1 && event.Validate() == nil && testing.Short() {
				continue // each takes a second, of which a price by every method is
			}
			l, id := opened(
				t, privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove},
			)
			_, err := l.Reserve(ctx, id, event, "forged")
			require.Error(t, err, "%s under ε = %v", name, epsilon)
			if event.Validate() != nil {
				var refused *privacy.ParameterError
				assert.ErrorAs(t, err, &refused, name)
			} else {
				var exceeded *ExceededError
				assert.ErrorAs(t, err, &exceeded, name)
			}
		}
	}
}
