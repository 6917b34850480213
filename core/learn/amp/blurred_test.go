package amp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/audit"
)

// Noise over many cells moves masses as far as it says, though it is laid on wider ones, and looks
// at no more of them; no mass is lost.
func TestNoiseOverManyCellsIsThatOverWiderOnes(t *testing.T) {
	for _, cells := range []int{1 << 12, 1<<12 - 1} {
		noiseOverManyCells(t, cells)
	}
}

func noiseOverManyCells(t *testing.T, cells int) {
	// deviation of what is left of a mass in the middle.
	deviation := func(sigma float64) (spread float64, left int) {
		masses := make([]audit.Mass, cells)
		for i := range masses {
			masses[i].Statistic = float64(i)
		}
		masses[cells/2] = audit.Mass{Statistic: float64(cells / 2), Without: 0.25, With: 0.75}
		sum, mean, square := 0.0, 0.0, 0.0
		out := blurred(masses, sigma)
		for _, m := range out {
			assert.InDelta(t, m.With, 3*m.Without, 1e-15)
			sum += m.With + m.Without
			mean += (m.With + m.Without) * m.Statistic
			square += (m.With + m.Without) * m.Statistic * m.Statistic
		}
		assert.InDelta(t, 1, sum, 1e-9, "σ = %g", sigma)
		return math.Sqrt(square - mean*mean), len(out)
	}
	for _, sigma := range []float64{1, 20, mostBlur, 65, 130, 300, 450} {
		spread, _ := deviation(sigma)
		assert.InEpsilon(t, sigma, spread, 0.01)
	}
	for _, sigma := range []float64{1e4, 1e9, 1e300} {
		spread, left := deviation(sigma)
		assert.Greater(t, spread, float64(cells)/4, "all of it is gone from where it was")
		assert.LessOrEqual(t, left, 2*mostBlur)
	}
}

// The last of an odd number of cells is not lost.
func TestAnOddLastCellIsKept(t *testing.T) {
	masses := make([]audit.Mass, 1<<10+1)
	for i := range masses {
		masses[i].Statistic = float64(i)
	}
	masses[1<<10].With = 1
	sum := 0.0
	for _, m := range blurred(masses, 2*mostBlur) {
		sum += m.With
	}
	assert.InDelta(t, 1, sum, 1e-12)
}
