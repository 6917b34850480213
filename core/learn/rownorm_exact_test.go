package learn

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// A row is within its norm, and not within the float64 next below it.
func TestNormsAreDecidedExactly(t *testing.T) {
	source := randomtest.New(8)
	for i := range 200 {
		x, total := make([]float64, 1+i%40), new(big.Float).SetPrec(4300)
		for j := range x {
			word, _ := source.Uint64()
			x[j] = float64(word>>11)*0x1p-53 - 0.5
			f := new(big.Float).SetPrec(4300).SetFloat64(x[j])
			total.Add(total, f.Mul(f, f))
		}
		below, accuracy := total.Sqrt(total).Float64()
		if accuracy != big.Below {
			below = math.Nextafter(below, 0)
		}
		require.False(t, withinNorm(x, below))
		require.True(t, withinNorm(x, math.Nextafter(math.Nextafter(below, 9), 9)))
	}
}
