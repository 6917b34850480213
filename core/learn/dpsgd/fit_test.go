package dpsgd

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// reference is the mechanism once more, written from the package comment and
// with nothing but the samplers in common: dense gradients, clipped by their own
// norm, optimisers from their closed forms.
func reference(t *testing.T, problem learn.Problem, plan Plan, source random.Source) []float64 {
	d, n := problem.Dimension(), problem.Data.X.Rows()
	_, exponent := math.Frexp(plan.NoiseMultiplier)
	bits := 20 + exponent
	longest := math.Pow(2, float64(bits)) / plan.NoiseMultiplier
	perWhole := plan.Clip / (longest - math.Sqrt(float64(d))/2)
	sampler, err := random.NewPoissonSampler(plan.Rate)
	require.NoError(t, err)

	theta := make([]float64, d)
	var gradients, thetas [][]float64
	for range plan.Steps {
		sample, err := sampler.Sample(source, n, nil)
		require.NoError(t, err)
		total := make([]float64, d)
		require.NoError(t, random.GaussianCells(source, total, bits))
		for _, i := range sample {
			x := make([]float64, d)
			margin, squares := 0.0, 0.0
			row := problem.Data.X.Row(int(i))
			for k, j := range row.Index {
				x[j] = row.Value[k]
				margin += x[j] * theta[j]
				squares += x[j] * x[j]
			}
			slope := problem.Loss.Slope(margin, problem.Data.Y[i])
			factor := math.Min(1, plan.Clip/(math.Abs(slope)*math.Sqrt(squares)))
			if slope == 0 || squares == 0 {
				continue
			}
			for j := range x {
				total[j] += math.RoundToEven(slope * factor * x[j] / perWhole)
			}
		}
		g := make([]float64, d)
		for j := range g {
			g[j] = total[j] * perWhole / plan.Batch
		}
		gradients = append(gradients, g)
		// Moments from all gradients so far.
		next := make([]float64, d)
		o := plan.Optimiser
		steps := len(gradients)
		for j := range next {
			first, second := 0.0, 0.0
			for s, g := range gradients {
				age := float64(steps - 1 - s)
				switch o.Method {
				case SGD:
					first = g[j]
				case Momentum:
					first += math.Pow(o.Momentum, age) * g[j]
				case Adam:
					first += (1 - o.Beta1) * math.Pow(o.Beta1, age) * g[j]
					second += (1 - o.Beta2) * math.Pow(o.Beta2, age) * g[j] * g[j]
				}
			}
			move := first
			if o.Method == Adam {
				first /= 1 - math.Pow(o.Beta1, float64(steps))
				second /= 1 - math.Pow(o.Beta2, float64(steps))
				move = first / (math.Sqrt(second) + o.Epsilon)
			}
			next[j] = theta[j] - o.LearningRate*move
		}
		theta = next
		thetas = append(thetas, theta)
	}
	last := max(1, plan.Average)
	mean := make([]float64, d)
	for _, one := range thetas[len(thetas)-last:] {
		for j := range mean {
			mean[j] += one[j] / float64(last)
		}
	}
	return mean
}

