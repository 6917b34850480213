package crosscheck

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/account/sharpest"
	"cloister/core/privacy"
)

const add = privacy.AddRemove

func logistic(lambda, sigma float64) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: add, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: lambda, Sigma: sigma, Dimension: 3,
	}
}

func replaced(e privacy.ObjectivePerturbation) privacy.ObjectivePerturbation {
	e.Adjacency = privacy.ReplaceOne
	return e
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
	replaced(logistic(2, 4)),
	privacy.ApproximateMinima{Objective: replaced(logistic(2, 4)), Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40},
	privacy.ZeroConcentrated{Adjacency: add, Rho: 0.05},
	privacy.LiuTalwarSelection{Base: privacy.ApproximateDP{Adjacency: add, Epsilon: 0.1, Delta: 1e-30}, Tau: 0.1, Cutoff: 1e-13},
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
			r, err := Epsilon(nil, event, delta, pld.Options{})
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
			r, err := LogDelta(nil, event, epsilon, pld.Options{})
			require.NoError(t, err, "%s %+v", event.Mechanism(), r)
			assert.LessOrEqual(t, *r.Lower, *r.Upper)
		}
	}
}

func TestNamedBoundsAgree(t *testing.T) {
	for _, bound := range []account.Bound{account.BoundLogistic, account.BoundSigned, account.BoundGLM, account.BoundProfile, account.BoundRDP, account.BoundKifer} {
		r, err := Epsilon(nil, logistic(2, 4), 1e-6, pld.Options{Bound: bound})
		require.NoError(t, err, "%s %+v", bound, r)
		require.NotNil(t, r.Closed, bound)
	}
}

func TestOneMethodIsEnough(t *testing.T) {
	r, err := Epsilon(nil, privacy.ZeroConcentrated{Adjacency: add, Rho: 0.1}, 1e-6, pld.Options{})
	require.NoError(t, err)
	assert.NotNil(t, r.Renyi)
	assert.Nil(t, r.Closed)
}

func TestContradictionIsAnError(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	require.NoError(t, Report{Closed: number(1), Lower: number(1 + 1e-13), Upper: number(2)}.contradiction())
	require.NoError(t, Report{Closed: number(1), Renyi: number(1 - 1e-10), Exact: true}.contradiction())
	require.NoError(t, Report{Closed: number(1), Renyi: number(0.9)}.contradiction())
	for _, c := range []struct {
		method, against string
		report          Report
	}{
		{"closed", "lower", Report{Closed: number(0.9), Lower: number(1), Upper: number(2)}},
		{"renyi", "lower", Report{Renyi: number(0.9), Lower: number(1), Upper: number(2)}},
		{"upper", "lower", Report{Lower: number(1), Upper: number(0.9)}},
		{"upper", "closed", Report{Lower: number(0.5), Upper: number(0.9), Closed: number(1), Exact: true}},
		{"renyi", "closed", Report{Renyi: number(0.9), Closed: number(1), Exact: true}},
	} {
		var found *Contradiction
		require.ErrorAs(t, c.report.contradiction(), &found)
		assert.Equal(t, c.method, found.Method)
		assert.Equal(t, c.against, found.Against)
		assert.Contains(t, found.Error(), "contradict")
	}
}

// A method that prices a slightly more private event than the one asked about is
// found out, whichever it is: by a hundredth of the noise, of the rate's square
// or of ε₀ where the intervals are narrow enough to show it.
func TestASabotagedMethodIsCaught(t *testing.T) {
	quieter := func(event privacy.Event, factor float64) privacy.Event {
		switch e := event.(type) {
		case privacy.Gaussian:
			e.Sigma *= factor
			return e
		case privacy.Laplace:
			e.Scale *= factor
			return e
		case privacy.PureDP:
			e.Epsilon /= factor
			return e
		case privacy.SubsampledGaussian:
			e.NoiseMultiplier *= factor
			return e
		case privacy.ObjectivePerturbation:
			e.Sigma *= factor
			return e
		}
		return event
	}
	sabotage := func(method sharpest.Method, factor float64) Pricer {
		return func(event privacy.Event, asked sharpest.Method, options pld.Options) (sharpest.Price, error) {
			if asked == method {
				event = quieter(event, factor)
			}
			return sharpest.Of(event, asked, options)
		}
	}
	for _, c := range []struct {
		event   privacy.Event
		method  sharpest.Method
		factor  float64
		against string
	}{
		{events[0], sharpest.Closed, 1.01, "lower"},
		{events[0], sharpest.Distribution, 1.01, "closed"},
		{events[0], sharpest.Renyi, 1.3, "lower"},
		{privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 2}, sharpest.Closed, 1.01, "lower"},
		{privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 2}, sharpest.Distribution, 1.01, "closed"},
		{privacy.PureDP{Adjacency: add, Epsilon: 0.3}, sharpest.Closed, 1.01, "lower"},
		{privacy.PureDP{Adjacency: add, Epsilon: 0.3}, sharpest.Distribution, 1.01, "closed"},
		{privacy.SubsampledGaussian{Adjacency: add, Rate: 0.02, NoiseMultiplier: 1, Steps: 300}, sharpest.Renyi, 1.3, "lower"},
		{logistic(2, 4), sharpest.Closed, 1.01, "lower"},
		{logistic(2, 4), sharpest.Renyi, 1.3, "lower"},
	} {
		_, err := Epsilon(sabotage(c.method, 1), c.event, 1e-6, pld.Options{Accuracy: 1e-4})
		require.NoError(t, err)
		_, err = Epsilon(sabotage(c.method, c.factor), c.event, 1e-6, pld.Options{Accuracy: 1e-4})
		var found *Contradiction
		require.ErrorAs(t, err, &found, "%s of %s", c.method, c.event.Mechanism())
		assert.Equal(t, c.against, found.Against)
		if c.against == "lower" {
			epsilon := 0.1
			_, err = LogDelta(sabotage(c.method, 1), c.event, epsilon, pld.Options{Accuracy: 1e-4})
			require.NoError(t, err)
			_, err = LogDelta(sabotage(c.method, c.factor*1.5), c.event, epsilon, pld.Options{Accuracy: 1e-4})
			require.ErrorAs(t, err, &found, "log δ: %s of %s", c.method, c.event.Mechanism())
		}
	}
}

// A bound that is named prices what is inside a composition by every method.
func TestBoundsInsideCompositions(t *testing.T) {
	mixed := privacy.Composition{Adjacency: add, Parts: []privacy.Part{{Event: logistic(2, 8), Count: 4}, {Event: events[0], Count: 2}}}
	last := 0.0
	for _, bound := range []account.Bound{account.BoundLogistic, account.BoundSigned, account.BoundGLM, account.BoundProfile} {
		r, err := Epsilon(nil, mixed, 1e-6, pld.Options{Bound: bound})
		require.NoError(t, err, bound)
		require.NotNil(t, r.Renyi, bound)
		assert.Greater(t, *r.Renyi, last)
		last = *r.Renyi
	}
}

func TestBadAsksAreRefused(t *testing.T) {
	_, err := Epsilon(nil, events[0], 0, pld.Options{})
	require.Error(t, err)
	_, err = Epsilon(nil, nil, 1e-6, pld.Options{})
	require.Error(t, err)
	_, err = LogDelta(nil, privacy.Gaussian{Adjacency: add, Sensitivity: 1}, 1, pld.Options{})
	require.EqualError(t, err, "sigma is 0: it must be a finite number above 0")
}
