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
		"by name":          {learn.Question{Ridge: 1e-6, Target: "y"}, x, y},
		"all":              {learn.Question{Ridge: 1e-6}, x, y},
		"another ridge":    {learn.Question{Ridge: 3}, x, y},
		"a column dropped": {learn.Question{Ridge: 0.5, Columns: []string{"x2"}}, pick(1, 2), y},
		"another target":   {learn.Question{Ridge: 0.1, Target: "x1"}, pick(1, 2), column(0)},
		"a target of one": {
			learn.Question{Ridge: 0.1, Target: "x2", Columns: []string{}},
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

	got, err := model.Regress(learn.Question{Columns: []string{"x1"}, NoIntercept: true})
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
		{Columns: []string{}, NoIntercept: true}, {Columns: []string{data.InterceptName}},
		{Target: data.InterceptName}, {Ridge: math.NaN()},
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

// mixed has a number, a logarithmic one and two categories, and predicts a dose.
func mixed() *data.Schema {
	return &data.Schema{
		Features: []data.Feature{
			{Name: "age", Type: data.Numeric, Min: 18, Max: 98, Provenance: data.Public},
			{
				Name:       "income",
				Type:       data.Numeric,
				Min:        100,
				Max:        9000,
				Log:        true,
				Provenance: data.Public,
			},
			{
				Name: "ward", Type: data.Categorical, Categories: []string{"a", "b"},
				Provenance: data.Public,
			},
		},
		Label: data.Label{
			Name: "dose", Type: data.NumericLabel, Min: 5, Max: 45, Provenance: data.Public,
		},
		Rows: data.Rows{Norm: data.Clip}, Intercept: 0.5,
	}
}

// released is a model of the schema with moments of made-up records, as good as without noise.
func released(schema *data.Schema) learn.Model {
	d := schema.Dimension()
	m := &learn.Moments{
		Matrix: solve.NewPacked(d), Vector: make([]float64, d), Intercept: schema.Intercept,
		MatrixSigma: 1e-9, VectorSigma: 1e-9, SquareSigma: 1e-9, Grid: 0x1p-60, Ridge: 1,
	}
	source := randomtest.New(11)
	for range 200 {
		age, income := learntest.Uniform(source), learntest.Uniform(source)
		ward := math.Round(learntest.Uniform(source))
		n := 1 + learntest.Uniform(source)
		x := []float64{age / n, income / n, ward / n, (1 - ward) / n, 0.5}
		y := age - 0.7*income + 0.2*ward - 0.5 + 0.1*learntest.Uniform(source)
		for j := range d {
			for k := range j + 1 {
				m.Matrix.Row(j)[k] += x[j] * x[k]
			}
			m.Vector[j] += y * x[j]
		}
		m.Square += y * y
	}
	problem := learn.Problem{
		Data: &data.Dataset{Schema: schema}, Loss: glm.Squared{},
	}
	model := learn.NewModel(problem, math.Inf(1), make([]float64, d))
	model.Moments = m
	return model
}

// In the units of the file a regression says the same of a record as in those of the matrix.
func TestARegressionInTheUnitsOfTheFile(t *testing.T) {
	schema := mixed()
	model := released(schema)
	const n = 1.7
	age, income := 44.0, 2500.0 // in ward b
	file := map[string]float64{"age": age, "income": math.Log1p(income - 100), "ward=b": 1}
	row := map[string]float64{
		"age": (age - 18) / 80 / n, "income": math.Log1p(income-100) / math.Log1p(8900) / n,
		"ward=b": 1 / n, data.InterceptName: 0.5,
	}
	for target, value := range map[string]func(margin float64) float64{
		"":       func(m float64) float64 { return 5 + 40*(m+1)/2 },
		"age":    func(m float64) float64 { return (18 + m*n*80) / n },
		"income": func(m float64) float64 { return m * math.Log1p(8900) },
		"ward=b": func(m float64) float64 { return m },
	} {
		got, err := model.Regress(learn.Question{Target: target, Ridge: 0.25})
		require.NoError(t, err)
		margin := 0.0
		for j, c := range got.Columns {
			margin += row[c.Name] * got.Coefficients[j]
		}
		units := got.InUnits(&schema.Label)
		sum := units.Constant
		for _, c := range units.Coefficients {
			name := c.Feature
			if c.Category != "" {
				name += "=" + c.Category
			}
			sum += file[name] * c.Coefficient
		}
		assert.InEpsilon(t, value(margin), sum/n+units.Intercept, 1e-9, target)

		// A standard error is in the units of what it is of.
		for j, c := range units.Coefficients {
			assert.InEpsilon(t, math.Abs(c.Coefficient/got.Coefficients[j]),
				units.StandardErrors[j]/got.StandardErrors[j], 1e-9, c.Feature)
		}
		last := len(got.Columns) - 1
		scale := map[string]float64{"": 20, "age": 80, "income": math.Log1p(8900), "ward=b": 1}[target]
		assert.InEpsilon(t, scale*0.5*got.StandardErrors[last], units.InterceptError, 1e-9)
		want := map[string]string{"income": "log1p(x - offset)", "ward=b": "category"}[target]
		if want == "" {
			want = "1"
		}
		assert.Equal(t, want, units.TargetUnit)
	}
	got, err := model.Regress(learn.Question{NoIntercept: true})
	require.NoError(t, err)
	units := got.InUnits(&schema.Label)
	assert.Nil(t, units.StandardErrors)
	assert.True(t, math.IsNaN(units.InterceptError))
	assert.Equal(t, 25.0, units.Intercept, "the middle of the label's bounds is not a coefficient")
}

// A feature's name stands for its categories, and a category is not predicted from the others
// unless that is asked for.
func TestAFeatureStandsForItsCategories(t *testing.T) {
	model := released(mixed())
	names := func(q learn.Question) (out []string) {
		got, err := model.Regress(q)
		require.NoError(t, err)
		for _, c := range got.Columns {
			out = append(out, c.Name)
		}
		return out
	}
	assert.Equal(t, []string{"age", "ward=a", "ward=b", data.InterceptName},
		names(learn.Question{Columns: []string{"ward", "age"}}))
	assert.Equal(t, []string{"age", "income", data.InterceptName},
		names(learn.Question{Target: "ward=a"}))
	assert.Equal(t, []string{"ward=b", data.InterceptName},
		names(learn.Question{Target: "ward=a", Columns: []string{"ward=b"}}))
	for _, columns := range [][]string{{"ward", "ward=a"}, {"ward", "ward"}} {
		_, err := model.Regress(learn.Question{Columns: columns})
		assert.ErrorContains(t, err, "columns")
	}
	_, err := model.Regress(learn.Question{Target: "ward=a", Columns: []string{"ward"}})
	assert.ErrorContains(t, err, "columns", "the target is among them")
}

// Columns that follow from each other need a ridge, and the error says how large.
func TestASingularDesignNeedsARidge(t *testing.T) {
	schema := learntest.Schema(2, 0.5)
	problem := learn.Problem{
		Data: learntest.Numeric(&data.Dataset{Schema: schema}, -1, 1), Loss: glm.Squared{},
	}
	model := learn.NewModel(problem, math.Inf(1), make([]float64, 3))
	m := exact(1e-9)
	for j, x := range []float64{m.Matrix.Row(0)[0], m.Matrix.Row(0)[0]} {
		m.Matrix.Row(1)[j] = x // x2 is x1 again
	}
	m.Matrix.Row(2)[1], m.Vector[1] = m.Matrix.Row(2)[0], m.Vector[0]
	model.Moments = m
	_, err := model.Regress(learn.Question{Ridge: 1e-20})
	var wrong *privacy.ParameterError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "ridge", wrong.Field)
	assert.Contains(t, wrong.Want, "or more")

	got, err := model.Regress(learn.Question{Ridge: 1e-6})
	require.NoError(t, err)
	assert.InEpsilon(t, got.Coefficients[0], got.Coefficients[1], 1e-3, "they share it")
	_, err = model.Regress(learn.Question{Ridge: 1e-20, Columns: []string{"x1"}})
	assert.NoError(t, err, "one of them determines itself")
}

// Nothing is computed from the moments that is not finite.
func TestARegressionIsFinite(t *testing.T) {
	model := released(mixed())
	model.Moments.Vector[0] = 0x1p1000
	model.Moments.Ridge = 1
	_, err := model.Regress(learn.Question{Ridge: 1e-6})
	assert.ErrorContains(t, err, "finite")

	for j := range model.Moments.Columns() { // as if all had been drowned in noise
		model.Moments.Matrix.Row(j)[j] = -1e6
	}
	model.Moments.Vector[0], model.Moments.MatrixSigma = 1, 1e3
	_, err = model.Regress(learn.Question{Ridge: 0x1p-300})
	assert.ErrorContains(t, err, "ridge")
	_, err = model.Regress(learn.Question{})
	assert.NoError(t, err, "the default ridge is above the noise")
}
