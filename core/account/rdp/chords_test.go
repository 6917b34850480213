package rdp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Chords of (α−1)·D_α are not below it where it is a line, whatever α − 1 rounds to, and little
// above it where it bends.
func TestAllowanceOfChords(t *testing.T) {
	line := func(float64) float64 { return 0.7 }
	curved := func(alpha float64) float64 { return alpha * 0.3 }
	chords := FromBounds(privacy.AddRemove, line, curved).Chords(0.03)
	for x := -14.4; x < 18.9; x += 0.0137 {
		alpha := 1 + math.Exp(x)
		assert.GreaterOrEqual(t, chords.Added(alpha), 0.7, "α − 1 = %v", alpha-1)
		assert.Less(t, chords.Added(alpha), 0.7*(1+1e-8), "α − 1 = %v", alpha-1)
		assert.GreaterOrEqual(t, chords.Removed(alpha), curved(alpha), "α − 1 = %v", alpha-1)
		assert.Less(t, chords.Removed(alpha), curved(alpha)*(1+3e-4), "α − 1 = %v", alpha-1)
	}
	// Next to a place of theirs, where 1 + s is a rounding below it.
	steep := func(alpha float64) float64 { return alpha - 1 }
	chords = FromBounds(privacy.AddRemove, steep, nil).Chords(0.03)
	for k := -450; k < 0; k++ {
		alpha := math.Nextafter(1+math.Exp(0.03*float64(k)), 2)
		assert.GreaterOrEqual(t, chords.Added(alpha), steep(alpha), "α − 1 = %v", alpha-1)
	}
}

// Chords never say less than the curve, and hardly more but where the curve
// turns from that of a sampled to that of an unsampled mechanism.
func TestChordsOfACurveAreUpperBounds(t *testing.T) {
	base, err := Of(
		privacy.SubsampledGaussian{
			Adjacency:       privacy.AddRemove,
			Rate:            0.01,
			NoiseMultiplier: 1,
			Steps:           1000,
		},
	)
	require.NoError(t, err)
	table := base.Chords(0.03).At
	for x := -15.0; x < 20; x += 0.0371 {
		alpha := 1 + math.Exp(x)
		exact, upper := base.At(alpha), table(alpha)
		assert.GreaterOrEqual(t, upper, exact, "α − 1 = e^%g", x)
		allowed := 1.001
		if exact > 0.2 && exact < 1e5 {
			allowed = 1.3
		}
		assert.LessOrEqual(t, upper, exact*allowed+1e-9, "α − 1 = e^%g", x)
	}
}
