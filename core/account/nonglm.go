package account

import (
	"math"

	"cloister/core/special"
)

// smoothRenyi is Theorem E.1 (corrected, theory §3.5) for a convex loss that is
// L-Lipschitz and β-smooth but no GLM, in d dimensions, with t = α − 1:
//
//	−d log(1 − β/λ) + μ²/2 + log(E e^{tμZ})/t,   Z ~ χ_d.
//
// offset is −log(1 − β/λ). In one dimension it is Theorem 3.2.
type smoothRenyi struct {
	dimension  int
	offset, mu float64
}

func (s smoothRenyi) renyi(alpha float64) float64 {
	if s.dimension == 1 {
		return halfNormalDirection{s.offset, s.mu}.renyi(alpha)
	}
	t := alpha - 1
	tail := s.mu * math.Sqrt2 * special.GammaHalfStep(float64(s.dimension)/2) // t → 0: μ·E[Z]
	if t*s.mu > 1e-12 {
		tail = logChiMoment(s.dimension, t*s.mu) / t
	}
	return float64(s.dimension)*s.offset + s.mu*s.mu/2 + tail
}

var gauss16 = special.GaussLegendre(16)

// logChiMoment returns log E[e^{sZ}] for Z ~ χ_d, d ≥ 2 and s > 0, by Gauss–Legendre
// panels around the peaks of densities whose spread is at most 1.
func logChiMoment(d int, s float64) float64 {
	power := float64(d - 1)
	peak := math.Sqrt(power)
	// shape is the log density at z relative to its value at the peak.
	shape := func(z float64) float64 {
		return power*math.Log(z/peak) - (z-peak)*(z+peak)/2
	}
	if s <= 1 {
		// Z = peak + (something of order 1): E e^{sZ} = e^{s·peak}(1 + E[e^{s(Z−peak)} − 1]).
		mass := panels(peak, 0, func(z float64) float64 { return math.Exp(shape(z)) })
		excess := panels(peak, s, func(z float64) float64 { return math.Exp(shape(z)) * math.Expm1(s*(z-peak)) })
		return s*peak + math.Log1p(excess/mass)
	}
	tilted := (s + math.Sqrt(s*s+4*power)) / 2
	rise := shape(tilted) + s*tilted
	mass := panels(peak, 0, func(z float64) float64 { return math.Exp(shape(z)) })
	moment := panels(tilted, 0, func(z float64) float64 {
		return math.Exp(power*math.Log(z/tilted) - (z-tilted)*(z+tilted)/2 + s*(z-tilted))
	})
	return rise + math.Log(moment/mass)
}

// panels integrates f over the positive part of [center − 13, center + 13 + extra].
func panels(center, extra float64, f func(float64) float64) float64 {
	low := math.Max(0, center-reach)
	high := center + reach + extra
	n := math.Ceil(high - low)
	sum := 0.0
	for i := 0.0; i < n; i++ {
		sum += gauss16.IntegrateFrom(f, low+(high-low)*i/n, (high-low)/n)
	}
	return sum
}