func TestFitAgainstASecondImplementation(t *testing.T) {
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	for name, change := range map[string]func(*learn.Problem, *Plan){
		"sgd":            func(*learn.Problem, *Plan) {},
		"momentum":       func(_ *learn.Problem, p *Plan) { p.Optimiser = NewMomentum(0.3) },
		"adam":           func(_ *learn.Problem, p *Plan) { p.Optimiser = NewAdam(0.1) },
		"averaged":       func(_ *learn.Problem, p *Plan) { p.Average = 40 },
		"all averaged":   func(_ *learn.Problem, p *Plan) { p.Average = p.Steps },
		"huber":          func(m *learn.Problem, p *Plan) { m.Loss = huber },
		"squared":        func(m *learn.Problem, p *Plan) { m.Loss, p.Clip = glm.Squared{}, 0.3 },
		"never clipped":  func(m *learn.Problem, p *Plan) { p.Clip = 4 },
		"always clipped": func(m *learn.Problem, p *Plan) { p.Clip = 0.01 },
		"every record":   func(m *learn.Problem, p *Plan) { p.Rate, p.Batch = 1, 300 },
		"much noise":     func(m *learn.Problem, p *Plan) { p.NoiseMultiplier = 700 },
		"little noise":   func(m *learn.Problem, p *Plan) { p.NoiseMultiplier = 0.01 },
		"half a batch":   func(m *learn.Problem, p *Plan) { p.Batch = 15 },
	} {
		problem, plan := learntest.Clinic(), planOf(NewSGD(0.5))
		change(&problem, &plan)
		want := reference(t, problem, plan, randomtest.New(7))
		model, diagnostics, err := Fit(t.Context(), problem, plan, randomtest.New(7), nil)
		require.NoError(t, err, name)
		for j := range want {
			assert.InDelta(
				t, want[j], model.Coefficients[j], 1e-9*math.Max(1, math.Abs(want[j])), name,
			)
		}
		assert.Equal(t, plan.Clip, model.Clip)
		assert.Equal(t, 300, diagnostics.Rows)
	}
}

// With enough steps and hardly any noise, the minimum of the sum of losses.
func TestFitFindsTheMinimum(t *testing.T) {
	problem := learntest.Clinic()
	rows, err := problem.Rows(math.Inf(1), 2)
	require.NoError(t, err)
	exact, err := solve.Newton(
		t.Context(), solve.NewObjective(1e-6, make([]float64, 3), rows),
		solve.Options{Tolerance: 1e-9},
	)
	require.NoError(t, err)
	for _, optimiser := range []Optimiser{NewSGD(4), NewMomentum(0.4), NewAdam(0.05)} {
		plan := planOf(optimiser)
		plan.Rate, plan.Batch, plan.Steps, plan.Clip, plan.NoiseMultiplier = 1, 300, 4000, 2, 1e-3
		model, _, err := Fit(t.Context(), problem, plan, randomtest.New(3), nil)
		require.NoError(t, err)
		for j, want := range exact.Theta {
			assert.InDelta(
				t, want, model.Coefficients[j], 0.02*math.Abs(want), "%s", optimiser.Method,
			)
		}
	}
}

// From our own run, natively; the same test under js/wasm shows that the two
// agree. What the numbers should be, the second implementation says.
func TestFitIsTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		optimiser Optimiser
		want      []float64
	}{
		{NewSGD(0.5), []float64{1.2089049734668418, -1.8444885533163258, 0.34950394822102265}},
		{NewMomentum(0.1), []float64{2.0376251267238139, -2.9250766220869222, 0.70415056057751702}},
		{NewAdam(0.1), []float64{3.0203199996031578, -4.2083851093627889, 1.011028547444752}},
	} {
		model, _, err := Fit(
			t.Context(), learntest.Clinic(), planOf(c.optimiser), randomtest.New(2026), nil,
		)
		require.NoError(t, err)
		for j, want := range c.want {
			assert.InEpsilon(
				t, want, model.Coefficients[j], 1e-9, "%s: %.17g", c.optimiser.Method,
				model.Coefficients,
			)
		}
	}
}

func TestFitIsDeterminedByItsSource(t *testing.T) {
	learntest.DeterminedByItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), learntest.Clinic(), planOf(NewAdam(0.1)), source, nil)
		},
	)
}

// Rows stored densely are the same rows.
func TestFitOnDenseRows(t *testing.T) {
	problem := learntest.Clinic()
	dense := problem
	dense.Data = learntest.Dense(problem.Data)
	a, _, err := Fit(t.Context(), problem, planOf(NewAdam(0.1)), randomtest.New(1), nil)
	require.NoError(t, err)
	b, _, err := Fit(t.Context(), dense, planOf(NewAdam(0.1)), randomtest.New(1), nil)
	require.NoError(t, err)
	assert.Equal(t, a.Coefficients, b.Coefficients)
}

