package objective

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// drawnEvents are fits under replace-one: those of the tables, and some with little
// regularisation, whose profiles are flat as far as thousands of μ and then fall off.
func drawnEvents() []privacy.Event {
	events := tabledEvents()
	for _, few := range []struct {
		loss           privacy.LossClass
		lambda, sigma  float64
		tau, sigmaStep float64
	}{
		{privacy.LossLogistic, 1e-3, 1000, 1e-9, 1e-3},
		{privacy.LossLogistic, 1e-3, 20, 1e-8, 1e-3},
		{privacy.LossLogistic, 0.1, 100, 1e-6, 1e-3},
		{privacy.LossHinge, 0.8, 80, 1e-5, 1e-3},
		{privacy.LossLogistic, 0.14, 1.1, 1e-3, 0.1},
	} {
		o := privacy.ObjectivePerturbation{
			Adjacency: privacy.ReplaceOne, Loss: few.loss, RowNorm: 1, Lipschitz: 1,
			Smoothness: 0.25, Dimension: 5, Lambda: few.lambda, Sigma: few.sigma,
		}
		if few.loss == privacy.LossHinge {
			o.Smoothness = 1
		}
		events = append(events, o, privacy.ApproximateMinima{
			Objective: o, Tau: few.tau, SigmaOut: few.sigmaStep, Grid: 0x1p-40,
		})
	}
	return events
}

// ownExcess is how far the directions are above their chords at worst: where λ is small, looks do
// not suffice at each ε.
func ownExcess(event privacy.Event) float64 {
	if o, _ := privacy.ObjectiveOf(event); o.Lambda < 0.01 {
		return 2e-2
	}
	return 1e-4
}

// whereBelow is the first ε of a list that grows by a third at which log δ is below least.
func whereBelow(sharp interface{ LogDeltaUpper(float64) float64 }, least float64) float64 {
	epsilon := 1e-6
	for epsilon < 700 && sharp.LogDeltaUpper(epsilon) > least {
		epsilon *= 4.0 / 3
	}
	return epsilon
}

// The chords of a drawn fit are above the direction that they are of, and by 2 % at most down to
// δ = 1e-20, however flat that is and however sharply it bends.
func TestDrawnChordsAreNextToTheirDirection(t *testing.T) {
	nativetest.Only(t)
	for _, event := range drawnEvents() {
		drawn, err := Drawn(event, BoundControl)
		require.NoError(t, err)
		chords := drawn.(replaceOne).pair.Added.(mirrored).forth.(*polyline)
		last := whereBelow(chords.profile, -46)
		for i := range 25 {
			epsilon := last * (float64(i) + 0.37) / 25
			got, want := chords.LogDeltaUpper(epsilon), chords.profile.LogDeltaUpper(epsilon)
			assert.GreaterOrEqual(t, got, want-ownExcess(event), "%+v at %v", event, epsilon)
			if want > -46 {
				assert.LessOrEqual(t, got, want+2e-2, "%+v at %v", event, epsilon)
			}
		}
	}
}

// Under replace-one a drawn fit is what the directions themselves give at its splits of ε, to 2 %,
// and never below that, nor below the Gaussian mechanism of twice the ratio; nor above Of by more
// than its chords are.
func TestDrawnReplaceOne(t *testing.T) {
	nativetest.Only(t)
	for i, event := range drawnEvents() {
		if i%3 == 1 {
			continue // a share
		}
		drawn, err := Drawn(event, BoundControl)
		require.NoError(t, err)
		sharp, err := Of(event, BoundControl)
		require.NoError(t, err)
		both := sharp.(replaceOne).pair
		both.Added, both.Removed = mirrored{both.Added, both.Removed},
			mirrored{both.Removed, both.Added}
		mu, _ := Floor(event)
		last := whereBelow(sharp, -46)
		for _, part := range []float64{0, 0.02, 0.2, 0.45, 0.8} {
			epsilon := last * part
			got := drawn.LogDeltaUpper(epsilon)
			excess, want := 2e-2, sharp.LogDeltaUpper(epsilon)
			if want < -34 {
				excess = 5e-2 // Of may find a better split
			}
			assert.LessOrEqual(t, got, want+excess, "%+v at %v", event, epsilon)
			assert.GreaterOrEqual(
				t, got, logGaussianDelta(epsilon, 2*mu)-1e-9, "%+v at %v", event, epsilon,
			)
			// The directions themselves, at the same splits.
			least := 0.0
			for _, order := range []order{throughBelow, throughAbove} {
				first, _ := drawn.(replaceOne).split(order, epsilon)
				least = math.Min(least, order.of(both).through(epsilon, first))
			}
			assert.GreaterOrEqual(t, got, least-ownExcess(event), "%+v at %v", event, epsilon)
			if least > -46 {
				assert.LessOrEqual(t, got, least+2e-2, "%+v at %v", event, epsilon)
			}
		}
	}
}

