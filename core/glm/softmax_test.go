package glm_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/privacy"
)

// Values and slopes at scores whose softmax is a fraction that can be written down.
func TestSoftmaxGolden(t *testing.T) {
	// e^z = 1, 2, 5 of 8
	z := []float64{0, math.Log(2), math.Log(5)}
	value := glm.Softmax{}.Scores(z, 1)
	assert.InDelta(t, math.Log(4), value, 1e-15)
	assert.InDeltaSlice(t, []float64{0.125, -0.75, 0.625}, z, 1e-15)
	z = []float64{0, math.Log(2), math.Log(5)}
	glm.Softmax{}.Probabilities(z)
	assert.InDeltaSlice(t, []float64{0.125, 0.25, 0.625}, z, 1e-15)
}

// Where the record's class is all but certain, its slope keeps its digits; scores of any size
// and their common shift do no harm.
func TestSoftmaxInTheTails(t *testing.T) {
	z := []float64{740, 700, 0}
	value := glm.Softmax{}.Scores(z, 0)
	want := math.Exp(-40)
	assert.InEpsilon(t, want, value+math.SmallestNonzeroFloat64, 1e-0)
	assert.InEpsilon(t, -want, z[0], 1e-13)
	assert.InEpsilon(t, want, z[1], 1e-13)
	z = []float64{-1e8, -1e8, -1e8 - 4}
	assert.InDelta(t, math.Log(2+math.Exp(-4)), glm.Softmax{}.Scores(z, 0), 1e-14)
	z = []float64{math.NaN(), 0}
	assert.True(t, math.IsNaN(glm.Softmax{}.Scores(z, 1)))
}

// No gradient is longer than √2, which is approached, and no curvature exceeds 1/2, which is
// met where two classes share p.
func TestSoftmaxConstants(t *testing.T) {
	loss := glm.Softmax{}
	assert.Equal(t, privacy.LossSoftmax, loss.Class())
	z := []float64{0, 60, 0}
	loss.Scores(z, 0)
	length := math.Sqrt(z[0]*z[0] + z[1]*z[1] + z[2]*z[2])
	assert.LessOrEqual(t, length, loss.MaxSlope())
	assert.InDelta(t, loss.MaxSlope(), length, 1e-15)
	// along (1, −1)/√2 at p = (1/2, 1/2)
	const h = 1e-4
	value := func(at float64) float64 {
		return loss.Scores([]float64{at / math.Sqrt2, -at / math.Sqrt2, -60}, 0)
	}
	require.InDelta(t, loss.MaxCurvature(), (value(h)-2*value(0)+value(-h))/(h*h), 1e-6)
}

// The slopes are the finite differences of the value.
func TestSoftmaxSlopes(t *testing.T) {
	scores := []float64{0.3, -1.2, 2, 0.9}
	for y := range scores {
		slopes := append([]float64(nil), scores...)
		glm.Softmax{}.Scores(slopes, y)
		for k := range scores {
			at := func(h float64) float64 {
				z := append([]float64(nil), scores...)
				z[k] += h
				return glm.Softmax{}.Scores(z, y)
			}
			assert.InDelta(t, (at(1e-6)-at(-1e-6))/2e-6, slopes[k], 1e-9)
		}
	}
}
