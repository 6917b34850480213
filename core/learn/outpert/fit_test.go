package outpert

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// To the minimisers come the rounding to the lattice and the noise that this source
// gives. The test passes natively and under js/wasm, so the two agree.
func TestFitAgainstGoldenValues(t *testing.T) {
	problem := learntest.Five()
	for k, want := range learntest.FiveMinimisers() {
		problem.Loss = learntest.Losses(t)[k]
		plan := planFor(problem, privacy.AddRemove)
		plan.Tau = 1e-11 // Fit takes none so small
		model, diagnostics, err := fit(
			t.Context(), problem, plan, solve.Newton, randomtest.New(2026), nil,
		)
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
				Dimension: 3, RowNorm: 1, Clip: 0.05 + 0.6*learntest.Uniform(source),
				Lambda: math.Exp(6*learntest.Uniform(source) - 2),
				Tau:    1e-9, Sigma: 1, Grid: 0x1p-30,
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
				privacy.AddRemove: math.Max(
					apart(without, one), apart(without, other),
				), privacy.ReplaceOne: apart(one, other),
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
		assert.InEpsilon(
			t, free.Coefficients[j]/free.Coefficients[0], c/kept.Coefficients[0], 1e-12,
		)
	}
	assert.InEpsilon(t, 0.25, length, 1e-12)
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
	lying := func(
		ctx context.Context, o *solve.Objective, options solve.Options,
	) (*solve.Result, error) {
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
	learntest.DeterminedByItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), problem, planFor(problem, privacy.AddRemove), source, nil)
		},
	)
}

func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	learntest.RefusesLossesThatDoNotSuitTheLabel(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, planFor(problem, privacy.AddRemove), source, nil)
			return err
		},
	)
}

func TestFitPassesErrorsOn(t *testing.T) {
	problem := learntest.Five()
	plan := planFor(problem, privacy.AddRemove)
	learntest.FailsWithItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), problem, plan, source, nil)
		},
	)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stop")
	_, _, err := Fit(ctx, problem, plan, randomtest.New(1), func(solve.Progress) { cancel(why) })
	assert.ErrorIs(t, err, why)
}
