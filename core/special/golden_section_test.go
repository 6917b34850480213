package special

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The minimum is within the interval that is left after so many rounds, wherever it is, and the
// value is that of the point returned.
func TestGoldenSectionFindsTheMinimum(t *testing.T) {
	for _, lowest := range []float64{-1, -0.9, 0, 0.3, 1.99, 2} {
		for _, rounds := range []int{0, 1, 6, 39} {
			f := func(x float64) float64 { return math.Abs(x - lowest) }
			at, value := GoldenSection(f, -1, 2, rounds)
			assert.Equal(t, f(at), value)
			assert.LessOrEqual(t, value, 3*math.Pow(0.618034, float64(rounds+1))+1e-15)
		}
	}
	// Where f is +Inf beyond a point, the point is on the side that has values.
	half := func(x float64) float64 {
		if x > 0.5 {
			return math.Inf(1)
		}
		return -x
	}
	at, _ := GoldenSection(half, 0, 1, 30)
	assert.InDelta(t, 0.5, at, 1e-6)
}
