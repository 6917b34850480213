package crosscheck_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/crosscheck"
	"cloister/core/account/filter"
	"cloister/core/account/pld"
	"cloister/core/account/selection"
	"cloister/core/privacy"
)

const either = privacy.AddRemove

func ofRatio(mu float64) privacy.Event {
	return privacy.Gaussian{Adjacency: either, Sensitivity: mu, Sigma: 1}
}

func promise(epsilon, delta float64) privacy.Event {
	return privacy.ApproximateDP{Adjacency: either, Epsilon: epsilon, Delta: delta}
}

func tested(test, release privacy.Event, failure float64) privacy.ProposeTestRelease {
	return privacy.ProposeTestRelease{Test: test, Release: release, Failure: failure}
}

// Golden values of propose-test-release (P, ptr_delta and ptr_gauss_delta; mpmath, 30 digits;
// 1e-8 of log δ): a Gaussian test of ratio mu with a release that is (e, d)-DP, or Gaussian of
// ratio m.
var ptrDeltas = []struct{ epsilon, mu, e, d, m, failure, logDelta float64 }{
	{0.1, 0.1, 0.8, 1e-7, 0, 2e-7, -1.0574409050575897},
	{0.1, 0.05, 0, 0, 0.1, 1e-9, -4.430049965908743},
	{0.5, 0.1, 0.8, 1e-7, 0, 2e-7, -1.7211979383494607},
	{0.5, 0.3, 1.5, 5e-6, 0, 1e-6, -0.6600498712471901},
	{1, 0.1, 0.8, 1e-7, 0, 2e-7, -7.342988506588731},
	{1, 0.1, 0, 0, 0.2, 2e-7, -14.525738668094066},
	{1, 0.05, 0.4, 1e-9, 0, 1e-9, -20.030118656386467},
	{2, 0.3, 1.5, 5e-6, 0, 1e-6, -5.083552262490345},
	{2, 0.02, 0, 0, 0.875, 1e-13, -4.777496368828483},
	{4, 0.1, 0.8, 1e-7, 0, 2e-7, -15.01948336229021},
	{4, 0.3, 0, 0, 0.375, 1e-6, -13.81551055794788},
}

func TestTheCurveOfATestedReleaseIsItsFailureAndTheComposition(t *testing.T) {
	for _, c := range ptrDeltas {
		release := promise(c.e, c.d)
		if c.m > 0 {
			release = ofRatio(c.m)
		}
		event := tested(ofRatio(c.mu), release, c.failure)
		closed, err := account.Of(event, account.Closed, pld.Options{})
		require.NoError(t, err)
		got := closed.LogDeltaUpper(c.epsilon)
		assert.InDelta(t, c.logDelta, got, 1e-8)
		assert.GreaterOrEqual(t, got, c.logDelta-1e-12, "from above")

		certified, err := account.Of(event, account.Distribution, pld.Options{Accuracy: 1e-5})
		require.NoError(t, err)
		i, err := certified.Certified.Delta(c.epsilon)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, i.LogUpper, c.logDelta)
		assert.LessOrEqual(t, i.LogReached, c.logDelta)
		assert.InDelta(t, i.LogUpper, i.LogReached, 1e-3)
		assert.LessOrEqual(t, i.LogLower, i.LogReached)

		renyi, err := account.Of(event, account.Renyi, pld.Options{})
		require.NoError(t, err)
		assert.GreaterOrEqual(t, renyi.LogDeltaUpper(c.epsilon), c.logDelta-1e-9)
	}
}

