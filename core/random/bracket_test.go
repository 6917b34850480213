package random

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// around asks that a bracket holds x and is no wider than 2^-100 of it, x being
// right to 2^-200.
func around(t *testing.T, b bracket, x *big.Float, name string) {
	t.Helper()
	slack := newPrecise().Mul(x, precise(0x1p-200))
	assert.LessOrEqual(t, b.lower.Cmp(newPrecise().Add(x, slack)), 0, name)
	assert.GreaterOrEqual(t, b.upper.Cmp(newPrecise().Sub(x, slack)), 0, name)
	width, _ := newPrecise().Quo(newPrecise().Sub(b.upper, b.lower), x).Float64()
	assert.LessOrEqual(t, width, 0x1p-100, name)
}

func TestBracketsHoldElementaryFunctions(t *testing.T) {
	stream := randomtest.New(20)
	for i := range 300 {
		word, _ := stream.Uint64()
		x := math.Ldexp(float64(word>>11)+1, -53-i%50)
		b := bracket{down(firstPrecision).SetFloat64(x), up(firstPrecision).SetFloat64(x)}
		minus := preciseLog(precise(x))
		around(t, b.minusLog(), minus.Neg(minus), "−ln")
		// e^−(−ln x) = x.
		around(t, b.minusLog().decay(), precise(x), "decay of −ln")
		around(
			t, b.times(whole(firstPrecision, 700)).decay().minusLog(),
			newPrecise().Mul(precise(x), precise(700)), "−ln of decay",
		)
		cube := newPrecise().Mul(precise(x), newPrecise().Mul(precise(x), precise(x)))
		around(t, b.power(3), cube, "cube")
	}
	assert.Zero(t, whole(firstPrecision, 1).minusLog().upper.Sign(), "ln 1")
	one := whole(firstPrecision, 0).decay()
	assert.Zero(t, one.lower.Cmp(big.NewFloat(1)))
	assert.Zero(t, one.upper.Cmp(big.NewFloat(1)))
}

func TestMoreDigitsNeverContradictFewer(t *testing.T) {
	src := randomtest.New(21)
	u, err := draw(src)
	require.NoError(t, err)
	wide, err := u.bracket(src, 192)
	require.NoError(t, err)
	narrow, err := u.bracket(src, 768)
	require.NoError(t, err)
	again, err := u.bracket(src, 192)
	require.NoError(t, err)
	assert.LessOrEqual(t, wide.lower.Cmp(narrow.lower), 0)
	assert.GreaterOrEqual(t, wide.upper.Cmp(narrow.upper), 0)
	assert.Zero(t, wide.lower.Cmp(again.lower))
	middle, _ := narrow.lower.Float64()
	assert.InEpsilon(t, u.middle(), middle, 1e-9)
}
