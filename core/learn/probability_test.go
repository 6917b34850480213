package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
)

func TestProbabilityOfTheLogisticLoss(t *testing.T) {
	for _, m := range []float64{0, 0.3, -2, 30, -700, 1e6, math.Inf(-1)} {
		assert.InEpsilon(t, 1+1/(1+math.Exp(-m)), 1+learn.Probability(m, 1), 1e-15)
	}
	assert.InEpsilon(t, math.Exp(-700), learn.Probability(-700, 1), 1e-14, "no cancellation")
	assert.True(t, math.IsNaN(learn.Probability(math.NaN(), 1)))
}

func TestBothProbabilitiesAreThatOfEachToTheLastBit(t *testing.T) {
	for _, c := range []float64{1e-9, 0.3, 0.5625, 1, math.Inf(1)} {
		for _, m := range []float64{0, 1e-300, 0.1, -0.7, 2.3, -37, 700, -1e6, math.Inf(1)} {
			negative, positive := learn.Probabilities(m, c)
			assert.Equal(t, learn.Probability(m, c), positive, "c = %g, m = %g", c, m)
			assert.Equal(t, learn.Probability(-m, c), negative, "c = %g, m = %g", c, m)
		}
	}
}

// The probability is the one at which the clipped loss, on average, has no
// slope: the definition, not the formula.
func TestProbabilityBalancesTheClippedLoss(t *testing.T) {
	for _, c := range []float64{0.3, 0.5, 0.5625, 0.8, 1, 3} {
		clipped, err := glm.Clip(glm.Logistic{}, 2*c)
		require.NoError(t, err)
		loss := clipped.Row(2)
		last := 0.0
		for m := -12.0; m <= 12; m += 0.25 {
			p := learn.Probability(m, c)
			assert.InDelta(
				t, 0, p*loss.Slope(m, 1)+(1-p)*loss.Slope(m, -1), 1e-15, "c = %g, m = %g", c, m,
			)
			assert.InDelta(t, 1, p+learn.Probability(-m, c), 1e-15)
			assert.GreaterOrEqual(t, p, last)
			last = p
		}
	}
}

func TestCutFollowsTheRow(t *testing.T) {
	r := release(t, "public") // L = R = √2
	p := r.Model.PredictRow(data.Row{Index: []int32{0, 1}, Value: []float64{3, 4}})
	assert.InEpsilon(t, learn.Probability(p.Margins[0], math.Sqrt2/5), p.Probability(), 1e-15)
	assert.Equal(t, 0.5, r.Model.PredictRow(data.Row{}).Probability())
}
