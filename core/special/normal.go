package special

import "math"

const (
	sqrtPi     = 1.77245385090551602729816748334114518279754945612
	sqrt2Pi    = 2.50662827463100050241576528481104525300698674061
	logSqrt2Pi = 0.918938533204672741780329736405617639861397473638
)

// NormalDensity returns φ(x) = e^{−x²/2}/√(2π), with a relative error of a few
// units in the last place down to where it underflows.
func NormalDensity(x float64) float64 { return 1 / sqrt2Pi / expHalfSquare(x) }

// LogNormalDensity returns log φ(x) = −x²/2 − log √(2π).
func LogNormalDensity(x float64) float64 { return -x*x/2 - logSqrt2Pi }

// expHalfSquare returns e^{x²/2}. The square is split so that its rounding is
// not magnified: x = h + t with h a multiple of 1/32, h² exact.
func expHalfSquare(x float64) float64 {
	x = math.Abs(x)
	if !(x < 64) {
		return math.Exp(x * x / 2)
	}
	h := math.Floor(x*32) / 32
	return math.Exp(h*h/2) * math.Exp((x-h)*(x+h)/2)
}

// NormalSurvival returns 1 − Φ(x) with a relative error below 1e-15, also far
// in the right tail, until it underflows (x > 38.5).
func NormalSurvival(x float64) float64 {
	switch {
	case x > 1:
		if x > 40 {
			return 0
		}
		return Mills(x) / (sqrt2Pi * expHalfSquare(x))
	case x < -40:
		return 1
	}
	return math.Erfc(x/math.Sqrt2) / 2
}

// NormalCDF returns Φ(x), with a relative error below 1e-15 also far in the
// left tail.
func NormalCDF(x float64) float64 { return NormalSurvival(-x) }

// LogNormalSurvival returns log(1 − Φ(x)). It is accurate to a few units in the
// last place of x²/2 in the right tail, however far (at x = 1e8 the value is
// −5e15), and to a few units in its own last place elsewhere.
func LogNormalSurvival(x float64) float64 {
	switch {
	case math.IsInf(x, 1):
		return math.Inf(-1)
	case x > 1:
		return LogNormalDensity(x) + math.Log(Mills(x))
	case x < -1:
		return math.Log1p(-NormalSurvival(-x))
	}
	return math.Log(math.Erfc(x/math.Sqrt2) / 2)
}

// LogNormalCDF returns log Φ(x), as LogNormalSurvival(−x).
func LogNormalCDF(x float64) float64 { return LogNormalSurvival(-x) }

// NormalMass returns Φ(b) − Φ(a) for a ≤ b, without cancellation: the relative
// error is a few units in the last place beyond what the rounding of b − a
// itself causes.
func NormalMass(a, b float64) float64 {
	switch {
	case !(a < b):
		if a == b {
			return 0
		}
		return math.NaN()
	case b <= 0:
		return NormalMass(-b, -a)
	case a < 0:
		return (math.Erf(b/math.Sqrt2) - math.Erf(a/math.Sqrt2)) / 2
	case math.IsInf(b, 1):
		return NormalSurvival(a)
	}
	h := b - a
	drop := MillsDrop(a, h) - math.Expm1(-h*(a+b)/2)*Mills(b)
	return NormalDensity(a) * drop
}

// NormalMassFrom returns Φ(a+h) − Φ(a) for h ≥ 0 that may be too small to
// change a when added to it.
func NormalMassFrom(a, h float64) float64 {
	if h*math.Max(1, math.Abs(a)) < 1e-2 {
		return gauss6.IntegrateFrom(NormalDensity, a, h)
	}
	return NormalMass(a, a+h)
}
