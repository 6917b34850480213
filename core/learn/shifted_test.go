package learn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
)

// The probability is the one at which the clipped loss, on average, has no slope: the definition,
// not the formula. At h = 0 it is the logistic one, to the last bit.
func TestProbabilityBalancesTheShiftedLoss(t *testing.T) {
	for _, h := range []float64{0.5, 2, 6} {
		shifted, err := glm.NewShiftedLogistic(h)
		require.NoError(t, err)
		for _, c := range []float64{0.3, 0.5625, 0.9, 3} {
			clipped, err := glm.Clip(shifted, 2*c)
			require.NoError(t, err)
			loss, last := clipped.Row(2), 0.0
			for m := -12.0; m <= 12; m += 0.25 {
				rest, p := learn.ShiftedProbabilities(m, h, c)
				assert.InDelta(t, 0, p*loss.Slope(m, 1)+rest*loss.Slope(m, -1), 1e-15)
				assert.InDelta(t, 1, p+rest, 1e-15)
				assert.GreaterOrEqual(t, p, last)
				last = p
			}
			assert.Greater(t, last, 0.7)
		}
	}
	negative, positive := learn.Probabilities(0.7, 0.6)
	rest, p := learn.ShiftedProbabilities(0.7, 0, 0.6)
	assert.Equal(t, []float64{negative, positive}, []float64{rest, p})
}

// Which classes of loss a bound is for, and which labels the losses are for.
func TestClassesAndLabelsOfShiftedLosses(t *testing.T) {
	several := learntest.Clinic().Data.Schema
	several.Label.Type = "classes"
	for _, loss := range learntest.Shifted(t) {
		var wrong *privacy.ParameterError
		require.ErrorAs(t, learn.CheckLoss(loss, &several.Label), &wrong)
		assert.Equal(t, "loss", wrong.Field)
	}
	assert.True(t, learn.Includes(privacy.LossSigned, privacy.LossHinge))
	assert.True(t, learn.Includes(privacy.LossHinge, privacy.LossHinge))
	assert.False(t, learn.Includes(privacy.LossHinge, privacy.LossLogistic))
	assert.False(t, learn.Includes(privacy.LossLogistic, privacy.LossHinge))
	assert.False(t, learn.Includes(privacy.LossHinge, privacy.LossSigned))
}
