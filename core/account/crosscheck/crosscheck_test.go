package crosscheck

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
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
	privacy.NoisyMin{
		Adjacency:   add,
		Epsilon:     0.3,
		Span:        1,
		Noise:       privacy.GeometricNoise,
		Denominator: 64,
	},
	privacy.NoisyMin{Adjacency: add, Epsilon: 0.3, Span: 1, Noise: privacy.GumbelNoise},
	privacy.ProximalCentre{
		Adjacency:   privacy.ReplaceOne,
		Epsilon:     0.3,
		Span:        2,
		Bound:       1,
		Dimension:   23,
		Denominator: 8,
	},
	privacy.ApproximateDP{Adjacency: add, Epsilon: 0.3, Delta: 1e-7},
	privacy.SubsampledGaussian{Adjacency: add, Rate: 0.02, NoiseMultiplier: 1, Steps: 300},
	privacy.GradientDescent{Adjacency: add, Sensitivity: 1, Sigmas: []float64{10, 20, 5}},
	logistic(2, 4),
	logistic(0.4, 3),
	privacy.ApproximateMinima{Objective: logistic(2, 4), Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40},
	replaced(logistic(2, 4)),
	privacy.ApproximateMinima{
		Objective: replaced(logistic(2, 4)),
		Tau:       1e-6,
		SigmaOut:  1e-3,
		Grid:      0x1p-40,
	},
	privacy.ZeroConcentrated{Adjacency: add, Rho: 0.05},
	privacy.LiuTalwarSelection{
		Base:   privacy.ApproximateDP{Adjacency: add, Epsilon: 0.1, Delta: 1e-30},
		Tau:    0.1,
		Cutoff: 1e-13,
	},
	privacy.Composition{Adjacency: add, Parts: []privacy.Part{
		{Event: logistic(2, 8), Count: 4},
		{Event: privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 10}, Count: 3},
	}},
	privacy.Composition{Adjacency: add, Parts: []privacy.Part{
		{
			Event: privacy.ProximalCentre{
				Adjacency:   add,
				Epsilon:     0.1,
				Span:        1,
				Bound:       1,
				Dimension:   5,
				Denominator: 1,
			},
			Count: 1,
		},
		{
			Event: privacy.NoisyMin{
				Adjacency:   add,
				Epsilon:     0.1,
				Span:        1,
				Noise:       privacy.GeometricNoise,
				Denominator: 64,
			},
			Count: 3,
		},
	}},
}

