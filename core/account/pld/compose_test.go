package pld

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

const addRemove = privacy.AddRemove

func dpsgd(q, sigma float64, steps int) privacy.SubsampledGaussian {
	return privacy.SubsampledGaussian{
		Adjacency:       addRemove,
		Rate:            q,
		NoiseMultiplier: sigma,
		Steps:           steps,
	}
}

func repeated(event privacy.Event, count int) privacy.Event {
	return privacy.Composition{
		Adjacency: event.Neighbours(),
		Parts:     []privacy.Part{{Event: event, Count: count}},
	}
}

// long reports whether CLOISTER_AUDIT=long asks for every case of the tests that
// have many of a kind.
func long() bool { return os.Getenv("CLOISTER_AUDIT") == "long" }

func intervalOf(t *testing.T, event privacy.Event, delta float64, options Options) EpsilonInterval {
	t.Helper()
	d, err := Of(event, options)
	require.NoError(t, err)
	i, err := d.Epsilon(delta)
	require.NoError(t, err)
	return i
}

func everyEvent() map[string]privacy.Event {
	objective := privacy.ObjectivePerturbation{
		Adjacency: addRemove, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 5, Sigma: 4, Dimension: 10,
	}
	signed, glm := objective, objective
	signed.Loss, glm.Loss = privacy.LossSigned, privacy.LossGLM
	return map[string]privacy.Event{
		"gaussian": privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 7},
		"laplace":  privacy.Laplace{Adjacency: addRemove, Sensitivity: 1, Scale: 9},
		"discrete gaussian": privacy.DiscreteGaussian{
			Adjacency:   addRemove,
			Sensitivity: 1,
			Sigma:       8,
		},
		"discrete laplace": privacy.DiscreteLaplace{
			Adjacency:   addRemove,
			Sensitivity: 2,
			Scale:       20,
		},
		"randomised response": privacy.RandomisedResponse{
			Adjacency:  addRemove,
			Categories: 3,
			Truth:      0.4,
		},
		"pure": privacy.PureDP{Adjacency: addRemove, Epsilon: 0.1},
		"approximate": privacy.ApproximateDP{
			Adjacency: addRemove,
			Epsilon:   0.1,
			Delta:     1e-9,
		},
		"zcdp":     privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 0.01},
		"logistic": objective,
		"signed":   signed,
		"glm":      glm,
		"minima": privacy.ApproximateMinima{
			Objective: objective, Tau: 1e-6, SigmaOut: 1e-4, Grid: 0x1p-40,
		},
		"descent": dpsgd(0.02, 1.5, 20),
		"full descent": privacy.GradientDescent{
			Adjacency:   addRemove,
			Sensitivity: 1,
			Sigmas:      []float64{9, 10, 11},
		},
	}
}

// Composing k runs one by one, or as nested compositions, or by their count, is
// the same.
func TestComposeIsALoop(t *testing.T) {
	for name, event := range everyEvent() {
		counted := intervalOf(t, repeated(event, 6), 1e-6, Options{})
		loop := privacy.Composition{Adjacency: addRemove}
		for range 6 {
			loop.Parts = append(loop.Parts, privacy.Part{Event: event, Count: 1})
		}
		nested := repeated(repeated(event, 2), 3)
		for _, other := range []privacy.Event{loop, nested} {
			i := intervalOf(t, other, 1e-6, Options{})
			assert.InEpsilon(t, counted.Upper, i.Upper, 1e-12, name)
			assert.InDelta(t, counted.Reached, i.Reached, 1e-12*counted.Upper, name)
		}
		assert.Greater(t, counted.Upper, intervalOf(t, event, 1e-6, Options{}).Upper, name)
	}
}

// A composition of unlike events is dearer than each, and cheaper than ε and δ
// added up.
func TestMixedCompositionLiesBetween(t *testing.T) {
	nativetest.Only(t)
	all := privacy.Composition{Adjacency: addRemove}
	dearest, sum := 0.0, 0.0
	for _, event := range everyEvent() {
		all.Parts = append(all.Parts, privacy.Part{Event: event, Count: 1})
		i := intervalOf(t, event, 1e-7, Options{})
		dearest = math.Max(dearest, i.Reached)
		sum += i.Upper
	}
	i := intervalOf(t, all, 1e-7*float64(len(all.Parts)), Options{})
	assert.Greater(t, i.Upper, dearest)
	assert.Less(t, i.Upper, sum)
	t.Logf("%d unlike events: %v; one by one %.4g", len(all.Parts), i, sum)
}