// A mechanism that attains the price: the test answers by a coin that is right with
// probability 0.9, and where it is wrong about X, all is told. The output that is wrong is the
// one that X makes unlikely, so that it has no part in the loss of the composition. Priced as
// the composition with a (0, δ′)-DP mechanism, it would be promised more than it keeps.
func TestATestedReleaseIsNoCompositionWithItsFailure(t *testing.T) {
	coin := privacy.RandomisedResponse{Adjacency: either, Categories: 2, Truth: 0.9}
	answer := privacy.RandomisedResponse{Adjacency: either, Categories: 2, Truth: 0.7}
	event := tested(coin, answer, 0.1)
	price, err := account.Of(event, account.Distribution, pld.Options{Accuracy: 1e-5})
	require.NoError(t, err)
	naive, err := account.Of(privacy.Composition{Adjacency: either, Parts: []privacy.Part{
		{Event: coin, Count: 1}, {Event: answer, Count: 1}, {Event: promise(0, 0.1), Count: 1},
	}}, account.Distribution, pld.Options{Accuracy: 1e-5})
	require.NoError(t, err)
	for _, epsilon := range []float64{0, 0.5, 1, 2, 2.9} {
		truth := 0.1
		for _, good := range [][2]float64{{0.9 * 0.7, 0.1 * 0.3}, {0.9 * 0.3, 0.1 * 0.7}} {
			truth += math.Max(0, good[0]-math.Exp(epsilon)*good[1])
		}
		got := math.Exp(price.LogDeltaUpper(epsilon))
		assert.GreaterOrEqual(t, got, truth-1e-9, "ε = %g", epsilon)
		assert.InEpsilon(t, truth, got, 1e-3, "it is attained")
		assert.Less(t, math.Exp(naive.LogDeltaUpper(epsilon)), truth-1e-3, "ε = %g", epsilon)
	}
}

// In a composition the failures add up and the rest composes, whatever stands beside it, by
// every method; and a test that is never wrong is the composition.
func TestFailuresAddUp(t *testing.T) {
	one := tested(ofRatio(0.1), ofRatio(0.2), 1e-6)
	several := privacy.Composition{Adjacency: either, Parts: []privacy.Part{
		{Event: one, Count: 3}, {Event: ofRatio(0.3), Count: 2},
	}}
	sure := privacy.Composition{Adjacency: either, Parts: []privacy.Part{
		{Event: ofRatio(0.1), Count: 3}, {Event: ofRatio(0.2), Count: 3},
		{Event: ofRatio(0.3), Count: 2},
	}}
	for _, method := range []account.Method{account.Closed, account.Distribution, account.Renyi} {
		with, err := account.Of(several, method, pld.Options{Accuracy: 1e-5})
		require.NoError(t, err)
		without, err := account.Of(sure, method, pld.Options{Accuracy: 1e-5})
		require.NoError(t, err)
		for _, epsilon := range []float64{0.5, 2, 4} {
			want := math.Exp(without.LogDeltaUpper(epsilon)) + 3e-6
			assert.InEpsilon(t, want, math.Exp(with.LogDeltaUpper(epsilon)), 1e-4, method)
		}
		epsilon, err := with.EpsilonUpper(1e-4)
		require.NoError(t, err)
		want, err := without.EpsilonUpper(1e-4 - 3e-6)
		require.NoError(t, err)
		assert.InEpsilon(t, want, epsilon, 1e-4, method)
		assert.LessOrEqual(t, with.LogDeltaUpper(epsilon), math.Log(1e-4)+1e-9, method)
		none, err := with.EpsilonUpper(2.9e-6)
		require.NoError(t, err)
		assert.Equal(t, math.Inf(1), none, "%s: δ is below the failures", method)

		one.Failure = 0
		never, err := account.Of(one, method, pld.Options{})
		require.NoError(t, err)
		composed, err := account.Of(one.Composition(), method, pld.Options{})
		require.NoError(t, err)
		assert.Equal(t, composed.LogDeltaUpper(1), never.LogDeltaUpper(1), method)
	}
}

// A failure and what is left of a loss next to certain come to more than 1 together: δ is
// 1 then, by both ends and by the estimate.
func TestNoDeltaIsAboveOne(t *testing.T) {
	for _, release := range []privacy.Event{
		ofRatio(1e40), privacy.Laplace{Adjacency: either, Sensitivity: 400, Scale: 1},
	} {
		event := tested(privacy.Laplace{Adjacency: either, Sensitivity: 1, Scale: 1}, release, 0.5)
		d, err := pld.Of(event, pld.Options{})
		require.NoError(t, err)
		i, err := d.Delta(2)
		require.NoError(t, err)
		for _, log := range []float64{i.LogLower, i.LogReached, i.LogUpper} {
			assert.LessOrEqual(t, log, 0.0)
		}
		assert.InDelta(t, 0, i.LogReached, 1e-9)
		estimate, err := d.Estimate().Delta(2)
		require.NoError(t, err)
		assert.LessOrEqual(t, estimate.Log, 0.0)
		_, err = crosscheck.LogDelta(nil, event, 2, pld.Options{})
		assert.NoError(t, err, "the methods agree")
	}
}

