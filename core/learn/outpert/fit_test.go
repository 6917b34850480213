package outpert

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

func planFor(problem learn.Problem, adjacency privacy.Adjacency) Plan {
	return Plan{
		Adjacency: adjacency, Dimension: problem.Dimension(), RowNorm: problem.Data.Schema.RowNorm(), Clip: 2,
		Lambda: 0.75, Tau: 0x1p-19, Sigma: 0x1p-12, Grid: 0x1p-40,
	}
}

func requestFor(problem learn.Problem, adjacency privacy.Adjacency, epsilon float64) Request {
	return Request{
		Guarantee: privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: adjacency},
		Loss:      problem.Loss, Dimension: problem.Dimension(), RowNorm: problem.Data.Schema.RowNorm(), Records: 100,
	}
}

// The minimisers at 40 digits (Python's decimal, Newton's method); to them come
// the rounding to the lattice and the noise that this source gives. The test
// passes natively and under js/wasm, so the two agree.
func TestFitAgainstGoldenValues(t *testing.T) {
	problem := learntest.Five()
	for k, want := range [][]float64{
		{0.5427061442480875594, -0.286726813438547607, -0.267925714179102720},
		{1.1666666666666666666, -0.554572271386430678, -0.507374631268436578},
		{0.8370084811102544333, -0.275219737856592135, -0.443824209714726291},
	} {
		problem.Loss = learntest.Losses(t)[k]
		plan := planFor(problem, privacy.AddRemove)
		plan.Tau = 1e-11 // Fit takes none so small
		model, diagnostics, err := fit(t.Context(), problem, plan, solve.Newton, randomtest.New(2026), nil)
		require.NoError(t, err)
		noise, err := random.NewDiscreteGaussian(plan.Sigma, plan.Grid)
		require.NoError(t, err)
		source := randomtest.New(2026)
		for j, c := range model.Coefficients {
			draw, err := noise.Sample(source)
			require.NoError(t, err)
			require.Zero(t, math.Remainder(c, plan.Grid), "on the lattice")
			assert.InDelta(t, want[j], c-float64(draw)*plan.Grid, plan.Grid/2+2e-11)
		}
		assert.Equal(t, plan.Lambda, model.Lambda)
		assert.Equal(t, plan.Clip, model.Clip)
		assert.Equal(t, 5, diagnostics.Rows)
		assert.LessOrEqual(t, diagnostics.Certificate.Upper(), plan.Tau)
	}
}

// Two neighbours' solutions are never farther apart than what is charged, and
// sometimes nearly as far.
func TestSensitivityIsNeverExceededAndIsReached(t *testing.T) {
	source := randomtest.New(5)
	solved := func(problem learn.Problem, plan Plan) []float64 {
		result, err := minimise(t.Context(), problem, plan, solve.Newton, nil)
		require.NoError(t, err)
		return result.Theta
	}
	apart := func(a, b []float64) float64 {
		squares := 0.0
		for j := range a {
			squares += (a[j] - b[j]) * (a[j] - b[j])
		}
		return math.Sqrt(squares)
	}
	schema := learntest.Schema(3, 0)
	closest := map[privacy.Adjacency]float64{}
	for trial := range 300 {
		var x [][]float64
		var y []float64
		for range trial % 8 {
			row := learntest.Gaussians(t, source, 3)
			for j := range row {
				row[j] *= 0.3
			}
			if length := math.Hypot(math.Hypot(row[0], row[1]), row[2]); length > 1 {
				for j := range row {
					row[j] /= length * (1 + 1e-12)
				}
			}
			x, y = append(x, row), append(y, math.Copysign(1, learntest.Uniform(source)-0.5))
		}
		extra := []float64{0.6, 0, 0.8}
		for _, loss := range learntest.Losses(t) {
			plan := Plan{
				Dimension: 3, RowNorm: 1, Clip: 0.05 + 0.6*learntest.Uniform(source), Lambda: math.Exp(6*learntest.Uniform(source) - 2),
				Tau: 1e-9, Sigma: 1, Grid: 0x1p-30,
			}
			problem := func(x [][]float64, y []float64) learn.Problem {
				p := learntest.Problem(schema, x, y)
				p.Loss = loss
				return p
			}
			n := len(x)
			without := solved(problem(x, y), plan)
			one := solved(problem(append(x[:n:n], extra), append(y[:n:n], 1)), plan)
			other := solved(problem(append(x[:n:n], extra), append(y[:n:n], -1)), plan)
			for adjacency, distance := range map[privacy.Adjacency]float64{
				privacy.AddRemove: math.Max(apart(without, one), apart(without, other)), privacy.ReplaceOne: apart(one, other),
			} {
				charged := Sensitivity(adjacency, plan.Clip, plan.Lambda, plan.Tau)
				require.LessOrEqual(t, distance, charged)
				closest[adjacency] = math.Max(closest[adjacency], distance/charged)
			}
		}
	}
	for _, part := range closest {
		assert.Greater(t, part, 0.999)
	}
}

