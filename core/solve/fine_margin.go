package solve

import "math"

// fineMargin returns the inner product of a row (index nil: all columns) with
// theta, or with theta + low if low has as many entries and not none, as if it had
// been summed in twice the precision and then rounded; and a bound η on its error.
//
// It is the compensated inner product (Ogita, Rump & Oishi 2005, Algorithm 5.3):
// products and sums are taken together with their rounding errors, exactly, and
// those errors are added up in plain floats. For n products its result is within
//
//	u|m| + γ_n² Σⱼ |xⱼθⱼ|
//
// of the exact m (their Proposition 5.5), u = 2^-53. What is returned is
// (u|result| + (nu)² Σⱼ |xⱼθⱼ|)·(1 + 2^-20), which is at least that: |m| exceeds
// the result by no more than η, and the sum of magnitudes is computed within a
// relative nu. What products below 2^-960 lose is covered by n·2^-900.
//
// A product whose factors are beyond 2^996 or so overflows and makes both NaN,
// which proves nothing.
func fineMargin(index []int32, entry, theta, low []float64) (margin, eta float64) {
	sum, lost, eta := fineScore(index, entry, theta, low)
	margin = sum + lost
	return margin, eta + unitRoundoff*math.Abs(margin)*(1+0x1p-20)
}

// fineScore is fineMargin before the last rounding, u|m|: the inner product is sum + lost
// but for eta.
func fineScore(index []int32, entry, theta, low []float64) (sum, lost, eta float64) {
	magnitude := 0.0
	halves, n := [2][]float64{theta, low}, 0
	for _, half := range halves {
		if len(half) == 0 {
			continue
		}
		n += len(entry)
		for k, x := range entry {
			j := k
			if index != nil {
				j = int(index[k])
			}
			product, rest := twoProduct(x, half[j])
			total, err := twoSum(sum, product)
			sum = total
			lost += err + rest
			magnitude += math.Abs(product)
		}
	}
	nu := float64(n) * unitRoundoff
	return sum, lost, nu*nu*magnitude*(1+0x1p-20) + float64(n)*0x1p-900
}

// twoSum returns s and e with s + e = a + b exactly, s the rounded sum (Knuth).
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	back := s - a
	return s, (a - (s - back)) + (b - back)
}

// twoProduct returns p and e with p + e = a·b exactly, p the rounded product,
// unless it underflows (Dekker 1971, Veltkamp's splitting). A fused multiply-add
// would do in one step what WebAssembly has none for; conversions keep compilers
// from using one here, where it would spoil the splitting.
func twoProduct(a, b float64) (p, e float64) {
	p = float64(a * b)
	a1, a2 := split(a)
	b1, b2 := split(b)
	e = float64(a1*b1) - p
	e += float64(a1 * b2)
	e += float64(a2 * b1)
	return p, e + float64(a2*b2)
}

// split returns a as the sum of two numbers of 26 bits.
func split(a float64) (high, low float64) {
	c := float64((1<<27 + 1) * a)
	high = c - float64(c-a)
	return high, a - high
}
