package learn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/privacy"
)

// A release of an event without noise, whatever it claims, has a finding that is
// not true: the numbers are such that squares overflow, or the least in range.
func TestAReleaseWithoutNoiseIsFoundOut(t *testing.T) {
	const a = privacy.AddRemove
	for _, sigma := range []float64{1e-200, 1e-160, privacy.LeastScale} {
		objective := privacy.ObjectivePerturbation{
			Adjacency: a, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25,
			Lambda: 1, Sigma: sigma, Dimension: 3,
		}
		noisy := objective
		noisy.Sigma = 1e3
		for kind, event := range map[string]privacy.Event{
			"stochastic gradients": privacy.SubsampledGaussian{
				Adjacency: a, Rate: 0.5, NoiseMultiplier: sigma, Steps: 10,
			},
			"gradient descent":    privacy.GradientDescent{Adjacency: a, Sensitivity: 1, Sigmas: []float64{sigma}},
			"output perturbation": privacy.Gaussian{Adjacency: a, Sensitivity: 1, Sigma: sigma},
			"approximate minima":  privacy.ApproximateMinima{Objective: noisy, Tau: 1e-6, SigmaOut: sigma},
			"one against the rest": privacy.Composition{
				Adjacency: a, Parts: []privacy.Part{{Event: objective, Count: 2}},
			},
		} {
			methods := []account.Method{account.Closed, account.Renyi, account.Distribution}
			if testing.Short() {
				methods = methods[:2] // natively by the distribution, which takes long
			}
			if event.Validate() != nil {
				methods = methods[:1]
			}
			for _, method := range methods {
				r := named(t, kind)
				r.Event, r.Guarantee.Epsilon, r.Guarantee.Method = event, 2, method
				_, failed := r.Verify().Failed()
				assert.True(t, failed, "%s, σ = %v", kind, sigma)
				if event.Validate() != nil {
					f, ok := finding(r, "event")
					require.True(t, ok)
					assert.False(t, f.True, kind)
					continue
				}
				f, ok := finding(r, "guarantee")
				require.True(t, ok)
				assert.False(t, f.True, "%s by %s: %s", kind, method, f.Text)
			}
		}
	}
}
