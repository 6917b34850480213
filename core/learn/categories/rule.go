package categories

import (
	"math"
	"math/bits"
)

// certain is the probability 1. The unit of probabilities is 2^-62.
const certain = 1 << 62

// maxCount bounds how many records a category can need to be kept for certain. A
// rule that asks for more would keep nothing of any file.
const maxCount = 1 << 20

// keep returns π(0), π(1), …, up to the first that is certain, in units of 2^-62;
// nil if that is not reached at maxCount. None is above what the theorem allows:
// for p before q on the list and with real exponentials, q ≤ e^ε p + δ and
// 1 − p ≤ e^ε (1 − q) + δ.
func keep(epsilon, delta float64) []uint64 {
	// math.Exp errs by less than an ulp, which is 2^-52 of the result at most.
	// e^ε or less, in units of 2^-32
	growth := uint64(min(math.Exp(epsilon)*(1-0x1p-50), 1<<31-1) * (1 << 32))
	shrink := uint64(math.Ceil(min(math.Exp(-epsilon)*(1+0x1p-50), 1) * certain))
	slack := uint64(delta * certain)
	if slack == 0 {
		return nil
	}
	list := []uint64{0}
	for p := uint64(0); p < certain; {
		if len(list) > maxCount {
			return nil
		}
		// e^ε p + δ, rounded down.
		most := uint64(certain)
		if high, low := bits.Mul64(p, growth); high < 1<<30 {
			most = min(most, high<<32+low>>32+slack)
		}
		// 1 − e^−ε (1 − p − δ), rounded down.
		if p+slack < certain {
			high, low := bits.Mul64(certain-p-slack, shrink)
			rest := high<<2 + low>>62
			if low<<2 != 0 {
				rest++
			}
			most = min(most, certain-rest)
		}
		p = most
		list = append(list, p)
	}
	return list
}
