package suffstats

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

func problemOf(p learn.Problem) learn.Problem {
	return learn.Problem{Data: learntest.Numeric(p.Data, -1, 1), Loss: glm.Squared{}}
}

func rowOf(x []float64) data.Row {
	row := data.Row{Value: x}
	for j := range x {
		row.Index = append(row.Index, int32(j))
	}
	return row
}

func randomSource(seed uint64) func() float64 {
	source := randomtest.New(seed)
	return func() float64 { return learntest.Uniform(source) }
}

func packed(s *sums, grid float64) *solve.Packed {
	p := solve.NewPacked(s.columns)
	for k := range p.At {
		p.At[k] = float64(s.at[k]) * grid
	}
	return p
}

func guarantee(adjacency privacy.Adjacency, epsilon float64) privacy.Guarantee {
	return privacy.Guarantee{Adjacency: adjacency, Epsilon: epsilon, Delta: 1e-5}
}

func planFor(t testing.TB, p learn.Problem, epsilon float64) Plan {
	t.Helper()
	plan, err := NewPlan(
		guarantee(privacy.AddRemove, epsilon), p.Dimension(), p.Data.Schema.RowNorm(),
	)
	require.NoError(t, err)
	return plan
}

// The sums are those of the records, to a rounding of each.
func TestTheSumsAreThoseOfTheRecords(t *testing.T) {
	for _, p := range []learn.Problem{
		problemOf(learntest.Clinic()),
		{Data: learntest.Dense(problemOf(learntest.Clinic()).Data), Loss: glm.Squared{}},
	} {
		plan := planFor(t, p, 1)
		s, err := plan.sum(t.Context(), p.Data)
		require.NoError(t, err)
		near := float64(p.Data.X.Rows()) * plan.Grid
		n, square := 0.0, 0.0
		for i, y := range p.Data.Y {
			row := p.Data.X.Row(i)
			n += row.Value[0] * row.Value[1]
			square += y * y
		}
		assert.InDelta(t, n, float64(s.at[1])*plan.Grid, near)
		assert.InDelta(t, square, float64(s.at[len(s.at)-1])*plan.Grid, near)
		// κ² and κy sum up to what Records and RSquared take them for.
		assert.InDelta(t, 300*0.25, float64(s.at[5])*plan.Grid, near)
	}
}

// With noise as small as at ε = 10⁶ the coefficients are those of least squares with the ridge.
func TestWithLittleNoiseItIsRidgeRegression(t *testing.T) {
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 1e6)
	model, diagnostics, err := Fit(t.Context(), p, plan, randomtest.New(1), nil)
	require.NoError(t, err)
	assert.Equal(t, 300, diagnostics.Rows)
	hessian, vector := learntest.Moments(p.Data)
	hessian.AddDiagonal(model.Moments.Ridge)
	require.True(t, hessian.Factorize())
	hessian.SolveFactorized(vector)
	for j, want := range vector {
		assert.InDelta(t, want, model.Coefficients[j], 0.02, "column %d", j)
	}
}

// Noise of every number has the law that the plan says: its variance, over many releases of
// nothing, is within six standard errors.
func TestTheNoiseHasTheVariancesOfThePlan(t *testing.T) {
	plan := planFor(t, problemOf(learntest.Clinic()), 1)
	source := randomtest.New(7)
	const runs = 3000
	squares := map[string]float64{}
	for range runs {
		m, err := plan.release(newSums(3), source)
		require.NoError(t, err)
		for name, x := range map[string]float64{
			"off": m.Matrix.Row(2)[0], "on": m.Matrix.Row(1)[1], "vector": m.Vector[2],
			"square": m.Square,
		} {
			squares[name] += x * x / runs
		}
	}
	for name, sigma := range map[string]float64{
		"off": plan.MatrixSigma, "on": math.Sqrt2 * plan.MatrixSigma, "vector": plan.VectorSigma,
		"square": plan.SquareSigma,
	} {
		assert.InDelta(t, 1, squares[name]/(sigma*sigma), 6*math.Sqrt(2.0/runs), name)
	}
}

// A fit can be released for its price and for no less.
func TestFitsAreReleasedForTheirPrice(t *testing.T) {
	p := problemOf(learntest.Clinic())
	for _, adjacency := range learn.AllAdjacencies {
		g := guarantee(adjacency, 2)
		plan, err := NewPlan(g, p.Dimension(), p.Data.Schema.RowNorm())
		require.NoError(t, err)
		event, err := plan.Event()
		require.NoError(t, err)
		model, _, err := Fit(t.Context(), p, plan, randomtest.New(8), nil)
		require.NoError(t, err)
		learntest.ReleasedForItsPrice(t, event, g, model)
		for name, spoil := range map[string]func(m *learn.Model){
			"less noise claimed": func(m *learn.Model) { m.Moments.VectorSigma /= 2 },
			"another ridge":      func(m *learn.Model) { m.Moments.Ridge *= 2 },
			"other coefficients": func(m *learn.Model) { m.Coefficients[1] += 0.01 },
			"no moments":         func(m *learn.Model) { m.Moments = nil },
			"off the lattice":    func(m *learn.Model) { m.Moments.Square += m.Moments.Grid / 2 },
			"another matrix":     func(m *learn.Model) { m.Moments.Matrix.At[0] += 1 },
		} {
			other, moments := model, *model.Moments
			other.Moments = &moments
			other.Coefficients = append([]float64(nil), model.Coefficients...)
			moments.Matrix = solve.NewPacked(p.Dimension())
			moments.Matrix.Set(model.Moments.Matrix)
			_, err := learn.NewRelease(event, g, objective.BoundAuto, other)
			require.NoError(t, err, name)
			spoil(&other)
			_, err = learn.NewRelease(event, g, objective.BoundAuto, other)
			assert.Error(t, err, name)
		}
	}
}

