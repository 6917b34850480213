package pld

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/privacy"
)

const addRemove = privacy.AddRemove

func dpsgd(q, sigma float64, steps int) privacy.SubsampledGaussian {
	return privacy.SubsampledGaussian{Adjacency: addRemove, Rate: q, NoiseMultiplier: sigma, Steps: steps}
}

func repeated(event privacy.Event, count int) privacy.Event {
	return privacy.Composition{Adjacency: event.Neighbours(), Parts: []privacy.Part{{Event: event, Count: count}}}
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

// Values of independent code: mpmath and float64 inversions of the moment
// generating function along two contours, which agree to 1e-9 and more.
func TestDescentAgainstIndependentValues(t *testing.T) {
	for _, c := range []struct {
		q, sigma float64
		steps    int
		delta    float64
		epsilon  float64
	}{
		{0.001, 0.6, 1, 1e-6, 0.3322138343889706},
		{0.001, 0.6, 100, 1e-5, 0.7795935835146293},
		{0.004, 2, 1000, 1e-5, 0.22893587320716408},
		{0.01, 1, 1000, 1e-5, 1.8282366665165717},
		{0.01, 1, 1000, 1e-12, 3.914298156037465},
		{0.001, 1, 10000, 1e-6, 0.5551396679329587},
	} {
		for _, accuracy := range []float64{1e-2, 1e-3, 1e-4} {
			i := intervalOf(t, dpsgd(c.q, c.sigma, c.steps), c.delta, Options{Accuracy: accuracy})
			assert.LessOrEqual(t, i.Lower, c.epsilon*(1+1e-9), "%v", c)
			assert.GreaterOrEqual(t, i.Upper, c.epsilon*(1-1e-9), "%v", c)
			assert.LessOrEqual(t, i.Upper-i.Lower, accuracy*i.Upper, "%v", c)
		}
	}
}

// What other accountants get wrong (theory §8): 9.3147 and 10.494 from a
// pessimistic one whose rounding noise is left out.
func TestNoiseOfTheTransformIsPartOfTheAnswer(t *testing.T) {
	for _, c := range []struct{ delta, epsilon, spoilt float64 }{
		{1e-10, 9.3161, 9.3147},
		{1e-14, 11.304, 10.494},
	} {
		i := intervalOf(t, dpsgd(0.01, 1, 10_000), c.delta, Options{Accuracy: 1e-4})
		assert.Greater(t, i.Lower, c.spoilt)
		assert.InDelta(t, c.epsilon, i.Lower, 1e-3)
		assert.InDelta(t, c.epsilon, i.Upper, 1e-3)
	}
}

// Left untilted, a composition has nothing but rounding where δ is 1e-25. Its
// interval says so; without the rounding term its lower end would be wrong.
func TestRoundingTermHasPower(t *testing.T) {
	added, _ := subsampledLosses(0.01, 1)
	d := &direction{runs: []run{{added, 1000}}}
	const epsilon = 7.0
	truthLow, truthHigh := d.logDelta(epsilon, 1e-2, math.Inf(-1))
	require.Less(t, truthHigh, -50.0)

	g := aimAt(d.runs, epsilon, intervalCut)
	w := window{from: -16, to: 16, length: 1 << 14, tilt: 0, below: -3, above: 3}
	grid := &layout{step: 32.0 / (1 << 14), low: g.low, high: g.high, runs: g.total, views: [2]view{{most: math.Inf(1)}}}
	c := convolve([]component{{undivided(added.upper(grid)), undivided(added.lower(grid)), 1000}}, &w)
	lowest := append([]float64(nil), c.lowest...)

	c.lower.finish(c.lowest, -c.entry, 0)
	assert.LessOrEqual(t, c.lower.logDeltaLower(epsilon), truthHigh)
	c.lower.finish(lowest, 0, 0)
	assert.Greater(t, c.lower.logDeltaLower(epsilon), truthHigh+1, "without the rounding term")
	c.upper.finish(c.highest, c.entry, c.entry)
	assert.GreaterOrEqual(t, c.upper.logDeltaUpper(epsilon), truthLow)
}

// Which of the two directions is priced shows.
func TestDirectionsAreNotExchanged(t *testing.T) {
	d, err := Of(dpsgd(0.01, 1, 1000), Options{})
	require.NoError(t, err)
	added, removed, err := d.EpsilonEach(1e-8)
	require.NoError(t, err)
	// Independent values: 2.6979 for the mixture against the Gaussian.
	assert.InDelta(t, 2.697867934493849, (added.Lower+added.Upper)/2, 3e-3)
	assert.Less(t, removed.Upper, added.Lower*0.9)
	i, err := d.Epsilon(1e-8)
	require.NoError(t, err)
	assert.Equal(t, added.Upper, i.Upper)
}

func everyEvent() map[string]privacy.Event {
	objective := privacy.ObjectivePerturbation{
		Adjacency: addRemove, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 5, Sigma: 4, Dimension: 10,
	}
	signed, glm := objective, objective
	signed.Loss, glm.Loss = privacy.LossSigned, privacy.LossGLM
	return map[string]privacy.Event{
		"gaussian":            privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 7},
		"laplace":             privacy.Laplace{Adjacency: addRemove, Sensitivity: 1, Scale: 9},
		"discrete gaussian":   privacy.DiscreteGaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 8},
		"discrete laplace":    privacy.DiscreteLaplace{Adjacency: addRemove, Sensitivity: 2, Scale: 20},
		"randomised response": privacy.RandomisedResponse{Adjacency: addRemove, Categories: 3, Truth: 0.4},
		"pure":                privacy.PureDP{Adjacency: addRemove, Epsilon: 0.1},
		"approximate":         privacy.ApproximateDP{Adjacency: addRemove, Epsilon: 0.1, Delta: 1e-9},
		"zcdp":                privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 0.01},
		"logistic":            objective,
		"signed":              signed,
		"glm":                 glm,
		"minima": privacy.ApproximateMinima{
			Objective: objective, Tau: 1e-6, SigmaOut: 1e-4, Grid: 0x1p-40,
		},
		"descent":      dpsgd(0.02, 1.5, 20),
		"full descent": privacy.GradientDescent{Adjacency: addRemove, Sensitivity: 1, Sigmas: []float64{9, 10, 11}},
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
			assert.InDelta(t, counted.Lower, i.Lower, 1e-12*counted.Upper, name)
		}
		assert.Greater(t, counted.Upper, intervalOf(t, event, 1e-6, Options{}).Upper, name)
	}
}

