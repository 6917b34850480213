package random

import "math"

// GaussianRelativeError bounds the relative error of every number that
// [Gaussian] draws against an ideal Gaussian one: 2^-48.
const GaussianRelativeError = 0x1p-48

// Range of sigma in which no intermediate result of [Gaussian] leaves the
// normal range of float64.
const (
	minGaussianSigma = 0x1p-600
	maxGaussianSigma = 0x1p+900
)

// Gaussian fills dst with independent draws from N(0, sigma²), sigma the
// standard deviation, 2^-600 ≤ sigma ≤ 2^900.
//
// Promise: there are ideal, real-valued, independent b₁, b₂, … ~ N(0, sigma²),
// functions of an infinite stream of bits of which src gave the first, with
//
//	|dst[i] − bᵢ| ≤ 2^-48·|bᵢ|   for every i,
//
// in the tails and near 0 too, except with probability at most 2^-255 a pair
// of coordinates, in which case an error is returned. Hence
// ‖dst − b‖₂ ≤ 2^-48·‖b‖₂, which is what a mechanism that tolerates a small
// deviation of its noise has to add to that tolerance (theory §2).
//
// On an error dst is filled with NaN, so that noise half drawn cannot be taken
// for noise.
//
// # Method
//
// Box–Muller on the first octant. With W, V uniform on (0, 1), a fair coin and
// three signs-or-swaps drawn as fair bits: U = W/2 or 1 − W/2 by the coin is
// uniform on (0, 1), r = √(−2 ln U), A = πV/4, and (r cos A, r sin A), swapped
// or not and with either sign, is a pair of independent N(0, 1). The coin
// chooses −ln(W/2) or −log1p(−W/2), so that neither end of U loses digits.
//
// # Proof of the bound
//
// u = 2^-53. Relative errors, first order; the products of two of them are
// below 2^-98 and vanish in the slack at the end. Assumed of Go's math
// package: Log on [2^-257, 1/2], Log1p on [−1/2, −2^-257] and Sincos on
// (0, π/4] are within 2 ulp, that is 4u. (The algorithms' authors claim less:
// FreeBSD's log and log1p 1 ulp, Cephes' sin and cos 2.1e-16 = 1.9u. The
// package's tests compare all four with 200-bit arithmetic, natively and under
// WebAssembly, where Log is Go code and not assembly.) Sqrt is correctly
// rounded by IEEE 754 and by WebAssembly.
//
//	w against W                     1.01u   function unit
//	−ln(w/2), −log1p(−w/2)                  condition number at most 1/ln 2 on this range:
//	                                1.46u   propagated
//	                                4u      Log, Log1p       sum 5.46u; doubling is exact
//	r = Sqrt                        2.73u   half of that, propagated
//	                                1u      rounding         sum 3.73u
//	a = (π/4)·v                     1.01u   v
//	                                0.36u   π/4 as a float64
//	                                1u      rounding         sum 2.37u
//	sin a, cos a                            condition numbers a·cot a ≤ 1, a·tan a ≤ π/4:
//	                                2.37u   propagated
//	                                4u      Sincos           sum 6.37u
//	sigma·(r·sin a)                 2u      two roundings
//
// 3.73u + 6.37u + 2u = 12.1u, and 2^-48 = 32u. Nothing underflows: w, v ≥
// 2^-256 make r ≥ 2^-128 and sin a ≥ 2^-257, and sigma ≥ 2^-600. Nothing
// overflows: r < 20.
func Gaussian(src Source, dst []float64, sigma float64) error {
	if !(sigma >= minGaussianSigma && sigma <= maxGaussianSigma) {
		return spoil(
			dst,
			&ParameterError{Field: "sigma", Value: number(sigma), Want: "from 2^-600 to 2^900"},
		)
	}
	for i := 0; i < len(dst); i += 2 {
		x, y, err := gaussianPair(src)
		if err != nil {
			return spoil(dst, err)
		}
		dst[i] = sigma * x
		if i+1 < len(dst) {
			dst[i+1] = sigma * y
		}
	}
	return nil
}

// gaussianPair draws two independent N(0, 1), to the relative error that
// [Gaussian] states.
func gaussianPair(src Source) (x, y float64, err error) {
	w, coin, err := unit(src)
	if err != nil {
		return 0, 0, err
	}
	v, octant, err := unit(src)
	if err != nil {
		return 0, 0, err
	}
	var exponential float64
	if coin&1 == 0 {
		exponential = -math.Log(w / 2)
	} else {
		exponential = -math.Log1p(-w / 2)
	}
	r := math.Sqrt(2 * exponential)
	sin, cos := math.Sincos(math.Pi / 4 * v)
	x, y = r*cos, r*sin
	if octant&1 != 0 {
		x, y = y, x
	}
	if octant&2 != 0 {
		x = -x
	}
	if octant&4 != 0 {
		y = -y
	}
	return x, y, nil
}

func spoil(dst []float64, err error) error {
	for i := range dst {
		dst[i] = math.NaN()
	}
	return err
}