// A plan has no more noise than its guarantee needs, whatever the guarantee.
func TestThePlanIsAsNoisyAsItsGuaranteeNeeds(t *testing.T) {
	for _, adjacency := range learn.AllAdjacencies {
		for _, epsilon := range []float64{1e-3, 0.25, 1, 4, 100, 1e6} {
			for _, d := range []int{1, 13, 105, learn.MaxMoments} {
				g := guarantee(adjacency, epsilon)
				plan, err := NewPlan(g, d, math.Sqrt(1.25))
				require.NoError(t, err, "ε = %g", epsilon)
				event, err := plan.Event()
				require.NoError(t, err)
				profile, err := objective.Of(event, objective.BoundAuto)
				require.NoError(t, err)
				assert.LessOrEqual(t, profile.LogDeltaUpper(epsilon), math.Log(g.Delta))
				assert.Greater(t, profile.LogDeltaUpper(epsilon*0.999), math.Log(g.Delta))
			}
		}
	}
}

// The scales for a μ are those of the golden values (Q, adassp_scales: σ₁ = R²/(√(2w)μ),
// σ₂ = RY/(√(1−w)μ)), and a mechanism of them has that ratio.
func TestScales(t *testing.T) {
	for _, c := range []struct{ r, weight, mu, matrix, vector float64 }{
		{1, 0.5, 0.2, 5, 7.071067811865475},
		// Of labels up to 2, whose σ₂ is twice that of labels up to 1.
		{1, 0.3, 0.1, 12.909944487358056, 23.904572186687872 / 2},
	} {
		assert.InEpsilon(t, c.matrix, c.r*c.r/(math.Sqrt(2*c.weight)*c.mu), 1e-14)
		ratio := learn.MomentsRatio(
			privacy.AddRemove, 5, c.r, c.matrix, c.vector, 1e12, 0x1p-24)
		assert.InEpsilon(t, c.mu, ratio, 1e-6)
	}
}

func TestFitIsDeterminedByItsSource(t *testing.T) {
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 1)
	fit := func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
		return Fit(t.Context(), p, plan, source, nil)
	}
	learntest.DeterminedByItsSource(t, fit)
	learntest.FailsWithItsSource(t, fit)
}

func TestFitRefusesWhatBreaksThePromise(t *testing.T) {
	learntest.RefusesRowsThatBreakThePromise(t, func(p learn.Problem, source random.Source) error {
		p = problemOf(p)
		_, _, err := Fit(t.Context(), p, planFor(t, p, 1), source, nil)
		return err
	})
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 1)
	field := func(p learn.Problem, plan Plan) string {
		script := &randomtest.Script{}
		_, _, err := Fit(t.Context(), p, plan, script, nil)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong)
		assert.Zero(t, script.Read, "no noise was drawn")
		return wrong.Field
	}
	assert.Equal(t, "loss", field(learn.Problem{Data: p.Data, Loss: glm.Logistic{}}, plan))
	assert.Equal(t, "label", field(
		learn.Problem{Data: learntest.Clinic().Data, Loss: glm.Squared{}}, plan))
	narrow := plan
	narrow.RowNorm = 1
	assert.Equal(t, "plan.row_norm", field(p, narrow))
	other := plan
	other.Dimension = 4
	assert.Equal(t, "plan.dimension", field(p, other))
	_, err := NewPlan(guarantee(privacy.AddRemove, 1), learn.MaxMoments+1, 1)
	assert.ErrorContains(t, err, "dimension")
	_, err = NewPlan(privacy.Guarantee{Epsilon: 1, Delta: 1e-5}, 3, 1)
	assert.Error(t, err, "no adjacency")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = Fit(ctx, p, plan, randomtest.New(1), nil)
	assert.True(t, errors.Is(err, context.Canceled))
}

// Fewer records than columns, none at all, and columns that are copies of others give finite
// coefficients, and releases that hold.
func TestSingularDesigns(t *testing.T) {
	schema := learntest.Schema(6, 0.5)
	for name, rows := range map[string][][]float64{
		"none": nil,
		"one":  {{0.1, 0.2, 0, 0, 0, 0, 0.5}},
		"twins": {
			{0.3, 0.3, 0, 0, 0, 0, 0.5}, {0.5, 0.5, 0, 0, 0, 0, 0.5}, {0.1, 0.1, 0, 0, 0, 0, 0.5},
		},
	} {
		p := problemOf(learntest.Problem(schema, rows, make([]float64, len(rows))))
		for _, epsilon := range []float64{0.01, 1, 1e5} {
			plan := planFor(t, p, epsilon)
			event, err := plan.Event()
			require.NoError(t, err)
			model, _, err := Fit(t.Context(), p, plan, randomtest.New(3), nil)
			require.NoError(t, err)
			learntest.RequireFinite(t, model.Coefficients, 7, name)
			_, err = learn.NewRelease(
				event, guarantee(privacy.AddRemove, epsilon), objective.BoundAuto, model)
			assert.NoError(t, err, name)
		}
	}
}
