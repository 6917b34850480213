package selection

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func number(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }

// above is by what share got is above exact.
func above(got float64, exact *big.Float) float64 {
	apart, _ := new(big.Float).Sub(number(got), exact).Float64()
	size, _ := exact.Float64()
	return apart / size
}

// Prices of selections err upwards, by more than their rounding: each allowance is a
// good part of what is asked for here.
func TestAllowanceOfSelections(t *testing.T) {
	// Geometric with γ = ½: E[K] = 2, and nothing else is charged for r = hat = 0.
	log2, _ := new(big.Float).SetPrec(400).SetString(
		"0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863")
	assert.Greater(t, above(overheadNegativeBinomial(1, 0.5, 0)(2, 0), log2), 2e-14)
	// K = 1 nearly for certain: what is left is the sum of the two divergences.
	certain := overheadNegativeBinomial(0, 1-0x1p-40, 0.25)(2, 0.5)
	assert.Greater(t, above(certain, number(0.75)), 1e-14)

	// Poisson with ν = 1 + h, of which nothing is left but μh/(α − 1) = μδ.
	product := new(big.Float).Mul(number(0.3), number(0.7))
	small := math.Log1p(0.7)
	assert.Greater(t, above(poissonAtOrder(2, small, 0.3, 0.7), product), 5e-13)
	// Where ν overflows: (μh + log μ + log ν)/(α − 1), the rest below e^-1000.
	sum := new(big.Float).Add(product, new(big.Float).SetPrec(400).Neg(log2))
	sum.Sub(sum, product)
	sum.Add(sum, number(0.5*0.7))
	sum.Add(sum, number(1000))
	assert.Greater(t, above(poissonAtOrder(2, 1000, 0.5, 0.7), sum), 5e-13)
	// A base that nothing is known of has δ = 1, and more than that.
	assert.Greater(t, converted(func(float64) float64 { return 1e9 })(1), 1.0)

	e := privacy.LiuTalwarSelection{
		Base: privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 0.1, Delta: 1e-9},
		Tau:  0.1, Cutoff: 1e-6,
	}
	promised, err := liuTalwar(e)
	require.NoError(t, err)
	root := new(big.Float).SetPrec(400).Sqrt(new(big.Float).Mul(number(2), number(1e-9)))
	epsilon := new(big.Float).Mul(number(3), new(big.Float).Add(number(0.1), root))
	assert.Greater(t, above(promised.Epsilon, epsilon), 5e-15)
	delta := new(big.Float).Mul(root, number(139)) // ⌈10 log 10⁶⌉ = ⌈138.2⌉
	assert.Greater(t, above(promised.Delta, delta.Add(delta, number(1e-6))), 5e-15)
}
