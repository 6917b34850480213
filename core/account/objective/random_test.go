package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/random/randomtest"
	"cloister/core/special"
)

// logMidpoint is log ∫_a^b φ(v) e^{logPsi(ω(v))} dv by the midpoint rule.
func logMidpoint(loss LossFunction, logPsi func(float64) float64, a, b float64, n int) float64 {
	terms := make([]float64, n)
	h := (b - a) / float64(n)
	for i := range terms {
		v := a + (float64(i)+0.5)*h
		terms[i] = special.LogNormalDensity(v) + logPsi(loss.Loss(v)) + math.Log(h)
	}
	return special.LogSumExp(terms...)
}

// The logistic profile, alone and composed with a Gaussian, against a crude sum
// over v at parameters spread over many decades: no peak is missed.
func TestRandomParametersAgainstCrudeSums(t *testing.T) {
	nativetest.Only(t)
	source := randomtest.New(7)
	uniform := func() float64 {
		bits, err := source.Uint64()
		require.NoError(t, err)
		return float64(bits>>11) / (1 << 53)
	}
	decades := func(low, high float64) float64 { return math.Pow(10, low+(high-low)*uniform()) }
	compared := 0
	for range 300 {
		rowNorm := decades(-2, 2)
		lipschitz := rowNorm * math.Min(1, decades(-2, 2))
		lambda, sigma := rowNorm*rowNorm*decades(-5, 3), rowNorm*decades(-2, 3)
		epsilon := decades(-3, 2)
		if uniform() < 0.2 {
			epsilon = -epsilon
		}
		mu := lipschitz / sigma
		muOut := mu * decades(-3, 2)
		d := logisticDirection(
			rowNorm, lipschitz, lambda, sigma, math.Log1p(rowNorm*rowNorm/4/lambda),
		)
		cross := d.Level(epsilon)
		if cross > 60 {
			continue // the sum would need too many terms
		}
		for _, composed := range []bool{false, true} {
			logPsi := func(omega float64) float64 {
				if omega <= epsilon {
					return math.Inf(-1)
				}
				return special.Log1mExp(epsilon - omega)
			}
			got := d.integrate(epsilon)
			if composed {
				logPsi = func(omega float64) float64 {
					return logGaussianDelta(epsilon-omega, muOut)
				}
				got = d.integrateWithGaussian(epsilon, muOut)
			}
			low, high := -13.0, math.Max(cross, 0)+13
			want := 0.0
			if narrow := 30 * muOut / mu; composed && narrow < 0.3 && cross > low {
				want = special.LogSumExp(
					logMidpoint(d, logPsi, low, cross-narrow, 3000),
					logMidpoint(d, logPsi, cross-narrow, cross+narrow, 1000),
					logMidpoint(d, logPsi, cross+narrow, cross+1, 1000),
					logMidpoint(d, logPsi, cross+1, high, 1000))
			} else {
				middle := math.Max(low, math.Min(cross, high))
				want = special.LogSumExp(
					logMidpoint(d, logPsi, low, middle, 3000), logMidpoint(
						d, logPsi, middle, middle+1, 1000,
					),
					logMidpoint(d, logPsi, middle+1, math.Max(middle+1, high), 3000))
			}
			compared++
			assert.InDelta(
				t, want, got, 3e-3+1e-6*math.Abs(want),
				"R %v, L %v, λ %v, σ %v, ε %v, μ_out %v, composed %v", rowNorm, lipschitz, lambda,
				sigma, epsilon, muOut, composed,
			)
		}
	}
	assert.Greater(t, compared, 300)
}
