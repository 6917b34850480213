package special

import "math"

// Mills returns the Mills ratio of the standard normal,
//
//	m(x) = (1 − Φ(x))/φ(x) = √(π/2)·e^{x²/2}·erfc(x/√2),
//
// with a relative error of a few units in the last place for x ≥ 0. For x < 0
// it is √(2π)·e^{x²/2} − m(−x), with a relative error below 1e-15, and +Inf
// where that overflows (x < −37.6). m is positive and decreasing, and
// m(x) ~ 1/x as x → ∞. Mills(NaN) is NaN.
func Mills(x float64) float64 {
	switch {
	case x < 0:
		return sqrt2Pi*expHalfSquare(x) - Mills(-x)
	case x < 1:
		return polynomial(millsFrom0[:], 2*x-1)
	case x <= math.MaxFloat64:
		return (1 - millsSlopeFrom1(x)) / x
	}
	return 1 / x
}

// MillsSlope returns −m'(x) = 1 − x·m(x), which is positive, decreasing and
// ~ 1/x² as x → ∞, without the cancellation of the formula as written.
func MillsSlope(x float64) float64 {
	switch {
	case x < 1:
		return 1 - x*Mills(x)
	case x <= math.MaxFloat64:
		return millsSlopeFrom1(x)
	}
	return 1 / x / x
}

// MillsDrop returns m(x) − m(x+h) for h ≥ 0. Where that is a small part of
// m(x) it is taken as ∫₀ʰ (1 − y·m(y)) dt with y = x + t, all of whose terms
// are positive, so that the relative error stays near 1e-15 for every
// x ≥ −1, even for h far below the spacing of floats at x.
func MillsDrop(x, h float64) float64 {
	if h < 0.15*math.Max(1, x) {
		return gauss6.IntegrateFrom(MillsSlope, x, h)
	}
	return Mills(x) - Mills(x+h)
}

// Erfcx returns the scaled complementary error function e^{x²}·erfc(x).
func Erfcx(x float64) float64 { return math.Sqrt2 / sqrtPi * Mills(math.Sqrt2*x) }

// millsSlopeFrom1 is 1 − x·m(x) for 1 ≤ x < ∞.
func millsSlopeFrom1(x float64) float64 {
	switch {
	case x < 2:
		return polynomial(millsSlopeFrom1To2[:], 2*x-3)
	case x < 4:
		return polynomial(millsSlopeFrom2To4[:], x-3) / (1 + x*x)
	case x < 8:
		return polynomial(millsSlopeFrom4To8[:], x/2-3) / (1 + x*x)
	}
	u := 1 / x
	u *= u
	return u * polynomial(millsSlopeFrom8[:], 128*u-1)
}

// polynomial evaluates Σ c[i]·z^i by Horner's rule.
func polynomial(c []float64, z float64) float64 {
	sum := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		sum = sum*z + c[i]
	}
	return sum
}
