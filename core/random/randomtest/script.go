package randomtest

import "errors"

// ErrExhausted is what a Script returns after its last word when it was given
// no error of its own.
var ErrExhausted = errors.New("randomtest: the script has no more words")

// Script plays back Words, one a call, and then returns Err for ever
// (ErrExhausted if Err is nil). Its zero value fails at once.
type Script struct {
	Words []uint64
	Err   error
	Read  int // how many words were handed out
}

// Uint64 returns the next word of the script, or its error.
func (s *Script) Uint64() (uint64, error) {
	if s.Read < len(s.Words) {
		s.Read++
		return s.Words[s.Read-1], nil
	}
	if s.Err != nil {
		return 0, s.Err
	}
	return 0, ErrExhausted
}

// FailAfter is a source that hands out n words of a seeded stream and then
// fails with err.
type FailAfter struct {
	left   int
	stream *Seeded
	err    error
}

// NewFailAfter returns a FailAfter on the stream of New(seed).
func NewFailAfter(seed uint64, n int, err error) *FailAfter {
	return &FailAfter{left: n, stream: New(seed), err: err}
}

// Uint64 returns the next word, or the error once n words were handed out.
func (f *FailAfter) Uint64() (uint64, error) {
	if f.left == 0 {
		return 0, f.err
	}
	f.left--
	return f.stream.Uint64()
}
