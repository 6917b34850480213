package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// tabledEvents are fits under replace-one, with an output step and without.
func tabledEvents() (events []privacy.Event) {
	for _, loss := range []privacy.LossClass{
		privacy.LossLogistic, privacy.LossSigned, privacy.LossHinge,
	} {
		for _, sigma := range []float64{20, 3, 0.5} {
			e := privacy.ObjectivePerturbation{
				Adjacency: privacy.ReplaceOne, Loss: loss, RowNorm: 1, Lipschitz: 1,
				Smoothness: 0.25, Dimension: 5, Lambda: 0.5 * ZeroOverheadLambda(1, 1, sigma),
				Sigma: sigma,
			}
			if loss == privacy.LossHinge {
				e.Smoothness = 1
			}
			events = append(events, e, privacy.ApproximateMinima{
				Objective: e, Tau: e.Lambda / 512 / sigma, SigmaOut: 1, Grid: 0x1p-40,
			})
		}
	}
	return events
}

// A table is above the direction it is of, and by little; so is what mirrors it below 0, where
// the control problem's value is a Gaussian mechanism's.
func TestATableIsAboveItsDirection(t *testing.T) {
	for _, event := range tabledEvents() {
		c, err := Tabled(event, BoundControl)
		require.NoError(t, err)
		tabled := c.(replaceOne).pair
		sharp, err := Directions(event, BoundControl)
		require.NoError(t, err)
		o, _ := privacy.ObjectiveOf(event)
		mu := o.Lipschitz / o.Sigma
		excess := 1e-2
		if o.Loss == privacy.LossHinge { // one chord spans the bend of its profile
			excess = 2e-2
		}
		for x := 0.0; x < mu*mu/2+5*mu; x += mu / 7 {
			want, got := sharp.Added.LogDeltaUpper(x), tabled.Added.LogDeltaUpper(x)
			assert.GreaterOrEqual(t, got, want-1e-4, "%+v at %v", event, x) // sharp's own excess
			assert.LessOrEqual(t, got, want+excess, "%+v at %v", event, x)
			if x == 0 {
				continue
			}
			assert.GreaterOrEqual(t, tabled.Added.LogDeltaUpper(-x), logGaussianDelta(-x, mu))
			assert.InDelta(
				t, sharp.Added.LogDeltaUpper(-x), tabled.Added.LogDeltaUpper(-x), 1e-4,
			)
			// H_{1/t}(P‖Q) = 1 − 1/t + H_t(Q‖P)/t, summed the other way.
			removed := 1 - math.Exp(-x) + math.Exp(want-x)
			got = math.Exp(tabled.Removed.LogDeltaUpper(-x))
			assert.GreaterOrEqual(t, got, removed*(1-1e-4), "%+v at %v", event, -x)
			assert.LessOrEqual(t, got, removed*(1+excess), "%+v at %v", event, -x)
			assert.LessOrEqual(t, got, math.Exp(sharp.Removed.LogDeltaUpper(-x))*(1+excess))
		}
		last := c.(replaceOne).pair.Added.(mirrored).forth.LogDeltaUpper(1e9)
		assert.Less(t, last, -600.0, "next to nothing beyond the last chord")
	}
}

// Under replace-one it is never below the Gaussian mechanism of twice the ratio, which two of
// such steps are at least, and at most as far above Of as its chords are.
func TestTabledReplaceOne(t *testing.T) {
	for _, event := range tabledEvents() {
		tabled, err := Tabled(event, BoundControl)
		require.NoError(t, err)
		sharp, err := Of(event, BoundControl)
		require.NoError(t, err)
		o, _ := privacy.ObjectiveOf(event)
		mu := 2 * o.Lipschitz / o.Sigma
		for z := -3.0; z < 5; z += 0.5 {
			epsilon := mu*mu/2 + z*mu
			got := tabled.LogDeltaUpper(epsilon)
			assert.GreaterOrEqual(t, got, logGaussianDelta(epsilon, mu), "%+v at %v", event, epsilon)
			assert.LessOrEqual(
				t, got, sharp.LogDeltaUpper(epsilon)+1e-2, "%+v at %v", event, epsilon,
			)
		}
	}
	// What Of does not search for is the same.
	event := tabledEvents()[0].(privacy.ObjectivePerturbation)
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		event.Adjacency = adjacency
		tabled, err := Tabled(event, BoundLogistic)
		require.NoError(t, err)
		want, err := Of(event, BoundLogistic)
		require.NoError(t, err)
		assert.Equal(t, want.LogDeltaUpper(1), tabled.LogDeltaUpper(1))
	}
}

// "auto" is the control problem for each loss whose slope has one sign, the rounded hinge among
// them; where that would be asked too often, it is the next sharpest bound.
func TestWhatAutoIs(t *testing.T) {
	for loss, want := range map[privacy.LossClass][2]Bound{
		privacy.LossLogistic: {BoundControl, BoundLogistic},
		privacy.LossHinge:    {BoundControl, BoundHinge},
		privacy.LossSigned:   {BoundControl, BoundSigned},
		privacy.LossGLM:      {BoundGLM, BoundGLM},
		privacy.LossSoftmax:  {BoundSoftmax, BoundSoftmax},
		privacy.LossSmooth:   {BoundRDP, BoundRDP},
	} {
		auto, err := BoundAuto.Resolve(loss)
		require.NoError(t, err)
		quick, err := BoundAuto.Quick(loss)
		require.NoError(t, err)
		assert.Equal(t, want, [2]Bound{auto, quick}, loss)
		named, err := auto.Quick(loss)
		require.NoError(t, err)
		assert.Equal(t, auto, named, "a bound that is named is kept to")
	}
	// One profile, and losses that compose by the next sharpest.
	e := hingeEvent(1, 1, 0.7, 3.7)
	got, quick := curveOf(t, e, BoundAuto), curveOf(t, e, BoundHinge)
	assert.Equal(t, curveOf(t, e, BoundControl).LogDeltaUpper(1), got.LogDeltaUpper(1))
	assert.Less(t, got.LogDeltaUpper(1), quick.LogDeltaUpper(1)-0.1)
	added, _, err := Losses(e, BoundAuto)
	require.NoError(t, err)
	simpler, _, err := Losses(e, BoundHinge)
	require.NoError(t, err)
	assert.Equal(t, simpler.Loss(1), added.Loss(1))
}
