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

func model(s *data.Schema, loss glm.Loss, clip float64, vectors ...float64) learn.Model {
	return learn.Model{
		Schema:       s,
		Loss:         loss,
		Clip:         clip,
		Columns:      s.Columns(),
		Coefficients: vectors,
	}
}

// By the definition: the probability at which the clipped squared loss of
// labels ±1 has no slope on average, where there is one.
func TestProbabilityOfTheSquaredLoss(t *testing.T) {
	s := schema(t, "public")
	row := data.Row{Index: []int32{4}, Value: []float64{1}}
	for _, c := range []float64{0.5, 1.5, math.Inf(1)} {
		for m := -2.0; m <= 2; m += 0.125 {
			p := model(s, glm.Squared{}, c, 0, 0, 0, 0, m).PredictRow(row).Probability()
			up, down := math.Min(1-m, c), math.Min(1+m, c)
			if math.Abs(m) < 1 {
				assert.InDelta(t, 0, p*up-(1-p)*down, 1e-15)
			} else {
				assert.Equal(t, m > 0, p == 1)
				assert.Equal(t, m < 0, p == 0)
			}
		}
	}
}

func TestPredictionsOfEveryKind(t *testing.T) {
	row := data.Row{Index: []int32{0, 4}, Value: []float64{0.5, 1}}
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)

	three := labelled(t, threeClasses)
	vectors := []float64{2, 0, 0, 0, -1, 0, 0, 0, 0, 0.25, -4, 0, 0, 0, 1}
	p := model(three, glm.Logistic{}, math.Inf(1), vectors...).PredictRow(row)
	assert.Equal(t, []float64{0, 0.25, -1}, p.Margins)
	assert.Equal(t, 1, p.Class)
	sum := 0.0
	for k, m := range p.Margins {
		sum += p.Probabilities[k]
		assert.InDelta(
			t, (1/(1+math.Exp(-m)))/(1/(1+math.Exp(-p.Margins[0]))),
			p.Probabilities[k]/p.Probabilities[0], 1e-12,
		)
	}
	assert.InDelta(t, 1, sum, 1e-15)
	assert.False(t, p.Positive())
	assert.True(t, math.IsNaN(p.Probability()), "there is no positive class")
	assert.Nil(t, model(three, huber, 1, vectors...).PredictRow(row).Probabilities)
	tie := model(three, glm.Logistic{}, 1, make([]float64, 15)...).PredictRow(row)
	assert.Equal(t, 0, tie.Class, "the first of equals")
	hopeless := model(
		three, glm.Squared{}, math.Inf(1), 0, 0, 0, 0, -3, 0, 0, 0, 0, -2, 0, 0, 0, 0, -4,
	).PredictRow(row)
	assert.Equal(t, 1, hopeless.Class)
	for _, q := range hopeless.Probabilities {
		assert.Equal(t, 1.0/3, q, "all are as good as impossible")
	}

	number := labelled(t, aNumber)
	for margin, value := range map[float64]float64{-1: -10, 0: 10, 0.5: 20, 1: 30, 9: 30, -9: -10} {
		p := model(number, glm.Squared{}, 1, 0, 0, 0, 0, margin).PredictRow(row)
		assert.Equal(t, value, p.Value)
		assert.Nil(t, p.Probabilities)
	}
}

// A prediction that was used for one model says nothing of it about the next.
func TestPredictIntoLeavesNothingOfTheLast(t *testing.T) {
	row := data.Row{Index: []int32{0, 4}, Value: []float64{0.5, 1}}
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	three := labelled(t, threeClasses)
	vectors := []float64{2, 0, 0, 0, -1, 0, 0, 0, 0, 0.25, -4, 0, 0, 0, 1}
	models := []learn.Model{
		model(three, glm.Logistic{}, math.Inf(1), vectors...),
		model(labelled(t, aNumber), glm.Squared{}, 1, 0, 0, 0, 0, 0.5),
		release(t, "public").Model,
		model(three, huber, 1, vectors...),
	}
	var p learn.Prediction
	for i := range models {
		for j := range models {
			models[i].PredictInto(&p, row)
			models[j].PredictInto(&p, row)
			assert.Equal(t, models[j].PredictRow(row), p, "model %d after model %d", j, i)
		}
	}
}

// A label that the loss or the learner cannot take is refused before anything
// is drawn.
func TestProblemsOfTheWrongKind(t *testing.T) {
	d := rows([][]float64{{0.5, 0, 0, 0, 1}}, 1)
	var wrong *privacy.ParameterError
	d.Schema = labelled(t, threeClasses)
	require.ErrorAs(t, learn.Problem{Data: d, Loss: glm.Logistic{}}.Check(2), &wrong)
	assert.Equal(t, "label", wrong.Field)
	d.Schema = labelled(t, aNumber)
	require.ErrorAs(t, learn.Problem{Data: d, Loss: glm.Logistic{}}.Check(2), &wrong)
	assert.Equal(t, "loss", wrong.Field)
	require.NoError(t, learn.Problem{Data: d, Loss: glm.Squared{}}.Check(2))
	d.Y[0] = 0.3
	require.NoError(t, learn.Problem{Data: d, Loss: glm.Squared{}}.Check(2))
	d.Y[0] = 1.5
	var bad *learn.RowError
	require.ErrorAs(t, learn.Problem{Data: d, Loss: glm.Squared{}}.Check(2), &bad)
	assert.Contains(t, bad.Error(), "not from -1 to 1")
	d.Schema = nil
	require.ErrorAs(t, learn.Problem{Data: d, Loss: glm.Squared{}}.Check(2), &wrong)
	assert.Equal(t, "schema", wrong.Field)

	_, err := learn.ParseLoss("hinge", 0)
	require.ErrorAs(t, err, &wrong)
	_, err = learn.ParseLoss("huber", -1)
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "huber_width", wrong.Field)
}

func TestJoinedModelsMustBeAlike(t *testing.T) {
	s := labelled(t, threeClasses)
	one := model(s, glm.Logistic{}, 1, 1, 2, 3, 4, 5)
	m := learn.Join(s, []learn.Model{one, one, one})
	assert.Equal(t, 3, m.Vectors())
	assert.Equal(t, []float64{1, 2, 3, 4, 5}, m.Vector(2))
	assert.Equal(t, 5.0, m.Intercept(1))
	other := one
	other.Clip = 2
	assert.Panics(t, func() { learn.Join(s, []learn.Model{one, one, other}) })
	assert.Panics(t, func() { learn.Join(s, []learn.Model{one, one}) })
	assert.Panics(t, func() { learn.Join(schema(t, "public"), []learn.Model{one}) })
}
