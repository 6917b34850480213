package rdp

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/privacy"
)

// Sums and products are no smaller than the exact ones, and above them where these
// are no float64.
func TestAllowanceOfSums(t *testing.T) {
	exactly := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	above := 0
	for i := range 500 {
		a, b := math.Pow(1.37, float64(i%40)), math.Pow(0.73, float64(i%61))
		sum := new(big.Float).SetPrec(400).Add(exactly(a), exactly(b))
		product := new(big.Float).SetPrec(400).Mul(exactly(a), exactly(b))
		assert.GreaterOrEqual(t, exactly(SumUp(a, b)).Cmp(sum), 0)
		assert.GreaterOrEqual(t, exactly(productUp(a, b)).Cmp(product), 0)
		above += exactly(SumUp(a, b)).Cmp(sum) + exactly(productUp(a, b)).Cmp(product)
		half := new(big.Float).SetPrec(400).Mul(exactly(a/2), exactly(a))
		assert.Positive(t, exactly(halfSquare(a)).Cmp(half))
	}
	assert.Greater(t, above, 800)
	assert.Positive(t, productUp(1e-200, 1e-200), "underflow is not nothing")
	assert.GreaterOrEqual(t, halfSquare(1e-170), 0x1p-1022)
	assert.Zero(t, halfSquare(0))
}

// Curves lie above the divergences: D₂ of the Laplace mechanism is
// log(⅔e^ε + ⅓e^{−2ε}), and next to α = 1 and at large ε, where terms of size αε
// cancel, D_α is within ε·e^{−ε} of the largest loss, ε itself.
func TestAllowanceOfCurves(t *testing.T) {
	for _, epsilon := range []float64{0.5, 1, 3, 10} {
		exact := math.Log(2.0/3*math.Exp(epsilon) + math.Exp(-2*epsilon)/3)
		assert.Greater(t, laplace(epsilon)(2), exact*(1+5e-13), epsilon)
	}
	for _, limit := range []float64{1e3, 9.687084590276682e+33, 1e50} {
		for name, curve := range map[string]func(float64) float64{
			"pure": pure(limit), "discrete": discreteLaplace(limit, 1),
		} {
			for _, s := range []float64{1e-6, 8e-7, 3.3e-5, 1e-2, 1} {
				assert.GreaterOrEqual(
					t, curve(1+s), limit*(1+5e-13), "%s %v at α − 1 = %v", name, limit, s,
				)
			}
		}
	}
	const q, sigma = 0.01, 1.0 // E[g²] − 1 = q²(e^{1/σ²} − 1)
	exact := math.Log1p(q * q * math.Expm1(1/(sigma*sigma)))
	assert.Greater(t, SubsampledGaussian(q, sigma, 1).At(2), exact*(1+5e-13))
}

// No noise, noise without end, and rates next to 0 end in time; a step never costs
// nothing, nor more than one without sampling.
func TestSampledStepsAtAllScales(t *testing.T) {
	for _, q := range []float64{5e-324, 1e-300, 1e-50, 1e-10, 0.5, 1} {
		for _, sigma := range []float64{
			5e-324, 1e-160, 1e-50, 0.02, 1, 1e50, 1e150, math.MaxFloat64,
		} {
			curve := SubsampledGaussian(q, sigma, 1)
			for _, alpha := range []float64{1 + 1e-6, 1.5, 32, 1e8} {
				value := curve.At(alpha)
				assert.Greater(t, value, 0.0, "q %v, σ %v, α %v", q, sigma, alpha)
				limit := alpha / 2 / sigma / sigma
				assert.LessOrEqual(
					t, value, math.Max(alpha*0x1p-1021, limit*(1+1e-9)), "q %v, σ %v, α %v", q,
					sigma, alpha,
				)
			}
		}
	}
	gaussian, _ := Of(
		privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1e-50, Sigma: 1e50},
	)
	assert.Greater(t, gaussian.At(1.5), 7e-201)
}
