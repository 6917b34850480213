package tested

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/random/randomtest"
	"cloister/core/special"
)

// No test of unsound data that passes as seldom as is said passes further out than it is looked
// for, and not by much less.
func TestAllowanceOfTheFarthestPass(t *testing.T) {
	largest := 0.0
	for k := range 60 {
		failure := math.Exp(-math.Ln2 - 690*math.Pow(float64(k)/60, 3))
		z := farthest(failure)
		log := golden.LogSurvival(golden.Big(-z))
		above := golden.Float(golden.Minus(log, golden.Log(golden.Big(failure))))
		// In z: d log Φ/dz is φ/Φ, between |z| and |z| + 1.
		off := 0x1p-40 - above/(1/special.Mills(-z))
		largest = math.Max(largest, math.Abs(off)/0x1p-40)
	}
	t.Logf("the largest is %.2g of its allowance", largest)
	assert.Less(t, largest, 0.5)
}

// The logarithm of what a test costs, u + v e^w, of which both are differences of large numbers
// where the order is large, is above what 400-bit arithmetic finds, and by little.
func TestAllowanceOfWhatATestCosts(t *testing.T) {
	source := randomtest.New(8)
	between := func(low, high float64) float64 {
		word, err := source.Uint64()
		require.NoError(t, err)
		return low * math.Pow(high/low, float64(word>>11)/(1<<53))
	}
	least := math.Inf(1)
	trials := 400
	if testing.Short() {
		trials = 100 // as many natively
	}
	for k := range trials {
		p := pair{1 + between(1e-2, 1e4), between(1e-2, 20)}
		z, weight := between(1e-2, 1)*math.Min(1e4, (p.alpha-1)*p.shift+10), between(1e-3, 300)
		if k%2 == 0 {
			p.shift = -p.shift
		}
		if k%3 == 0 {
			z = -z
		}
		minus := func(x *big.Float) *big.Float { return golden.Minus(golden.Big(0), x) }
		alpha := golden.Big(p.alpha)
		s := golden.Minus(alpha, golden.Big(1))
		at := golden.Big(z)
		moved := golden.Plus(at, golden.Big(p.shift))
		u := golden.Minus(
			golden.Times(alpha, golden.LogSurvival(at)), golden.Times(s, golden.LogSurvival(moved)))
		v := golden.Minus(
			golden.Times(alpha, golden.LogSurvival(minus(at))),
			golden.Times(s, golden.LogSurvival(minus(moved))))
		v = golden.Plus(v, golden.Big(weight))
		if u.Cmp(v) < 0 {
			u, v = v, u
		}
		exact := u
		if rest := golden.Minus(v, u); golden.Float(rest) > -200 {
			exact = golden.Plus(u, golden.Log(golden.Plus(golden.Big(1), golden.Exp(rest))))
		}
		_, _, size := p.terms(z)
		got := p.over(z, z, weight)
		off := golden.Float(golden.Minus(golden.Big(got), exact)) / (size + weight)
		least = math.Min(least, off)
		assert.Less(t, off, 0x1p-47, "%+v at %g", p, z)
	}
	t.Logf("least room 2^%.1f of 2^-49", math.Log2(least))
	assert.Greater(t, least, 0x1p-50)
}
