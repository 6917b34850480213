package random

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"sync"
)

// secureBuffer is how many bytes are fetched at a time: the most that the Web
// Crypto API gives in one call, which costs microseconds whatever its size.
const secureBuffer = 64 << 10

// Secure returns a source of cryptographically secure bits: those of the
// operating system, or of the Web Crypto API in a browser, by way of
// crypto/rand. It fetches 64 KiB at a time and overwrites every byte with zero
// as it hands it out, so that a later look at the buffer shows nothing that was
// used.
//
// The source is safe for use by several goroutines at once: no word is ever
// handed out twice.
//
// A failure of crypto/rand.Reader is returned by Uint64, with nothing of the
// incomplete buffer used; the next call tries again. (With the Reader that Go
// sets up, an operating system without randomness ends the program instead:
// see crypto/rand.Read.)
//
// The buffer holds bits before they are used. A process that is forked or a
// machine that is restored from a snapshot between two draws hands them out
// again, as does any program that buffers its randomness.
func Secure() Source { return newBuffered(rand.Reader) }

// buffered hands out the bytes of a reader, eight at a time.
type buffered struct {
	mu     sync.Mutex
	reader io.Reader
	next   int // first byte of buf not yet handed out
	buf    [secureBuffer]byte
}

func newBuffered(r io.Reader) *buffered { return &buffered{reader: r, next: secureBuffer} }

func (b *buffered) Uint64() (uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == secureBuffer {
		if _, err := io.ReadFull(b.reader, b.buf[:]); err != nil {
			clear(b.buf[:])
			return 0, &SourceError{err}
		}
		b.next = 0
	}
	bytes := b.buf[b.next : b.next+8]
	word := binary.LittleEndian.Uint64(bytes)
	clear(bytes)
	b.next += 8
	return word, nil
}

// SourceError says that the source had no more secure randomness, and why.
type SourceError struct{ Cause error }

func (e *SourceError) Error() string {
	return "random: no secure randomness to be had: " + e.Cause.Error()
}

func (e *SourceError) Unwrap() error { return e.Cause }