// RDP ≥ PLD upper ≥ exact ≥ PLD lower, for every event that more than one
// method prices.
func TestMethodsAgree(t *testing.T) {
	deltas, epsilons := []float64{1e-3, 1e-6, 1e-12}, []float64{0, 0.2, 2}
	if testing.Short() {
		deltas, epsilons = deltas[1:2], epsilons[1:2]
	}
	for _, event := range events {
		for _, delta := range deltas {
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
		for _, epsilon := range epsilons {
			r, err := LogDelta(nil, event, epsilon, pld.Options{})
			require.NoError(t, err, "%s %+v", event.Mechanism(), r)
			assert.LessOrEqual(t, *r.Lower, *r.Upper)
		}
	}
}

// The closed form of an event that is priced as the worst of its class may be above what
// another method knows of it: Gumbel noisy min is of bounded range, and at a large δ its
// Rényi curve says so. That is no contradiction, wherever in an event it stands.
func TestABoundOfAClassIsNotTakenForTheTruth(t *testing.T) {
	gumbel := privacy.NoisyMin{Adjacency: add, Epsilon: 0.3, Span: 1, Noise: privacy.GumbelNoise}
	below := false
	for _, delta := range []float64{0.05, 0.01} {
		r, err := Epsilon(nil, gumbel, delta, pld.Options{})
		require.NoError(t, err, "δ = %v: %+v", delta, r)
		require.NotNil(t, r.Closed)
		require.NotNil(t, r.Renyi)
		assert.False(t, r.Exact)
		below = below || *r.Renyi < 0.9**r.Closed
	}
	assert.True(t, below, "the Rényi curve is sharper somewhere, or this shows nothing")

	once := func(event privacy.Event) privacy.Event {
		return privacy.Composition{
			Adjacency: add, Parts: []privacy.Part{{Event: event, Count: 1}},
		}
	}
	gaussian := privacy.Gaussian{Adjacency: add, Sensitivity: 1, Sigma: 2}
	assert.True(t, exact(gaussian) && exact(once(gaussian)))
	for _, event := range []privacy.Event{
		gumbel,
		privacy.ProximalCentre{
			Adjacency: add, Epsilon: 0.3, Span: 1, Bound: 1, Dimension: 3, Denominator: 8,
		},
		privacy.LiuTalwarSelection{
			Base: privacy.PureDP{Adjacency: add, Epsilon: 0.1}, Tau: 0.1, Cutoff: 1e-6,
		},
		logistic(2, 4),
		privacy.ApproximateMinima{Objective: logistic(2, 4), Tau: 1e-6, SigmaOut: 1e-3},
	} {
		assert.False(t, exact(event), event.Mechanism())
		assert.False(t, exact(once(event)), event.Mechanism())
	}
}

func TestNamedBoundsAgree(t *testing.T) {
	for _, bound := range []objective.Bound{
		objective.BoundLogistic, objective.BoundSigned, objective.BoundGLM, objective.BoundProfile,
		objective.BoundRDP, objective.BoundKifer,
	} {
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
	require.NoError(
		t, Report{Closed: number(1), Lower: number(1 + 1e-13), Upper: number(2)}.contradiction(),
	)
	require.NoError(
		t, Report{Closed: number(1), Renyi: number(1 - 1e-10), Exact: true}.contradiction(),
	)
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
	sabotage := func(method account.Method, factor float64) Pricer {
		return func(
			event privacy.Event, asked account.Method, options pld.Options,
		) (account.Price, error) {
			if asked == method {
				event = quieter(event, factor)
			}
			return account.Of(event, asked, options)
		}
	}
	for _, c := range []struct {
		event   privacy.Event
		method  account.Method
		factor  float64
		against string
	}{
		{events[0], account.Closed, 1.01, "lower"},
		{events[0], account.Distribution, 1.01, "closed"},
		{events[0], account.Renyi, 1.3, "lower"},
		{privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 2}, account.Closed, 1.01, "lower"},
		{privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 2}, account.Distribution, 1.01, "closed"},
		{privacy.PureDP{Adjacency: add, Epsilon: 0.3}, account.Closed, 1.01, "lower"},
		{privacy.PureDP{Adjacency: add, Epsilon: 0.3}, account.Distribution, 1.01, "closed"},
		{privacy.SubsampledGaussian{Adjacency: add, Rate: 0.02, NoiseMultiplier: 1, Steps: 300}, account.Renyi, 1.3, "lower"},
		{logistic(2, 4), account.Closed, 1.01, "lower"},
		{logistic(2, 4), account.Renyi, 1.3, "lower"},
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
			_, err = LogDelta(
				sabotage(c.method, c.factor*1.5), c.event, epsilon, pld.Options{Accuracy: 1e-4},
			)
			require.ErrorAs(t, err, &found, "log δ: %s of %s", c.method, c.event.Mechanism())
		}
	}
}

// A bound that is named prices what is inside a composition by every method.
func TestBoundsInsideCompositions(t *testing.T) {
	mixed := privacy.Composition{
		Adjacency: add,
		Parts:     []privacy.Part{{Event: logistic(2, 8), Count: 4}, {Event: events[0], Count: 2}},
	}
	last := 0.0
	for _, bound := range []objective.Bound{
		objective.BoundLogistic, objective.BoundSigned, objective.BoundGLM, objective.BoundProfile,
	} {
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
	require.EqualError(t, err, "sigma is 0: it must be a number from 1e-50 to 1e+50")
}

// Next to δ = 1 what is added for rounding is much of ε. That is no contradiction.
func TestRoundingNextToDeltaOneIsNoContradiction(t *testing.T) {
	const limit, epsilon = 31.432537001399766, 18.510946386802164
	event := privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: limit}
	for _, shift := range []float64{0, 1e-9, 1e-7, 1e-3} {
		delta := -math.Expm1(epsilon+shift-limit) / (1 + math.Exp(-limit))
		_, err := Epsilon(nil, event, delta, pld.Options{})
		assert.NoError(t, err)
	}
}
