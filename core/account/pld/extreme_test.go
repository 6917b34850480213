package pld

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// together composes events once each.
func together(events ...privacy.Event) privacy.Event {
	c := privacy.Composition{Adjacency: addRemove}
	for _, e := range events {
		c.Parts = append(c.Parts, privacy.Part{Event: e, Count: 1})
	}
	return c
}

// guarded fails rather than hang where a question does not end.
func guarded(t *testing.T, name string, ask func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); ask() }()
	select {
	case <-done:
	case <-time.After(limit):
		select {
		case <-done: // where nothing runs beside a question, time is up only after it
		default:
			require.FailNow(t, "no end", name)
		}
	}
}

// Parameters at the ends of their ranges, at which floats run out: every
// question ends, with an interval that holds the truth.
func TestQuestionsEnd(t *testing.T) {
	pure := func(epsilon float64) privacy.Event {
		return privacy.PureDP{Adjacency: addRemove, Epsilon: epsilon}
	}
	leak := func(delta float64) privacy.Event {
		return privacy.ApproximateDP{Adjacency: addRemove, Delta: delta}
	}
	unknown := math.NaN()
	slow := map[string]bool{"rate 1e-50, no noise": true}
	// the long form has them
	slower := map[string]bool{"rate 1-1e-16, no noise": true, "rate 1e-50": true}
	for _, c := range []struct {
		name     string
		event    privacy.Event
		delta    float64 // if > 0, ε is asked for
		epsilon  float64 // else δ
		expected float64 // what is asked for (δ by its logarithm), or NaN
	}{
		{"5 of (0, .5) at .999", repeated(leak(0.5), 5), 0.999, 0, 0},
		{"5 of (0, .5) at .97", repeated(leak(0.5), 5), 0.97, 0, 0},
		{"5 of (0, .5) at .96", repeated(leak(0.5), 5), 0.96, 0, math.Inf(1)},
		{"2 of (0, .5) at .76", repeated(leak(0.5), 2), 0.76, 0, 0},
		{"2 of (0, 1e-9) at 1e-6", repeated(leak(1e-9), 2), 1e-6, 0, 0},
		{"2 of (0, 1e-9) at .1", repeated(leak(1e-9), 2), 0.1, 0, 0},
		{"(0, 1e-8) and (0, 1e-9) at 1e-6", together(leak(1e-8), leak(1e-9)), 1e-6, 0, 0},
		{"(0, 1e-8) and (0, 1e-9)", together(leak(1e-8), leak(1e-9)), 0, 0, math.Log(1.1e-8 - 1e-17)},
		{"1e-8 and 1000", together(pure(1e-8), pure(1000)), 0, 1000, unknown},
		{"1e-8 and 1000 at 1e-300", together(pure(1e-8), pure(1000)), 1e-300, 0, unknown},
		{"3 of 1e-50", repeated(pure(1e-50), 3), 0, 0, unknown},
		{"3 of 1e-50 at 1e-6", repeated(pure(1e-50), 3), 1e-6, 0, 0},
		{"3 of 1e-50 at 1e-300", repeated(pure(1e-50), 3), 1e-300, 0, unknown},
		{"rate 1-1e-16", dpsgd(1-1e-16, 1, 2), 1e-300, 0, unknown},
		{"rate 1-1e-16, no noise", dpsgd(1-1e-16, 1e-6, 2), 0, 0, unknown},
		{"rate 1e-50", dpsgd(1e-50, 1, 7), 0, 0, unknown},
		{"rate 1e-50 at 1e-300", dpsgd(1e-50, 1, 7), 1e-300, 0, unknown},
		{"rate 1e-50, no noise", dpsgd(1e-50, 1e-6, 2), 0, 0, unknown},
	} {
		if testing.Short() && slow[c.name] || slower[c.name] && !long() {
			continue
		}
		guarded(t, c.name, func() {
			d, err := Of(c.event, Options{})
			require.NoError(t, err)
			var low, high float64
			if c.delta > 0 {
				i, err := d.Epsilon(c.delta)
				assert.NoError(t, err)
				low, high = i.Reached, i.Upper
			} else {
				i, err := d.Delta(c.epsilon)
				assert.NoError(t, err)
				low, high = i.LogReached, i.LogUpper
			}
			assert.LessOrEqual(t, low, high, c.name) // not NaN
			if !math.IsNaN(c.expected) {
				assert.LessOrEqual(t, low, c.expected, c.name)
				assert.GreaterOrEqual(t, high, c.expected, c.name)
				if !math.IsInf(c.expected, 1) {
					assert.Less(t, high-low, 1e-3, c.name)
				}
			}
		})
	}
}

