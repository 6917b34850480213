package account

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
)

// However steeply δ falls, what is joined is not below it: at the places that are joined and the
// numbers next to them, where s and ε are rounded and nothing else is added.
func TestAllowanceOfJoinedDeltas(t *testing.T) {
	for k := -80; k <= 0; k++ {
		near := math.Log1p(math.Exp(0.1 * float64(k)))
		for _, steep := range []float64{10, 1e3, 1e4} {
			logDelta := func(epsilon float64) float64 { return -steep * (epsilon - near) }
			delta := joined(logDelta)
			for epsilon, i := near*(1-0x1p-50), 0; i < 20; i++ {
				require.GreaterOrEqual(t, delta(epsilon), math.Exp(logDelta(epsilon)),
					"k = %d, slope %v, step %d", k, steep, i)
				epsilon = math.Nextafter(epsilon, 1)
			}
		}
	}
}

func fitOf(adjacency privacy.Adjacency, sigma, lambda float64) privacy.ApproximateMinima {
	return privacy.ApproximateMinima{
		Objective: privacy.ObjectivePerturbation{
			Adjacency: adjacency, Loss: privacy.LossLogistic,
			RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: lambda, Sigma: sigma,
		},
		Tau: 1e-6, SigmaOut: 1.0 / 64,
	}
}

func choiceAmong(mean float64, parts ...privacy.Event) privacy.PoissonSelection {
	adjacency := parts[0].Neighbours()
	base := privacy.Composition{Adjacency: adjacency}
	for _, part := range parts {
		base.Parts = append(base.Parts, privacy.Part{Event: part, Count: 1})
	}
	return privacy.PoissonSelection{Base: base, Mean: mean}
}

// The loss distribution of a run makes a selection cheaper than its Rényi curve alone, by an
// eighth or more, and the price of a base without one stays what it was.
func TestTheLossDistributionOfARunMakesASelectionCheaper(t *testing.T) {
	score := privacy.DiscreteGaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 9}
	several := privacy.OneOf{Adjacency: privacy.AddRemove, Events: []privacy.Event{
		fitOf(privacy.AddRemove, 8, 2), fitOf(privacy.AddRemove, 7, 6),
	}}
	sampled := privacy.SubsampledGaussian{
		Adjacency: privacy.AddRemove, Rate: 0.01, NoiseMultiplier: 2, Steps: 100,
	}
	replaced := score
	replaced.Adjacency = privacy.ReplaceOne
	for name, c := range map[string]struct {
		event privacy.PoissonSelection
		share float64
	}{
		"one Gaussian":   {choiceAmong(5, score), 0.88},
		"a fit":          {choiceAmong(5, fitOf(privacy.AddRemove, 8, 2), score), 0.88},
		"several fits":   {choiceAmong(6, several, score), 0.88},
		"many runs":      {choiceAmong(10, several, score), 0.82},
		"replaced":       {choiceAmong(5, replaced), 0.88},
		"replaced, fits": {choiceAmong(5, fitOf(privacy.ReplaceOne, 8, 2), replaced), 1},
		"sampled":        {choiceAmong(5, sampled, score), 1},
	} {
		price, err := Of(c.event, Renyi, pld.Options{})
		require.NoError(t, err, name)
		sharp, err := price.EpsilonUpper(1e-5)
		require.NoError(t, err, name)
		alone, err := rdp.OfBound(c.event, objective.BoundAuto)
		require.NoError(t, err, name)
		plain, err := Price{Curve: converted{Curve: alone}, Method: Renyi}.EpsilonUpper(1e-5)
		require.NoError(t, err, name)
		if c.share == 1 {
			assert.Equal(t, plain, sharp, name)
		} else {
			assert.Less(t, sharp, c.share*plain, name)
		}
	}
}