// What Of does not search for, or searches for once at each ε, is what Of says.
func TestDrawnIsOfWhereNothingIsShared(t *testing.T) {
	event := tabledEvents()[1].(privacy.ApproximateMinima)
	for _, c := range []struct {
		a     privacy.Adjacency
		bound Bound
	}{
		{privacy.AddRemove, BoundControl}, {privacy.AddRemove, BoundLogistic},
		{privacy.ReplaceOne, BoundLogistic},
	} {
		event.Objective.Adjacency = c.a
		want, err := Of(event, c.bound)
		require.NoError(t, err)
		drawn, err := Drawn(event, c.bound)
		require.NoError(t, err)
		for _, epsilon := range []float64{-1, 0, 0.3, 2} {
			assert.Equal(t, want.LogDeltaUpper(epsilon), drawn.LogDeltaUpper(epsilon), c.bound)
		}
	}
}

// Where chords end does not depend on what was asked before, nor on who else asks meanwhile.
func TestADrawnFitAnswersTheSameInAnyOrder(t *testing.T) {
	event := tabledEvents()[3]
	points := []float64{0.3, 0.01, 2, 0.7, 0, 5, 0.1}
	ask := func(points []float64) map[float64]float64 {
		drawn, err := Drawn(event, BoundControl)
		require.NoError(t, err)
		said := make([]float64, len(points))
		var all sync.WaitGroup
		for i, epsilon := range points {
			all.Add(1)
			go func() {
				defer all.Done()
				said[i] = drawn.LogDeltaUpper(epsilon)
			}()
		}
		all.Wait()
		out := map[float64]float64{}
		for i, epsilon := range points {
			out[epsilon] = said[i]
		}
		return out
	}
	forth := ask(points)
	slices.Reverse(points)
	assert.Equal(t, forth, ask(points))
	for _, one := range points {
		assert.Equal(t, forth[one], ask([]float64{one})[one])
	}
}

// A profile of chords keeps to its rules where the profile ends, falls off at once, or is no
// number.
func TestAPolylineOfAnyProfile(t *testing.T) {
	for name, profile := range map[string]func(float64) float64{
		"cliff": func(x float64) float64 {
			if x > 1.3 {
				return math.Inf(-1)
			}
			return -1
		},
		"one": func(float64) float64 { return 0 },
		"far": func(x float64) float64 { return -1 - 1e4*x },
	} {
		line := &polyline{profile: profileOf(profile), length: 0.1}
		for x := 0.0; x < 40; x += 0.173 {
			assert.GreaterOrEqual(t, line.LogDeltaUpper(x), profile(x), "%s at %v", name, x)
		}
		assert.LessOrEqual(t, line.LogDeltaUpper(math.MaxFloat64), profile(40), name)
		assert.LessOrEqual(t, len(line.epsilon), drawnEnds+1, name)
	}
	nan := &polyline{profile: profileOf(func(float64) float64 { return math.NaN() }), length: 0.1}
	assert.Zero(t, nan.LogDeltaUpper(0.35), "δ = 1")
	assert.Zero(t, nan.LogDeltaUpper(math.NaN()))
}

type profileOf func(float64) float64

func (p profileOf) LogDeltaUpper(epsilon float64) float64 { return p(epsilon) }

// A curve of 200 points searches where chords end, as far as it goes, and nowhere else.
func TestADrawnCurveSearchesSeldom(t *testing.T) {
	event := tabledEvents()[3].(privacy.ApproximateMinima)
	event.Objective.Lambda *= 1.000001 // of which nothing is known yet
	drawn, err := Drawn(event, BoundControl)
	require.NoError(t, err)
	for i := range 200 {
		drawn.LogDeltaUpper(0.5 * float64(i) / 199)
	}
	searched := len(nodesOf(event.Objective).asked)
	t.Logf("%d searches", searched)
	assert.Positive(t, searched)
	assert.Less(t, searched, 400, "two for a point")
}
