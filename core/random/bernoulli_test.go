package random

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// digits returns the first n digits of num/den in base 2^64.
func digits(num, den *big.Int, n int) []uint64 {
	all := new(big.Int).Lsh(num, uint(64*n))
	all.Quo(all, den)
	out := make([]uint64, n)
	for i := range out {
		out[n-1-i] = new(big.Int).And(all, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		all.Rsh(all, 64)
	}
	return out
}

// A draw is true exactly when the number that the words spell is below the
// probability: equal digits, one more, and one less are the cases that count.
func TestBernoulliComparesEveryDigit(t *testing.T) {
	src := randomtest.New(21)
	for range 200 {
		a, _ := src.Uint64()
		b, _ := src.Uint64()
		num, den := min(a, b), max(a, b)
		want := digits(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den), 4)
		for depth := range want {
			for _, step := range []int{-1, 1} {
				words := append([]uint64{}, want[:depth+1]...)
				words[depth] += uint64(step)
				if (step == 1) == (words[depth] == 0) ||
					(step == -1) == (words[depth] == math.MaxUint64) {
					continue // wrapped around
				}
				script := &randomtest.Script{Words: words}
				got, err := bernoulli(script, num, den)
				require.NoError(t, err)
				assert.Equal(t, step == -1, got)
				assert.Equal(t, depth+1, script.Read)
			}
		}
	}
}

func TestBernoulliEnds(t *testing.T) {
	always, err := bernoulli(&randomtest.Script{}, 7, 7)
	require.NoError(t, err)
	assert.True(t, always)
	never, err := bernoulli(&randomtest.Script{}, 0, 7)
	require.NoError(t, err)
	assert.False(t, never)

	// 1/4 has one digit, 2^62: a U that starts with it is not below 1/4.
	for word, want := range map[uint64]bool{1<<62 - 1: true, 1 << 62: false, 1<<62 + 1: false} {
		got, err := bernoulli(&randomtest.Script{Words: []uint64{word}}, 1, 4)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// The three forms of e^-γ agree with each other word for word, ties included.
func TestBigFormReadsTheSameDigits(t *testing.T) {
	num, den := big.NewInt(5), big.NewInt(7)
	d := digits(num, den, 3)
	for _, tail := range [][]uint64{
		{d[0] - 1}, {d[0] + 1},
		{d[0], d[1] - 1}, {d[0], d[1] + 1},
		{d[0], d[1], d[2] - 1}, {d[0], d[1], d[2] + 1},
	} {
		words := append(append([]uint64{}, tail...), math.MaxUint64) // k = 2 stops
		small, big := &randomtest.Script{Words: words}, &randomtest.Script{Words: words}
		want, err := bernoulliExp(small, 5, 7)
		require.NoError(t, err)
		got, err := bernoulliExpBig(big, num, den)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, small.Read, big.Read)
	}
	// A fraction with two digits: 2^-64·3/4.
	num, den = big.NewInt(3), new(big.Int).Lsh(big.NewInt(1), 66)
	for second, more := range map[uint64]bool{3<<62 - 1: true, 3 << 62: false} {
		script := &randomtest.Script{Words: []uint64{0, second, math.MaxUint64}}
		got, err := bernoulliExpBig(script, num, den)
		require.NoError(t, err)
		assert.Equal(t, !more, got) // stops at k = 2 if gamma was true, at 1 if not
	}
	assert.Equal(t, "3", num.String())
}

func TestBernoulliExpFrequencies(t *testing.T) {
	src, n := randomtest.New(22), 20_000
	for _, c := range []struct{ num, den int64 }{
		{0, 1}, {1, 1000}, {1, 10}, {1, 3}, {1, 2}, {2, 3}, {99, 100}, {1, 1}, {3, 2}, {5, 2}, {7, 1}, {300, 1},
	} {
		p := math.Exp(-float64(c.num) / float64(c.den))
		small, large := 0, 0
		for range n {
			if c.num <= c.den {
				ok, err := bernoulliExp(src, uint64(c.num), uint64(c.den))
				require.NoError(t, err)
				if ok {
					small++
				}
			}
			ok, err := bernoulliExpBig(src, big.NewInt(c.num), big.NewInt(c.den))
			require.NoError(t, err)
			if ok {
				large++
			}
		}
		if c.num == 0 {
			assert.Equal(t, []int{n, n}, []int{small, large})
			continue
		}
		if c.num <= c.den {
			assert.True(
				t, plausibleCount(small, n, p, falseAlarm), "e^-%d/%d: %d of %d", c.num, c.den,
				small, n,
			)
		}
		assert.True(
			t, plausibleCount(large, n, p, falseAlarm), "e^-%d/%d: %d of %d", c.num, c.den, large,
			n,
		)
	}
	// A wrong probability is caught: e^-1 taken for 1 − 0.6.
	ones := 0
	for range n {
		if ok, _ := bernoulliExp(src, 1, 1); ok {
			ones++
		}
	}
	assert.False(t, plausibleCount(ones, n, 0.4, falseAlarm))
}

func TestExpSeriesGivesUpOnAStuckSource(t *testing.T) {
	zeros := &randomtest.Script{Words: make([]uint64, 1000)}
	_, err := bernoulliExp(zeros, 1, 1)
	require.ErrorIs(t, err, ErrStuck)
	_, err = bernoulliExpBig(
		&randomtest.Script{Words: make([]uint64, 1000)}, big.NewInt(1), big.NewInt(2),
	)
	require.ErrorIs(t, err, ErrStuck)
	// Words that make every e^-1 come true.
	stubborn := make([]uint64, 4000)
	for i := range stubborn {
		stubborn[i] = 3 << 61 // 0.375: below 1/2, not below 1/3, so K = 3
	}
	_, err = bernoulliExpBig(
		&randomtest.Script{Words: stubborn}, new(big.Int).Lsh(big.NewInt(1), 200), big.NewInt(1),
	)
	require.ErrorIs(t, err, ErrStuck)
	_, err = geometric(&randomtest.Script{Words: stubborn})
	require.ErrorIs(t, err, ErrStuck)
}

func TestBernoulliExpPassesOnTheSourcesError(t *testing.T) {
	failures := 0
	for n := range 20 {
		ok, err := bernoulliExpBig(
			randomtest.NewFailAfter(23, n, randomtest.ErrExhausted), big.NewInt(8), big.NewInt(9),
		)
		if err != nil {
			assert.ErrorIs(t, err, randomtest.ErrExhausted)
			assert.False(t, ok)
			failures++
		}
	}
	assert.Positive(t, failures)
}