func TestEventIsWhatIsCharged(t *testing.T) {
	plan := planFor(learntest.Five(), privacy.AddRemove)
	plan.Tau = 0.25
	event, err := plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2.5/0.75, event.Sensitivity, 1e-11)
	assert.Greater(t, event.Sensitivity, 2.5/0.75+0x1p-40*math.Sqrt(3))
	assert.Equal(t, plan.Sigma, event.Sigma)
	plan.Adjacency = privacy.ReplaceOne
	event, err = plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 4.5/0.75, event.Sensitivity, 1e-11)
}

func TestFitOnDegenerateData(t *testing.T) {
	for name, problem := range learntest.Degenerate() {
		for _, problem.Loss = range learntest.Losses(t) {
			for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
				for _, epsilon := range []float64{0.01, 1, 50} {
					plan, err := requestFor(problem, adjacency, epsilon).Plan()
					require.NoError(t, err)
					model, _, err := Fit(t.Context(), problem, plan, randomtest.New(3), nil)
					require.NoError(t, err, "%s %v", name, epsilon)
					learntest.RequireFinite(t, model.Coefficients, problem.Dimension(), name)
				}
			}
		}
	}
}

func TestTheOutputIsKeptInItsBall(t *testing.T) {
	problem := learntest.Five()
	plan := planFor(problem, privacy.AddRemove)
	free, _, err := Fit(t.Context(), problem, plan, randomtest.New(1), nil)
	require.NoError(t, err)
	plan.Radius = 0.25
	kept, _, err := Fit(t.Context(), problem, plan, randomtest.New(1), nil)
	require.NoError(t, err)
	length := 0.0
	for j, c := range kept.Coefficients {
		length = math.Hypot(length, c)
		assert.InEpsilon(t, free.Coefficients[j]/free.Coefficients[0], c/kept.Coefficients[0], 1e-12)
	}
	assert.InEpsilon(t, 0.25, length, 1e-12)
}

func TestPlansOfSomethingElseAreRefused(t *testing.T) {
	problem := learntest.Five()
	for name, c := range map[string]struct {
		field  string
		change func(*Plan, *learn.Problem)
	}{
		"adjacency":     {"plan.adjacency", func(p *Plan, _ *learn.Problem) { p.Adjacency = 0 }},
		"dimension":     {"plan.dimension", func(p *Plan, _ *learn.Problem) { p.Dimension = 4 }},
		"too many":      {"plan.dimension", func(p *Plan, _ *learn.Problem) { p.Dimension = MaxDimension + 1 }},
		"row norm":      {"plan.row_norm", func(p *Plan, _ *learn.Problem) { p.RowNorm = math.Nextafter(p.RowNorm, 0) }},
		"clip":          {"plan.clip", func(p *Plan, _ *learn.Problem) { p.Clip = math.Inf(1) }},
		"lambda":        {"plan.lambda", func(p *Plan, _ *learn.Problem) { p.Lambda = 0 }},
		"tau":           {"plan.tau", func(p *Plan, _ *learn.Problem) { p.Tau = 0 }},
		"tau too small": {"plan.tau", func(p *Plan, _ *learn.Problem) { p.Tau = math.Nextafter(0x1p-20, 0) }},
		"sigma":         {"plan.sigma", func(p *Plan, _ *learn.Problem) { p.Sigma = math.NaN() }},
		"radius":        {"plan.radius", func(p *Plan, _ *learn.Problem) { p.Radius = -1 }},
		"no grid":       {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 0 }},
		"odd grid":      {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 3e-12 }},
		"coarse grid":   {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 0x1p-31 }},
		"fine grid":     {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 0x1p-70 }},
		"no schema":     {"schema", func(_ *Plan, q *learn.Problem) { q.Data = &data.Dataset{X: q.Data.X, Y: q.Data.Y} }},
		"other columns": {"plan.dimension", func(_ *Plan, q *learn.Problem) {
			q.Data = &data.Dataset{Schema: learntest.Schema(3, 0.5), X: q.Data.X, Y: q.Data.Y}
		}},
	} {
		plan, p := planFor(problem, privacy.AddRemove), problem
		c.change(&plan, &p)
		script := &randomtest.Script{}
		_, _, err := Fit(t.Context(), p, plan, script, nil)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, name)
		assert.Equal(t, c.field, parameter.Field, name)
		assert.Zero(t, script.Read, "no noise was drawn")
	}
	learntest.RefusesRowsThatBreakThePromise(t, func(problem learn.Problem, source random.Source) error {
		_, _, err := Fit(t.Context(), problem, planFor(problem, privacy.AddRemove), source, nil)
		return err
	})
}