// Gaussian mechanisms compose to one, of which the profile is known; a tiny
// dose of another mechanism sends the same through the grid.
func TestGridAgreesWithTheGaussianProfile(t *testing.T) {
	for _, logDelta := range []float64{-3, -11, -46, -69, -300} {
		steps := privacy.GradientDescent{Adjacency: addRemove, Sensitivity: 1}
		mu := 0.0
		for i := range 40 {
			sigma := 3 + 0.2*float64(i)
			steps.Sigmas = append(steps.Sigmas, sigma)
			mu += 1 / (sigma * sigma)
		}
		profile, err := objective.Of(
			privacy.Gaussian{Adjacency: addRemove, Sensitivity: math.Sqrt(mu), Sigma: 1},
			objective.BoundAuto,
		)
		require.NoError(t, err)
		want, err := curve.EpsilonUpperLog(profile, logDelta)
		require.NoError(t, err)

		d, err := Of(steps, Options{})
		require.NoError(t, err)
		i, err := d.EpsilonLog(logDelta)
		require.NoError(t, err)
		assert.InDelta(t, want, i.Upper, 1e-9*want)
		assert.InDelta(t, want, i.Reached, 1e-9*want)

		// 64 Gaussian losses on a grid, not merged.
		one := gaussianLoss(math.Sqrt(mu) / 8)
		lower, upper := (&direction{runs: []run{{one, 64}}}).epsilon(logDelta, logDelta, 1e-3, 0)
		assert.LessOrEqual(t, lower, want)
		assert.GreaterOrEqual(t, upper, want)
		assert.LessOrEqual(t, upper-lower, 1e-3*upper)
	}
}

// Figure 4 of Redberg, Koskela & Wang 2023: σ = 8, β = 1, λ = 10, k = 1 … 4:
// the loss distribution is below Rényi differential privacy for every k and ε.
func TestFigure4(t *testing.T) {
	event := privacy.ObjectivePerturbation{
		Adjacency: addRemove, Loss: privacy.LossGLM, RowNorm: 1, Lipschitz: 1, Smoothness: 1,
		Lambda: 10, Sigma: 8,
	}
	added, _, err := objective.Renyi(event, objective.BoundRDP)
	require.NoError(t, err)
	for k := 1; k <= 4; k++ {
		d, err := Of(repeated(event, k), Options{Bound: objective.BoundProfile})
		require.NoError(t, err)
		composed := func(alpha float64) float64 { return float64(k) * added(alpha) }
		for epsilon := 0.3; epsilon < 2; epsilon += 0.1 {
			i, err := d.Delta(epsilon)
			require.NoError(t, err)
			renyi := curve.LogDeltaFromRenyi(composed, epsilon)
			assert.Less(t, i.LogUpper, renyi, "k = %d, ε = %v", k, epsilon)
		}
		for _, delta := range []float64{1e-4, 1e-6, 1e-9} {
			i, err := d.Epsilon(delta)
			require.NoError(t, err)
			assert.Less(
				t, i.Upper, curve.EpsilonFromRenyi(composed, math.Log(delta)), "k = %d, δ = %v", k,
				delta,
			)
		}
	}
}

// Small δ: certified to 1 % of ε at 1e-20 and 1e-30.
func TestSmallDelta(t *testing.T) {
	objective := everyEvent()["logistic"]
	for name, event := range map[string]privacy.Event{
		"Gaussian":               everyEvent()["full descent"],
		"objective perturbation": repeated(objective, 50),
		"descent":                dpsgd(0.01, 1, 10_000),
		"rare":                   dpsgd(1e-3, 0.7, 500),
	} {
		for _, delta := range []float64{1e-20, 1e-30} {
			i := intervalOf(t, event, delta, Options{})
			assert.LessOrEqual(t, i.Upper-i.Reached, 0.01*i.Upper, "%s at %v: %v", name, delta, i)
		}
	}
}

