package dpgd

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// What a step is charged is (C + g√d/2)/√(1 − 25(g/σ)²), or twice that, rounded up by more
// than its rounding, where the threshold is most of it and where the lattice is.
func TestAllowanceOfTheSensitivity(t *testing.T) {
	source := randomtest.New(4)
	for range 300 {
		clip := learntest.Uniform(source) + 0.5
		for _, sigma := range []float64{3 * clip, 0x1p60 * clip} {
			d := 1 + int(4000*learntest.Uniform(source))
			grid := gridOf(clip, sigma)
			root := new(big.Float).SetPrec(golden.Bits).Sqrt(golden.Big(float64(d)))
			half := golden.Times(golden.Big(grid/2), root)
			ratio := golden.Over(golden.Big(grid), golden.Big(sigma))
			smoothed := golden.Minus(
				golden.Big(1), golden.Times(golden.Big(25), golden.Times(ratio, ratio)),
			)
			exact := golden.Over(
				golden.Plus(golden.Big(clip), half),
				new(big.Float).SetPrec(golden.Bits).Sqrt(smoothed),
			)
			for adjacency, times := range map[privacy.Adjacency]float64{
				privacy.AddRemove: 1, privacy.ReplaceOne: 2,
			} {
				want := golden.Times(exact, golden.Big(times))
				got := golden.Big(Sensitivity(adjacency, clip, sigma, d))
				above := golden.Float(golden.Over(golden.Minus(got, want), want))
				// 2^-51 and 2^-51 here, 2^-50 in learn.LatticeSensitivity, less what is lost.
				require.Greater(t, above, 1.4*0x1p-50, "C = %v, σ = %v, d = %d", clip, sigma, d)
				require.Less(t, above, 0x1p-48)
			}
		}
	}
}