// The loss of objective perturbation differs in its two directions. Both follow
// here by quadrature from theory §4.3 (added) and §4.2 (removed) alone; to swap
// them is not to be overlooked, alone or composed.
func TestDirectionsOfObjectivePerturbation(t *testing.T) {
	nativetest.Only(t)
	const lambda, sigma = 0.3, 4.0
	event := privacy.ObjectivePerturbation{
		Adjacency: addRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25,
		Lambda:     lambda, Sigma: sigma, Dimension: 10,
	}
	most := func(v, curvature float64) float64 {
		best := 0.0
		for a := 0.0; a <= 1; a += 1.0 / 512 {
			best = math.Max(
				best, a*v/sigma+a*a/(2*sigma*sigma)+curvature*math.Log1p(a*(1-a)/lambda),
			)
		}
		return best
	}
	delta := func(epsilon, curvature float64) float64 {
		const h = 1.0 / 256
		sum := 0.0
		for v := -8.0; v < 8; v += h {
			sum += h * math.Exp(-v*v/2) / math.Sqrt(2*math.Pi) * math.Max(
				0, -math.Expm1(epsilon-most(v, curvature)),
			)
		}
		return sum
	}
	d, err := Of(event, Options{Bound: objective.BoundLogistic})
	require.NoError(t, err)
	for _, small := range []float64{1e-2, 1e-4} {
		added, removed, err := d.EpsilonEach(small)
		require.NoError(t, err)
		assert.InEpsilon(t, small, delta(added.Upper, 1), 5e-3, "added at δ = %v", small)
		assert.InEpsilon(t, small, delta(removed.Upper, 0), 5e-3, "removed at δ = %v", small)
		assert.Greater(t, added.Reached, 1.1*removed.Upper, "δ = %v", small)
	}
	// Swapped, the directions compose to another ε.
	d, err = Of(
		together(event, dpsgd(0.02, 0.7, 100)), Options{Bound: objective.BoundLogistic},
	)
	require.NoError(t, err)
	i, err := d.Epsilon(1e-5)
	require.NoError(t, err)
	assert.InDelta(t, 4.453, (i.Reached+i.Upper)/2, 3e-3)
}

// The removed direction next to rate 1, where 1 − q + q e^t is a sum of small
// terms that must not be had from log(1 + x) at x next to −1. Expected: by
// quadrature in more digits.
func TestRateNextToOne(t *testing.T) {
	_, removed := subsampledLosses(1-1e-12, 1/7.7)
	low, high := removed.logDelta(27)
	assert.LessOrEqual(t, low, -1.36507928635)
	assert.GreaterOrEqual(t, high, -1.36507928645)
	assert.Less(t, high-low, 1e-6)
}

// Single runs at losses next to an atom's, of which the rounding decides what is
// true: against exact profiles.
func TestAtomsAreRounded(t *testing.T) {
	laplace := func(shift int, scale float64) privacy.Event {
		return privacy.DiscreteLaplace{Adjacency: addRemove, Sensitivity: shift, Scale: scale}
	}
	response := func(truth float64) privacy.Event {
		return privacy.RandomisedResponse{Adjacency: addRemove, Categories: 4, Truth: truth}
	}
	for _, c := range []struct {
		event privacy.Event
		delta float64
	}{
		{laplace(1, 3), 1e-17},
		{laplace(4, 0.6316874528322662), 1.0275549455269885e-05},
		{response(0.7499936253101862), 2.737303839195642e-07},
		{response(0.39879869838215964), 1e-17},
	} {
		contained(t, []privacy.Part{counted(c.event, 1)}, c.delta)
	}
	for _, c := range []struct {
		event   privacy.Event
		epsilon float64
	}{{laplace(1, 3), 0.3333333333333333}, {response(0.39879869838215964), 0.6881392391833758}} {
		d, err := Of(c.event, Options{})
		require.NoError(t, err)
		i, err := d.Delta(c.epsilon)
		require.NoError(t, err)
		exact := exactDelta([]outcomes{exactly(c.event)}, c.epsilon)
		assert.LessOrEqual(t, exact.Cmp(number(i.Upper())), 0, "%v: %v", c, i)
		assert.GreaterOrEqual(t, exact.Cmp(number(i.Lower())), 0, "%v: %v", c, i)
	}
}

// Far from what a grid resolves, δ is still no more than the sum of what single
// runs lose.
func TestBasicCompositionCaps(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct {
		event   privacy.SubsampledGaussian
		epsilon float64
		most    float64
	}{{dpsgd(4.3284e-4, 0.0777098, 2), 0, 8.67e-4}, {dpsgd(1e-10, 1e-6, 7), 1, 7.01e-10}} {
		d, err := Of(c.event, Options{})
		require.NoError(t, err)
		i, err := d.Delta(c.epsilon)
		require.NoError(t, err)
		assert.Less(t, i.Upper(), c.most, "%v", c)
		assert.LessOrEqual(t, i.LogReached, i.LogUpper)
	}
}
