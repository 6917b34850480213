package curve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Chords of a line are the line: what rounding takes off is added again, everywhere.
func TestAllowanceOfChords(t *testing.T) {
	for _, slope := range []float64{1, 1.0 / 3, 0.7} {
		chords := NewChords(0.02, func(s float64) float64 { return slope * s })
		for i := range 20000 {
			s := math.Exp(-5 + float64(i)/1999.7)
			require.GreaterOrEqual(t, chords.At(s), slope*s, "s = %v", s)
			require.Less(t, chords.At(s), slope*s*(1+0x1p-46))
		}
	}
}

// Chords are above a convex function, as near to it as they promise, and ask for a value once.
func TestChordsAreAboveAConvexFunction(t *testing.T) {
	asked := map[float64]int{}
	square := func(s float64) float64 { asked[s]++; return s * s }
	falling := func(s float64) float64 { return 1 / (1 + s) }
	a, b := NewChords(0.1, square), NewChords(0.1, falling)
	for i := range 5000 {
		s := math.Exp(-3 + float64(i)/777.7)
		assert.GreaterOrEqual(t, a.At(s), s*s)
		assert.LessOrEqual(t, a.At(s), s*s*(1+0.01/4+1e-4))
		assert.GreaterOrEqual(t, b.At(s), falling(s))
		assert.LessOrEqual(t, b.At(s), falling(s)*(1+0.01/4))
	}
	assert.Less(t, len(asked), 100)
	for s, times := range asked {
		assert.Equal(t, 1, times, "s = %v", s)
	}
}

// Next to a value that is not finite, and where there is no place to look, Chords ask for the
// value itself.
func TestChordsBesideInfinity(t *testing.T) {
	chords := NewChords(0.5, func(s float64) float64 {
		if s > 2 {
			return math.Inf(1)
		}
		return s
	})
	assert.Equal(t, 1.99, chords.At(1.99))
	assert.True(t, math.IsInf(chords.At(2.01), 1))
	assert.True(t, math.IsInf(chords.At(math.Inf(1)), 1))
	assert.Equal(t, 5e-324, NewChords(0.5, func(s float64) float64 { return s }).At(5e-324))
	assert.Zero(t, chords.At(0))
}
