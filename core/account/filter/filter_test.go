package filter

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
)

var budget = privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}

func gaussian(sigma float64) privacy.Gaussian {
	return privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: sigma}
}

// Equal small Gaussians fill the budget almost as far as one Gaussian with the
// whole of it would, and never further.
func TestFilterFillsTheBudget(t *testing.T) {
	sigma, err := calibrate.Gaussian(budget.Epsilon, budget.Delta, 1)
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
			assert.GreaterOrEqual(
				t, charged, 80, "within a fifth of the exact composition's budget",
			)
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
		second, err := objective.Of(gaussian(high), objective.BoundAuto)
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
	twice := privacy.Composition{
		Adjacency: privacy.AddRemove,
		Parts:     []privacy.Part{{Event: event, Count: 2}},
	}
	require.NoError(t, some.Charge(twice))
	assert.ErrorIs(t, some.Charge(event), ErrExceeded)
	assert.NoError(t, some.Charge(gaussian(20)))
}

func TestFilterRefusesWhatItCannotCharge(t *testing.T) {
	f, err := New(budget, 0)
	require.NoError(t, err)
	var p *privacy.ParameterError
	require.ErrorAs(
		t, f.Charge(privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 1}), &p,
	)
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
		exact, err := objective.Of(gaussian(20/math.Sqrt(float64(k))), objective.BoundAuto)
		require.NoError(t, err)
		epsilon, err := curve.EpsilonUpper(exact, 1e-5)
		require.NoError(t, err)
		require.GreaterOrEqual(t, now, epsilon)
		require.GreaterOrEqual(t, now, last)
		require.Less(t, now, 2.6*epsilon+0.1)
		last = now
	}
	require.NoError(t, o.Charge(gaussian(0.01)))
	assert.Equal(t, math.Inf(1), o.EpsilonUpper())
	assert.Error(
		t, o.Charge(privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-9}),
	)
	assert.Error(
		t, o.Charge(privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 1}),
	)
}

// What is added up is never below the exact sum, which adding to nearest is for
// some of these.
func TestSumsAreRoundedUp(t *testing.T) {
	below := 0
	for _, sigma := range []float64{30, 47, 61.5, 100.1} {
		f, err := New(budget, 5e-6)
		require.NoError(t, err)
		event := gaussian(sigma)
		curve, err := rdp.Of(event)
		require.NoError(t, err)
		failing := privacy.ApproximateDP{
			Adjacency: privacy.AddRemove,
			Epsilon:   1e-4,
			Delta:     1e-9 * sigma,
		}
		exact := make([]*big.Float, len(f.spentOf[0].orders))
		nearest := make([]float64, len(exact))
		for k := range exact {
			exact[k] = new(big.Float).SetPrec(2000)
		}
		mass := new(big.Float).SetPrec(2000)
		for range 25 {
			require.NoError(t, f.Charge(event))
			for k, alpha := range f.spentOf[0].orders {
				exact[k].Add(exact[k], big.NewFloat(curve.Added(alpha)))
				nearest[k] += curve.Added(alpha)
				require.LessOrEqual(t, exact[k].Cmp(big.NewFloat(f.spentOf[0].spent[k])), 0)
				require.LessOrEqual(t, f.spentOf[0].spent[k], nearest[k]*(1+1e-14))
				if exact[k].Cmp(big.NewFloat(nearest[k])) > 0 {
					below++
				}
			}
		}
		for range 25 {
			if f.Charge(failing) != nil {
				break
			}
			mass.Add(mass, big.NewFloat(failing.Delta))
			require.LessOrEqual(t, mass.Cmp(big.NewFloat(f.massed)), 0)
		}
	}
	assert.Positive(t, below, "adding to nearest would have been caught")
}

