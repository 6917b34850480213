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

// normalBin returns the mass Φ(b) − Φ(a), the logarithm of its ratio to the mass
// of the bin shifted by s, and a bound on that logarithm's error: a few 2⁻⁵³,
// and the rounding of the densities' logarithms, each a square of a coordinate.
//
// Narrow bins, of which grids have thousands, go by the Hermite series about
// their middle m, half as wide as w:
//
//	Φ(m+w) − Φ(m−w) = 2w φ(m) Σ_k He₂ₖ(m) w²ᵏ/(2k+1)!,
//
// of which the terms left out are below 1e-16 where w·max(1, |m|) < 1/5.
func normalBin(a, b, s float64) (mass, ratio, slack float64) {
	w := (b - a) / 2
	m := a + w
	far := m + s
	if w*math.Max(1, math.Max(math.Abs(m), math.Abs(far))) < 0.2 {
		near := hermiteSum(m, w*w)
		other := hermiteSum(far, w*w)
		mass = 2 * w * special.NormalDensity(m) * (1 + near)
		ratio = s*(m+s/2) + math.Log1p((near-other)/(1+other))
	} else {
		mass = shiftedMass(a, b, 0)
		if shifted := shiftedMass(a, b, s); mass > 1e-290 && shifted > 1e-290 {
			ratio = math.Log(mass / shifted)
		} else {
			ratio = logShiftedMass(a, b, 0) - logShiftedMass(a, b, s)
		}
	}
	reach := math.Min(math.Abs(a), math.Abs(b)) + math.Abs(s)
	return mass, ratio, 0x1p-53 * (32 + 4*reach*reach)
}

// hermiteSum is Σ_{k≥1} He₂ₖ(m) w²ᵏ/(2k+1)!, by powers of w² with the even
// Hermite polynomials written in v = m².
func hermiteSum(m, square float64) float64 {
	v := m * m
	he2 := v - 1
	he4 := (v-6)*v + 3
	he6 := ((v-15)*v+45)*v - 15
	he8 := (((v-28)*v+210)*v-420)*v + 105
	he10 := ((((v-45)*v+630)*v-3150)*v+4725)*v - 945
	he12 := (((((v-66)*v+1485)*v-13860)*v+51975)*v-62370)*v + 10395
	return square * (he2/6 + square*(he4/120+square*(he6/5040+square*(he8/362880+
		square*(he10/39916800+square*he12/6227020800)))))
}