func TestFitRefuses(t *testing.T) {
	problem := learntest.Five()
	plan := planFor(problem, privacy.AddRemove)
	plan.Tau = 1e-17 // Fit takes none so small
	_, _, err := fit(t.Context(), problem, plan, solve.Newton, randomtest.New(1), nil)
	var refusal *learn.Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, learn.CauseGradient, refusal.Cause)
	var failed *solve.NotConvergedError
	require.ErrorAs(t, err, &failed)
	assert.NotContains(t, err.Error(), "e-", "no number of the data's")
}

// Two neighbours whose minimisers, C/λ = 64 apart, lie on either side of what a
// lattice of 2^53 steps reaches: neither is refused, nor is one whose minimiser
// is far beyond it.
func TestNoFitIsRefusedForWhereItsMinimiserLies(t *testing.T) {
	schema := learntest.Schema(1, 0)
	for _, loss := range learntest.Losses(t) {
		for _, n := range []int{1023, 1024, 1025, 4096} {
			x, y := make([][]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = []float64{1}, 1
			}
			plan := Plan{
				Adjacency: privacy.AddRemove, Dimension: 1, RowNorm: 1, Clip: 0x1p-6,
				Lambda: 0x1p-12, Tau: 0x1p-20, Sigma: 0x1p-3, Grid: 0x1p-43,
			}
			problem := learntest.Problem(schema, x, y)
			problem.Loss = loss
			require.NoError(t, plan.validate())
			for seed := range uint64(4) {
				model, _, err := Fit(t.Context(), problem, plan, randomtest.New(seed), nil)
				require.NoError(t, err, "%d records", n)
				assert.LessOrEqual(t, math.Abs(model.Coefficients[0]), 0x1p10)
				require.Zero(t, math.Remainder(model.Coefficients[0], plan.Grid))
			}
		}
	}
}

// The certificate is the mechanism's own: a solver that stops early and says
// otherwise has nothing released.
func TestFitTrustsNoSolver(t *testing.T) {
	problem := learntest.Five()
	plan := planFor(problem, privacy.AddRemove)
	lying := func(ctx context.Context, o *solve.Objective, options solve.Options) (*solve.Result, error) {
		result, err := solve.Newton(ctx, o, options)
		result.Theta[0] += 2 * plan.Tau / plan.Lambda
		return result, err
	}
	script := &randomtest.Script{}
	_, _, err := fit(t.Context(), problem, plan, lying, script, nil)
	var refusal *learn.Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, learn.CauseGradient, refusal.Cause)
	assert.NoError(t, errors.Unwrap(refusal))
	assert.Zero(t, script.Read)
}

func TestFitIsDeterminedByItsSource(t *testing.T) {
	problem := learntest.Five()
	learntest.DeterminedByItsSource(t, func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
		return Fit(t.Context(), problem, planFor(problem, privacy.AddRemove), source, nil)
	})
}

func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	learntest.RefusesLossesThatDoNotSuitTheLabel(t, func(problem learn.Problem, source random.Source) error {
		_, _, err := Fit(t.Context(), problem, planFor(problem, privacy.AddRemove), source, nil)
		return err
	})
}

