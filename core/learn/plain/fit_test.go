package plain

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

func schemaOf(n int, kappa float64) *data.Schema {
	s := &data.Schema{
		Label:     data.Label{Name: "y", Negative: []string{"no"}, Positive: []string{"yes"}, Provenance: data.Public},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: kappa,
	}
	for j := range n {
		s.Features = append(s.Features, data.Feature{Name: string(rune('a' + j)), Type: data.Numeric, Max: 1, Provenance: data.Public})
	}
	return s
}

func problemOf(schema *data.Schema, x [][]float64, y []float64) learn.Problem {
	m := &data.Matrix{RowStart: []int{0}, Columns: schema.Dimension()}
	for _, row := range x {
		for j, v := range row {
			if v != 0 {
				m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, v)
			}
		}
		m.RowStart = append(m.RowStart, len(m.Index))
	}
	return learn.Problem{Data: &data.Dataset{Schema: schema, X: m, Y: y}, Loss: glm.Logistic{}}
}

func five() learn.Problem {
	return problemOf(schemaOf(2, 0.5),
		[][]float64{{0.75, 0.25, 0.5}, {0.125, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0, 0.875, 0.5}, {0.25, 0, 0.5}},
		[]float64{1, -1, 1, -1, -1})
}

func losses(t testing.TB) []glm.Loss {
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	return []glm.Loss{glm.Logistic{}, huber, glm.Squared{}}
}

// The compiler keeps a reference fit out of a release: this is what it returns.
var _ func(context.Context, learn.Problem, float64, func(solve.Progress)) (learn.Unprotected, *learn.Diagnostics, error) = Fit

func TestAReferenceFitIsNoModel(t *testing.T) {
	returns := reflect.TypeOf(Fit).Out(0)
	takes := reflect.TypeOf(learn.NewRelease)
	for i := range takes.NumIn() {
		assert.False(t, returns.AssignableTo(takes.In(i)))
		assert.False(t, returns.ConvertibleTo(takes.In(i)))
	}
}

// At 40 digits with Python's decimal: Newton's method for the logistic and the
// Huber loss, Gaussian elimination for the squared one.
func TestFitAgainstGoldenValues(t *testing.T) {
	problem := five()
	for k, want := range [][]float64{
		{0.5427061442480875594, -0.286726813438547607, -0.267925714179102720},
		{1.1666666666666666666, -0.554572271386430678, -0.507374631268436578},
		{0.8370084811102544333, -0.275219737856592135, -0.443824209714726291},
	} {
		problem.Loss = losses(t)[k]
		model, diagnostics, err := Fit(t.Context(), problem, 0.75, nil)
		require.NoError(t, err)
		for j, c := range model.Coefficients() {
			assert.InEpsilon(t, want[j], c, 1e-8)
		}
		assert.Equal(t, 5, diagnostics.Rows)
		assert.Positive(t, diagnostics.Iterations)
		assert.Equal(t, "no noise was added", model.Reason())
	}
}

func TestFitOnDegenerateData(t *testing.T) {
	two, wide := schemaOf(2, 0.5), schemaOf(12, 0)
	few := [][]float64{make([]float64, 12), make([]float64, 12)}
	few[0][3], few[1][7] = 0.6, -0.7
	for name, problem := range map[string]learn.Problem{
		"no records":         problemOf(two, nil, nil),
		"one record":         problemOf(two, [][]float64{{0.6, 0.7, 0.5}}, []float64{1}),
		"zero rows":          problemOf(two, [][]float64{{0, 0, 0}, {0, 0, 0}}, []float64{1, -1}),
		"one class":          problemOf(two, [][]float64{{0.5, 0.1, 0.5}, {0.1, 0.5, 0.5}}, []float64{1, 1}),
		"constant features":  problemOf(two, [][]float64{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}, []float64{1, -1}),
		"duplicated columns": problemOf(two, [][]float64{{0.3, 0.3, 0.5}, {0.6, 0.6, 0.5}}, []float64{1, -1}),
		"separable":          problemOf(two, [][]float64{{0.9, 0, 0.5}, {0, 0.9, 0.5}}, []float64{1, -1}),
		"n < d":              problemOf(wide, few, []float64{1, -1}),
	} {
		for _, problem.Loss = range losses(t) {
			for _, lambda := range []float64{1e-6, 1, 1e6} {
				model, _, err := Fit(t.Context(), problem, lambda, nil)
				require.NoError(t, err, "%s, λ = %g", name, lambda)
				for _, c := range model.Coefficients() {
					require.False(t, math.IsNaN(c) || math.IsInf(c, 0))
				}
				again, _, err := Stochastic{Rate: 0.1, Batch: 1, Epochs: 3}.Fit(t.Context(), problem, randomtest.New(1))
				require.NoError(t, err)
				require.Len(t, again.Coefficients(), problem.Dimension())
			}
		}
	}
}

