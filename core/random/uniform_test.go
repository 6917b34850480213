package random

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

func TestUnitIsUniform(t *testing.T) {
	src, n := randomtest.New(11), 100_000
	draws := make([]float64, n)
	var exponents [12]int
	var coins [16]int
	for i := range draws {
		w, coin, err := unit(src)
		require.NoError(t, err)
		draws[i] = w
		coins[coin]++
		_, e := math.Frexp(w)
		exponents[min(-e, 11)]++
	}
	assert.LessOrEqual(
		t, ksDistance(draws, func(x float64) float64 { return x }), ksThreshold(n, falseAlarm),
	)
	assert.Greater(t, chiSquareUniform(coins[:]), falseAlarm)
	for e := range 11 {
		assert.True(
			t, plausibleCount(exponents[e], n, math.Ldexp(1, -e-1), falseAlarm), "exponent %d", e,
		)
	}
}

func TestUnitEnds(t *testing.T) {
	draw := func(words ...uint64) (float64, uint64, error) {
		return unit(&randomtest.Script{Words: words})
	}

	w, coins, err := draw(1<<63, 0)
	require.NoError(t, err)
	assert.Equal(t, 0.5, w)
	assert.Zero(t, coins)

	w, coins, err = draw(math.MaxUint64, math.MaxUint64)
	require.NoError(t, err)
	assert.Equal(t, 1.0, w) // rounded up, by less than 2^-53
	assert.Equal(t, uint64(15), coins)

	w, _, err = draw(0, 0, 0, 1, 0)
	require.NoError(t, err)
	assert.Equal(t, 0x1p-256, w)

	_, _, err = draw(0, 0, 0, 0, 1, 0)
	require.ErrorIs(t, err, ErrStuck)

	for n := range 2 {
		_, _, err = draw(make([]uint64, n)...)
		require.ErrorIs(t, err, randomtest.ErrExhausted)
	}
	_, _, err = draw(1)
	require.ErrorIs(t, err, randomtest.ErrExhausted)
}

func TestBelowIsExact(t *testing.T) {
	// With n = 3·2^56 the 2^64 words fall into n classes of 85 and a third:
	// those with a low word under 2^64 mod n = 2^56 are drawn again.
	const n = 3 << 56
	for _, c := range []struct {
		words []uint64
		want  uint64
	}{
		{[]uint64{0, 1<<63 | 1}, n / 2},   // 0·n = 0 is one of them,
		{[]uint64{256, 1<<63 | 1}, n / 2}, // and 256·n = 3·2^64
		{[]uint64{1}, 0},
		{[]uint64{math.MaxUint64}, n - 1},
	} {
		got, err := below(&randomtest.Script{Words: c.words}, n)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
	_, err := below(&randomtest.Script{Words: make([]uint64, 100)}, n)
	require.ErrorIs(t, err, ErrStuck)

	src := randomtest.New(12)
	for _, n := range []uint64{1, 2, 3, 5, 7, 10, 16, 100} {
		counts := make([]int, n)
		for range 200 * 100 {
			x, err := below(src, n)
			require.NoError(t, err)
			require.Less(t, x, n)
			counts[x]++
		}
		if n > 1 {
			assert.Greater(t, chiSquareUniform(counts), falseAlarm, "n = %d", n)
		}
	}
}
