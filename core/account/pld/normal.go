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
//
// A small shift has a ratio that is as accurate as it is small. With H(c) the series' sum from
// k = 1 on,
//
//	log(mass(c)/mass(c + ds)) = −(log mass)'(c) ds = (c − H'(c)/(1 + H(c))) ds,
//
// which the midpoint rule integrates over the shift, in the middle c = m + s/2. (log mass)‴ is the
// third cumulant of a variable within w of 0, at most 2w·w² in size: so the rule errs by
// |s|³·2w³/24. That, and what H' leaves out, are below 4·2⁻⁵³|s| where s²w³ ≤ 2⁻⁵⁰; the rounding
// of c and of the two products is a few 2⁻⁵³|s|(1 + |c|).
func normalBin(a, b, s float64) (mass, ratio, slack float64) {
	w := (b - a) / 2
	m := a + w
	far := m + s
	reach := math.Min(math.Abs(a), math.Abs(b)) + math.Abs(s)
	if w*math.Max(1, math.Max(math.Abs(m), math.Abs(far))) < 0.2 {
		near := hermiteSum(m, w*w)
		other := hermiteSum(far, w*w)
		mass = 2 * w * special.NormalDensity(m) * (1 + near)
		if s*s*w*w*w <= 0x1p-50 {
			c := m + s/2
			ratio = s * (c - hermiteSlope(c, w*w)/(1+hermiteSum(c, w*w)))
			return mass, ratio, 0x1p-53 * math.Abs(s) * (16 + 8*reach)
		}
		ratio = s*(m+s/2) + math.Log1p((near-other)/(1+other))
	} else {
		mass = shiftedMass(a, b, 0)
		if shifted := shiftedMass(a, b, s); mass > 1e-290 && shifted > 1e-290 {
			ratio = math.Log(mass / shifted)
		} else {
			ratio = logShiftedMass(a, b, 0) - logShiftedMass(a, b, s)
		}
	}
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

// hermiteSlope is the derivative of hermiteSum by m: Σ_{k≥1} 2k He₂ₖ₋₁(m) w²ᵏ/(2k+1)!.
func hermiteSlope(m, square float64) float64 {
	v := m * m
	odd3 := v - 3
	odd5 := (v-10)*v + 15
	odd7 := ((v-21)*v+105)*v - 105
	odd9 := (((v-36)*v+378)*v-1260)*v + 945
	odd11 := ((((v-55)*v+990)*v-6930)*v+17325)*v - 10395
	return m * square * (1./3 + square*(odd3/30+square*(odd5/840+square*(odd7/45360+
		square*(odd9/3991680+square*odd11/518918400)))))
}