// Small steps on batches of one come near the minimiser, and so do steps on the
// whole, the same for any order.
func TestStochasticComesNearTheMinimiser(t *testing.T) {
	problem := five()
	for _, problem.Loss = range losses(t) {
		best, _, err := Fit(t.Context(), problem, 0.75, nil)
		require.NoError(t, err)
		for _, c := range []struct {
			s    Stochastic
			near float64
		}{
			{Stochastic{Rate: 0.002, Lambda: 0.15, Batch: 1, Epochs: 8000}, 0.02},
			{Stochastic{Rate: 0.5, Lambda: 0.15, Batch: 5, Epochs: 2000}, 1e-6},
		} {
			model, diagnostics, err := c.s.Fit(t.Context(), problem, randomtest.New(4))
			require.NoError(t, err)
			assert.Equal(t, c.s.Epochs, diagnostics.Iterations)
			for j, want := range best.Coefficients() {
				assert.InDelta(t, want, model.Coefficients()[j], c.near)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	var parameter *privacy.ParameterError
	field := func(err error) string { require.ErrorAs(t, err, &parameter); return parameter.Field }
	for _, lambda := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, _, err := Fit(t.Context(), five(), lambda, nil)
		assert.Equal(t, "lambda", field(err))
	}
	bare := five()
	bare.Data = &data.Dataset{X: bare.Data.X, Y: bare.Data.Y}
	_, _, err := Fit(t.Context(), bare, 1, nil)
	assert.Equal(t, "schema", field(err))
	bare.Data.Schema = schemaOf(3, 0.5)
	_, _, err = Fit(t.Context(), bare, 1, nil)
	assert.Equal(t, "dimension", field(err))
	_, _, err = Fit(t.Context(), problemOf(schemaOf(MaxDimension+1, 0), nil, nil), 1, nil)
	assert.Equal(t, "dimension", field(err))
	var row *learn.RowError
	_, _, err = Fit(t.Context(), problemOf(schemaOf(2, 0.5), [][]float64{{math.NaN(), 0, 0.5}}, []float64{1}), 1, nil)
	assert.ErrorAs(t, err, &row)

	for want, s := range map[string]Stochastic{
		"rate":   {Batch: 1},
		"batch":  {Rate: 1},
		"epochs": {Rate: 1, Batch: 1, Epochs: -1},
		"lambda": {Rate: 1, Batch: 1, Lambda: -1},
	} {
		_, _, err := s.Fit(t.Context(), five(), randomtest.New(1))
		assert.Equal(t, want, field(err))
	}
	squared := five()
	squared.Loss = glm.Squared{}
	_, _, err = Stochastic{Rate: 1e9, Batch: 1, Epochs: 100}.Fit(t.Context(), squared, randomtest.New(1))
	assert.Equal(t, "rate", field(err))

	why := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, _, err = Fit(ctx, five(), 1, nil)
	assert.ErrorIs(t, err, why)
	_, _, err = Stochastic{Rate: 1, Batch: 1, Epochs: 1}.Fit(ctx, five(), randomtest.New(1))
	assert.ErrorIs(t, err, why)
	_, _, err = Stochastic{Rate: 1, Batch: 1, Epochs: 1}.Fit(t.Context(), five(), &randomtest.Script{Err: why})
	assert.ErrorIs(t, err, why)
}

// What could not be released is not fitted, or it would be no measure of what can.
func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	problem := problemOf(schemaOf(2, 0.5), [][]float64{{0.2, 0.1, 0.5}}, []float64{1})
	numeric := *problem.Data.Schema
	numeric.Label = data.Label{Name: "y", Type: data.NumericLabel, Max: 1, Provenance: data.Public}
	for name, p := range map[string]learn.Problem{
		"logistic of a number": {Data: &data.Dataset{Schema: &numeric, X: problem.Data.X, Y: problem.Data.Y}, Loss: glm.Logistic{}},
		"none":                 {Data: problem.Data},
	} {
		_, _, err := Fit(t.Context(), p, 1, nil)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, "loss", wrong.Field, name)
		_, _, err = Stochastic{Rate: 1, Batch: 1, Epochs: 1}.Fit(t.Context(), p, randomtest.New(1))
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, "loss", wrong.Field, name)
	}
}
