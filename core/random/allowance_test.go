package random

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// Operations on brackets of few digits hold what exact ones come to.
func TestAllowanceOfBrackets(t *testing.T) {
	stream := randomtest.New(31)
	number := func(bits uint) bracket {
		word, _ := stream.Uint64()
		return whole(bits, word>>40+1)
	}
	rational := func(x *big.Float) *big.Rat { r, _ := x.Rat(nil); return r }
	for range 300 {
		const bits = 9
		a, b := number(bits), number(bits)
		for name, c := range map[string]struct {
			got          bracket
			lower, upper *big.Rat
		}{
			"plus": {
				a.plus(b),
				new(big.Rat).Add(rational(a.lower), rational(b.lower)),
				new(big.Rat).Add(rational(a.upper), rational(b.upper)),
			},
			"times": {
				a.times(b),
				new(big.Rat).Mul(rational(a.lower), rational(b.lower)),
				new(big.Rat).Mul(rational(a.upper), rational(b.upper)),
			},
			"over": {
				a.over(b),
				new(big.Rat).Quo(rational(a.lower), rational(b.upper)),
				new(big.Rat).Quo(rational(a.upper), rational(b.lower)),
			},
		} {
			require.LessOrEqual(t, rational(c.got.lower).Cmp(c.lower), 0, name)
			require.GreaterOrEqual(t, rational(c.got.upper).Cmp(c.upper), 0, name)
		}
	}
}

// The floats around an arrival, and around its noise, hold it with room to spare.
func TestAllowanceOfArrivals(t *testing.T) {
	src := randomtest.New(32)
	g, err := NewGumbel(0.7, 3)
	require.NoError(t, err)
	arrivals := 400
	if testing.Short() {
		arrivals = 100
	}
	for i := range arrivals {
		a, err := g.First(src, uint64(1+i*i))
		require.NoError(t, err)
		for range i % 4 {
			a, err = a.later(src, uint64(1+i))
			require.NoError(t, err)
		}
		exact, err := a.term.bracket(src, 400)
		require.NoError(t, err)
		low, _ := newPrecise().Quo(exact.lower, precise(a.lower)).Float64()
		high, _ := newPrecise().Quo(precise(a.upper), exact.upper).Float64()
		require.Greater(t, low, 1+0x1p-50)
		require.Greater(t, high, 1+0x1p-50)

		lower, upper := g.Noise(a)
		rate := precise(g.rate)
		least := newPrecise().Quo(newPrecise().Neg(preciseLog(precise(a.upper))), rate)
		most := newPrecise().Quo(newPrecise().Neg(preciseLog(precise(a.lower))), rate)
		apart := func(x, y *big.Float) float64 {
			z, _ := newPrecise().Sub(x, y).Float64()
			return z
		}
		size := 0x1p-47 * (1 + math.Abs(lower))
		require.Greater(t, apart(least, precise(lower)), size)
		require.Greater(t, apart(precise(upper), most), size)
	}
}

// Two candidates that differ by less than floats can tell are told apart by brackets.
func TestAllowanceOfBefore(t *testing.T) {
	src := randomtest.New(33)
	probe, err := NewGumbel(1, 1)
	require.NoError(t, err)
	tried := 0
	for tried < 100 {
		a, err := probe.First(src, 5)
		require.NoError(t, err)
		b, err := probe.First(src, 2)
		require.NoError(t, err)
		rate := math.Log(b.lower / a.lower)
		if !(rate > 0.01 && rate < 3) {
			continue
		}
		tried++
		for _, by := range []float64{0x1p-11, -0x1p-11, 0x1p-44, -0x1p-44} {
			g, err := NewGumbel(rate+by, 1)
			require.NoError(t, err)
			before, err := g.Before(src, 1, a, b)
			require.NoError(t, err)
			assert.Equal(t, by < 0, before, "e^rate·a is %v of b", 1+by)
		}
	}
}

// A number next to another is not said to be on one side of it by floats alone.
func TestAllowanceOfDecisionsByFloats(t *testing.T) {
	for _, first := range []uint64{leastWord, 1 << 50, 1<<63 + 12345, math.MaxUint64} {
		u := &deferred{first: first}
		for _, by := range []float64{0x1p-35, -0x1p-35, 0} {
			_, sure := u.below(u.middle() * (1 + by))
			assert.False(t, sure, "%d", first)
		}
		for _, by := range []float64{0x1p-32, -0x1p-32} {
			yes, sure := u.below(u.middle() * (1 + by))
			assert.True(t, sure)
			assert.Equal(t, by > 0, yes)
		}
	}
}