func TestFitOnOddData(t *testing.T) {
	for name, problem := range learntest.Degenerate() {
		for _, optimiser := range []Optimiser{
			NewSGD(1), NewMomentum(1), NewAdam(0.5), NewSGD(1e-300), NewAdam(1e200),
		} {
			for _, z := range []float64{0.1, 1, 300} {
				plan := planOf(optimiser)
				plan.NoiseMultiplier, plan.Average = z, 7
				model, _, err := Fit(t.Context(), problem, plan, randomtest.New(3), nil)
				var diverged *learn.DivergedError
				if errors.As(err, &diverged) {
					require.Greater(t, optimiser.LearningRate, 1e100, name)
					continue
				}
				require.NoError(t, err, name)
				learntest.RequireFinite(t, model.Coefficients, problem.Dimension(), name)
			}
		}
	}
	// No steps at all: the initial point, for nothing.
	plan := planOf(NewSGD(1))
	plan.Steps = 0
	model, _, err := Fit(t.Context(), learntest.Clinic(), plan, &randomtest.Script{}, nil)
	require.NoError(t, err)
	assert.Equal(t, []float64{0, 0, 0}, model.Coefficients)
}

func TestFitStopsWhereThetaOverflows(t *testing.T) {
	plan := planOf(NewSGD(1e299))
	_, _, err := Fit(t.Context(), learntest.Clinic(), plan, randomtest.New(1), nil)
	var diverged *learn.DivergedError
	require.ErrorAs(t, err, &diverged)
	assert.Contains(t, err.Error(), "learning rate")
}

func TestPlansAreChecked(t *testing.T) {
	for field, change := range map[string]func(*Plan){
		"adjacency":               func(p *Plan) { p.Adjacency = 0 },
		"rate":                    func(p *Plan) { p.Rate = 0 },
		"steps":                   func(p *Plan) { p.Steps = -1 },
		"clip":                    func(p *Plan) { p.Clip = math.Inf(1) },
		"noise_multiplier":        func(p *Plan) { p.NoiseMultiplier = 0x1p-17 },
		"batch":                   func(p *Plan) { p.Batch = 0 },
		"average":                 func(p *Plan) { p.Average = 101 },
		"optimiser.method":        func(p *Plan) { p.Optimiser.Method = "" },
		"optimiser.learning_rate": func(p *Plan) { p.Optimiser.LearningRate = math.NaN() },
		"optimiser.momentum":      func(p *Plan) { p.Optimiser = NewMomentum(1); p.Optimiser.Momentum = 1 },
		"optimiser.beta1":         func(p *Plan) { p.Optimiser.Beta1 = -0.1 },
		"optimiser.beta2":         func(p *Plan) { p.Optimiser.Beta2 = 1 },
		"optimiser.epsilon":       func(p *Plan) { p.Optimiser.Epsilon = 0 },
	} {
		plan := planOf(NewAdam(0.1))
		change(&plan)
		var parameter *privacy.ParameterError
		_, err := plan.Event()
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
		script := &randomtest.Script{}
		_, _, err = Fit(t.Context(), learntest.Clinic(), plan, script, nil)
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, "plan."+field, parameter.Field)
		assert.Zero(t, script.Read)
	}
	var parameter *privacy.ParameterError
	replaced := planOf(NewSGD(1))
	replaced.Adjacency = privacy.ReplaceOne
	_, err := replaced.Event()
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "adjacency", parameter.Field)

	// More noise than a lattice fine enough has room for.
	loud := planOf(NewSGD(1))
	loud.NoiseMultiplier = 0x1p24
	_, _, err = Fit(
		t.Context(), learntest.Problem(learntest.Schema(20_000, 0), nil, nil), loud,
		&randomtest.Script{}, nil,
	)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "plan.noise_multiplier", parameter.Field)
}