// zCDP: above the Gaussian mechanism, at most the conversion of the summed ρ.
func TestConcentratedLiesBetweenGaussianAndConversion(t *testing.T) {
	nativetest.Only(t)
	event := repeated(privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 0.02}, 5)
	for _, delta := range []float64{1e-3, 1e-6, 1e-12} {
		i := intervalOf(t, event, delta, Options{})
		conversion := curve.EpsilonFromRenyi(
			func(alpha float64) float64 { return 0.1 * alpha }, math.Log(delta),
		)
		assert.InEpsilon(t, conversion, i.Upper, 1e-9)
		normal := intervalOf(
			t, privacy.Gaussian{Adjacency: addRemove, Sensitivity: math.Sqrt(0.2), Sigma: 1}, delta,
			Options{},
		)
		assert.InEpsilon(t, normal.Upper, i.Reached, 1e-9)

		// With something else beside it, by the grid: still between.
		mixed := privacy.Composition{Adjacency: addRemove, Parts: []privacy.Part{
			{
				Event: event,
				Count: 1,
			}, {Event: privacy.PureDP{Adjacency: addRemove, Epsilon: 1e-3}, Count: 1},
		}}
		j := intervalOf(t, mixed, delta, Options{})
		assert.GreaterOrEqual(t, j.Upper, i.Upper*(1-1e-9))
		assert.LessOrEqual(t, j.Upper, i.Upper+2e-3)
		assert.GreaterOrEqual(t, j.Reached, i.Reached*(1-1e-3))
	}
}

// A bound that is no loss distribution composes by the worst profile that it
// allows: no dearer than k-fold Rényi or basic composition would be by much,
// and never cheaper than the loss distribution of a sharper bound.
func TestBoundsThatAreNoDistribution(t *testing.T) {
	event := everyEvent()["glm"]
	for _, bound := range []objective.Bound{objective.BoundRDP, objective.BoundKifer} {
		for _, k := range []int{1, 4} {
			i := intervalOf(t, repeated(event, k), 1e-6, Options{Bound: bound})
			sharp := intervalOf(t, repeated(event, k), 1e-6, Options{Bound: objective.BoundProfile})
			assert.GreaterOrEqual(t, i.Upper, sharp.Reached, "%s, %d", bound, k)
			assert.Less(t, i.Upper, 8*sharp.Upper, "%s, %d: %v %v", bound, k, i, sharp)
			assert.LessOrEqual(t, i.Reached, sharp.Upper)
		}
	}
	replaced := event.(privacy.ObjectivePerturbation)
	replaced.Adjacency = privacy.ReplaceOne
	profile, err := objective.Of(replaced, objective.BoundAuto)
	require.NoError(t, err)
	want, err := curve.EpsilonUpper(profile, 1e-6)
	require.NoError(t, err)
	assert.InEpsilon(t, want, intervalOf(t, replaced, 1e-6, Options{}).Upper, 1e-9)
}

// Far from its middle a large normal loss has next to no tilted mass, and bins
// there are wide; none may reach from there into what matters.
func TestWideBinsEndInTime(t *testing.T) {
	event := privacy.Composition{Adjacency: addRemove, Parts: []privacy.Part{
		{Event: privacy.Gaussian{Adjacency: addRemove, Sensitivity: 16.7, Sigma: 1}, Count: 1},
		{
			Event: privacy.DiscreteGaussian{Adjacency: addRemove, Sensitivity: 275, Sigma: 194},
			Count: 1,
		},
	}}
	d, err := Of(event, Options{})
	require.NoError(t, err)
	for _, logDelta := range []float64{-10, -76, -376} {
		i, err := d.EpsilonLog(logDelta)
		require.NoError(t, err)
		assert.LessOrEqual(t, i.Upper-i.Reached, 1e-3*i.Upper, "at log δ = %v: %v", logDelta, i)
	}
}

// The closed form of a Gaussian mechanism and its loss distribution are two
// derivations of the same ε, whatever its size.
func TestGaussianAgreesWithItsClosedForm(t *testing.T) {
	random := draw(5)
	for range 2000 {
		event := privacy.Gaussian{
			Adjacency:   addRemove,
			Sensitivity: random.between(1e-3, 1e3),
			Sigma:       1,
		}
		delta := random.between(1e-30, 1)
		profile, err := objective.Of(event, objective.BoundAuto)
		require.NoError(t, err)
		closed, err := curve.EpsilonUpper(profile, delta)
		require.NoError(t, err)
		i := intervalOf(t, event, delta, Options{})
		assert.GreaterOrEqual(t, closed, i.Reached, "%#v at δ = %v", event, delta)
		assert.LessOrEqual(
			t, closed-i.Upper, 1e-11*math.Max(1, closed), "%#v at δ = %v", event, delta,
		)
	}
}
