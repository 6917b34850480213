package filter

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/privacy"
)

var budget = privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}

func gaussian(sigma float64) privacy.Gaussian {
	return privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: sigma}
}

// Equal small Gaussians fill the budget almost as far as one Gaussian with the
// whole of it would, and never further.
func TestFilterFillsTheBudget(t *testing.T) {
	sigma, err := account.CalibrateGaussian(budget.Epsilon, budget.Delta, 1)
	require.NoError(t, err)
	for _, k := range []int{1, 10, 100} {
		f, err := New(budget, 0)
		require.NoError(t, err)
		// With this noise k releases are exactly one with sigma.
		event := gaussian(sigma * math.Sqrt(float64(k)))
		charged := 0
		for f.Charge(event) == nil {
			charged++
			require.LessOrEqual(t, f.EpsilonUpper(), budget.Epsilon)
		}
		assert.ErrorIs(t, f.Affords(event), ErrExceeded)
		assert.LessOrEqual(t, charged, k)
		if k == 100 {
			assert.GreaterOrEqual(t, charged, 80, "within a fifth of the exact composition's budget")
		}
	}
}

// The filter's promise against an analyst who adapts: one Gaussian, and a second
// one, as strong as the filter then affords, only if the first output was
// unlucky (above a threshold). The exact δ(ε) of that, by integration over the
// first output, stays below the budget's δ for every threshold, and comes near
// it for the worst.
func TestFilterHoldsForAdaptiveSequences(t *testing.T) {
	closest := 0.0
	for _, first := range []float64{5, 8, 20} {
		f, err := New(budget, 0)
		require.NoError(t, err)
		require.NoError(t, f.Charge(gaussian(first)))
		low, high := 1.0, 1e6
		for range 60 {
			middle := math.Sqrt(low * high)
			if f.Affords(gaussian(middle)) == nil {
				high = middle
			} else {
				low = middle
			}
		}
		second, err := account.Of(gaussian(high), account.BoundAuto)
		require.NoError(t, err)
		for threshold := -3.0; threshold <= 4; threshold += 0.5 {
			const step = 1e-3
			delta := 0.0
			for z := -9.0; z <= 9; z += step { // z = (x − 1)/σ under P
				loss := z/first + 1/(2*first*first)
				density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * step
				if z > threshold {
					delta += density * math.Exp(second.LogDeltaUpper(budget.Epsilon-loss))
				} else {
					delta += density * math.Max(0, 1-math.Exp(budget.Epsilon-loss))
				}
			}
			require.Less(t, delta, budget.Delta, "σ₁ = %v, threshold %v", first, threshold)
			closest = math.Max(closest, delta/budget.Delta)
		}
	}
	assert.Greater(t, closest, 0.1, "a filter that allowed twice the privacy loss would be caught")
}

func TestRefusalChangesNothing(t *testing.T) {
	f, err := New(budget, 0)
	require.NoError(t, err)
	require.NoError(t, f.Charge(gaussian(10)))
	before := f.EpsilonUpper()
	require.ErrorIs(t, f.Charge(gaussian(0.1)), ErrExceeded)
	assert.Equal(t, before, f.EpsilonUpper())
	require.NoError(t, f.Affords(gaussian(10)))
	assert.Equal(t, before, f.EpsilonUpper(), "asking charges nothing")
}

func TestMassIsSetAside(t *testing.T) {
	event := privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 0.01, Delta: 1e-6}
	none, err := New(budget, 0)
	require.NoError(t, err)
	assert.ErrorIs(t, none.Charge(event), ErrExceeded, "nothing was set aside for δ")

	some, err := New(budget, 2.5e-6)
	require.NoError(t, err)
	twice := privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: event, Count: 2}}}
	require.NoError(t, some.Charge(twice))
	assert.ErrorIs(t, some.Charge(event), ErrExceeded)
	assert.NoError(t, some.Charge(gaussian(20)))
}

func TestFilterRefusesWhatItCannotCharge(t *testing.T) {
	f, err := New(budget, 0)
	require.NoError(t, err)
	var p *privacy.ParameterError
	require.ErrorAs(t, f.Charge(privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 1}), &p)
	assert.Equal(t, "adjacency", p.Field)
	require.ErrorAs(t, f.Charge(privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1}), &p)
	assert.Equal(t, "sigma", p.Field)
	require.ErrorAs(t, f.Charge(nil), &p)

	_, err = New(privacy.Guarantee{Epsilon: 1, Delta: 1e-5}, 0)
	require.Error(t, err)
	_, err = New(budget, budget.Delta)
	require.ErrorAs(t, err, &p)
	assert.Equal(t, "mass", p.Field)
}

// A rung of the odometer is never below what the exact accountant says of the
// same Gaussians composed without any adaptivity, and rises with each charge.
func TestOdometer(t *testing.T) {
	o, err := NewOdometer(privacy.AddRemove, 1e-5)
	require.NoError(t, err)
	assert.Equal(t, 0.0, o.EpsilonUpper())
	last := 0.0
	for k := 1; k <= 200; k++ {
		require.NoError(t, o.Charge(gaussian(20)))
		now := o.EpsilonUpper()
		exact, err := account.Of(gaussian(20/math.Sqrt(float64(k))), account.BoundAuto)
		require.NoError(t, err)
		epsilon, err := account.EpsilonUpper(exact, 1e-5)
		require.NoError(t, err)
		require.GreaterOrEqual(t, now, epsilon)
		require.GreaterOrEqual(t, now, last)
		require.Less(t, now, 2.6*epsilon+0.1)
		last = now
	}
	require.NoError(t, o.Charge(gaussian(0.01)))
	assert.Equal(t, math.Inf(1), o.EpsilonUpper())
	assert.Error(t, o.Charge(privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-9}))
	assert.Error(t, o.Charge(privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 1}))
}
