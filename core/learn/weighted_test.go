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
)

// weightedModel is of one column, so that rows have the norm and the margin of their entry.
func weightedModel(
	t *testing.T, ratio, clip float64,
) (learn.Model, func(x float64) learn.Prediction) {
	schema := learntest.Schema(1, 0)
	m := learn.NewModel(learn.Problem{
		Data: &data.Dataset{Schema: schema}, Loss: learntest.Weighted(t, ratio),
	}, clip, []float64{3})
	return m, func(x float64) learn.Prediction {
		return m.PredictRow(data.Row{Index: []int32{0}, Value: []float64{x}})
	}
}

// The probability is the one at which the clipped loss, on average, has no slope: the definition,
// not the formula. Without clipping its log-odds are the margin less the logarithm of the weight.
// The class follows from the margin.
func TestProbabilitiesOfWeightsAreOfRecordsAsTheyCome(t *testing.T) {
	for _, ratio := range []float64{0.1, 1, 4, 30} {
		for _, clip := range []float64{0.3, 0.5625, 3} {
			_, predict := weightedModel(t, ratio, clip)
			clipped, err := glm.Clip(learntest.Weighted(t, ratio), clip)
			require.NoError(t, err)
			last := 0.0
			for x := -1.0; x <= 1; x += 1.0 / 64 {
				if x == 0 {
					continue
				}
				p, loss := predict(x), clipped.Row(math.Abs(x))
				up, down := loss.Slope(3*x, -1), loss.Slope(3*x, 1)
				assert.InDelta(t, 0, p.Probability()*down+p.Probabilities[0]*up, 1e-15)
				assert.InDelta(t, 1, p.Probability()+p.Probabilities[0], 1e-15)
				assert.Equal(t, x > 0, p.Positive())
				if clip == 3 {
					odds := math.Log(p.Probability() / p.Probabilities[0])
					assert.InDelta(t, 3*x-math.Log(ratio), odds, 1e-12)
				}
				assert.True(t, clip < 1 || p.Probability() >= last)
				last = p.Probability()
			}
		}
	}
}

// Two classes take weights, and nothing else does; what is bought of such a model counts by class.
func TestLabelsAndAssessmentsOfWeights(t *testing.T) {
	loss := learntest.Weighted(t, 9)
	for _, kind := range []data.LabelType{data.SeveralClasses, data.NumericLabel} {
		label := learntest.Clinic().Data.Schema.Label
		label.Type = kind
		var wrong *privacy.ParameterError
		require.ErrorAs(t, learn.CheckLoss(loss, &label), &wrong)
		assert.Equal(t, "loss", wrong.Field)
	}
	m, _ := weightedModel(t, 9, 1)
	assert.Equal(t, 2, m.DefaultBins())
	assert.Equal(t, 0, m.AssessmentLayout().Sums)
	assert.False(t, m.AssessmentLayout().HasLoss())
	require.Error(t, m.CheckBins(10))
	assert.NoError(t, m.CheckBins(2))
	_, err := learn.ParseLoss(learn.WeightedLoss, 0)
	var wrong *privacy.ParameterError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "positive_weight", wrong.Field)
}
