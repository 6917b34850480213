package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

func TestProblemRows(t *testing.T) {
	p := learn.Problem{
		Data: rows([][]float64{{0.6, 0.8}, {0.3, 0}, {0, 0}}, 1, -1, 1),
		Loss: glm.Logistic{},
	}
	assert.Equal(t, 2, p.Dimension())

	whole, err := p.Rows(math.Inf(1), 1)
	require.NoError(t, err)
	assert.Equal(t, []float64{1}, whole.Norm, "nothing can be clipped: one bound for all")
	assert.Same(t, &p.Data.X.Value[0], &whole.Entry[0], "memory is shared")
	theta := []float64{0.5, -2}
	want := 0.0
	for i, x := range [][]float64{{0.6, 0.8}, {0.3, 0}, {0, 0}} {
		want += glm.Logistic{}.Value(x[0]*theta[0]+x[1]*theta[1], p.Data.Y[i])
	}
	assert.InEpsilon(t, want, whole.Value(theta), 1e-14)

	clipped, err := p.Rows(0.25, 1.5)
	require.NoError(t, err)
	require.Len(t, clipped.Norm, 3)
	for i, norm := range []float64{1, 0.3, 0} {
		assert.GreaterOrEqual(t, clipped.Norm[i], norm)
		assert.InDelta(t, norm, clipped.Norm[i], 1e-14)
	}
	// Each record's gradient stays within the threshold, however wrong θ is.
	for i := range 3 {
		one := learn.Problem{Data: p.Data.Select([]int{i}), Loss: p.Loss}
		alone, err := one.Rows(0.25, 1.5)
		require.NoError(t, err)
		for _, theta := range [][]float64{{0, 0}, {-1e3, -1e3}, {1e3, 1e3}, {40, -70}} {
			gradient := make([]float64, 2)
			alone.Derivatives(theta, gradient, nil)
			assert.LessOrEqual(t, math.Hypot(gradient[0], gradient[1]), 0.25)
		}
	}

	_, err = p.Rows(0, 1)
	var bad *privacy.ParameterError
	assert.ErrorAs(t, err, &bad)

	none, err := learn.Problem{
		Data: &data.Dataset{X: &data.Matrix{Columns: 2}},
		Loss: p.Loss,
	}.Rows(0.25, 1)
	require.NoError(t, err)
	assert.Zero(t, none.Value(theta))
}

func TestEvaluate(t *testing.T) {
	d := rows([][]float64{{1, 0}, {0, 1}, {1, 1}, {0, 0}}, 1, -1, -1, -1)
	m := learn.Model{Coefficients: []float64{2, -1}}
	e := m.Evaluate(d) // margins 2, −1, 1, 0
	assert.Equal(t, learn.Evaluation{Rows: 4, Correct: 2}, e)
	assert.Equal(t, 0.5, e.Accuracy())
	assert.True(t, math.IsNaN(m.Evaluate(&data.Dataset{X: &data.Matrix{Columns: 2}}).Accuracy()))
	assert.Panics(t, func() { learn.Model{Coefficients: []float64{1}}.Evaluate(d) })
}

// together is records elsewhere of which no classes can be told.
type together struct{ learn.Elsewhere }

func TestClassesThatNobodyCanTell(t *testing.T) {
	s := &data.Schema{Label: data.Label{
		Type: data.SeveralClasses, Classes: [][]string{{"a"}, {"b"}, {"c"}},
	}}
	p := learn.Problem{Data: &data.Dataset{Schema: s}, Elsewhere: together{}}
	const text = "learn: several classes are asked of records elsewhere that cannot tell them"
	assert.PanicsWithValue(t, text, func() { p.AgainstRest(0) })
	assert.PanicsWithValue(t, text, func() { p.ScoreParts() })
}
