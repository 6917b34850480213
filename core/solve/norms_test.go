package solve

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// The bound on a norm is above the exact one, by a good part of what it is rounded up by,
// also where squares underflow; and no row is said to be within a bound that it is above
// by next to nothing, though nearly all are that are within one.
func TestAllowanceOfNorms(t *testing.T) {
	source, above := randomtest.New(8), 0
	for i := range 600 {
		x := make([]float64, 1+i%40)
		scale := []float64{1, 0x1p-600, 0x1p300}[i%3]
		total, sum := new(big.Float).SetPrec(4300), new(big.Float).SetPrec(4300)
		squares := 0.0
		for j := range x {
			word, _ := source.Uint64()
			x[j] = (float64(word>>11)*0x1p-53 - 0.5) * scale
			f := new(big.Float).SetPrec(4300).SetFloat64(x[j])
			sum.Add(sum, new(big.Float).Abs(f))
			total.Add(total, f.Mul(f, f))
			squares += x[j] * x[j]
		}
		exact := total.Sqrt(total)
		if scale < 1 {
			exact = sum // what the norm is bounded by there
		}
		bound := NormUpper(x)
		apart, _ := new(big.Float).SetPrec(200).Sub(
			new(big.Float).SetPrec(4300).Quo(new(big.Float).SetPrec(4300).SetFloat64(bound), exact),
			big.NewFloat(1),
		).Float64()
		require.Greater(t, apart, 0x1p-53*float64(len(x)+1)/2, "%d entries of %v", len(x), scale)
		if scale != 1 {
			continue
		}
		// The float64 next below the exact norm.
		exactly, accuracy := exact.Float64()
		below := exactly
		if accuracy != big.Below {
			below = math.Nextafter(below, 0)
		}
		row := &Rows{
			Start: []int{0, len(x)}, Entry: x, Index: make([]int32, len(x)), Label: []float64{1},
		}
		require.Zero(t, row.Within(below, 0))
		require.Equal(t, 1, row.Within(exactly*(1+0x1p-40), 0))
		if squares <= below*below {
			above++
		}
	}
	assert.Greater(t, above, 10, "as many are within it by plain floats")
}