// A composition of unlike events is dearer than each, and cheaper than ε and δ
// added up.
func TestMixedCompositionLiesBetween(t *testing.T) {
	all := privacy.Composition{Adjacency: addRemove}
	dearest, sum := 0.0, 0.0
	for _, event := range everyEvent() {
		all.Parts = append(all.Parts, privacy.Part{Event: event, Count: 1})
		i := intervalOf(t, event, 1e-7, Options{})
		dearest = math.Max(dearest, i.Lower)
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
		curve, err := account.Of(privacy.Gaussian{Adjacency: addRemove, Sensitivity: math.Sqrt(mu), Sigma: 1}, account.BoundAuto)
		require.NoError(t, err)
		want, err := account.EpsilonUpperLog(curve, logDelta)
		require.NoError(t, err)

		d, err := Of(steps, Options{})
		require.NoError(t, err)
		i, err := d.EpsilonLog(logDelta)
		require.NoError(t, err)
		assert.InDelta(t, want, i.Upper, 1e-9*want)
		assert.InDelta(t, want, i.Lower, 1e-9*want)

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
		Adjacency: addRemove, Loss: privacy.LossGLM, RowNorm: 1, Lipschitz: 1, Smoothness: 1, Lambda: 10, Sigma: 8,
	}
	added, _, err := account.Renyi(event, account.BoundRDP)
	require.NoError(t, err)
	for k := 1; k <= 4; k++ {
		d, err := Of(repeated(event, k), Options{Bound: account.BoundProfile})
		require.NoError(t, err)
		composed := func(alpha float64) float64 { return float64(k) * added(alpha) }
		for epsilon := 0.3; epsilon < 2; epsilon += 0.1 {
			i, err := d.Delta(epsilon)
			require.NoError(t, err)
			renyi := account.LogDeltaFromRenyi(composed, epsilon)
			assert.Less(t, i.LogUpper, renyi, "k = %d, ε = %v", k, epsilon)
		}
		for _, delta := range []float64{1e-4, 1e-6, 1e-9} {
			i, err := d.Epsilon(delta)
			require.NoError(t, err)
			assert.Less(t, i.Upper, account.EpsilonFromRenyi(composed, math.Log(delta)), "k = %d, δ = %v", k, delta)
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
			assert.LessOrEqual(t, i.Upper-i.Lower, 0.01*i.Upper, "%s at %v: %v", name, delta, i)
		}
	}
}

