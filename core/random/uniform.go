package random

import (
	"math"
	"math/bits"
)

// maxZeros is how many leading zeros of a uniform number are taken for a fault
// of the source; a working source gives them with probability 2^-256.
const maxZeros = 256

// spareBits is how many fair coins unit returns beside its number.
const spareBits = 4

// unit draws a number uniform on (0, 1) with full relative precision at 0, and
// spareBits coins that are independent of it.
//
// Let W be uniform on the reals of (0, 1). Its binary expansion has z leading
// zeros with probability 2^-(z+1), and given z it is 2^-(z+1)·(1+F) with F
// uniform on [0, 1). The function draws z from one word (more if that word is
// 0) and the first 60 bits of F from another, and rounds to nearest; it could
// go on to draw the rest of F. So w is a function of the first bits of such a
// W, 2^-256 ≤ w ≤ 1, and
//
//	|w − W| ≤ (2^-53 + 2^-60)·W,
//
// 2^-53 for rounding and 2^-60 for the bits not drawn. The error is ErrStuck
// if z ≥ 256, or the source's own.
func unit(src Source) (w float64, coins uint64, err error) {
	zeros := 0
	for {
		word, err := src.Uint64()
		if err != nil {
			return 0, 0, err
		}
		zeros += bits.LeadingZeros64(word)
		if word != 0 {
			break
		}
		if zeros >= maxZeros {
			return 0, 0, ErrStuck
		}
	}
	word, err := src.Uint64()
	if err != nil {
		return 0, 0, err
	}
	coins = word & (1<<spareBits - 1)
	significand := float64(1<<60 | word>>spareBits) // 1+F in units of 2^-60
	scale := math.Float64frombits(uint64(1023-61-zeros) << 52)
	return significand * scale, coins, nil
}

// below draws a whole number uniform on {0, …, n−1}, 1 ≤ n ≤ 2^58, exactly
// (Lemire 2019): the high word of x·n, with x redrawn when the low word shows
// that it is one of the 2^64 mod n values of x that would make some results
// likelier. It fails with ErrStuck after 64 rejections, each of probability
// below n/2^64 ≤ 2^-6.
func below(src Source, n uint64) (uint64, error) {
	for range 64 {
		x, err := src.Uint64()
		if err != nil {
			return 0, err
		}
		high, low := bits.Mul64(x, n)
		if low >= n || low >= -n%n {
			return high, nil
		}
	}
	return 0, ErrStuck
}
