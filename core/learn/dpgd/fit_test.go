package dpgd

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

func requestFor(problem learn.Problem, adjacency privacy.Adjacency, epsilon float64) Request {
	return Request{
		Guarantee: privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: adjacency},
		Schedule:  ScheduleStronglyConvex, Loss: problem.Loss, Dimension: problem.Dimension(),
		RowNorm: problem.Data.Schema.RowNorm(), Clip: 0.6, Lambda: 3, Records: 300, Gap: 1,
	}
}

// planOf is a plan of so many steps of the same noise.
func planOf(problem learn.Problem, adjacency privacy.Adjacency, steps int, sigma, rate float64) Plan {
	p := Plan{
		Adjacency: adjacency, Dimension: problem.Dimension(), RowNorm: problem.Data.Schema.RowNorm(),
		Clip: 0.6, Lambda: 3, Sigmas: make([]float64, steps), Rates: make([]float64, steps),
	}
	for t := range steps {
		p.Sigmas[t], p.Rates[t] = sigma, rate
	}
	return p
}

// A second, plain way to take the steps: clip a dense gradient by its length,
// round it by division, and add the noise that the source is known to give.
func TestFitDoesWhatItSays(t *testing.T) {
	problem := learntest.Clinic()
	for _, loss := range []glm.Loss{glm.Logistic{}, learntest.Huber(t, 0.5), glm.Squared{}} {
		problem.Loss = loss
		plan := planOf(problem, privacy.AddRemove, 5, 2, 1e-3)
		plan.Sigmas[3], plan.Rates[1] = 0.7, 4e-3
		plan.Momentum, plan.Radius = 0.5, 0.2
		model, diagnostics, err := Fit(t.Context(), problem, plan, randomtest.New(5), nil)
		require.NoError(t, err)
		assert.Equal(t, 300, diagnostics.Rows)
		assert.Equal(t, 5, diagnostics.Iterations)
		assert.Equal(t, loss, model.Loss)
		assert.Equal(t, plan.Clip, model.Clip)

		source := randomtest.New(5)
		theta, velocity := make([]float64, 3), make([]float64, 3)
		for step, sigma := range plan.Sigmas {
			const grid = 0x1p-33
			sum := make([]float64, 3)
			for i := range 300 {
				row := problem.Data.X.Row(i)
				slope := loss.Slope(row.Dot(theta), problem.Data.Y[i])
				length := math.Abs(slope) * math.Hypot(math.Hypot(row.Value[0], row.Value[1]), row.Value[2])
				for j := range sum {
					sum[j] += math.Round(slope*row.Value[j]*math.Min(1, plan.Clip/length)/grid) * grid
				}
			}
			noise, err := random.NewDiscreteGaussian(sigma, grid)
			require.NoError(t, err)
			length := 0.0
			for j := range sum {
				k, err := noise.Sample(source)
				require.NoError(t, err)
				velocity[j] = 0.5*velocity[j] + sum[j] + float64(k)*grid + 3*theta[j]
				theta[j] -= plan.Rates[step] * velocity[j]
				length = math.Hypot(length, theta[j])
			}
			for j := range theta {
				theta[j] *= math.Min(1, 0.2/length)
			}
		}
		for j := range theta {
			assert.InEpsilon(t, theta[j], model.Coefficients[j], 1e-8)
		}
	}
}

// What two neighbours' sums differ by is what the event charges for, exactly,
// whoever else is there: the sum of other records leaves no rounding error.
func TestNeighboursDifferByNoMoreThanIsCharged(t *testing.T) {
	source := randomtest.New(3)
	for _, n := range []int{1, 5000} {
		const d, clip = 20, 0.3
		var x [][]float64
		var y []float64
		for range n + 2 {
			row := learntest.Gaussians(t, source, d)
			length := learntest.Length(row)
			for j := range row {
				row[j] /= length * (1 + 1e-12)
			}
			x, y = append(x, row), append(y, 1)
		}
		y[n], y[n+1] = 1, -1
		copy(x[n+1], x[n]) // replaced by its opposite
		theta := learntest.Gaussians(t, source, d)
		grid := gridOf(clip, 1)
		sums := func(rows ...int) []int64 {
			var some [][]float64
			var labels []float64
			for _, i := range rows {
				some, labels = append(some, x[i]), append(labels, y[i])
			}
			s, err := newSummer(learntest.Problem(learntest.Schema(d, 0), some, labels), clip, 1)
			require.NoError(t, err)
			s.sum(theta, grid)
			return s.total
		}
		others := make([]int, n)
		for i := range others {
			others[i] = i
		}
		without, one, other, alone := sums(others...), sums(append(others, n)...), sums(append(others, n+1)...), sums(n)
		added, replaced := 0.0, 0.0
		for j := range without {
			assert.Equal(t, alone[j], one[j]-without[j])
			a, b := float64(one[j]-without[j])*grid, float64(one[j]-other[j])*grid
			added, replaced = added+a*a, replaced+b*b
		}
		added, replaced = math.Sqrt(added), math.Sqrt(replaced)
		assert.LessOrEqual(t, added, Sensitivity(privacy.AddRemove, clip, 1, d))
		assert.LessOrEqual(t, replaced, Sensitivity(privacy.ReplaceOne, clip, 1, d))
		assert.Less(t, added, clip*(1+1e-8))
		assert.Greater(t, replaced, clip*(1+1e-8), "the sensitivity of one adjacency does not do for the other")
	}
}

