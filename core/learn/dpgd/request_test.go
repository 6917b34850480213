package dpgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func requestFor(problem learn.Problem, adjacency privacy.Adjacency, epsilon float64) Request {
	return Request{
		Guarantee: privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: adjacency},
		Schedule:  ScheduleStronglyConvex, Loss: problem.Loss, Dimension: problem.Dimension(),
		RowNorm: problem.Data.Schema.RowNorm(), Clip: 0.6, Lambda: 3, Records: 300, Gap: 1,
	}
}

func TestRequestsBuyWhatTheyAskFor(t *testing.T) {
	problem := learntest.Clinic()
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		for _, schedule := range []Schedule{
			ScheduleStronglyConvex, ScheduleConvex, ScheduleNonConvex, ScheduleAllocated,
			ScheduleConstant,
		} {
			for _, epsilon := range []float64{0.5, 1, 8} {
				r := requestFor(problem, adjacency, epsilon)
				r.Schedule, r.Distance = schedule, 10
				if schedule == ScheduleConstant {
					r.Steps = 50
				}
				plan, err := r.Plan()
				require.NoError(t, err)
				event, err := plan.Event()
				require.NoError(t, err)
				profile, err := objective.Of(event, objective.BoundAuto)
				require.NoError(t, err)
				delta, err := curve.DeltaUpper(profile, epsilon)
				require.NoError(t, err)
				assert.LessOrEqual(t, delta, 1e-5)
				assert.Greater(t, delta, 0.9999e-5, "to the last of the budget")
				// The price by zero-concentrated privacy is larger, as ever.
				rho := 0.0
				for _, sigma := range event.Sigmas {
					rho += event.Sensitivity * event.Sensitivity / (2 * sigma * sigma)
				}
				assert.Greater(t, rho+2*math.Sqrt(rho*math.Log(1e5)), epsilon)
				assert.Greater(t, rho, RhoOf(r.Guarantee))
				_, _, err = Fit(t.Context(), problem, plan, randomtest.New(1), nil)
				require.NoError(t, err)

				// By zero-concentrated privacy it is the same ε with more noise.
				r.Accounting = AccountingZCDP
				plan, err = r.Plan()
				require.NoError(t, err)
				event, err = plan.Event()
				require.NoError(t, err)
				rho = 0
				for _, sigma := range event.Sigmas {
					rho += event.Sensitivity * event.Sensitivity / (2 * sigma * sigma)
				}
				assert.InEpsilon(t, epsilon, rho+2*math.Sqrt(rho*math.Log(1e5)), 1e-8)
				assert.LessOrEqual(t, rho, RhoOf(r.Guarantee))
			}
		}
	}
	for _, epsilon := range []float64{1e-6, 0.1, 3, 100} {
		g := privacy.Guarantee{Epsilon: epsilon, Delta: 1e-6}
		rho := RhoOf(g)
		assert.InEpsilon(t, epsilon, rho+2*math.Sqrt(rho*math.Log(1e6)), 1e-12)
	}
}

func TestRequestsThatCannotBe(t *testing.T) {
	problem := learntest.Clinic()
	for field, change := range map[string]func(*Request){
		"adjacency":  func(r *Request) { r.Guarantee.Adjacency = 0 },
		"delta":      func(r *Request) { r.Guarantee.Delta = 0 },
		"accounting": func(r *Request) { r.Accounting = "rough" },
		"loss":       func(r *Request) { r.Loss = nil },
		"dimension":  func(r *Request) { r.Dimension = 0 },
		"row_norm":   func(r *Request) { r.RowNorm = -1 },
		"records":    func(r *Request) { r.Records = 0 },
		"clip":       func(r *Request) { r.Clip = math.Inf(1) },
		"lambda":     func(r *Request) { r.Lambda = 0 },
		"distance":   func(r *Request) { r.Schedule = ScheduleConvex },
		"schedule":   func(r *Request) { r.Schedule = "best" },
		"steps":      func(r *Request) { r.Schedule = ScheduleConstant },
		"rate":       func(r *Request) { r.Rate = math.Inf(1) },
		"momentum":   func(r *Request) { r.Momentum = -0.1 },
		"gap": func(r *Request) {
			r.Gap, r.Lambda, r.Loss, r.Schedule = 0, 0, glm.Squared{}, ScheduleNonConvex
		},
		"epsilon": func(r *Request) { r.Guarantee.Epsilon = 1e-9 },
		"sigmas[0]": func(r *Request) {
			r.Guarantee.Epsilon, r.Schedule, r.Steps = 1e9, ScheduleConstant, 1
		},
	} {
		r := requestFor(problem, privacy.AddRemove, 1)
		change(&r)
		_, err := r.Plan()
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
	r := requestFor(problem, privacy.AddRemove, 1)
	r.Steps = 5
	_, err := r.Plan()
	assert.ErrorContains(t, err, "steps")
}

// What gap and clip stand for when they are left out.
func TestGapAndClipFollowFromLossAndRegulariser(t *testing.T) {
	r := requestFor(learntest.Clinic(), privacy.AddRemove, 1)
	r.Gap, r.Lambda = 0, 300
	s, err := r.Setting()
	require.NoError(t, err)
	assert.InEpsilon(t, 0.6*0.6/2, s.Gap, 1e-12)
	assert.InEpsilon(t, 1+0.25*1.25, s.Smoothness, 1e-12)
	r.Lambda, r.Schedule = 0, ScheduleNonConvex
	s, err = r.Setting()
	require.NoError(t, err)
	assert.Equal(t, math.Ln2, s.Gap)
	r.Clip = 0
	for part, loss := range map[float64]glm.Loss{
		0.5: glm.Logistic{}, 1: learntest.Huber(t, 0.5), 0.25: glm.Squared{},
	} {
		r.Loss, r.Gap = loss, 1
		s, err = r.Setting()
		require.NoError(t, err)
		assert.InEpsilon(t, part*r.RowNorm, s.Sensitivity, 1e-8)
	}
}

// The defaults buy what they are asked for, and their step size is the stated
// multiple of what the noise does to θ, or the largest that is stable.
func TestDefaults(t *testing.T) {
	schema := learntest.Schema(2, 0.5)
	for _, c := range []struct{ epsilon, records, rate float64 }{
		{0.1, 1e4, 0}, {8, 1e7, 14 / (0.25 * 1.25)},
	} {
		r := Defaults(
			schema, glm.Logistic{},
			privacy.Guarantee{Epsilon: c.epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove},
			c.records,
		)
		plan, err := r.Plan()
		require.NoError(t, err)
		require.Len(t, plan.Sigmas, 100)
		rate := plan.Rates[0] * c.records
		if c.rate > 0 {
			assert.InEpsilon(t, c.rate, rate, 1e-9)
		} else {
			// A step's noise, carried on by momentum, a hundred times.
			assert.InEpsilon(t, 2, plan.Rates[0]/(1-0.9)*plan.Sigmas[0]*math.Sqrt(100), 1e-6)
		}
	}
	// A guarantee that cannot be is told by Plan.
	_, err := Defaults(schema, glm.Logistic{}, privacy.Guarantee{}, 100).Plan()
	var parameter *privacy.ParameterError
	assert.ErrorAs(t, err, &parameter)
	_, err = Defaults(
		schema, glm.Logistic{},
		privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}, 0,
	).Plan()
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "records", parameter.Field)
}