func TestFitPassesErrorsOn(t *testing.T) {
	problem := learntest.Five()
	plan := planFor(problem, privacy.AddRemove)
	learntest.FailsWithItsSource(t, func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
		return Fit(t.Context(), problem, plan, source, nil)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stop")
	_, _, err := Fit(ctx, problem, plan, randomtest.New(1), func(solve.Progress) { cancel(why) })
	assert.ErrorIs(t, err, why)
}

func TestRequestsBuyWhatTheyAskFor(t *testing.T) {
	for _, loss := range learntest.Losses(t) {
		problem := learntest.Five()
		problem.Loss = loss
		for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
			for _, epsilon := range []float64{0.05, 1, 8} {
				r := requestFor(problem, adjacency, epsilon)
				deltas := map[Calibration]float64{}
				for _, r.Calibration = range []Calibration{CalibrationExact, CalibrationLowyRazaviyayn} {
					plan, err := r.Plan()
					require.NoError(t, err)
					event, err := plan.Event()
					require.NoError(t, err)
					curve, err := account.Of(event, account.BoundAuto)
					require.NoError(t, err)
					deltas[r.Calibration], err = account.DeltaUpper(curve, epsilon)
					require.NoError(t, err)
					_, _, err = Fit(t.Context(), problem, plan, randomtest.New(1), nil)
					require.NoError(t, err)
				}
				assert.LessOrEqual(t, deltas[CalibrationExact], 1e-5)
				assert.Greater(t, deltas[CalibrationExact], 0.9999e-5)
				assert.Less(t, deltas[CalibrationLowyRazaviyayn], 1e-5)
			}
		}
	}
}

// The published calibration is a valid one, and wasteful, wherever it claims to
// be valid.
func TestLowyRazaviyaynSigma(t *testing.T) {
	// c and σ by hand at δ = 1/16: √2 − 1 below the logarithm.
	c := math.Sqrt(math.Log(2 / (math.Sqrt2 - 1)))
	sigma, err := LowyRazaviyaynSigma(3, 2, 1.0/16)
	require.NoError(t, err)
	assert.InEpsilon(t, 3*(c+math.Sqrt(c*c+2))/(2*math.Sqrt2), sigma, 1e-12)
	for _, epsilon := range []float64{1e-3, 0.1, 1, 10, 100} {
		for _, delta := range []float64{1e-12, 1e-5, 0.01, 0.4} {
			published, err := LowyRazaviyaynSigma(1, epsilon, delta)
			require.NoError(t, err)
			exact, err := account.CalibrateGaussian(epsilon, delta, 1)
			require.NoError(t, err)
			assert.Greater(t, published, exact, "ε = %g, δ = %g", epsilon, delta)
		}
	}
	for _, bad := range [][3]float64{{0, 1, 0.1}, {1, 0, 0.1}, {1, 1, 0}, {1, 1, 0.5}, {math.NaN(), 1, 0.1}} {
		_, err := LowyRazaviyaynSigma(bad[0], bad[1], bad[2])
		var parameter *privacy.ParameterError
		assert.ErrorAs(t, err, &parameter)
	}
}

// Balance is where its bound is least: none of a fine grid does better.
func TestBalanceMinimisesItsBound(t *testing.T) {
	for _, c := range []struct {
		unit, curvature, reach float64
		d                      int
	}{{3, 1000, 4, 10}, {0.01, 1e6, 30, 1}, {100, 0, 1, 400}, {1e-9, 1e-9, 1e9, 4096}} {
		bound := func(l float64) float64 {
			return c.curvature*c.unit*c.unit/(2*l*l) + float64(c.d)*c.unit*c.unit/(2*l) + l*c.reach*c.reach/2
		}
		lambda := Balance(c.unit, c.curvature, c.d, c.reach)
		for k := -200; k <= 200; k++ {
			assert.GreaterOrEqual(t, bound(lambda*math.Exp(float64(k)/20)), bound(lambda)*(1-1e-12))
		}
	}
	// Without curvature it is σ√d/B, theory §5.
	assert.InEpsilon(t, 100*math.Sqrt(400), Balance(100, 0, 400, 1), 1e-9)
}

func TestRequestsThatCannotBe(t *testing.T) {
	for field, change := range map[string]func(*Request){
		"adjacency":   func(r *Request) { r.Guarantee.Adjacency = 0 },
		"epsilon":     func(r *Request) { r.Guarantee.Epsilon = 0 },
		"calibration": func(r *Request) { r.Calibration = "best" },
		"loss":        func(r *Request) { r.Loss = nil },
		"dimension":   func(r *Request) { r.Dimension = -1 },
		"row_norm":    func(r *Request) { r.RowNorm = 0 },
		"clip":        func(r *Request) { r.Clip = math.NaN() },
		"lambda":      func(r *Request) { r.Lambda = -1 },
		"records":     func(r *Request) { r.Records = 0 },
		"reach":       func(r *Request) { r.Reach = math.Inf(1) },
		"radius":      func(r *Request) { r.Radius = -1 },
		"delta":       func(r *Request) { r.Guarantee.Delta, r.Calibration = 0.6, CalibrationLowyRazaviyayn },
	} {
		r := requestFor(learntest.Five(), privacy.AddRemove, 1)
		change(&r)
		_, err := r.Plan()
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
}
