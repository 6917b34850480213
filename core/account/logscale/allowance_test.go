package logscale

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// What is left of ε where the first number is so far off is rounded down, and the ratio of the
// second step rounded up, by more than 400-bit arithmetic finds them off; and not by much more.
func TestAllowanceOfWhatAScaleLeaves(t *testing.T) {
	source := randomtest.New(6)
	between := func(low, high float64) float64 {
		word, err := source.Uint64()
		require.NoError(t, err)
		return low * math.Pow(high/low, float64(word>>11)/(1<<53))
	}
	least, leastMu := math.Inf(1), math.Inf(1)
	for k := range 3000 {
		r := Release{
			privacy.AddRemove, between(1e-3, 10), between(1e-2, 20), between(1e-2, 1e4),
		}
		epsilon, v := between(1e-4, 30), between(1e-3, 37)
		if k%2 == 0 {
			v = -v
		}
		low, high := r.Sensitivity*between(0.5, 1), r.Sensitivity
		square := r.square(low, high)
		at, mu := r.given(v, low, high, square, epsilon)

		two := golden.Big(2)
		sigma := golden.Big(r.Sigma)
		exactSquare := golden.Over(
			golden.Times(golden.Big(high), golden.Big(high)),
			golden.Times(two, golden.Times(sigma, sigma)),
		)
		assert.GreaterOrEqual(t, golden.Big(square).Cmp(exactSquare), 0, "%+v", r)
		left := golden.Over(golden.Big(v), sigma)
		worse := low
		if v < 0 {
			worse = high
		}
		left = golden.Times(left, golden.Big(worse))
		exact := golden.Minus(golden.Plus(golden.Big(epsilon), left), exactSquare)
		scale := epsilon + math.Abs(golden.Float(left)) + golden.Float(exactSquare)
		off := golden.Float(golden.Minus(exact, golden.Big(at))) / scale
		least = math.Min(least, off)
		assert.Less(t, off, 0x1p-48, "%+v", r)

		ratio := golden.Over(
			golden.Exp(golden.Minus(golden.Big(0), golden.Times(sigma, golden.Big(v)))),
			golden.Big(r.Factor),
		)
		above := golden.Float(golden.Over(golden.Minus(golden.Big(mu), ratio), ratio))
		leastMu = math.Min(leastMu, above/(1+r.Sigma*math.Abs(v)/64))
		assert.Less(t, above, 0x1p-44*(1+r.Sigma*math.Abs(v)), "%+v", r)
	}
	t.Logf("least rooms 2^%.1f and 2^%.1f", math.Log2(least), math.Log2(leastMu))
	assert.Greater(t, least, 0x1p-53)
	assert.Greater(t, leastMu, 0x1p-47)
}