// zCDP: above the Gaussian mechanism, at most the conversion of the summed ρ.
func TestConcentratedLiesBetweenGaussianAndConversion(t *testing.T) {
	event := repeated(privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 0.02}, 5)
	for _, delta := range []float64{1e-3, 1e-6, 1e-12} {
		i := intervalOf(t, event, delta, Options{})
		conversion := account.EpsilonFromRenyi(func(alpha float64) float64 { return 0.1 * alpha }, math.Log(delta))
		assert.InEpsilon(t, conversion, i.Upper, 1e-9)
		normal := intervalOf(t, privacy.Gaussian{Adjacency: addRemove, Sensitivity: math.Sqrt(0.2), Sigma: 1}, delta, Options{})
		assert.InEpsilon(t, normal.Upper, i.Lower, 1e-9)

		// With something else beside it, by the grid: still between.
		mixed := privacy.Composition{Adjacency: addRemove, Parts: []privacy.Part{
			{Event: event, Count: 1}, {Event: privacy.PureDP{Adjacency: addRemove, Epsilon: 1e-3}, Count: 1},
		}}
		j := intervalOf(t, mixed, delta, Options{})
		assert.GreaterOrEqual(t, j.Upper, i.Upper*(1-1e-9))
		assert.LessOrEqual(t, j.Upper, i.Upper+2e-3)
		assert.GreaterOrEqual(t, j.Lower, i.Lower*(1-1e-3))
	}
}

// A bound that is no loss distribution composes by the worst profile that it
// allows: no dearer than k-fold Rényi or basic composition would be by much,
// and never cheaper than the loss distribution of a sharper bound.
func TestBoundsThatAreNoDistribution(t *testing.T) {
	event := everyEvent()["glm"]
	for _, bound := range []account.Bound{account.BoundRDP, account.BoundKifer} {
		for _, k := range []int{1, 4} {
			i := intervalOf(t, repeated(event, k), 1e-6, Options{Bound: bound})
			sharp := intervalOf(t, repeated(event, k), 1e-6, Options{Bound: account.BoundProfile})
			assert.GreaterOrEqual(t, i.Upper, sharp.Lower, "%s, %d", bound, k)
			assert.Less(t, i.Upper, 8*sharp.Upper, "%s, %d: %v %v", bound, k, i, sharp)
			assert.LessOrEqual(t, i.Lower, sharp.Upper)
		}
	}
	replaced := event.(privacy.ObjectivePerturbation)
	replaced.Adjacency = privacy.ReplaceOne
	curve, err := account.Of(replaced, account.BoundAuto)
	require.NoError(t, err)
	want, err := account.EpsilonUpper(curve, 1e-6)
	require.NoError(t, err)
	assert.InEpsilon(t, want, intervalOf(t, replaced, 1e-6, Options{}).Upper, 1e-9)
}

// What is certain to be revealed has no finite ε.
func TestMassAtInfinity(t *testing.T) {
	event := repeated(privacy.ApproximateDP{Adjacency: addRemove, Epsilon: 0.1, Delta: 1e-6}, 10)
	i := intervalOf(t, event, 9.9e-6, Options{})
	assert.True(t, math.IsInf(i.Lower, 1) && math.IsInf(i.Upper, 1), "%v", i)
	i = intervalOf(t, event, 1.1e-5, Options{})
	assert.Less(t, i.Upper, 1.0000001)
	d, err := Of(event, Options{})
	require.NoError(t, err)
	j, err := d.Delta(50)
	require.NoError(t, err)
	assert.InDelta(t, math.Log(1e-5), j.LogUpper, 1e-5)
	assert.InDelta(t, math.Log(1e-5), j.LogLower, 1e-5)
}

func TestNothingReleasedCostsNothing(t *testing.T) {
	for _, event := range []privacy.Event{
		privacy.Composition{Adjacency: addRemove},
		dpsgd(0.5, 1, 0), dpsgd(0, 1, 100),
		privacy.PureDP{Adjacency: addRemove},
		privacy.GradientDescent{Adjacency: addRemove, Sensitivity: 1},
		repeated(everyEvent()["laplace"], 0),
	} {
		assert.Equal(t, EpsilonInterval{0, 0}, intervalOf(t, event, 1e-9, Options{}))
		d, err := Of(event, Options{})
		require.NoError(t, err)
		i, err := d.Delta(0)
		require.NoError(t, err)
		assert.Zero(t, i.Lower())
		assert.Less(t, i.Upper(), 1e-300)
	}
}

