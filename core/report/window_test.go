package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/random/randomtest"
)

// Every f′ and f″ within the window is between its bounds, and these are attained
// or approached where the loss is known.
func TestWindow(t *testing.T) {
	source := randomtest.New(2)
	uniform := func() float64 {
		word, _ := source.Uint64()
		return float64(word>>11) * 0x1p-53
	}
	for _, c := range lossCases(t) {
		clipped, err := glm.Clip(c.loss, c.clip)
		require.NoError(t, err)
		for range 1000 {
			length, margin, y := uniform(), 6*(uniform()-0.5), math.Copysign(1, uniform()-0.5)
			distance := 2 * uniform() * uniform()
			w := windowOf(clipped, length, margin, distance, y)
			row := clipped.Row(length)
			low, high := math.Inf(1), math.Inf(-1)
			for k := range 101 {
				_, slope, curvature := row.At(margin+distance*(float64(k)/50-1), y)
				if slope < w.slope[0]-1e-15 || slope > w.slope[1]+1e-15 ||
					curvature < w.curvature[0]-1e-15 ||
					curvature > w.curvature[1]+1e-15 {
					t.Fatalf(
						"%s: slope %g, curvature %g at %g around %g, y = %g: outside %v", c.name,
						slope, curvature, distance, margin, y, w,
					)
				}
				low, high = math.Min(low, curvature), math.Max(high, curvature)
			}
			if c.name == "logistic" || c.name == "squared" {
				assert.InDelta(t, low, w.curvature[0], 1e-2)
				assert.InDelta(t, high, w.curvature[1], 1e-2)
			}
			if c.name == "logistic clipped" {
				assert.InDelta(t, high, w.curvature[1], 1e-2)
			}
			none := windowOf(clipped, length, margin, 0, y)
			assert.Equal(t, none.slope[0], none.slope[1])
			assert.Equal(t, none.curvature[0], none.curvature[1])
		}
	}
}
