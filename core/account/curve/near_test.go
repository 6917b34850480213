package curve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/special"
)

// guessing is the profile log δ = log Φ(−scale·ε), its guess off by a factor.
type guessing struct {
	scale, off float64
	asked      *int
}

func (g guessing) LogDeltaUpper(epsilon float64) float64 {
	*g.asked++
	return special.LogNormalCDF(-g.scale * epsilon)
}

func (g guessing) Guess(logDelta float64) float64 {
	root, _ := special.SmallestTrue(func(x float64) bool {
		return special.LogNormalCDF(-x) <= logDelta
	}, 0, 1e3, 1e-9)
	return g.off * root / g.scale
}

// silent is the same without a guess.
type silent struct{ p guessing }

func (s silent) LogDeltaUpper(epsilon float64) float64 { return s.p.LogDeltaUpper(epsilon) }

// An ε by a guess is the ε without one, whatever the guess, and its δ is what was asked for. A
// good guess takes half the questions.
func TestEpsilonByAGuess(t *testing.T) {
	for _, scale := range []float64{1e-3, 0.3, 4, 1e4} {
		for _, delta := range []float64{0.4, 1e-5, 1e-200} {
			asked := 0
			want, err := EpsilonUpper(silent{guessing{scale, 1, &asked}}, delta)
			require.NoError(t, err)
			blind := asked
			for _, off := range []float64{
				1, 1 + 1e-5, 0.9, 1.1, 0.3, 3, 1e-6, 1e6, 0, -1, math.NaN(), math.Inf(1),
			} {
				asked = 0
				p := guessing{scale, off, &asked}
				got, err := EpsilonUpper(p, delta)
				require.NoError(t, err)
				if math.Abs(off-1) < 0.2 {
					assert.LessOrEqual(t, asked, 9, "off by %v", off)
					assert.Less(t, asked, blind, "off by %v", off)
				}
				assert.InEpsilon(t, want, got, 3e-12, "off by %v", off)
				assert.LessOrEqual(t, p.LogDeltaUpper(got), LogDown(delta))
			}
		}
	}
	// Where every ε will do, the least of them is found whatever is guessed.
	asked := 0
	for _, off := range []float64{1, 1e3, 1e-3} {
		got, err := EpsilonUpper(flat{guessing{1, off, &asked}}, 1e-5)
		require.NoError(t, err)
		assert.Zero(t, got)
	}
}

// flat has no δ to speak of, and guesses that it has.
type flat struct{ guessing }

func (flat) LogDeltaUpper(float64) float64 { return -20 }
