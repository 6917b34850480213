package curve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/account/golden"
	"cloister/core/random/randomtest"
)

// The δ and the distances α − 1 at which the conversions are compared with 400 bits.
var (
	deltas = []float64{
		1e-300, 1e-30, 1e-9, 1e-5, 0.1, 0.5, 0.9, 0.999997, 1 - 1e-6, 1 - 1e-9,
	}
	distances = []float64{
		1e-9, 3.7e-9, 1e-7, 6e-6, 1e-5, 4.1e-4, 0.01, 0.3, 1, 1.7, 10, 333.3, 1e5, 2.2e7, 1e9,
	}
)

// The conversion to ε errs upwards, at any size of its terms and where they cancel, by
// more than a quarter of its allowance and less than twice it.
func TestAllowanceOfEpsilonAtOrder(t *testing.T) {
	for _, delta := range deltas {
		logDelta := golden.Log(golden.Big(delta))
		for _, distance := range distances {
			alpha := 1 + distance
			nothing := golden.EpsilonAtOrder(golden.Big(alpha), golden.Big(0), logDelta)
			s := alpha - 1
			c, share := math.Log1p(1/s), (-math.Log(delta)+math.Log(alpha))/s
			rs := []float64{1e-3, 1, 40, 1e6}
			for _, part := range []float64{1e-12, 1e-9, 1e-6, 1e-3} { // ε this part of the terms
				rs = append(rs, -golden.Float(nothing)+part*(c+share))
			}
			for _, r := range rs {
				exact := golden.Plus(nothing, golden.Big(r))
				if r < 0 || exact.Sign() <= 0 {
					continue
				}
				got := EpsilonAtOrder(alpha, r, math.Log(delta))
				above := golden.Float(golden.Minus(golden.Big(got), exact))
				allowance := orderSlack * (r + c + share)
				assert.Greater(t, above, allowance/4, "α = %v, r = %v, δ = %v", alpha, r, delta)
				assert.Less(t, above, 2*allowance, "α = %v, r = %v, δ = %v", alpha, r, delta)
			}
		}
	}
	assert.Equal(t, 0x1p-48, orderSlack)
}

// The conversion to log δ likewise.
func TestAllowanceOfLogDeltaAtOrder(t *testing.T) {
	for _, distance := range distances {
		alpha := 1 + distance
		s := alpha - 1
		c := math.Log1p(1 / s)
		for _, r := range []float64{0, 1e-9, 0.3, 7, 1e4} {
			for _, gap := range []float64{-0.9 * c, -1e-3, 0, 1e-9, 1e-3, 1, 50, 1e5} {
				epsilon := r + gap
				exact := golden.LogDeltaAtOrder(
					golden.Big(alpha), golden.Big(r), golden.Big(epsilon),
				)
				if exact.Sign() >= 0 {
					continue
				}
				got := LogDeltaAtOrder(alpha, r, epsilon)
				above := golden.Float(golden.Minus(golden.Big(got), exact))
				allowance := orderSlack * (s*(math.Abs(r-epsilon)+c) + math.Log(alpha))
				assert.Greater(t, above, allowance/4, "α = %v, r = %v, ε = %v", alpha, r, epsilon)
				assert.Less(t, above, 2*allowance, "α = %v, r = %v, ε = %v", alpha, r, epsilon)
			}
		}
	}
}

// Mironov's conversions likewise.
func TestAllowanceOfClassicConversions(t *testing.T) {
	source := randomtest.New(11)
	between := func(low, high float64) float64 {
		bits, _ := source.Uint64() // the seeded source does not fail
		return low * math.Pow(high/low, float64(bits>>11)/(1<<53))
	}
	for range 300 {
		alpha, r := 1+between(1e-9, 1e9), between(1e-9, 1e3)
		epsilon, logDelta := r+between(1e-9, 1e3), -between(1e-9, 700)
		s := golden.Minus(golden.Big(alpha), golden.Big(1))
		exact := golden.Times(s, golden.Minus(golden.Big(r), golden.Big(epsilon)))
		got := ClassicLogDeltaAtOrder(alpha, r, epsilon)
		above := golden.Float(golden.Over(golden.Minus(golden.Big(got), exact), exact))
		assert.Greater(t, -above, orderSlack/4, "α = %v, r = %v, ε = %v", alpha, r, epsilon)
		exact = golden.Minus(golden.Big(r), golden.Over(golden.Big(logDelta), s))
		got = ClassicEpsilonAtOrder(alpha, r, logDelta)
		above = golden.Float(golden.Over(golden.Minus(golden.Big(got), exact), exact))
		assert.Greater(t, above, orderSlack/4, "α = %v, r = %v, log δ = %v", alpha, r, logDelta)
	}
}

// Nor is the least ε over all orders beaten: for the Gaussian mechanism, with δ so near
// to 1 that the best order is next to 1, and elsewhere.
func TestAllowanceOfTheBestOrder(t *testing.T) {
	for _, mu := range []float64{0.01, 0.5, 2, 5.05, 30} {
		if testing.Short() && mu != 5.05 {
			continue // natively
		}
		for _, delta := range deltas {
			exact := golden.GaussianEpsilon(mu, delta)
			if exact.Sign() < 0 {
				continue
			}
			got := EpsilonFromRenyi(gaussianRenyi(mu*(1+0x1p-50)), math.Log(delta))
			above := golden.Float(golden.Over(golden.Minus(golden.Big(got), exact), exact))
			assert.Positive(t, above, "μ = %v, δ = %v", mu, delta)
			if delta < 0.9 {
				assert.Less(t, above, 1e-9, "μ = %v, δ = %v", mu, delta)
			}
		}
	}
}
