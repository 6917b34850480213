//go:build !js

package account_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// many is a composition of n events, each at its own scale from 10 on, or all alike.
func many(n int, alike bool, make func(scale float64) privacy.Event) privacy.Composition {
	var parts []privacy.Part
	for i := range n {
		scale := 10.0
		if !alike {
			scale += float64(i) / 100
		}
		parts = append(parts, privacy.Part{Event: make(scale), Count: 1})
	}
	return privacy.Composition{Adjacency: parts[0].Event.Neighbours(), Parts: parts}
}

func kinds() map[string]func(float64) privacy.Event {
	const a = privacy.AddRemove
	return map[string]func(float64) privacy.Event{
		"gaussian": func(s float64) privacy.Event {
			return privacy.Gaussian{Adjacency: a, Sensitivity: 1, Sigma: s}
		},
		"laplace": func(s float64) privacy.Event {
			return privacy.Laplace{Adjacency: a, Sensitivity: 1, Scale: s}
		},
		"discrete-gaussian": func(s float64) privacy.Event {
			return privacy.DiscreteGaussian{Adjacency: a, Sensitivity: 1, Sigma: 1e4 * s}
		},
		"discrete-laplace": func(s float64) privacy.Event {
			return privacy.DiscreteLaplace{Adjacency: a, Sensitivity: 1000, Scale: 1e4 * s}
		},
		"approximate-dp": func(s float64) privacy.Event {
			return privacy.ApproximateDP{Adjacency: a, Epsilon: 1e-3 / s, Delta: 1e-14}
		},
		"subsampled-gaussian": func(s float64) privacy.Event {
			return privacy.SubsampledGaussian{Adjacency: a, Rate: 0.01, NoiseMultiplier: s, Steps: 3}
		},
		"objective-perturbation": func(s float64) privacy.Event {
			return privacy.ObjectivePerturbation{
				Adjacency: privacy.ReplaceOne, Loss: "logistic", RowNorm: 1, Lipschitz: 1,
				Smoothness: 0.25, Lambda: 20 * s, Sigma: 100, Dimension: 10,
			}
		},
		"noisy-min": func(s float64) privacy.Event {
			return privacy.NoisyMin{
				Adjacency: a, Epsilon: 0.01 / s, Span: 1, Noise: privacy.GumbelNoise,
			}
		},
		"selection": func(s float64) privacy.Event {
			return privacy.NegativeBinomialSelection{
				Base: privacy.Gaussian{Adjacency: a, Sensitivity: 1, Sigma: s}, Eta: 1, Gamma: 0.1,
			}
		},
	}
}

// A description may list as many events as its author likes. Each method has an answer
// within seconds, or says at once that there is too much work in it: what it refuses
// goes by the description alone (pld.mostLoad, rdp.mostTerms).
func TestSoManyEventsAreAnsweredOrRefusedAtOnce(t *testing.T) {
	for name, make := range kinds() {
		for _, n := range []int{16, 130, 100_000} {
			for _, alike := range []bool{true, false} {
				event := many(n, alike, make)
				for _, method := range []account.Method{
					account.Closed, account.Distribution, account.Renyi, account.Auto,
				} {
					start := time.Now()
					price, err := account.Of(event, method, pld.Options{})
					if err == nil {
						_, err = price.EpsilonUpper(1e-6)
					}
					var refused *privacy.ParameterError
					var none *pld.NoDistributionError
					assert.True(
						t, err == nil || errors.As(err, &refused) || errors.As(err, &none),
						"%d %s by %s: %v", n, name, method, err,
					)
					assert.Less( // it took minutes; a busy machine has room here
						t, time.Since(start), 20*time.Second, "%d %s by %s", n, name, method,
					)
				}
			}
		}
	}
}

// Where a distribution is refused for the number of different events, auto prices by
// Rényi divergences, and beyond those it names the list.
func TestManyDifferentEventsArePricedByRenyiDivergences(t *testing.T) {
	laplace := kinds()["laplace"]
	for _, c := range []struct {
		n  int
		by account.Method
	}{{128, account.Distribution}, {129, account.Renyi}} {
		price, err := account.Of(many(c.n, false, laplace), account.Auto, pld.Options{})
		assert.NoError(t, err)
		assert.Equal(t, c.by, price.Method, "%d different events", c.n)
	}
	var refused *privacy.ParameterError
	_, err := account.Of(many(20_000, false, laplace), account.Auto, pld.Options{})
	assert.ErrorAs(t, err, &refused)
	assert.Equal(t, "parts", refused.Field)
}
