package lab

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// By hand: the sample standard deviation of 0.81, 0.82, 0.83 is 0.01, so the
// half width is 1.96·0.01/√3 = 0.0113161.
func TestMeanOf(t *testing.T) {
	m := MeanOf([]float64{0.81, 0.83, 0.82})
	assert.Equal(t, 3, m.Trials)
	assert.InDelta(t, 0.82, m.Value, 1e-15)
	assert.InDelta(t, 0.0113161, m.HalfWidth, 1e-7)
	assert.Equal(t, Mean{1, 0.5, math.Inf(1)}, MeanOf([]float64{0.5}))
	assert.Panics(t, func() { MeanOf(nil) })
}

func TestSummariesPickByTheMean(t *testing.T) {
	result := func(method, setting string, epsilon float64, trial int, accuracy float64) Result {
		return Result{
			Cell: Cell{
				Set:     "iris",
				Method:  method,
				Setting: setting,
				Epsilon: epsilon,
				Trial:   trial,
			},
			Accuracy: accuracy,
			Standing: Dishonest,
		}
	}
	out := Summaries([]Result{
		result("amp", "b", 2, 1, 0.9), result("amp", "b", 2, 2, 0.7), // mean 0.8
		// mean 0.79, though best once
		result("amp", "a", 2, 1, 0.95), result("amp", "a", 2, 2, 0.63),
		result("amp", "c", 2, 1, 0.99), // one trial only
		result("amp", "a", 1, 1, 0.6),
	})
	require.Len(t, out, 2)
	assert.Equal(t, 1.0, out[0].Epsilon)
	assert.Equal(t, "a", out[0].Setting)
	assert.Equal(t, "b", out[1].Setting)
	assert.InDelta(t, 0.8, out[1].Accuracy.Value, 1e-15)
	assert.Equal(t, 3, out[1].Settings)
}
