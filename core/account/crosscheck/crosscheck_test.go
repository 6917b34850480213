package crosscheck

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

const add = privacy.AddRemove

func logistic(lambda, sigma float64) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: add, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: lambda, Sigma: sigma, Dimension: 3,
	}
}

var events = []privacy.Event{
	privacy.Gaussian{Adjacency: add, Sensitivity: 1, Sigma: 2},
	privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 2},
	privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 2},
	privacy.DiscreteLaplace{Adjacency: add, Sensitivity: 2, Scale: 5},
	privacy.DiscreteGaussian{Adjacency: add, Sensitivity: 1, Sigma: 3},
	privacy.RandomisedResponse{Adjacency: add, Categories: 4, Truth: 0.6},
	privacy.PureDP{Adjacency: add, Epsilon: 0.3},
	privacy.ApproximateDP{Adjacency: add, Epsilon: 0.3, Delta: 1e-7},
	privacy.SubsampledGaussian{Adjacency: add, Rate: 0.02, NoiseMultiplier: 1, Steps: 300},
	privacy.GradientDescent{Adjacency: add, Sensitivity: 1, Sigmas: []float64{10, 20, 5}},
	logistic(2, 4),
	logistic(0.4, 3),
	privacy.ApproximateMinima{Objective: logistic(2, 4), Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40},
	privacy.Composition{Adjacency: add, Parts: []privacy.Part{
		{Event: logistic(2, 8), Count: 4},
		{Event: privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 10}, Count: 3},
	}},
}

// RDP ≥ PLD upper ≥ exact ≥ PLD lower, for every event that more than one
// method prices.
func TestMethodsAgree(t *testing.T) {
	for _, event := range events {
		for _, delta := range []float64{1e-3, 1e-6, 1e-12} {
			r, err := Epsilon(event, delta, pld.Options{})
			require.NoError(t, err, "%s %+v", event.Mechanism(), r)
			require.NotNil(t, r.Upper, event.Mechanism())
			assert.LessOrEqual(t, *r.Lower, *r.Upper)
			if r.Closed != nil {
				assert.GreaterOrEqual(t, *r.Closed, *r.Lower*(1-1e-12), event.Mechanism())
				assert.LessOrEqual(t, *r.Closed, *r.Upper*(1+1e-9)+1e-9, event.Mechanism())
			}
			if r.Renyi != nil {
				assert.GreaterOrEqual(t, *r.Renyi, *r.Upper*(1-2e-3)-1e-9, event.Mechanism())
			}
		}
		for _, epsilon := range []float64{0, 0.2, 2} {
			r, err := LogDelta(event, epsilon, pld.Options{})
			require.NoError(t, err, "%s %+v", event.Mechanism(), r)
			assert.LessOrEqual(t, *r.Lower, *r.Upper)
		}
	}
}

func TestNamedBoundsAgree(t *testing.T) {
	for _, bound := range []account.Bound{account.BoundLogistic, account.BoundSigned, account.BoundGLM, account.BoundProfile, account.BoundRDP, account.BoundKifer} {
		r, err := Epsilon(logistic(2, 4), 1e-6, pld.Options{Bound: bound})
		require.NoError(t, err, "%s %+v", bound, r)
		require.NotNil(t, r.Closed, bound)
	}
}

func TestOneMethodIsEnough(t *testing.T) {
	r, err := Epsilon(privacy.ZeroConcentrated{Adjacency: add, Rho: 0.1}, 1e-6, pld.Options{})
	require.NoError(t, err)
	assert.NotNil(t, r.Renyi)
	assert.Nil(t, r.Closed)
}

func TestContradictionIsAnError(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	require.NoError(t, Report{Closed: number(1), Lower: number(1 + 1e-13), Upper: number(2)}.contradiction())
	for method, r := range map[string]Report{
		"closed": {Closed: number(0.9), Lower: number(1), Upper: number(2)},
		"renyi":  {Renyi: number(0.9), Lower: number(1), Upper: number(2)},
		"upper":  {Lower: number(1), Upper: number(0.9)},
	} {
		var c *Contradiction
		require.ErrorAs(t, r.contradiction(), &c)
		assert.Equal(t, method, c.Method)
		assert.Contains(t, c.Error(), "contradict")
	}
}

func TestBadAsksAreRefused(t *testing.T) {
	_, err := Epsilon(events[0], 0, pld.Options{})
	require.Error(t, err)
	_, err = Epsilon(nil, 1e-6, pld.Options{})
	require.Error(t, err)
	_, err = LogDelta(privacy.Gaussian{Adjacency: add, Sensitivity: 1}, 1, pld.Options{})
	require.EqualError(t, err, "sigma is 0: it must be a finite number above 0")
}
