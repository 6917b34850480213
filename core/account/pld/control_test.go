package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/privacy"
)

func halfPerturbed(sigma float64) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25, Lambda: 0.5 * objective.ZeroOverheadLambda(1, 1, sigma), Sigma: sigma,
	}
}

// hinged is the rounded hinge with three quarters of the λ that costs nothing at ε = 1.
func hinged(sigma float64) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossHinge, RowNorm: 1, Lipschitz: 1,
		Smoothness: 1, Lambda: 0.75, Sigma: sigma,
	}
}

// Composed, the bound "control" lies between the mechanism's floor and the simpler bound. A
// single run is the profile itself; with a Gaussian mechanism beside it, it is the integral
// of package objective.
func TestControlComposes(t *testing.T) {
	testControlComposes(t, halfPerturbed(4.3))
	testControlComposes(t, hinged(4.3))
}

func testControlComposes(t *testing.T, e privacy.ObjectivePerturbation) {
	const delta = 1e-5
	quick, err := objective.BoundAuto.Quick(e.Loss)
	require.NoError(t, err)
	epsilons := func(event privacy.Event, bound objective.Bound) EpsilonInterval {
		d, err := Of(event, Options{Bound: bound})
		require.NoError(t, err)
		interval, err := d.Epsilon(delta)
		require.NoError(t, err)
		return interval
	}
	profile, err := objective.Of(e, objective.BoundControl)
	require.NoError(t, err)
	single := epsilons(e, objective.BoundControl)
	assert.LessOrEqual(t, profile.LogDeltaUpper(single.Upper), math.Log(delta)+1e-9)
	assert.Greater(t, profile.LogDeltaUpper(single.Upper*0.999), math.Log(delta))

	minima := privacy.ApproximateMinima{Objective: e, Tau: 0.05 * e.Lambda / 2, SigmaOut: 1}
	profile, err = objective.Of(minima, objective.BoundControl)
	require.NoError(t, err)
	both := epsilons(minima, objective.BoundControl)
	value := profile.LogDeltaUpper(both.Upper)
	assert.InDelta(t, math.Log(delta), value, 0.02, "two ways to compose with a Gaussian")

	for _, count := range []int{2, 8} {
		if testing.Short() && count > 2 {
			continue
		}
		event := privacy.Composition{
			Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: e, Count: count}},
		}
		sharper, simpler := epsilons(
			event, objective.BoundControl,
		), epsilons(event, quick)
		t.Logf("%d runs: %v, by the simpler bound %v", count, sharper, simpler)
		assert.Less(t, sharper.Upper, simpler.Upper)
		assert.GreaterOrEqual(t, sharper.Upper, sharper.Lower)
		assert.InDelta(t, simpler.Lower, sharper.Lower, 2e-3*simpler.Lower, "one floor")
	}
}

// Where λ is so small that no control problem is solved, fits compose by the ceiling in its place.
func TestFitsBeyondTheControlProblemCompose(t *testing.T) {
	for _, e := range []privacy.ObjectivePerturbation{halfPerturbed(20), hinged(20), {
		Adjacency: privacy.AddRemove, Loss: privacy.LossSigned, RowNorm: 1, Lipschitz: 1,
		Smoothness: 1, Sigma: 20,
	}} {
		e.Lambda = 1e-10
		quick, err := objective.BoundAuto.Quick(e.Loss)
		require.NoError(t, err)
		minima := privacy.ApproximateMinima{Objective: e, Tau: 1e-12, SigmaOut: 1}
		both := privacy.Composition{Adjacency: e.Adjacency, Parts: []privacy.Part{
			{Event: e, Count: 2}, {Event: minima, Count: 1},
		}}
		upper := func(bound objective.Bound) float64 {
			d, err := Of(both, Options{Bound: bound})
			require.NoError(t, err)
			interval, err := d.Epsilon(1e-5)
			require.NoError(t, err)
			return interval.Upper
		}
		auto := upper(objective.BoundAuto)
		assert.Equal(t, upper(quick), auto, "%s", e.Loss)
		assert.Greater(t, auto, 20.0, "%s", e.Loss)
	}
}
