package pld

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func TestReferenceK(t *testing.T) {
	for _, c := range referenceCases(t, "K.json") {
		if c.Kind != "dpsgd_sigma" {
			continue // Gaussian mechanism, objective perturbation: package account
		}
		event := func(sigma float64) privacy.Event {
			return privacy.SubsampledGaussian{
				Adjacency: privacy.AddRemove, Rate: c.number(t, "q"),
				NoiseMultiplier: sigma, Steps: int(c.number(t, "steps")),
			}
		}
		keep := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: c.number(t, "epsilon"), Delta: c.number(t, "delta")}
		sigma, err := Smallest(event, 0.1, 100, keep, Options{})
		require.NoError(t, err)
		want := decode[float64](t, c.Expected, "sigma_pld")
		assert.GreaterOrEqual(t, sigma, want*(1-1e-6), c.ID)
		assert.LessOrEqual(t, sigma, want*(1+1.5e-4), c.ID)
		t.Logf("%s: %.3g above", c.ID, sigma/want-1)
	}
}