// The best of a Poisson number of Gaussian outputs, by the output itself as the score, has a law
// that can be written down: density μe^{μ(F−1)}f, and e^{−μ} for none. Its δ, by quadrature, is
// within the price in both directions, and of few runs it is not within two thirds of it.
func TestTheBestOfGaussianRunsIsWithinItsPrice(t *testing.T) {
	law := func(y, mu float64) float64 {
		above := math.Erfc(y/math.Sqrt2) / 2
		return mu * math.Exp(-mu*above-y*y/2) / math.Sqrt(2*math.Pi)
	}
	for _, shift := range []float64{0.1, 0.3, 1} {
		for _, mu := range []float64{0.5, 2, 5, 20} {
			exact := func(epsilon float64) float64 {
				worst := 0.0
				for _, moved := range []float64{shift, -shift} {
					sum := math.Max(0, math.Exp(-mu)*-math.Expm1(epsilon))
					const step = 1e-3
					for y := -12.0; y <= 12; y += step {
						p, q := law(y, mu), law(y+moved, mu)
						sum += step * math.Max(0, p-math.Exp(epsilon)*q)
					}
					worst = math.Max(worst, sum)
				}
				return worst
			}
			price, err := Of(choiceAmong(mu, privacy.Gaussian{
				Adjacency: privacy.AddRemove, Sensitivity: shift, Sigma: 1,
			}), Renyi, pld.Options{})
			require.NoError(t, err)
			epsilon, err := price.EpsilonUpper(1e-5)
			require.NoError(t, err)
			assert.Less(t, exact(epsilon), 1e-5, "shift %v, mean %v", shift, mu)
			if mu <= 5 {
				assert.Greater(t, exact(0.66*epsilon), 1e-5, "shift %v, mean %v", shift, mu)
			}
		}
	}
}

// A composition of alternatives is one of all ways to take one of each.
func TestAlternativesAreAllWays(t *testing.T) {
	gauss := func(sigma float64) privacy.Event {
		return privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: sigma}
	}
	two := privacy.OneOf{
		Adjacency: privacy.AddRemove, Events: []privacy.Event{gauss(1), gauss(2)},
	}
	composed := func(parts ...privacy.Part) privacy.Composition {
		return privacy.Composition{Adjacency: privacy.AddRemove, Parts: parts}
	}
	events, few := alternatives(composed(
		privacy.Part{Event: two, Count: 1}, privacy.Part{Event: gauss(3), Count: 4},
		privacy.Part{Event: two, Count: 1},
	))
	require.True(t, few)
	var sigmas [][2]float64
	for _, event := range events {
		parts := event.(privacy.Composition).Parts
		require.Len(t, parts, 3)
		assert.Equal(t, 4, parts[1].Count)
		sigmas = append(sigmas, [2]float64{
			parts[0].Event.(privacy.Gaussian).Sigma, parts[2].Event.(privacy.Gaussian).Sigma,
		})
	}
	assert.Equal(t, [][2]float64{{1, 1}, {1, 2}, {2, 1}, {2, 2}}, sigmas)

	// Two runs may be one of each, which is no run of either twice.
	_, few = alternatives(composed(privacy.Part{Event: two, Count: 2}))
	assert.False(t, few)
	_, few = alternatives(composed(privacy.Part{Event: gauss(1), Count: mostParts + 1}))
	assert.False(t, few)
	_, few = alternatives(privacy.Laplace{
		Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: 1,
	})
	assert.False(t, few)
}

// A curve as it is drawn is an upper bound on the price, and as good as equal to it.
func TestADrawnPriceIsNextToThePrice(t *testing.T) {
	score := privacy.DiscreteGaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 9}
	for _, event := range []privacy.Event{
		choiceAmong(5, fitOf(privacy.AddRemove, 8, 2), score),
		privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 2},
	} {
		price, err := Of(event, Renyi, pld.Options{})
		require.NoError(t, err)
		drawn := price.Drawn(event, objective.BoundAuto)
		for _, epsilon := range []float64{0.1, 0.5, 1, 2, 5} {
			exact, quick := price.LogDeltaUpper(epsilon), drawn.LogDeltaUpper(epsilon)
			assert.InDelta(t, exact, quick, 1e-3*(1+math.Abs(exact)))
		}
	}
}