func TestEventIsWhatIsCharged(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 3, 2, 1e-3)
	event, err := plan.Event()
	require.NoError(t, err)
	assert.Equal(t, plan.Sigmas, event.Sigmas)
	// C + (g/2)√3 with g = 2^-33; noise being discrete adds nothing visible.
	assert.InEpsilon(t, 0.6+math.Ldexp(math.Sqrt(3), -34), event.Sensitivity, 1e-14)
	plan.Adjacency = privacy.ReplaceOne
	replaced, err := plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2*event.Sensitivity, replaced.Sensitivity, 1e-15)
	assert.Equal(t, privacy.ReplaceOne, replaced.Adjacency)

	// Noise just above what is allowed: s = 2^20 or so.
	plan.Sigmas[1] = 0.6 / 4095
	event, err = plan.Event()
	require.NoError(t, err)
	assert.Greater(t, event.Sensitivity, replaced.Sensitivity*(1+1e-12))
	// Noise so large that the lattice is coarser.
	plan.Sigmas[1] = 1e12
	event, err = plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2*(0.6+math.Ldexp(math.Sqrt(3), 39-56-1)), event.Sensitivity, 1e-14)
	_, _, err = Fit(t.Context(), problem, plan, randomtest.New(1), nil)
	assert.NoError(t, err)

	none, err := Plan{Adjacency: privacy.AddRemove, Dimension: 3, RowNorm: 1, Clip: 1}.Event()
	require.NoError(t, err)
	assert.Empty(t, none.Sigmas)
}

// Coefficients at 40 digits (Python's decimal) for the whole numbers of noise
// that this source gives. The test passes natively and under js/wasm, so the two
// agree.
func TestFitAgainstGoldenValues(t *testing.T) {
	problem := learntest.Five()
	plan := Plan{
		Adjacency: privacy.AddRemove, Dimension: 3, RowNorm: problem.Data.Schema.RowNorm(), Clip: 0.25, Lambda: 0.75,
		Momentum: 0.25, Sigmas: []float64{1.5, 1, 0.75, 0.5}, Rates: []float64{0.25, 0.25, 0.5, 0.125},
	}
	for _, c := range []struct {
		loss glm.Loss
		clip float64
		want []float64
	}{
		{glm.Logistic{}, 0.25, []float64{0.53346330712943057505, -0.1494323642815444941, 0.26873595642459235932}}, // all are clipped
		{glm.Logistic{}, 2, []float64{0.74152987585443952411, -0.2732215364961803061, 0.23585239413611702730}},
		{learntest.Huber(t, 0.5), 2, []float64{1.20278121199430643173, -0.6119810504432052766, -0.0111701012856713077}},
		{glm.Squared{}, 2, []float64{0.96675106911038710677, -0.4969115226939493368, -0.1032872534779301076}},
	} {
		problem.Loss = c.loss
		plan.Clip = c.clip
		model, _, err := Fit(t.Context(), problem, plan, randomtest.New(2026), nil)
		require.NoError(t, err)
		for j, want := range c.want {
			assert.InEpsilon(t, want, model.Coefficients[j], 1e-9)
		}
	}
}

// Data that are odd in every way are fitted, and give finite coefficients.
func TestFitOnDegenerateData(t *testing.T) {
	for name, problem := range learntest.Degenerate() {
		for _, loss := range []glm.Loss{glm.Logistic{}, learntest.Huber(t, 0.5), glm.Squared{}} {
			for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
				problem.Loss = loss
				for _, epsilon := range []float64{0.5, 20} {
					request := requestFor(problem, adjacency, epsilon)
					if request.Dimension > 30 { // at ε = 0.5 the other schedule cannot pay for a step
						request.Schedule, request.Steps = ScheduleConstant, 20
					}
					plan, err := request.Plan()
					require.NoError(t, err, name)
					model, _, err := Fit(t.Context(), problem, plan, randomtest.New(3), nil)
					require.NoError(t, err, name)
					learntest.RequireFinite(t, model.Coefficients, problem.Dimension(), name)
				}
			}
		}
	}
}

