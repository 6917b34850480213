package random

import "math/big"

// deferred is a number U uniform on (0, 1) whose binary digits are drawn as
// decisions need them: so far U lies in [W, W+1]·2^-64 for its first word W.
// Every word drawn is kept: all questions are asked of one and the same U.
type deferred struct {
	first uint64
	more  []uint64
}

func draw(src Source) (deferred, error) {
	first, err := src.Uint64()
	return deferred{first: first}, err
}

// bracket is U to so many bits, a multiple of 64, more of which it draws as
// needed.
func (u *deferred) bracket(src Source, precision uint) (bracket, error) {
	words := int(precision / 64)
	for len(u.more) < words-1 {
		word, err := src.Uint64()
		if err != nil {
			return bracket{}, err
		}
		u.more = append(u.more, word)
	}
	var digits, word big.Int
	digits.SetUint64(u.first)
	for _, w := range u.more[:words-1] {
		digits.Lsh(&digits, 64).Or(&digits, word.SetUint64(w))
	}
	lower := down(precision).SetInt(&digits)
	upper := up(precision).SetInt(digits.Add(&digits, big.NewInt(1)))
	return bracket{
		lower.SetMantExp(lower, -64*words),
		upper.SetMantExp(upper, -64*words),
	}, nil
}

// A float64 decision about U is taken where it holds for every U of the first
// word, with room to spare: the first word is at least leastWord, so that its
// middle is within a relative 2^-41 of U, and the two numbers compared differ
// by more than a relative margin, which exceeds all errors of float64 proved at
// the places where it is used. What is left to brackets, one decision in
// billions, is as exact.
const leastWord = 1 << 40

// margin is a variable for tests alone: 1 leaves every decision to brackets.
var margin = 0x1p-33

// middle is the float64 next to the middle of what U may be.
func (u *deferred) middle() float64 { return (float64(u.first) + 0.5) * 0x1p-64 }

// below says whether U < c, where c is right to less than half the margin;
// sure is false where float64 cannot say.
func (u *deferred) below(c float64) (yes, sure bool) {
	if u.first < leastWord || c != c {
		return false, false
	}
	v := u.middle()
	return v < c, v < c*(1-margin) || v > c*(1+margin)
}
