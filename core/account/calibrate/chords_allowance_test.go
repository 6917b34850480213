package calibrate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Chords of (α−1)·D_α are above it: by the rounding that they are allowed where it is a
// line, and nowhere below it where it bends.
func TestAllowanceOfChords(t *testing.T) {
	line := interpolated(func(float64) float64 { return 0.7 })
	curved := func(alpha float64) float64 { return alpha * 0.3 }
	parabola := interpolated(curved)
	for x := -14.4; x < 18.9; x += 0.0137 {
		alpha := 1 + math.Exp(x)
		assert.Greater(t, line(alpha), 0.7*(1+5e-13), "α − 1 = %v", alpha-1)
		assert.Less(t, line(alpha), 0.7*(1+1e-8), "α − 1 = %v", alpha-1)
		assert.Greater(t, parabola(alpha), curved(alpha)*(1+5e-13), "α − 1 = %v", alpha-1)
		assert.Less(t, parabola(alpha), curved(alpha)*(1+3e-4), "α − 1 = %v", alpha-1)
	}
}
