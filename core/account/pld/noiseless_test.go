package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// unchecked is Of for an event out of range, which Of refuses: what the
// arithmetic makes of it on its own.
func unchecked(t *testing.T, event privacy.Event) *Distribution {
	t.Helper()
	c := &collection{}
	require.NoError(t, c.take(event, 1))
	return c.distribution(event.Neighbours(), DefaultAccuracy)
}

// Without noise all is revealed. The squares of these ratios overflow, and losses
// are NaN; that must not be read as no loss.
func TestNoNoiseIsNoPrivacy(t *testing.T) {
	objective := privacy.ObjectivePerturbation{
		Adjacency: addRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25,
		Lambda:     1, Sigma: 1e-160, Dimension: 3,
	}
	noisy := objective
	noisy.Sigma = 3.7
	gaussian := privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 1e-160}
	for name, c := range map[string]struct {
		event privacy.Event
		least float64 // δ(1) of it
	}{
		"sampled":          {dpsgd(0.5, 1e-160, 10), 0.999},
		"discrete":         {privacy.DiscreteGaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 1e-160}, 1},
		"gaussian":         {gaussian, 1},
		"with ε = 1":       {together(gaussian, privacy.PureDP{Adjacency: addRemove, Epsilon: 1}), 1},
		"two objectives":   {repeated(objective, 2), 1},
		"objective":        {objective, 1},
		"output":           {privacy.ApproximateMinima{Objective: noisy, Tau: 1e-6, SigmaOut: 1e-200}, 1},
		"steps":            {privacy.GradientDescent{Adjacency: addRemove, Sensitivity: 1e200, Sigmas: []float64{1e-200, 1}}, 1},
		"sampled, a part":  {together(dpsgd(0.5, 1e-160, 10), dpsgd(0.01, 1, 100)), 0.999},
		"sampled 5e-324":   {dpsgd(0.5, 5e-324, 1), 0.5},
		"certain, 5e-324":  {dpsgd(1, 5e-324, 1), 1},
		"discrete, 5e-324": {privacy.DiscreteGaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 5e-324}, 1},
	} {
		var refused *privacy.ParameterError
		_, err := Of(c.event, Options{})
		assert.ErrorAs(t, err, &refused, name)
		if err := (&collection{}).take(c.event, 1); err != nil { // package objective refuses it too
			assert.ErrorAs(t, err, &refused, name)
			continue
		}
		d := unchecked(t, c.event)
		i, err := d.Delta(1)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, i.Upper(), c.least-1e-9, "%s: %v", name, i)
		assert.Greater(t, d.LogDeltaUpper(math.NaN()), -1e-9, name)
		e, err := d.Epsilon(1e-5)
		require.NoError(t, err)
		assert.Greater(t, e.Upper, 1e100, "%s: %v", name, e)
		assert.Greater(t, i.LogUpper, math.Log(1e-5), name)
		assert.LessOrEqual(t, e.Lower, e.Upper)
	}
}

// The other way round: δ(0) = μ/√(2π) of a Gaussian mechanism of so small a ratio μ
// that μ² underflows is small, and not 0.
func TestARatioWhoseSquareUnderflowsIsNotFree(t *testing.T) {
	for _, mu := range []float64{1e-160, 1e-170, 1e-300} {
		gaussian := privacy.Gaussian{Adjacency: addRemove, Sensitivity: mu, Sigma: 1}
		for _, event := range []privacy.Event{
			gaussian, together(gaussian, gaussian), dpsgd(1, 1/mu, 1),
		} {
			upper := unchecked(t, event).LogDeltaUpper(0)
			assert.GreaterOrEqual(t, upper, math.Log(mu/math.Sqrt(2*math.Pi)), "%#v", event)
		}
	}
}

// A question about ρ = 5e-324 ends.
func TestTheSmallestRhoIsPriced(t *testing.T) {
	d := unchecked(t, together(
		privacy.ZeroConcentrated{
			Adjacency: addRemove,
			Rho:       5e-324,
		},
		privacy.PureDP{Adjacency: addRemove, Epsilon: 1},
	))
	guarded(t, "rho 5e-324", func() {
		i, err := d.Delta(0.5)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, i.LogUpper, pureLogDelta(1, 0.5))
		e, err := d.Epsilon(1e-5)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, e.Upper, 1-1e-4)
	})
}

// pureLogDelta is log δ(ε) of randomised response with ε₀.
func pureLogDelta(limit, epsilon float64) float64 {
	return math.Log(-math.Expm1(epsilon-limit) / (1 + math.Exp(-limit)))
}

// Mass that was lost on the way to a grid, or a number that is none, is taken
// as a loss of +∞ at the upper end, and as no loss at the lower one.
func TestLostMassIsLostPrivacy(t *testing.T) {
	for _, missing := range []float64{1e-9, 0.5, 1, math.NaN()} {
		m := (&measure{step: 1, mass: []float64{0.25, 0.75 - missing}}).orEverything()
		assert.Equal(t, 1.0, m.infinite, missing)
		l := &loss{atoms: []atom{{loss: 0, mass: 0.25}, {loss: 1, mass: 0.75 - missing}}}
		assert.False(t, l.whole(), missing)
		c := &collection{}
		c.add("spoilt", 2, func() (added, removed source) { return l, l })
		c.normal(1, 1)
		d := c.distribution(addRemove, DefaultAccuracy)
		i, err := d.Delta(0.3)
		require.NoError(t, err)
		assert.Equal(t, noDelta(), i)
		e, err := d.Epsilon(1e-6)
		require.NoError(t, err)
		assert.Equal(t, noEpsilon(), e)
	}
	whole := &measure{step: 1, mass: []float64{0.25, 0.75}}
	assert.Same(t, whole, whole.orEverything())
	assert.Same(t, whole, whole.orNothing())
	much := (&measure{step: 1, mass: []float64{0.25, 0.7501}}).orNothing()
	assert.Equal(t, []float64{1}, much.mass)
	assert.Zero(t, much.offset)
}

// Ends that contradict each other, or are no numbers, are none.
func TestEmptyIntervalsAreWhole(t *testing.T) {
	nan := math.NaN()
	for _, c := range [][2]float64{{2, 1}, {nan, 1}, {1, nan}, {nan, nan}, {-1, 1}} {
		low, high := curve.CertifiedEpsilons(c[0], c[1])
		assert.Equal(t, [2]float64{0, math.Inf(1)}, [2]float64{low, high}, "%v", c)
	}
	for _, c := range [][2]float64{{-1, -2}, {nan, -1}, {-1, nan}, {nan, nan}, {-3, math.Inf(-1)}} {
		low, high := curve.CertifiedLogDeltas(c[0], c[1])
		assert.Zero(t, high, "%v", c)
		assert.LessOrEqual(t, low, 0.0, "%v", c)
	}
}
