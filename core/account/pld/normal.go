package pld

import (
	"math"

	"cloister/core/special"
)

// shiftedMass returns Φ(b+s) − Φ(a+s) for exact a < b. The bin's width is taken
// from a and b, not from the rounded sums, so that the relative error is a few
// 2⁻⁵³·(1 + (a+s)²) however narrow the bin is. It may underflow to 0.
func shiftedMass(a, b, s float64) float64 {
	start, width, end := a+s, b-a, b+s
	switch {
	case math.IsInf(width, 1):
		return special.NormalMass(start, end)
	case end <= 0:
		start = -end
	case start < 0:
		return special.NormalMass(start, start+width)
	}
	return special.NormalDensity(start) * millsSpan(start, width)
}

// millsSpan is (Φ(x+h) − Φ(x))/φ(x) for x ≥ 0, h > 0.
func millsSpan(x, h float64) float64 {
	return special.MillsDrop(x, h) - math.Expm1(-h*(x+h/2))*special.Mills(x+h)
}

// logShiftedMass is the logarithm of shiftedMass, which does not underflow.
func logShiftedMass(a, b, s float64) float64 {
	if mass := shiftedMass(a, b, s); mass > 1e-290 {
		return math.Log(mass)
	}
	start, width, end := a+s, b-a, b+s
	switch {
	case math.IsInf(start, -1) && end <= 0:
		return special.LogNormalCDF(end)
	case math.IsInf(end, 1) && start >= 0:
		return special.LogNormalSurvival(start)
	case end <= 0:
		start = -end
	case start < 0: // a bin around 0 of no more than 1e-290
		return math.Log(width) + special.LogNormalDensity(0)
	}
	return special.LogNormalDensity(start) + math.Log(millsSpan(start, width))
}

// logMassRatio returns log of the ratio of the normal masses of (a, b) and of
// (a+s, b+s), and a bound on its absolute error: a few 2⁻⁵³ and the rounding of
// the logarithm of the densities, each a square of a coordinate.
func logMassRatio(a, b, s float64) (ratio, slack float64) {
	near, far := shiftedMass(a, b, 0), shiftedMass(a, b, s)
	if near > 1e-290 && far > 1e-290 {
		ratio = math.Log(near / far)
	} else {
		ratio = logShiftedMass(a, b, 0) - logShiftedMass(a, b, s)
	}
	reach := math.Min(math.Abs(a), math.Abs(b)) + math.Abs(s)
	return ratio, 0x1p-53 * (32 + 4*reach*reach)
}