// The methods do not contradict each other, and both directions of a distribution have it.
func TestMethodsAgreeOnTestedReleases(t *testing.T) {
	laplace := privacy.Laplace{Adjacency: either, Sensitivity: 1, Scale: 4}
	for _, event := range []privacy.Event{
		tested(ofRatio(0.1), laplace, 1e-6),
		tested(laplace, tested(ofRatio(0.2), promise(0.1, 1e-7), 1e-7), 1e-7),
		privacy.Composition{Adjacency: either, Parts: []privacy.Part{
			{Event: tested(ofRatio(0.1), laplace, 1e-7), Count: 5}, {Event: laplace, Count: 2},
		}},
	} {
		for _, delta := range []float64{1e-5, 1e-3} {
			r, err := crosscheck.Epsilon(nil, event, delta, pld.Options{})
			require.NoError(t, err)
			require.NotNil(t, r.Upper)
			assert.LessOrEqual(t, *r.Upper, *r.Renyi)
			d, err := pld.Of(event, pld.Options{})
			require.NoError(t, err)
			added, removed, err := d.EpsilonEach(delta)
			require.NoError(t, err)
			assert.InEpsilon(t, *r.Upper, math.Max(added.Upper, removed.Upper), 1e-9)
			estimate, err := d.Estimate().Epsilon(delta)
			require.NoError(t, err)
			assert.InEpsilon(t, *r.Upper, estimate.Value, 2e-3)
			logs, err := d.Estimate().Delta(*r.Upper)
			require.NoError(t, err)
			assert.InDelta(t, math.Log(delta), logs.Log, 0.05)
		}
		_, err := crosscheck.LogDelta(nil, event, 1, pld.Options{})
		require.NoError(t, err)
	}
}

// Its noise can be solved for, and what is found keeps the guarantee.
func TestNoiseOfATestedReleaseIsSolvedFor(t *testing.T) {
	keep := privacy.Guarantee{Adjacency: either, Epsilon: 1, Delta: 1e-5}
	for path, release := range map[string]privacy.Event{
		"noise":         ofRatio(1),
		"test.sigma":    promise(0.4, 1e-6),
		"release.scale": privacy.Laplace{Adjacency: either, Sensitivity: 1, Scale: 1},
	} {
		event := tested(ofRatio(0.05), release, 2e-6)
		answer, err := calibrate.Solve(calibrate.Request{Event: event, Parameter: path, Keep: keep})
		require.NoError(t, err, path)
		price, err := account.Of(answer.Event, account.Auto, pld.Options{Accuracy: 1e-5})
		require.NoError(t, err)
		epsilon, err := price.EpsilonUpper(keep.Delta)
		require.NoError(t, err)
		assert.LessOrEqual(t, epsilon, 1+2e-5, path)
		assert.Greater(t, epsilon, 0.99, path)
	}
	_, err := calibrate.Solve(calibrate.Request{
		Event: tested(ofRatio(0.05), ofRatio(1), 1e-5), Parameter: "noise", Keep: keep,
	})
	assert.Error(t, err, "the failure is all of δ")
}

// A filter counts the failure as mass, and an odometer, which knows no δ, refuses it.
func TestFiltersCountFailuresAsMass(t *testing.T) {
	budget := privacy.Guarantee{Adjacency: either, Epsilon: 2, Delta: 1e-5}
	event := tested(ofRatio(0.1), ofRatio(0.1), 1e-6)
	f, err := filter.New(budget, 2.5e-6)
	require.NoError(t, err)
	require.NoError(t, f.Charge(event))
	require.NoError(t, f.Charge(privacy.Composition{
		Adjacency: either, Parts: []privacy.Part{{Event: event, Count: 1}},
	}))
	assert.ErrorIs(t, f.Charge(event), filter.ErrExceeded, "of mass, not of ε")
	require.NoError(t, f.Charge(event.Composition()))

	o, err := filter.NewOdometer(either, 1e-5)
	require.NoError(t, err)
	assert.ErrorContains(t, o.Charge(event), "delta")
	event.Failure = 0
	assert.NoError(t, o.Charge(event))
}

