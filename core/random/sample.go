package random

import (
	"math"
	"math/big"
	"math/bits"
)

// PoissonSampler draws Poisson samples: sets that hold each of n things with
// probability Rate, independently of all others. (The name is the sampling
// design's; sizes are binomial.)
//
// It is exact: Rate is taken for the binary fraction that the float64 is, and
// no probability is rounded anywhere. The gaps between the members of a sample
// are geometric, P[gap ≥ k] = (1 − Rate)^k, and are drawn by inversion with as
// many binary digits as it takes; a gap longer than the table continues after
// it, which is exact because such gaps have no memory. So if the words of the source
// are uniform, samples have the law above, except that a draw is replaced by
// ErrStuck in events of probability below 2^-470 each.
//
// How many words are drawn depends on the size of the sample, about half a word
// for each member; see the package comment on timing.
type PoissonSampler struct {
	rate float64
	gaps *inversion
}

// minRate keeps numbers small; samples at it are empty in practice.
const minRate = 0x1p-40

// maxGaps is how many gaps the table has; fewer where longer ones have a
// probability below 2^-24.
const maxGaps = 4096

// NewPoissonSampler prepares samples at a rate of 0, or from 2^-40 to 1.
// Anything else is a *ParameterError.
func NewPoissonSampler(rate float64) (*PoissonSampler, error) {
	if !(rate >= minRate && rate <= 1 || rate == 0) {
		return nil, &ParameterError{
			Field: "rate",
			Value: number(rate),
			Want:  "0, or from 2^-40 to 1",
		}
	}
	p := &PoissonSampler{rate: rate}
	if rate > 0 && rate < 1 {
		n := 1
		for stay := 1 - rate; n < maxGaps && stay > 0x1p-24; stay *= 1 - rate {
			n++
		}
		p.gaps = newInversion(
			firstGapDigits(rate, n),
			func(places uint) []*big.Int { return gapDigits(rate, n, places) },
		)
	}
	return p, nil
}

// fraction returns q and shift with rate = q·2^-shift, 0 < rate < 1; shift is
// from 53 to 93.
func fraction(rate float64) (q uint64, shift uint) {
	half, exponent := math.Frexp(rate)
	return uint64(math.Ldexp(half, 53)), uint(53 - exponent)
}

// gapDigits returns 1 − (1 − rate)^(k+1) for k from 0 to n−1, as the digits of
// an inversion. Each product is rounded up by less than a unit of the last
// guard digit, so the powers are too large by less than n ≤ 2^12 of 2^64 such.
func gapDigits(rate float64, n int, places uint) []*big.Int {
	scale := places + guardDigits
	q, shift := fraction(rate)
	stay := new(big.Int).Lsh(big.NewInt(1), shift)
	stay.Sub(stay, new(big.Int).SetUint64(q))

	one := new(big.Int).Lsh(big.NewInt(1), scale)
	roundUp := new(big.Int).Lsh(big.NewInt(1), shift)
	roundUp.Sub(roundUp, big.NewInt(1))
	power, c := new(big.Int).Set(one), new(big.Int)
	digits := make([]*big.Int, n)
	for k := range digits {
		power.Mul(power, stay).Add(power, roundUp).Rsh(power, shift)
		c.Sub(one, power)
		digits[k] = new(big.Int).Rsh(c, guardDigits)
	}
	return digits
}

// firstGapDigits is gapDigits with 64 places, in words of 64 bits: powers are
// kept to 2^-128 and rounded up by at most that, one by one.
func firstGapDigits(rate float64, n int) []uint64 {
	q, shift := fraction(rate)
	// 1 − rate in units of 2^-128, exactly: shift is at most 93.
	var stayHigh, stayLow uint64
	if up := 128 - shift; up >= 64 {
		stayHigh = -(q << (up - 64))
	} else {
		high, low := q>>(64-up), q<<up
		var borrow uint64
		stayLow, borrow = bits.Sub64(0, low, 0)
		stayHigh, _ = bits.Sub64(0, high, borrow)
	}
	digits := make([]uint64, n)
	powerHigh, powerLow := stayHigh, stayLow
	for k := range digits {
		// 2^128 − power, cut off after 64 digits.
		_, borrow := bits.Sub64(0, powerLow, 0)
		digits[k], _ = bits.Sub64(0, powerHigh, borrow)

		high, low := bits.Mul64(powerHigh, stayHigh)
		a, b := bits.Mul64(powerHigh, stayLow)
		c, d := bits.Mul64(powerLow, stayHigh)
		e, _ := bits.Mul64(powerLow, stayLow)
		// What is below 2^-128 is b + d + e and less than 1 more: up to 3 units of
		// 2^-128 are carried into low, the last one for the rest.
		sum, carry1 := bits.Add64(b, d, 0)
		_, carry2 := bits.Add64(sum, e, 0)
		var carry uint64
		low, carry = bits.Add64(low, a, 0)
		high += carry
		low, carry = bits.Add64(low, c, 0)
		high += carry
		low, carry = bits.Add64(low, carry1+carry2+1, 0)
		powerHigh, powerLow = high+carry, low
	}
	return digits
}

// Rate is the probability of each thing.
func (p *PoissonSampler) Rate() float64 { return p.rate }

// Sample appends to dst[:0] the numbers, in ascending order, of the members of
// a sample from things 0 to n−1. On an error nothing was sampled.
func (p *PoissonSampler) Sample(src Source, n int, dst []int32) ([]int32, error) {
	dst = dst[:0]
	if n < 0 || n > math.MaxInt32 {
		return dst, &ParameterError{
			Field: "n",
			Value: number(float64(n)),
			Want:  "from 0 to 2^31 - 1",
		}
	}
	if p.rate == 0 {
		return dst, nil
	}
	if p.rate == 1 {
		for i := range n {
			dst = append(dst, int32(i))
		}
		return dst, nil
	}
	h := halves{src: src}
	table := len(p.gaps.low)
	for i := 0; i < n; {
		first, err := h.next()
		if err != nil {
			return dst[:0], err
		}
		gap, err := p.gaps.draw(first, src)
		if err != nil {
			return dst[:0], err
		}
		i += gap
		if gap == table {
			continue // and no member yet
		}
		if i < n {
			dst = append(dst, int32(i))
		}
		i++
	}
	return dst, nil
}
