package posterior

import (
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/random/randomtest"
)

// exactDelta is δ(ε) of a pair in 400-bit arithmetic, by the formula of Pair.LogDeltaUpper.
func exactDelta(p Pair, epsilon float64) *big.Float {
	zero, one, two := golden.Big(0), golden.Big(1), golden.Big(2)
	root := func(x *big.Float) *big.Float { return new(big.Float).SetPrec(golden.Bits).Sqrt(x) }
	survival := func(x *big.Float) *big.Float { return golden.Exp(golden.LogSurvival(x)) }
	minus := func(x *big.Float) *big.Float { return golden.Minus(zero, x) }
	kappa, a, e := golden.Big(p.Leverage), golden.Big(p.Shift), golden.Big(epsilon)
	grown := golden.Plus(one, kappa)
	t := golden.Plus(golden.Times(two, e), golden.Log(grown))
	c, s := golden.Over(a, grown), root(grown)
	square := golden.Times(a, c)
	d := golden.Plus(square, golden.Times(kappa, t))
	if d.Sign() <= 0 {
		return zero
	}
	up := golden.Plus(a, root(d))
	r1, r2 := golden.Over(golden.Minus(square, t), up), golden.Over(up, kappa)
	// Below r, or above it, less e^ε times the same under the other.
	end := func(r *big.Float, sign float64) *big.Float {
		by := golden.Big(-sign)
		other := golden.Times(s, golden.Minus(r, c))
		return golden.Minus(
			survival(golden.Times(by, r)),
			golden.Times(golden.Exp(e), survival(golden.Times(by, other))),
		)
	}
	if p.Leverage > 0 {
		return golden.Plus(end(r1, 1), end(r2, -1))
	}
	return golden.Plus(end(r1, 1), minus(end(r2, 1)))
}

// What cancels in δ of a sample is within its allowance, by 400-bit arithmetic, and so is δ.
func TestAllowanceOfASample(t *testing.T) {
	source := randomtest.New(15)
	between := func(low, high float64) float64 {
		word, err := source.Uint64()
		require.NoError(t, err)
		return low * math.Pow(high/low, float64(word>>11)/(1<<53))
	}
	largest, seen, pairs := 0.0, 0, 150
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		pairs = 2000
	}
	for k := range pairs {
		p := Pair{between(1e-6, 0.99), between(1e-3, 30)}
		if k%2 == 0 {
			p.Leverage = -p.Leverage
		}
		epsilon := between(1e-3, 3) * (1 + p.Shift*p.Shift/2)
		exact := exactDelta(p, epsilon)
		near, far, some := p.ends(epsilon)
		if !some || exact.Sign() <= 0 || golden.Float(exact) < 1e-250 {
			continue
		}
		seen++
		reference := math.Max(near.log, far.log)
		u, v := math.Exp(near.log-reference), math.Exp(far.log-reference)
		in := golden.Times(exact, golden.Exp(golden.Big(-reference)))
		off := golden.Minus(golden.Big(u*near.value+v*far.value), in)
		largest = math.Max(largest, math.Abs(golden.Float(off))/(u*near.slack+v*far.slack))
		log := golden.Log(exact)
		assert.GreaterOrEqual(
			t, golden.Big(p.LogDeltaUpper(epsilon)).Cmp(log), 0, "%+v at %g", p, epsilon)
	}
	t.Logf("the largest of %d is %.2g of its allowance", seen, largest)
	assert.Less(t, largest, 0.5)
	assert.Greater(t, seen, 100)
}

// A sample's divergence of an order is above what 400-bit arithmetic finds, next to the pole of
// that order too, and the shift that an order allows is below.
func TestAllowanceOfASamplesDivergence(t *testing.T) {
	source := randomtest.New(16)
	between := func(low, high float64) float64 {
		word, err := source.Uint64()
		require.NoError(t, err)
		return low * math.Pow(high/low, float64(word>>11)/(1<<53))
	}
	one, two := golden.Big(1), golden.Big(2)
	// What is taken off a divergence, and what a² is times, by formulas of their own.
	parts := func(alpha, kappa float64) (taken, times *big.Float) {
		s, k := golden.Minus(golden.Big(alpha), one), golden.Big(kappa)
		left, grown := golden.Minus(one, golden.Times(s, k)), golden.Plus(one, k)
		taken = golden.Plus(golden.Over(golden.Log(grown), two),
			golden.Over(golden.Log(left), golden.Times(two, s)))
		return taken, golden.Over(
			golden.Big(alpha), golden.Times(two, golden.Times(grown, left)))
	}
	least, most, share, shiftShare := math.Inf(1), math.Inf(1), 0.0, 0.0
	for k := range 600 {
		alpha, x := 1+between(1e-2, 1e3), between(1e-6, 0.9)
		if k%3 == 0 { // next to the pole
			x = (1 - between(1e-6, 1e-1)) / (alpha - 1)
		}
		if x >= 1 || 1-(alpha-1)*x < 1e-7 {
			continue
		}
		p := Pair{x, between(1e-3, 10)}
		if k%2 == 0 {
			p.Leverage = -x
		}
		taken, times := parts(alpha, p.Leverage)
		square := golden.Times(golden.Big(p.Shift), golden.Big(p.Shift))
		exact := golden.Minus(golden.Times(times, square), taken)
		above := golden.Minus(golden.Big(p.Renyi(alpha)), exact)
		least = math.Min(least, golden.Float(golden.Over(above, exact)))
		// As it is computed, without what is allowed for.
		float, left := p.Leverage, 1-(alpha-1)*p.Leverage
		own, other := math.Log1p(float)/2, math.Log1p(-(alpha-1)*float)/(2*(alpha-1))
		moved := alpha * p.Shift * p.Shift / (2 * (1 + float) * left)
		slack := (1 + (alpha-1)*x) / left
		off := math.Abs(golden.Float(golden.Minus(golden.Big(moved-own-other), exact)))
		share = math.Max(share, off/
			(0x1p-48*(math.Abs(own)+math.Abs(other)*slack+moved*slack+x*slack)))

		r := between(1e-3, 10)
		a, some := ShiftAtOrder(alpha, r, x)
		if !some {
			continue
		}
		for _, kappa := range []float64{x, -x} {
			taken, times := parts(alpha, kappa)
			square := golden.Times(golden.Big(a), golden.Big(a))
			price := golden.Minus(golden.Times(times, square), taken)
			most = math.Min(most, golden.Float(golden.Minus(golden.Big(r), price))/r)
			// And what that shift is of.
			left := 1 - (alpha-1)*kappa
			own, other := math.Log1p(kappa)/2, math.Log1p(-(alpha-1)*kappa)/(2*(alpha-1))
			slack := (1 + (alpha-1)*x) / left
			room := 0x1p-46 * (r + math.Abs(own) + math.Abs(other)*slack + x*slack)
			rest := golden.Plus(golden.Big(r), taken)
			off := math.Abs(golden.Float(golden.Minus(golden.Big(r+own+other), rest)))
			shiftShare = math.Max(shiftShare, off/room)
		}
	}
	t.Logf("rooms of %.2g and %.2g at least, relative", least, most)
	t.Logf("the largest are %.2g and %.2g of their allowances", share, shiftShare)
	assert.Less(t, share, 0.5)
	assert.Less(t, shiftShare, 0.5)
	assert.Greater(t, least, 0x1p-48)
	assert.Greater(t, most, 0x1p-48)
}
