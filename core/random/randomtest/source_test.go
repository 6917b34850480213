package randomtest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The stream is the published one: the sample output of chacha8rand for this
// seed, which also stands in the tests of Go's math/rand/v2.
func TestSeededIsChaCha8Rand(t *testing.T) {
	s := NewKeyed([32]byte([]byte("ABCDEFGHIJKLMNOPQRSTUVWXYZ123456")))
	for _, want := range []uint64{
		0xb773b6063d4616a5, 0x1160af22a66abc3c, 0x8c2599d9418d287c, 0x7ee07e037edc5cd6,
	} {
		got, _ := s.Uint64()
		assert.Equal(t, want, got)
	}
}

func TestASeedGivesOneStream(t *testing.T) {
	one, again := New(7), New(7)
	for range 1000 {
		a, err := one.Uint64()
		assert.NoError(t, err)
		b, _ := again.Uint64()
		assert.Equal(t, a, b)
	}
}

func TestSeedsGiveDifferentStreams(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(1000) {
		word, _ := New(seed).Uint64()
		assert.False(t, seen[word])
		seen[word] = true
	}
}

func TestScript(t *testing.T) {
	broken := errors.New("torn page")
	s := &Script{Words: []uint64{3, 4}, Err: broken}
	a, err := s.Uint64()
	assert.NoError(t, err)
	b, err := s.Uint64()
	assert.NoError(t, err)
	assert.Equal(t, []uint64{3, 4}, []uint64{a, b})
	for range 2 {
		_, err = s.Uint64()
		assert.ErrorIs(t, err, broken)
	}
	assert.Equal(t, 2, s.Read)
	_, err = (&Script{}).Uint64()
	assert.ErrorIs(t, err, ErrExhausted)
}

func TestFailAfter(t *testing.T) {
	broken := errors.New("dry")
	f, same := NewFailAfter(9, 3, broken), New(9)
	for range 3 {
		got, err := f.Uint64()
		assert.NoError(t, err)
		want, _ := same.Uint64()
		assert.Equal(t, want, got)
	}
	_, err := f.Uint64()
	assert.ErrorIs(t, err, broken)
}
