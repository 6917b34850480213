package seeded

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/random/randomtest"
)

// The digest is that of sha256sum; the stream behind it is held against the
// published one in package randomtest.
func TestTheSeedIsTheNamesDigest(t *testing.T) {
	digest, err := hex.DecodeString(
		"2aadc5d10e6f6cfe79a2f4936c76d846319e0efbc393e6525a6958e80d1fea3c",
	)
	assert.NoError(t, err)
	named, keyed := New("adult/1"), randomtest.NewKeyed([32]byte(digest))
	for range 100 {
		a, _ := named.Uint64()
		b, _ := keyed.Uint64()
		assert.Equal(t, b, a)
	}
}

func TestANameGivesOneStream(t *testing.T) {
	one, again, other := New("adult/1"), New("adult/1"), New("adult/2")
	same := 0
	for range 1000 {
		a, err := one.Uint64()
		assert.NoError(t, err)
		b, _ := again.Uint64()
		c, _ := other.Uint64()
		assert.Equal(t, a, b)
		if a == c {
			same++
		}
	}
	assert.Zero(t, same)
}

// Chi-squared over ten classes, 9 degrees of freedom: a false alarm above 55
// has probability below 1e-7 (and the stream is fixed).
func TestBelowIsUniform(t *testing.T) {
	s, counts := New("below"), [10]float64{}
	const n = 100000
	for range n {
		counts[s.Below(10)]++
	}
	chi := 0.0
	for _, c := range counts {
		chi += (c - n/10) * (c - n/10) / (n / 10)
	}
	assert.Less(t, chi, 55.0)
	assert.Panics(t, func() { s.Below(0) })
	for range 1000 {
		u := s.Uniform()
		assert.True(t, u >= 0 && u < 1)
	}
}

func TestShuffledHasEveryNumberOnce(t *testing.T) {
	s, first := New("shuffle"), [5]float64{}
	for range 10000 {
		order := s.Shuffled(5)
		seen := map[int]bool{}
		for _, i := range order {
			seen[i] = true
		}
		assert.Len(t, seen, 5)
		first[order[0]]++
	}
	for _, c := range first {
		assert.InDelta(t, 2000, c, 250) // 6 standard deviations of 40
	}
	assert.Empty(t, s.Shuffled(0))
}
