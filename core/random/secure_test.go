package random

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counting gives the words 0, 1, 2, … as bytes.
type counting struct{ next uint64 }

func (c *counting) Read(p []byte) (int, error) {
	n := 0
	for ; n+8 <= len(p); n += 8 {
		binary.LittleEndian.PutUint64(p[n:], c.next)
		c.next++
	}
	return n, nil
}

func TestBufferedHandsOutEveryWordOnceAndWipesIt(t *testing.T) {
	b := newBuffered(&counting{})
	for i := range uint64(3*secureBuffer/8 + 5) {
		word, err := b.Uint64()
		require.NoError(t, err)
		require.Equal(t, i, word)
		if i%1000 == 0 || b.next == secureBuffer {
			require.Equal(
				t, make([]byte, b.next), b.buf[:b.next], "what was used is still in the buffer",
			)
		}
	}
}

func TestBufferedReadsOn(t *testing.T) {
	// A reader that gives less than it is asked for is not an error.
	b := newBuffered(iotest.OneByteReader(bytes.NewReader(slices.Repeat([]byte{1}, secureBuffer))))
	word, err := b.Uint64()
	require.NoError(t, err)
	assert.Equal(t, uint64(0x0101010101010101), word)
}

func TestBufferedReturnsEntropyFailure(t *testing.T) {
	broken := errors.New("no entropy device")
	b := newBuffered(
		io.MultiReader(
			bytes.NewReader(slices.Repeat([]byte{7}, secureBuffer)), iotest.ErrReader(broken),
		),
	)
	for range secureBuffer / 8 {
		_, err := b.Uint64()
		require.NoError(t, err)
	}
	for range 3 {
		word, err := b.Uint64()
		require.ErrorIs(t, err, broken)
		assert.Zero(t, word)
	}

	// Half a buffer and then nothing: none of the half is used.
	b = newBuffered(bytes.NewReader(slices.Repeat([]byte{7}, secureBuffer/2)))
	_, err := b.Uint64()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, [secureBuffer]byte{}, b.buf)
}

func TestBufferedRecoversAfterAFailure(t *testing.T) {
	b := newBuffered(iotest.TimeoutReader(&counting{}))
	_, err := b.Uint64() // TimeoutReader fails at its second read
	require.NoError(t, err)
	for range secureBuffer/8 - 1 {
		_, err = b.Uint64()
		require.NoError(t, err)
	}
	_, err = b.Uint64()
	require.ErrorIs(t, err, iotest.ErrTimeout)
	word, err := b.Uint64()
	require.NoError(t, err)
	assert.Equal(t, uint64(secureBuffer/8), word)
}

func TestSecureIsSharedWithoutRepeats(t *testing.T) {
	const workers, each = 4, 20_000
	src := Secure()
	words := make([][]uint64, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for range each {
				word, err := src.Uint64()
				if err != nil {
					panic(err)
				}
				words[w] = append(words[w], word)
			}
		})
	}
	wait.Wait()
	all := slices.Concat(words...)
	slices.Sort(all)
	// 80,000 words: two are equal by chance with probability 2e-10.
	assert.Len(t, slices.Compact(all), workers*each)
}

// Each of the 64 bits of a secure word is set about half the time.
func TestSecureBitsAreBalanced(t *testing.T) {
	src, n := Secure(), 100_000
	var ones [64]int
	for range n {
		word, err := src.Uint64()
		require.NoError(t, err)
		for bit := range ones {
			ones[bit] += int(word >> bit & 1)
		}
	}
	for bit, count := range ones {
		assert.True(t, plausibleCount(count, n, 0.5, falseAlarm), "bit %d: %d of %d", bit, count, n)
	}
}