func TestFitIsDeterminedByItsSource(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 10, 1, 1e-3)
	told := false
	learntest.DeterminedByItsSource(t, func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
		if told = !told; !told { // which makes no difference
			return Fit(t.Context(), problem, plan, source, nil)
		}
		return Fit(t.Context(), problem, plan, source, func(solve.Progress) {})
	})
}

func TestPlansOfSomethingElseAreRefused(t *testing.T) {
	problem := learntest.Clinic()
	for field, change := range map[string]func(*Plan, *learn.Problem){
		"plan.adjacency": func(p *Plan, _ *learn.Problem) { p.Adjacency = 0 },
		"plan.dimension": func(p *Plan, _ *learn.Problem) { p.Dimension = 4 },
		"plan.row_norm":  func(p *Plan, _ *learn.Problem) { p.RowNorm = math.Nextafter(p.RowNorm, 0) },
		"plan.clip":      func(p *Plan, _ *learn.Problem) { p.Clip = math.Inf(1) },
		"plan.lambda":    func(p *Plan, _ *learn.Problem) { p.Lambda = -1 },
		"plan.momentum":  func(p *Plan, _ *learn.Problem) { p.Momentum = 1 },
		"plan.radius":    func(p *Plan, _ *learn.Problem) { p.Radius = math.NaN() },
		"plan.sigmas[1]": func(p *Plan, _ *learn.Problem) { p.Sigmas[1] = 0 },
		"plan.sigmas[2]": func(p *Plan, _ *learn.Problem) { p.Sigmas[2] = p.Clip / 5000 },
		"plan.rates[0]":  func(p *Plan, _ *learn.Problem) { p.Rates[0] = math.Inf(1) },
		"plan.rates":     func(p *Plan, _ *learn.Problem) { p.Rates = p.Rates[:2] },
		"schema":         func(_ *Plan, q *learn.Problem) { q.Data = &data.Dataset{X: q.Data.X, Y: q.Data.Y} },
		"plan.dimension ": func(p *Plan, q *learn.Problem) {
			q.Data = &data.Dataset{Schema: learntest.Schema(3, 0.5), X: q.Data.X, Y: q.Data.Y}
		},
	} {
		plan, p := planOf(problem, privacy.AddRemove, 3, 1, 1e-3), problem
		change(&plan, &p)
		script := &randomtest.Script{}
		_, _, err := Fit(t.Context(), p, plan, script, nil)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, strings.TrimSpace(field), parameter.Field)
		assert.Zero(t, script.Read, "no noise was drawn")
	}
	plan := planOf(problem, privacy.AddRemove, 3, 1, 1e-3)
	learntest.RefusesRowsThatBreakThePromise(t, func(problem learn.Problem, source random.Source) error {
		_, _, err := Fit(t.Context(), problem, plan, source, nil)
		return err
	})
}

func TestDivergenceGivesNothingOut(t *testing.T) {
	problem := learntest.Clinic()
	model, _, err := Fit(t.Context(), problem, planOf(problem, privacy.AddRemove, 400, 1, 10), randomtest.New(1), nil)
	var divergence *learn.DivergedError
	require.ErrorAs(t, err, &divergence)
	assert.Nil(t, model.Coefficients)
	assert.Contains(t, err.Error(), "learning rate")
}

func TestFitPassesErrorsOn(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 3, 1, 1e-3)
	learntest.FailsWithItsSource(t, func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
		return Fit(t.Context(), problem, plan, source, nil)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stop")
	seen := 0
	_, _, err := Fit(ctx, problem, plan, randomtest.New(1), func(solve.Progress) { seen++; cancel(why) })
	assert.ErrorIs(t, err, why)
	assert.Equal(t, 1, seen)
}

