// Package randomtest holds sources of "randomness" for tests: a seeded one, one that
// plays back given words, and one that fails. Only tests may import it, because noise
// that somebody else can draw again protects nobody.
package randomtest

import (
	"encoding/binary"
	"math/rand/v2"
)

// Seeded is a source whose stream is fixed by a seed, the same natively and
// under WebAssembly. It is not safe for use by several goroutines.
type Seeded struct{ stream *rand.ChaCha8 }

// New returns the stream of ChaCha8 (C2SP chacha8rand) whose 32-byte seed is
// seed in its first eight bytes, little-endian, and zero otherwise.
func New(seed uint64) *Seeded {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	return NewKeyed(key)
}

// NewKeyed returns the stream of ChaCha8 with the whole seed given.
func NewKeyed(seed [32]byte) *Seeded { return &Seeded{rand.NewChaCha8(seed)} }

// Uint64 returns the next word of the stream; it never fails.
func (s *Seeded) Uint64() (uint64, error) { return s.stream.Uint64(), nil }
