package random

import (
	"math/big"
	"math/bits"
)

// inversion draws a whole number by inverting its distribution function,
// exactly. With c₀ ≤ c₁ ≤ … ≤ c_{n−1} the probabilities of at most 0, 1, …, and U
// uniform on (0, 1), the number drawn is how many of the c are at most U; n
// stands for all from n on. The binary digits of U are drawn as they are needed:
// 32 of them decide but for a probability of about n·2^-31, 64 but for n·2^-63,
// and beyond that as many as it takes are compared with digits of the c that are
// computed on the spot.
type inversion struct {
	low   []uint64 // ⌊2^64 c⌋, or one less
	guide []uint16 // how many c are at most U, at least, by U's first digits
	shift uint     // 32 less so many digits

	// digits returns whole numbers l with l ≤ c·2^places < l + 1 + 2^-20: c is
	// computed with guardDigits more, from below, and cut off.
	digits func(places uint) []*big.Int
}

const (
	// maxGuide is how many entries the guide has at most.
	maxGuide = 1 << 11

	guardDigits = 64

	// maxDigits is how many digits of U are drawn before the source is taken for
	// broken; a working one needs more with probability below 2^-490.
	maxDigits = 512
)

// newInversion takes at most 2^15 numbers c, with their first 64 digits as
// digits(64) would have them.
func newInversion(low []uint64, digits func(places uint) []*big.Int) *inversion {
	entries := min(1<<bits.Len(uint(4*len(low))), maxGuide)
	v := &inversion{low: low, guide: make([]uint16, entries), digits: digits}
	v.shift = uint(33 - bits.Len(uint(entries)))
	k := 0
	for j := range v.guide {
		k = v.past(k, uint64(j)<<(32+v.shift))
		v.guide[j] = uint16(k)
	}
	return v
}

// past goes on from k past all c that are at most w·2^-64, as far as 64 digits
// show.
func (v *inversion) past(k int, w uint64) int {
	for k < len(v.low) && w > 0 && w-1 > v.low[k] {
		k++
	}
	return k
}

// draw takes its first 32 digits from first.
func (v *inversion) draw(first uint32, src Source) (int, error) {
	w := uint64(first) << 32
	k := v.past(int(v.guide[first>>v.shift]), w)
	if k == len(v.low) || w|(1<<32-1) < v.low[k] {
		return k, nil
	}
	word, err := src.Uint64()
	if err != nil {
		return 0, err
	}
	w |= word >> 32
	k = v.past(k, w)
	if k == len(v.low) || w < v.low[k] {
		return k, nil
	}
	return v.decide(k, w, src)
}

// decide goes on where U's first 64 digits w do not tell it from c_k.
func (v *inversion) decide(k int, w uint64, src Source) (int, error) {
	u, sum := new(big.Int).SetUint64(w), new(big.Int)
	for places := uint(128); places <= maxDigits; places += 64 {
		word, err := src.Uint64()
		if err != nil {
			return 0, err
		}
		u.Lsh(u, 64).Add(u, sum.SetUint64(word))
		c := v.digits(places)
		for k < len(c) && u.Cmp(sum.Add(c[k], two)) >= 0 {
			k++
		}
		if k == len(c) || u.Cmp(c[k]) < 0 {
			return k, nil
		}
	}
	return 0, ErrStuck
}

var two = big.NewInt(2)

// halves hands out the words of a source by halves.
type halves struct {
	src   Source
	spare uint32
	left  bool
}

func (h *halves) next() (uint32, error) {
	if h.left {
		h.left = false
		return h.spare, nil
	}
	word, err := h.src.Uint64()
	h.spare, h.left = uint32(word), err == nil
	return uint32(word >> 32), err
}