// Watch sees what Fit does: each state's gradient is that of the clipped
// objective, which without noise to speak of comes down to nothing.
func TestWatchSeesTheDescent(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 2000, 0.6/4000, 0.01)
	rows, err := problem.Rows(plan.Clip, plan.RowNorm)
	require.NoError(t, err)
	objective := solve.NewObjective(plan.Lambda, nil, rows)
	var norms []float64
	require.NoError(t, Watch(t.Context(), problem, plan, randomtest.New(1), func(s State) {
		require.Equal(t, len(norms), s.Step)
		if s.Step%100 == 0 {
			certificate := objective.Certify(s.Theta)
			assert.InDelta(t, certificate.GradientNorm, s.GradientNorm, 1e-6)
		}
		norms = append(norms, s.GradientNorm)
	}))
	assert.Len(t, norms, 2001)
	assert.Less(t, norms[2000], 1e-3)
}

func TestRequestsBuyWhatTheyAskFor(t *testing.T) {
	problem := learntest.Clinic()
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		for _, schedule := range []Schedule{ScheduleStronglyConvex, ScheduleConvex, ScheduleNonConvex, ScheduleAllocated, ScheduleConstant} {
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
				curve, err := account.Of(event, account.BoundAuto)
				require.NoError(t, err)
				delta, err := account.DeltaUpper(curve, epsilon)
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

// The defaults buy what they are asked for, and their step size is the stated
// multiple of what the noise does to θ, or the largest that is stable.
func TestDefaults(t *testing.T) {
	schema := learntest.Schema(2, 0.5)
	for _, c := range []struct{ epsilon, records, rate float64 }{{0.1, 1e4, 0}, {8, 1e7, 14 / (0.25 * 1.25)}} {
		r := Defaults(schema, glm.Logistic{}, privacy.Guarantee{Epsilon: c.epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}, c.records)
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
	_, err = Defaults(schema, glm.Logistic{}, privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}, 0).Plan()
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "records", parameter.Field)
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
		"gap":        func(r *Request) { r.Gap, r.Lambda, r.Loss, r.Schedule = 0, 0, glm.Squared{}, ScheduleNonConvex },
		"epsilon":    func(r *Request) { r.Guarantee.Epsilon = 1e-9 },
		"sigmas[0]":  func(r *Request) { r.Guarantee.Epsilon, r.Schedule, r.Steps = 1e9, ScheduleConstant, 1 },
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
	for part, loss := range map[float64]glm.Loss{0.5: glm.Logistic{}, 1: learntest.Huber(t, 0.5), 0.25: glm.Squared{}} {
		r.Loss, r.Gap = loss, 1
		s, err = r.Setting()
		require.NoError(t, err)
		assert.InEpsilon(t, part*r.RowNorm, s.Sensitivity, 1e-8)
	}
}

// The oracle's noise follows the gradient, its steps stop where they are told
// to, and Proposition 2c holds for the mean of its runs.
func TestOracle(t *testing.T) {
	problem := learntest.Clinic()
	r := requestFor(problem, privacy.ReplaceOne, 1)
	s, err := r.Setting()
	require.NoError(t, err)
	rows, err := problem.Rows(r.Clip, r.RowNorm)
	require.NoError(t, err)
	objective := solve.NewObjective(r.Lambda, nil, rows)
	best, err := solve.Newton(t.Context(), objective, solve.Options{Tolerance: 1e-8})
	require.NoError(t, err)
	floor := objective.Value(best.Theta) / 300
	gap := objective.Value(make([]float64, 3))/300 - floor
	const steps, runs = 30, 40
	mean := make([]float64, steps+1)
	for seed := range uint64(runs) {
		spent, seen := 0.0, 0
		u, err := Oracle{Request: r, Rho: 1e9, Steps: steps}.Run(t.Context(), problem, randomtest.New(seed), func(at State) {
			mean[at.Step] += (objective.Value(at.Theta)/300 - floor) / runs
			sigma, _ := s.Best(at.GradientNorm / 300)
			spent += s.Cost(sigma)
			seen++
		})
		require.NoError(t, err)
		assert.Equal(t, steps+1, seen)
		assert.Contains(t, u.Reason(), "gradient")
		// Told to stop before the last step is paid for, it does.
		seen = 0
		_, err = Oracle{Request: r, Rho: spent * 0.999999, Steps: 1000}.Run(t.Context(), problem, randomtest.New(seed), func(State) { seen++ })
		require.NoError(t, err)
		assert.Equal(t, steps+1, seen)
	}
	for step, v := range mean {
		assert.LessOrEqual(t, v, 1.2*gap*math.Pow(1-s.Convexity/(2*s.Smoothness), float64(step)), "step %d", step)
	}
	_, err = Oracle{Request: r, Rho: -1}.Run(t.Context(), problem, randomtest.New(1), nil)
	assert.ErrorContains(t, err, "rho")
}
