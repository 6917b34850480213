package objective

import (
	"math"
	"slices"
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
	if testing.Short() {
		t.Skip("run whole: what is computed does not differ by platform, and takes long")
	}
	for _, event := range tabledEvents() {
		tabled, err := Tabled(event, BoundControl)
		require.NoError(t, err)
		drawn, err := Drawn(event, BoundControl)
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
			got = drawn.LogDeltaUpper(epsilon)
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

// Under add/remove it is between Of and 1 or 2 % of a δ more, and never below the Gaussian
// mechanism that both steps are at least.
func TestTabledAddRemove(t *testing.T) {
	for _, event := range tabledEvents() {
		o, _ := privacy.ObjectiveOf(event)
		o.Adjacency = privacy.AddRemove
		mu, out := o.Lipschitz/o.Sigma, 0.0
		if fit, ok := event.(privacy.ApproximateMinima); ok {
			_, out, _ = Decompose(fit)
			fit.Objective = o
			event = fit
		} else {
			event = o
		}
		tabled, err := Tabled(event, BoundControl)
		require.NoError(t, err)
		drawn, err := Drawn(event, BoundControl)
		require.NoError(t, err)
		sharp, err := Of(event, BoundControl)
		require.NoError(t, err)
		assert.Equal(t, privacy.AddRemove, tabled.Adjacency())
		excess := 1e-2
		if o.Loss == privacy.LossHinge {
			excess = 2e-2
		}
		both := math.Hypot(mu, out)
		for z := -3.0; z < 5; z += 0.37 {
			epsilon := both*both/2 + z*both
			got, want := tabled.LogDeltaUpper(epsilon), sharp.LogDeltaUpper(epsilon)
			if epsilon >= 0 { // below, what is mirrored is sharper
				assert.GreaterOrEqual(t, got, want-1e-4, "%+v at %v", event, epsilon)
			}
			assert.LessOrEqual(t, got, want+excess, "%+v at %v", event, epsilon)
			assert.GreaterOrEqual(t, got, logGaussianDelta(epsilon, both), "%+v", event)
		}
		// Farther out, to δ = 1e-20 and beyond, Drawn still is.
		for z := 0.0; z < 12; z += 0.23 {
			epsilon := both*both/2 + z*both
			got, want := drawn.LogDeltaUpper(epsilon), sharp.LogDeltaUpper(epsilon)
			assert.GreaterOrEqual(t, got, want-1e-4, "%+v at %v", event, epsilon)
			if out == 0 {
				assert.Equal(t, want, got, "%+v at %v", event, epsilon)
			}
			if want > -46 {
				assert.LessOrEqual(t, got, want+2e-2, "%+v at %v", event, epsilon)
			}
		}
	}
}

// Where chords end does not depend on what was asked before, and neither does an answer.
func TestATableAnswersTheSameInAnyOrder(t *testing.T) {
	event := tabledEvents()[3]
	points := []float64{0.3, 0.01, 2, 0.7, 0, 5, 0.1}
	forth, back := map[float64]float64{}, map[float64]float64{}
	tabled, err := Tabled(event, BoundControl)
	require.NoError(t, err)
	for _, x := range points {
		forth[x] = tabled.LogDeltaUpper(x)
	}
	tabled, err = Tabled(event, BoundControl)
	require.NoError(t, err)
	slices.Reverse(points)
	for _, x := range points {
		back[x] = tabled.LogDeltaUpper(x)
	}
	assert.Equal(t, forth, back)

	o, _ := privacy.ObjectiveOf(event)
	d, _, err := controlDirections(o)
	require.NoError(t, err)
	all, _ := d.chords()
	for _, many := range []int{1, 7} {
		some := (&chordEnds{of: d}).beyond(all[20], many)
		assert.Equal(t, all[:20+many], some)
	}
	assert.Equal(t, all, (&chordEnds{of: d}).beyond(math.Inf(1), 1))
}

// A curve of 200 points searches at the ends of chords as far as it goes, and nowhere else.
func TestADrawnCurveSearchesSeldom(t *testing.T) {
	event := tabledEvents()[3].(privacy.ApproximateMinima)
	event.Objective.Lambda *= 1.000001 // of which nothing is known yet
	for _, c := range []struct {
		a    privacy.Adjacency
		most int
	}{{privacy.AddRemove, 80}, {privacy.ReplaceOne, 120}} {
		event.Objective.Adjacency = c.a
		event.Objective.Lambda *= 1.000001
		drawn, err := Drawn(event, BoundControl)
		require.NoError(t, err)
		for i := range 200 {
			drawn.LogDeltaUpper(0.5 * float64(i) / 199)
		}
		searched := len(nodesOf(event.Objective).asked)
		t.Logf("%v: %d searches", c.a, searched)
		assert.Less(t, searched, c.most)
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