func TestErrorsNameTheField(t *testing.T) {
	field := func(err error) string {
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p)
		return p.Field
	}
	_, err := Of(nil, Options{})
	assert.Equal(t, "event", field(err))
	_, err = Of(dpsgd(2, 1, 1), Options{})
	assert.Equal(t, "rate", field(err))
	_, err = Of(dpsgd(0.5, 1, 1), Options{Accuracy: 1e-9})
	assert.Equal(t, "accuracy", field(err))
	_, err = Of(dpsgd(0.5, 1, 1), Options{Bound: "best"})
	assert.Equal(t, "bound", field(err))
	_, err = Of(dpsgd(0.5, 1, 1<<40), Options{})
	assert.Equal(t, "steps", field(err))
	var none *NoDistributionError
	_, err = Of(privacy.PoissonSelection{Base: dpsgd(0.5, 1, 1), Mean: 3}, Options{})
	require.ErrorAs(t, err, &none)
	assert.Contains(t, err.Error(), "poisson-selection")

	d, err := Of(dpsgd(0.5, 1, 1), Options{})
	require.NoError(t, err)
	for _, delta := range []float64{0, 1, -1, math.NaN()} {
		i, err := d.Epsilon(delta)
		assert.Equal(t, "delta", field(err))
		assert.True(t, math.IsInf(i.Upper, 1))
	}
	i, err := d.Delta(math.NaN())
	assert.Equal(t, "epsilon", field(err))
	assert.Zero(t, i.LogUpper)
}

// An answer is as good after other questions as it is first.
func TestAnswersDoNotDependOnWhatWasAsked(t *testing.T) {
	for _, event := range []privacy.Event{dpsgd(1e-4, 0.5, 500), dpsgd(0.01, 1, 1000), repeated(everyEvent()["laplace"], 20)} {
		asked, err := Of(event, Options{})
		require.NoError(t, err)
		epsilons := []float64{0, 0.3, 5}
		firsts := make([]DeltaInterval, len(epsilons))
		for k, epsilon := range epsilons {
			fresh, err := Of(event, Options{})
			require.NoError(t, err)
			firsts[k], err = fresh.Delta(epsilon)
			require.NoError(t, err)
		}
		for _, delta := range []float64{1e-10, 1e-3} {
			i, err := asked.Epsilon(delta)
			require.NoError(t, err)
			first := intervalOf(t, event, delta, Options{})
			assert.LessOrEqual(t, i.Upper-i.Lower, math.Max(DefaultAccuracy*i.Upper, first.Upper-first.Lower), "%#v at δ = %v: %v, first %v", event, delta, i, first)
			for k, epsilon := range epsilons {
				first := firsts[k]
				j, err := asked.Delta(epsilon)
				require.NoError(t, err)
				width := math.Max(DefaultAccuracy*(1+50*epsilon), first.LogUpper-first.LogLower)
				assert.LessOrEqual(t, j.LogUpper-j.LogLower, width, "%#v at ε = %v after δ = %v: %v, first %v", event, epsilon, delta, j, first)
			}
		}
	}
}

// Far from its middle a large normal loss has next to no tilted mass, and bins
// there are wide; none may reach from there into what matters.
func TestWideBinsEndInTime(t *testing.T) {
	event := privacy.Composition{Adjacency: addRemove, Parts: []privacy.Part{
		{Event: privacy.Gaussian{Adjacency: addRemove, Sensitivity: 16.7, Sigma: 1}, Count: 1},
		{Event: privacy.DiscreteGaussian{Adjacency: addRemove, Sensitivity: 275, Sigma: 194}, Count: 1},
	}}
	d, err := Of(event, Options{})
	require.NoError(t, err)
	for _, logDelta := range []float64{-10, -76, -376} {
		i, err := d.EpsilonLog(logDelta)
		require.NoError(t, err)
		assert.LessOrEqual(t, i.Upper-i.Lower, 1e-3*i.Upper, "at log δ = %v: %v", logDelta, i)
	}
}

// The closed form of a Gaussian mechanism and its loss distribution are two
// derivations of the same ε, whatever its size.
func TestGaussianAgreesWithItsClosedForm(t *testing.T) {
	random := draw(5)
	for range 2000 {
		event := privacy.Gaussian{Adjacency: addRemove, Sensitivity: random.between(1e-3, 1e3), Sigma: 1}
		delta := random.between(1e-30, 1)
		curve, err := account.Of(event, account.BoundAuto)
		require.NoError(t, err)
		closed, err := account.EpsilonUpper(curve, delta)
		require.NoError(t, err)
		i := intervalOf(t, event, delta, Options{})
		assert.GreaterOrEqual(t, closed, i.Lower, "%#v at δ = %v", event, delta)
		assert.LessOrEqual(t, closed-i.Upper, 1e-11*math.Max(1, closed), "%#v at δ = %v", event, delta)
	}
}
