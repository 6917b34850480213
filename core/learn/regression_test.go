package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// records are those of exact: x1, x2, the intercept's ½, and the label.
func records() (rows [][]float64, labels []float64) {
	source := randomtest.New(5)
	for range 400 {
		a, b := 0.7*learntest.Uniform(source), 0.7*learntest.Uniform(source)
		y := 1.1*a - 0.8*b - 0.1 + 0.3*(learntest.Uniform(source)-0.5)
		rows, labels = append(rows, []float64{a, b, 0.5}), append(labels, y)
	}
	return rows, labels
}

// plainly is least squares with a ridge on the records themselves: coefficients, their standard
// errors s²M(XᵀX)M with M = (XᵀX + λI)⁻¹, and the share of the variance explained.
func plainly(
	t *testing.T, x [][]float64, y []float64, ridge float64,
) (theta, errors []float64, share float64) {
	t.Helper()
	d := len(x[0])
	h := solve.NewPacked(d)
	theta = make([]float64, d)
	mean := 0.0
	for i, row := range x {
		for j := range d {
			for k := range j + 1 {
				h.Row(j)[k] += row[j] * row[k]
			}
			theta[j] += y[i] * row[j]
		}
		mean += y[i] / float64(len(y))
	}
	own := solve.NewPacked(d)
	own.Set(h)
	h.AddDiagonal(ridge)
	require.True(t, h.Factorize())
	h.SolveFactorized(theta)
	left, all := 0.0, 0.0
	for i, row := range x {
		off := y[i] - learntest.Dot(row, theta)
		left += off * off
		all += (y[i] - mean) * (y[i] - mean)
	}
	for j := range d {
		m := make([]float64, d)
		m[j] = 1
		h.SolveFactorized(m)
		square := 0.0
		for a := range d {
			for b := range d {
				square += m[a] * own.Row(max(a, b))[min(a, b)] * m[b]
			}
		}
		errors = append(errors, math.Sqrt(left/float64(len(y))*square))
	}
	return theta, errors, 1 - left/all
}

// One release answers many questions, each as the records would: other ridges, columns left
// out, and another column in the label's place.
func TestOneReleaseAnswersManyQuestions(t *testing.T) {
	x, y := records()
	schema := learntest.Schema(2, 0.5)
	m := exact(1e-9)
	m.Ridge = 1
	problem := learn.Problem{
		Data: learntest.Numeric(&data.Dataset{Schema: schema}, -1, 1), Loss: glm.Squared{},
	}
	model := learn.NewModel(problem, math.Inf(1), make([]float64, 3))
	model.Moments = m
	pick := func(columns ...int) (rows [][]float64) {
		for _, row := range x {
			var some []float64
			for _, j := range columns {
				some = append(some, row[j])
			}
			rows = append(rows, some)
		}
		return rows
	}
	column := func(j int) (out []float64) {
		for _, row := range x {
			out = append(out, row[j])
		}
		return out
	}
	for name, c := range map[string]struct {
		question learn.Question
		x        [][]float64
		y        []float64
	}{
		"all":              {learn.Question{Ridge: 1e-6}, x, y},
		"another ridge":    {learn.Question{Ridge: 3}, x, y},
		"a column dropped": {learn.Question{Ridge: 0.5, Columns: []string{data.InterceptName, "x2"}}, pick(1, 2), y},
		"another target":   {learn.Question{Ridge: 0.1, Target: "x1"}, pick(1, 2), column(0)},
		"a target of one": {
			learn.Question{Ridge: 0.1, Target: "x2", Columns: []string{data.InterceptName}},
			pick(2), column(1),
		},
	} {
		got, err := model.Regress(c.question)
		require.NoError(t, err, name)
		theta, errors, share := plainly(t, c.x, c.y, c.question.Ridge)
		assert.Equal(t, c.question.Ridge, got.Ridge)
		assert.InEpsilon(t, 400, got.Records, 1e-9)
		assert.InDelta(t, share, got.RSquared, 1e-6, name)
		require.Len(t, got.Columns, len(theta))
		assert.True(t, got.Columns[len(theta)-1].Intercept, "it stays last")
		for j := range theta {
			assert.InDelta(t, theta[j], got.Coefficients[j], 1e-6, name)
			assert.InDelta(t, errors[j], got.StandardErrors[j], 1e-6, name)
		}
	}

	got, err := model.Regress(learn.Question{Columns: []string{"x1"}})
	require.NoError(t, err)
	assert.Nil(t, got.StandardErrors, "without the intercept nothing says how many records")
	assert.True(t, math.IsNaN(got.RSquared) && math.IsNaN(got.Records))
	assert.Equal(t, m.Keep(0).DefaultRidge(), got.Ridge)
	theta, _, _ := plainly(t, pick(0), y, got.Ridge)
	assert.InEpsilon(t, theta[0], got.Coefficients[0], 1e-6)

	for field, q := range map[string]learn.Question{
		"target":  {Target: "x9"},
		"columns": {Columns: []string{"x9"}},
		"ridge":   {Ridge: -1},
	} {
		_, err := model.Regress(q)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, field)
		assert.Equal(t, field, wrong.Field)
	}
	for _, q := range []learn.Question{
		{Columns: []string{"x1", "x1"}}, {Target: "x1", Columns: []string{"x1", "x2"}},
		{Columns: []string{}}, {Target: data.InterceptName}, {Ridge: math.NaN()},
	} {
		_, err := model.Regress(q)
		assert.Error(t, err, "%+v", q)
	}
	model.Moments = nil
	_, err = model.Regress(learn.Question{})
	assert.ErrorContains(t, err, "moments")
}

// The default question gives the coefficients that the release has.
func TestTheDefaultQuestionIsTheModel(t *testing.T) {
	r := named(t, "moments")
	got, err := r.Model.Regress(learn.Question{})
	require.NoError(t, err)
	assert.InDeltaSlice(t, r.Model.Coefficients, got.Coefficients, 1e-9)
	assert.Equal(t, r.Model.Moments.Ridge, got.Ridge)
}

// The number "a=b" and the category "b" of "a" make two columns of one name, as a number called
// "(intercept)" does beside the intercept. Neither is taken for the other.
func TestANameThatTwoColumnsHaveIsRefused(t *testing.T) {
	r := named(t, "moments")
	name := r.Model.Columns[0].Name
	r.Model.Columns[1].Name = name
	for field, q := range map[string]learn.Question{
		"target": {Target: name}, "columns": {Columns: []string{name}},
	} {
		_, err := r.Model.Regress(q)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, field)
		assert.Equal(t, field, wrong.Field)
	}
	_, err := r.Model.Regress(learn.Question{})
	assert.NoError(t, err, "all of them need no names")
}
