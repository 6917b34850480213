// Package seeded holds the laboratory's randomness. A stream has a text as its name and
// is the same on every machine, so an experiment can be repeated with the same result.
//
// Noise that somebody else can draw again protects nobody. Only packages lab, lab/cards,
// lab/expect, lab/thesis, lab/plane and lab/clinic may import this one (the import table sees to
// it). All but the last two give away scores, never coefficients; the last two fit points and
// patients that they make up themselves, and take no others. So no release can be made with these
// streams.
package seeded

import (
	"crypto/sha256"
	"math/bits"
	"math/rand/v2"
)

// Stream is a random.Source. It is not safe for use by several goroutines.
type Stream struct{ words *rand.ChaCha8 }

// New returns the stream of ChaCha8 (C2SP chacha8rand) whose seed is the
// SHA-256 digest of name.
func New(name string) *Stream {
	return &Stream{rand.NewChaCha8(sha256.Sum256([]byte(name)))}
}

// Uint64 returns the next word; it never fails.
func (s *Stream) Uint64() (uint64, error) { return s.words.Uint64(), nil }

// Uniform returns a number from [0, 1), a multiple of 2^-53.
func (s *Stream) Uniform() float64 { return float64(s.words.Uint64()>>11) * 0x1p-53 }

// Below returns a whole number from 0 to n−1, each with a probability within
// 2^-64 of 1/n. It panics if n < 1.
func (s *Stream) Below(n int) int {
	if n < 1 {
		panic("seeded: no number to choose from")
	}
	high, _ := bits.Mul64(s.words.Uint64(), uint64(n))
	return int(high)
}

// Shuffled returns the numbers from 0 to n−1 in an order that is uniform among
// all (Fisher & Yates).
func (s *Stream) Shuffled(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := s.Below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
