package rdp

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/account/golden"
)

// D₂ of a sampled step is log(1 + q²(e^{1/σ²} − 1)). Where q² is a number without all its
// digits, or none, a curve is above it all the same.
func TestAllowanceOfTinyRates(t *testing.T) {
	for _, sigma := range []float64{0.5, 1, 3} {
		s := golden.Big(sigma)
		excess := golden.Minus(
			golden.Exp(golden.Over(golden.Big(1), golden.Times(s, s))), golden.Big(1),
		)
		for _, q := range []float64{
			1e-150, 3e-158, 1.3e-160, 1.7e-160, 2.1e-160, 7e-161, 1.1e-161, 1e-162, 1e-200, 5e-324,
		} {
			square := golden.Times(golden.Big(q), golden.Big(q))
			exact := golden.Times(square, excess) // and less: log(1 + x) < x
			got := newSubsampledGaussian(q, sigma).at(2)
			above := new(big.Float).Quo(golden.Minus(golden.Big(got), exact), exact)
			assert.Equal(t, 1, above.Cmp(golden.Big(5e-13)), "q = %v, σ = %v: %v", q, sigma, got)
			assert.Less(t, got, 1e-235, "and it is not priced as if all took part")
		}
	}
}