// A mass that is exactly what was set aside is afforded, and not a bit more.
func TestMassIsSpentToTheLastBit(t *testing.T) {
	event := func(delta float64) privacy.Event {
		return privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 1e-3, Delta: delta}
	}
	f, err := New(budget, 0x1p-18)
	require.NoError(t, err)
	require.NoError(t, f.Charge(event(0x1p-19)))
	assert.ErrorIs(t, f.Affords(event(math.Nextafter(0x1p-19, 1))), ErrExceeded)
	require.NoError(t, f.Charge(event(0x1p-19)))
	assert.ErrorIs(t, f.Affords(event(privacy.LeastProbability)), ErrExceeded)
	assert.NoError(t, f.Affords(event(0)))
}

// Of any event, k runs that the filter affords have, composed, the budget: by
// the certified lower end of their loss distribution. And it affords at least
// what the advanced composition of ε₀-DP events does, which is the filter of
// Whitehouse, Ramdas, Rogers & Wu 2023, Theorem 1: √(2 log(1/δ) kε₀²) + kε₀²/2 ≤ ε.
func TestFilterAffordsWhatItMay(t *testing.T) {
	const add = privacy.AddRemove
	minima := privacy.ApproximateMinima{
		Objective: privacy.ObjectivePerturbation{
			Adjacency: add, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25,
			Lambda: 2, Sigma: 20, Dimension: 3,
		},
		Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40,
	}
	for _, event := range []privacy.Event{
		gaussian(40), minima,
		privacy.PureDP{Adjacency: add, Epsilon: 0.03},
		privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 30},
		privacy.SubsampledGaussian{Adjacency: add, Rate: 0.01, NoiseMultiplier: 2, Steps: 200},
		privacy.RandomisedResponse{Adjacency: add, Categories: 2, Truth: 0.51},
		privacy.ZeroConcentrated{Adjacency: add, Rho: 3e-4},
		privacy.NoisyMin{
			Adjacency: add, Epsilon: 0.03, Span: 1, Noise: privacy.GeometricNoise, Denominator: 64,
		},
	} {
		f, err := New(budget, 0)
		require.NoError(t, err)
		k := 0
		for f.Charge(event) == nil {
			k++
		}
		require.Positive(t, k, event.Mechanism())
		composed, err := pld.Of(
			privacy.Composition{Adjacency: add, Parts: []privacy.Part{{Event: event, Count: k}}},
			pld.Options{},
		)
		require.NoError(t, err)
		interval, err := composed.Epsilon(budget.Delta)
		require.NoError(t, err)
		assert.LessOrEqual(t, interval.Lower, budget.Epsilon, event.Mechanism())
		assert.GreaterOrEqual(
			t, interval.Upper, 0.75*budget.Epsilon, "%s: %d runs", event.Mechanism(), k,
		)
		if pure, ok := event.(privacy.PureDP); ok {
			square := pure.Epsilon * pure.Epsilon
			composed := func(n float64) float64 { // by the theorem of advanced composition
				return math.Sqrt(2*math.Log(1/budget.Delta)*n*square) + n*square/2
			}
			advanced := 0
			for composed(float64(advanced+1)) <= budget.Epsilon {
				advanced++
			}
			assert.GreaterOrEqual(t, k, advanced)
		}
	}
}

// A budget whose e^ε is no float64 affords what a smaller one does, and what may fail in a
// selection has no price under it.
func TestALargeBudgetAffordsWhatASmallOneDoes(t *testing.T) {
	may := privacy.ProposeTestRelease{
		Test: gaussian(100), Release: gaussian(100), Failure: 1e-12, Neighbour: 1e-12,
	}
	selected := privacy.NegativeBinomialSelection{Base: may, Eta: 1, Gamma: 0.5}
	for _, epsilon := range []float64{1, 700, 709, 710, 1e6, 1e300} {
		keep := budget
		keep.Epsilon = epsilon
		f, err := New(keep, 1e-6)
		require.NoError(t, err)
		assert.NoError(t, f.Charge(gaussian(100)), "ε = %v", epsilon)
		assert.NoError(t, f.Charge(may), "ε = %v", epsilon)
		if epsilon > 1 {
			assert.ErrorIs(t, f.Charge(selected), ErrExceeded, "ε = %v", epsilon)
		}
	}
}
