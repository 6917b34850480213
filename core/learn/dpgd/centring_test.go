package dpgd

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func somewhere() *learn.Centring {
	return &learn.Centring{Mean: []float64{0.4, 0.3}, Scale: []float64{1.5, 1.25}}
}

// moved is the problem of the centred rows, made one by one.
func moved(problem learn.Problem, by *learn.Centring) learn.Problem {
	var rows [][]float64
	for i := range problem.Data.X.Rows() {
		row := make([]float64, problem.Data.X.Columns)
		by.Apply(problem.Data.X.Row(i), row)
		rows = append(rows, row)
	}
	p := learntest.Problem(problem.Data.Schema, rows, problem.Data.Y)
	p.Loss = problem.Loss
	return p
}

// A fit of centred rows is the fit of the rows that were centred beforehand, turned back.
func TestFitsOfCentredRowsAreFitsOfThoseRows(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 6, 2, 1e-3)
	plan.Tail, plan.Momentum, plan.Centring = 3, 0.5, somewhere()
	model, _, err := Fit(t.Context(), problem, plan, randomtest.New(8), nil)
	require.NoError(t, err)

	before := plan
	before.Centring, before.RowNorm = nil, 3 // which has the same unit of rows
	theta, err := run(
		t.Context(), moved(problem, plan.Centring), before, randomtest.New(8), nil,
	)
	require.NoError(t, err)
	kappa := problem.Data.Schema.Intercept
	want := []float64{1.5 * theta[0], 1.25 * theta[1],
		theta[2] - (0.4*1.5*theta[0]+0.3*1.25*theta[1])/kappa}
	for j := range want {
		assert.InEpsilon(t, want[j], model.Coefficients[j], 1e-9)
	}
	event, err := plan.Event()
	require.NoError(t, err)
	same, err := before.Event()
	require.NoError(t, err)
	assert.Equal(t, same.Sensitivity, event.Sensitivity, "gradients are clipped at the same C")
}

// No record's part of a sum is longer than what is charged for, wherever its row lies and
// however far the centring moves it.
func TestCentredGradientsAreNoLongerThanIsCharged(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 1, 2, 1e-3)
	for _, plan.Centring = range []*learn.Centring{
		somewhere(), {Mean: []float64{-30, 1e6}, Scale: []float64{100, 3}},
		{Mean: []float64{0, 0}, Scale: []float64{1e-9, 1e-9}},
	} {
		event, err := plan.Event()
		require.NoError(t, err)
		grid := gridOf(plan.Clip, plan.Sigmas[0])
		for i := range 50 {
			one := learn.Problem{Data: problem.Data.Select([]int{i}), Loss: problem.Loss}
			s, err := newSummer(one, plan)
			require.NoError(t, err)
			s.sum([]float64{5, -3, 2}, grid)
			squares := 0.0
			for _, k := range s.total {
				squares += float64(k) * grid * float64(k) * grid
			}
			assert.LessOrEqual(t, math.Sqrt(squares), event.Sensitivity)
		}
	}
}

func TestAPlanOfCentredRowsNeedsAnIntercept(t *testing.T) {
	schema := learntest.Schema(3, 0)
	problem := learntest.Problem(schema, [][]float64{{0.1, 0.2, 0.3}}, []float64{1})
	plan := planOf(problem, privacy.AddRemove, 2, 2, 1e-3)
	plan.Centring = somewhere()
	_, _, err := Fit(t.Context(), problem, plan, randomtest.New(1), nil)
	var bad *privacy.ParameterError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "schema", bad.Field)
	plan.Centring.Scale[0] = math.Inf(1)
	_, err = plan.Event()
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "centring.scale[0]", bad.Field)
}

// Made-up records of an audit are on the line through the mean, within the rows' norm.
func TestTheAttackStandsOnTheLineThroughTheMean(t *testing.T) {
	schema := learntest.Schema(4, 0.5)
	c := learn.PublicCentring(schema)
	reach := within(c.Mean, schema.RowNorm())
	require.Greater(t, reach, 0.1)
	marks := []learn.Mark{{Scale: 1, Label: 1}, {Scale: -1, Label: -1}}
	p := shift{plan: Plan{Centring: c}}.from(
		learn.Marks(schema, learntest.Clinic().Loss, reach, marks),
	)
	require.NoError(t, learn.CheckRows(p.Data, schema.RowNorm()))
	for i, sign := range []float64{1, -1} {
		row := make([]float64, 5)
		c.Apply(p.Data.X.Row(i), row)
		assert.InEpsilon(t, sign*c.Scale[0]*reach, row[0], 1e-12)
		for _, x := range row[1:] {
			assert.InDelta(t, 0, x, 1e-15)
		}
	}
}

// The mechanism on centred rows, at the worst pair, against twins that it must not be: one
// with less noise, one that clips nothing, and one that clips by the length of the row as
// it was, where the centring makes it longer.
func TestAuditOfCentredRows(t *testing.T) {
	runs := audittest.Runs(2_500)
	if runtime.GOARCH == "wasm" && !audittest.Long() {
		runs = 2_000
	}
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		pair := worstCase(adjacency)
		plan := auditPlan(t, adjacency, 2)
		plan.Centring = &learn.Centring{Mean: []float64{-0.4, -0.3}, Scale: []float64{3, 2}}
		row := make([]float64, 3)
		plan.Centring.Apply(data.Row{Index: []int32{0, 1, 2}, Value: pair.direction}, row)
		audit := audittest.Audit{
			Claim: claimOf(t, plan), Epsilons: audittest.Grid(4, 16),
			Thresholds: spread(plan, row), Runs: runs,
		}
		pair.usual(t, audit, plan, 10)
		shorter := plan
		shorter.Clip *= learntest.Length(row) / learntest.Length(pair.direction)
		pair.catches(t, audit, "clipped by the row's length before it is centred", shorter)
	}
}
