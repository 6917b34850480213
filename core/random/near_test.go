package random

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// gammaOf is the γ of a proposal, as a fraction of whole numbers.
func gammaOf(g *DiscreteGaussian, y magnitude) (num, den *big.Int) {
	num = y.big()
	num.Mul(num, g.td).Sub(num, g.n)
	return num.Mul(num, num), g.den
}

// γ in float64 is as near to its exact value as the quick form takes it to be, for any
// ratio and up to the last proposal for which it is used.
func TestGammaInFloatsIsNear(t *testing.T) {
	src := randomtest.New(71)
	worst := 0.0
	for _, s := range append([]float64{
		MinGridRatio, 0x1p-20, 1 - 0x1p-53, 1 + 0x1p-52, math.Pi, 1e3, 1 << 24, 1.1e9,
		0x1.fffffffffffffp30, 0x1.23456789abcdep52, 0x1.8p56, MaxGridRatio,
	}, smallRatios...) {
		g := newDiscreteGaussian(s)
		for i := range 400 {
			word, _ := src.Uint64()
			y := magnitude{low: uint64(float64(i) / 400 * 16 * s)}
			if y.low > 1<<20 {
				y.low += word % (y.low >> 10) // all bits of it count
			}
			gamma, quick := g.gamma(y)
			if !quick {
				continue
			}
			num, den := gammaOf(g, y)
			want := new(big.Rat).SetFrac(num, den)
			off, _ := want.Sub(want, new(big.Rat).SetFloat64(gamma)).Float64()
			worst = max(worst, math.Abs(off))
		}
	}
	t.Logf("γ is off by 2^%.1f at most", math.Log2(worst))
	assert.Less(t, worst, 0x1p-42)
	assert.Less(t, worst, nearby/16)
}

// Both forms give the same answers on the same words, and read as many of them: on random
// ones, and where a word is the digit of γ itself, or its neighbour.
func TestQuickAcceptanceReadsTheSameWords(t *testing.T) {
	same := func(g *DiscreteGaussian, y magnitude, words []uint64) {
		t.Helper()
		num, den := gammaOf(g, y)
		quick, slow := &randomtest.Script{Words: words}, &randomtest.Script{Words: words}
		got, gotErr := g.accept(quick, y)
		want, wantErr := bernoulliExpBig(slow, num, den)
		assert.Equal(t, wantErr, gotErr)
		assert.Equal(t, want, got, "s = %v, |Y| = %d", g.s, y.low)
		assert.Equal(t, slow.Read, quick.Read, "s = %v, |Y| = %d", g.s, y.low)
	}
	src := randomtest.New(72)
	random := func(n int) []uint64 {
		words := make([]uint64, n)
		for i := range words {
			words[i], _ = src.Uint64()
		}
		return words
	}
	for _, s := range []float64{MinGridRatio, 0.3, 1, 3.25, 1 << 24, 1.1e9, 0x1.23456789abcdep52} {
		g := newDiscreteGaussian(s)
		for i := range 300 {
			y := magnitude{low: uint64(float64(i%40) / 10 * s)}
			same(g, y, random(500))

			// The digits of the part of γ behind the point, after words that make each e^-1 of
			// the part before it come true: 3/8 is below 1/2 and not below 1/3, so K = 3.
			num, den := gammaOf(g, y)
			whole, part := new(big.Int).QuoRem(num, den, new(big.Int))
			if whole.BitLen() > 4 {
				continue
			}
			prefix := slices.Repeat([]uint64{3 << 61}, 2*int(whole.Int64()))
			d := digits(part, den, 3)
			for _, step := range []uint64{0, 1, math.MaxUint64} {
				for depth := range d {
					words := slices.Concat(prefix, d[:depth+1], random(500))
					words[len(prefix)+depth] += step
					same(g, y, words)
				}
			}
		}
	}
}

// Proposals that the quick form does not take go to the other: far out, and where γ is a
// whole number or nearly.
func TestFarAndWholeGammasAreDecidedExactly(t *testing.T) {
	g := newDiscreteGaussian(1)
	_, quick := g.gamma(magnitude{low: 17})
	assert.False(t, quick)
	_, quick = g.gamma(magnitude{high: 1})
	assert.False(t, quick)

	for _, off := range []float64{0, nearby / 4, -nearby / 4} {
		asked := 0
		words := &randomtest.Script{Words: []uint64{3 << 61, 0, 1}}
		_, err := bernoulliExpNear(words, 2+off, func() *big.Int {
			asked++
			return big.NewInt(2)
		}, big.NewInt(1))
		if err != nil {
			require.ErrorIs(t, err, randomtest.ErrExhausted)
		}
		assert.Equal(t, 1, asked, "γ = 2 and %g more", off)
	}
}