// A selection runs its base E[K] times, so that many failures count, under both data sets; a
// base that does not say what fails under a neighbour has no price.
func TestSelectionsCountFailuresOfEachRun(t *testing.T) {
	base := tested(ofRatio(0.1), ofRatio(0.1), 1e-9)
	silent, err := account.Of(
		privacy.PoissonSelection{Base: base, Mean: 10}, account.Auto, pld.Options{})
	require.NoError(t, err)
	epsilon, err := silent.EpsilonUpper(1e-5)
	require.NoError(t, err)
	assert.Equal(t, math.Inf(1), epsilon)

	base.Neighbour = 3e-9
	for selected, mean := range map[privacy.Event]float64{
		privacy.PoissonSelection{Base: base, Mean: 10}:                         10,
		privacy.NegativeBinomialSelection{Base: base, Eta: 1, Gamma: 1.0 / 20}: 20,
	} {
		price, err := account.Of(selected, account.Auto, pld.Options{})
		require.NoError(t, err)
		_, rest := selection.WithoutFailures(selected)
		clean, err := account.Of(rest, account.Auto, pld.Options{})
		require.NoError(t, err)
		for _, at := range []float64{0.5, 1, 2} {
			want := math.Exp(clean.LogDeltaUpper(at)) + mean*(1e-9+math.Exp(at)*3e-9)
			assert.InEpsilon(t, want, math.Exp(price.LogDeltaUpper(at)), 1e-6)
		}
		epsilon, err := price.EpsilonUpper(1e-5)
		require.NoError(t, err)
		least, err := clean.EpsilonUpper(1e-5)
		require.NoError(t, err)
		assert.Greater(t, epsilon, least)
		assert.InEpsilon(t, least, epsilon, 0.1)
		assert.LessOrEqual(t, price.LogDeltaUpper(epsilon), math.Log(1e-5)+1e-9)
		// Where the failures alone come to δ there is no ε.
		none, err := price.EpsilonUpper(mean * 4e-9)
		require.NoError(t, err)
		assert.Equal(t, math.Inf(1), none)
	}
}

// One Rényi divergence is converted at its order, and composes at it.
func TestRenyiDPIsConvertedAtItsOrder(t *testing.T) {
	for _, order := range []float64{1.5, 8, 400} {
		event := privacy.RenyiDP{Adjacency: either, Order: order, Epsilon: 0.02}
		price, err := account.Of(event, account.Auto, pld.Options{})
		require.NoError(t, err)
		const delta = 1e-6
		want := 0.02 + math.Log1p(-1/order) - math.Log(delta*order)/(order-1)
		epsilon, err := price.EpsilonUpper(delta)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, epsilon, want)
		assert.InEpsilon(t, want, epsilon, 1e-6)
	}
}

func TestTestedReleasesThatAreNone(t *testing.T) {
	good := tested(ofRatio(1), ofRatio(1), 1e-6)
	for field, spoil := range map[string]func(e *privacy.ProposeTestRelease){
		"test":      func(e *privacy.ProposeTestRelease) { e.Test = nil },
		"release":   func(e *privacy.ProposeTestRelease) { e.Release = nil },
		"failure":   func(e *privacy.ProposeTestRelease) { e.Failure = 1 },
		"neighbour": func(e *privacy.ProposeTestRelease) { e.Neighbour = -1e-9 },
		"release.adjacency": func(e *privacy.ProposeTestRelease) {
			e.Release = privacy.PureDP{Adjacency: privacy.ReplaceOne}
		},
		"test.sigma": func(e *privacy.ProposeTestRelease) {
			e.Test = privacy.Gaussian{Adjacency: either, Sensitivity: 1}
		},
	} {
		event := good
		spoil(&event)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, event.Validate(), &wrong, field)
		assert.Equal(t, field, wrong.Field)
	}
	deep := privacy.Event(good)
	for range privacy.DeepestNesting {
		deep = tested(deep, ofRatio(1), 0)
	}
	assert.Error(t, deep.Validate(), "too deep")
	again, err := privacy.DecodeEvent("", privacy.EncodeEvent(good))
	require.NoError(t, err)
	assert.Equal(t, privacy.Event(good), again)
}