func TestFitRefusesRowsThatBreakThePromise(t *testing.T) {
	learntest.RefusesRowsThatBreakThePromise(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, planOf(NewSGD(1)), source, nil)
			return err
		},
	)
	var parameter *privacy.ParameterError
	mixed := learntest.Clinic()
	mixed.Data = &data.Dataset{Schema: learntest.Schema(3, 0.5), X: mixed.Data.X, Y: mixed.Data.Y}
	_, _, err := Fit(t.Context(), mixed, planOf(NewSGD(1)), &randomtest.Script{}, nil)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "dimension", parameter.Field)
	mixed.Data.Schema = nil
	_, _, err = Fit(t.Context(), mixed, planOf(NewSGD(1)), &randomtest.Script{}, nil)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "schema", parameter.Field)
}

func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	learntest.RefusesLossesThatDoNotSuitTheLabel(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, planOf(NewSGD(1)), source, nil)
			return err
		},
	)
}

func TestFitStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	_, _, err := Fit(
		ctx,
		learntest.Clinic(),
		planOf(NewSGD(1)),
		randomtest.New(1),
		func(p solve.Progress) {
			steps = p.Iteration
			cancel()
		},
	)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 10, steps)

	learntest.FailsWithItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), learntest.Clinic(), planOf(NewSGD(1)), source, nil)
		},
	)
}

func TestPaperPlan(t *testing.T) {
	plan := PaperPlan(36177)
	plan.NoiseMultiplier, plan.Optimiser.LearningRate = 1, 0.01
	event, err := plan.Event()
	require.NoError(t, err)
	assert.Equal(
		t,
		privacy.SubsampledGaussian{
			Adjacency:       privacy.AddRemove,
			Rate:            1.0 / 142,
			NoiseMultiplier: 1,
			Steps:           60 * 142,
		},
		event,
	)
	assert.InDelta(t, 254.8, plan.Batch, 0.05)
	assert.Equal(t, plan, plan.For(event))
	rates := PaperRates(10)
	assert.InEpsilon(t, 1e-8, rates[0], 1e-12)
	assert.InEpsilon(t, 1e-1, rates[9], 1e-12)
	assert.InEpsilon(t, rates[1]/rates[0], rates[9]/rates[8], 1e-12)
	// P[K > 10] = 0.9 at μ = 15.4.
	below := 0.0
	for k := range 11 {
		factorial, _ := math.Lgamma(float64(k + 1))
		below += math.Exp(float64(k)*math.Log(PaperMean) - PaperMean - factorial)
	}
	assert.InDelta(t, 0.1, below, 0.001)
	tiny := PaperPlan(0)
	tiny.NoiseMultiplier, tiny.Optimiser.LearningRate = 1, 1
	_, err = tiny.Event()
	assert.NoError(t, err)
}

func TestDishonestIsNotForPublication(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(Optimiser{Method: SGD})
	best, err := BestOfGrid(
		t.Context(), problem, plan, []float64{1e-9, 1e299, 2}, problem.Data, randomtest.New(1), nil,
	)
	require.NoError(t, err)
	assert.Equal(t, 2.0, best.Choice)
	assert.Greater(t, best.Evaluation.Accuracy(), 0.6)
	assert.Contains(t, best.Reason(), "not paid for")
	for _, v := range []any{best, &best} {
		_, err = json.Marshal(v)
		assert.Error(t, err)
	}
	var diverged *learn.DivergedError
	_, err = BestOfGrid(
		t.Context(), problem, plan, []float64{1e299}, problem.Data, randomtest.New(1), nil,
	)
	assert.ErrorAs(t, err, &diverged)
	var parameter *privacy.ParameterError
	_, err = BestOfGrid(t.Context(), problem, plan, nil, problem.Data, randomtest.New(1), nil)
	assert.ErrorAs(t, err, &parameter)
}
