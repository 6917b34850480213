package dpgd

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// A second, plain way to take the steps: round a row by division, clip its slope by the row's
// length with room for rounding, round it by division too, and add the noise that the source is
// known to give.
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
			const grid, unit = 0x1p-33, 2 * 0x1p-16 // of C = 0.6, and of rows up to √1.25
			const h = grid / unit
			sum := make([]float64, 3)
			for i := range 300 {
				row := plainRow(unit, problem.Data.X.Row(i).Value...)
				slope := loss.Slope(learntest.Dot(row, theta), problem.Data.Y[i])
				most := plan.Clip/learntest.Length(row) - h/2
				slope = math.RoundToEven(math.Max(-most, math.Min(slope, most))/h) * h
				for j := range sum {
					sum[j] += slope * row[j]
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

// Coefficients at 40 digits (Python's decimal) for the whole numbers of noise
// that this source gives. The test passes natively and under js/wasm, so the two
// agree.
func TestFitAgainstGoldenValues(t *testing.T) {
	problem := learntest.Five()
	plan := Plan{
		Adjacency: privacy.AddRemove, Dimension: 3, RowNorm: problem.Data.Schema.RowNorm(),
		Clip: 0.25, Lambda: 0.75,
		Momentum: 0.25, Sigmas: []float64{1.5, 1, 0.75, 0.5}, Rates: []float64{
			0.25, 0.25, 0.5, 0.125,
		},
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
			// Slopes are rounded to 2^-17 of what they can be.
			assert.InEpsilon(t, want, model.Coefficients[j], 5e-5)
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
					// at ε = 0.5 the other schedule cannot pay for a step
					if request.Dimension > 30 {
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
	learntest.DeterminedByItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			if told = !told; !told { // which makes no difference
				return Fit(t.Context(), problem, plan, source, nil)
			}
			return Fit(t.Context(), problem, plan, source, func(solve.Progress) {})
		},
	)
}

func TestDivergenceGivesNothingOut(t *testing.T) {
	problem := learntest.Clinic()
	model, _, err := Fit(
		t.Context(), problem, planOf(problem, privacy.AddRemove, 400, 1, 10), randomtest.New(1),
		nil,
	)
	var divergence *learn.DivergedError
	require.ErrorAs(t, err, &divergence)
	assert.Nil(t, model.Coefficients)
	assert.Contains(t, err.Error(), "learning rate")
}

func TestFitPassesErrorsOn(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 3, 1, 1e-3)
	learntest.FailsWithItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), problem, plan, source, nil)
		},
	)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stop")
	seen := 0
	_, _, err := Fit(
		ctx, problem, plan, randomtest.New(1), func(solve.Progress) { seen++; cancel(why) },
	)
	assert.ErrorIs(t, err, why)
	assert.Equal(t, 1, seen)
}

// Watch sees what Fit does: each state's gradient is that of the clipped
// objective but for rounded rows and slopes, which without noise to speak of comes down to nothing.
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
			assert.InDelta(t, certificate.GradientNorm, s.GradientNorm, 2e-4)
		}
		norms = append(norms, s.GradientNorm)
	}))
	assert.Len(t, norms, 2001)
	assert.Less(t, norms[2000], 1e-3)
}

// What could not be released is not fitted.
func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	plan := auditPlan(t, privacy.AddRemove, 1)
	learntest.RefusesLossesThatDoNotSuitTheLabel(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, plan, source, nil)
			return err
		},
	)
}
