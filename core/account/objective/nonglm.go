package objective

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
	chi        chiMoment
}

func newSmoothRenyi(dimension int, offset, mu float64) smoothRenyi {
	return smoothRenyi{dimension, offset, mu, newChiMoment(dimension)}
}

func (s smoothRenyi) renyi(alpha float64) float64 {
	if s.dimension == 1 {
		return halfNormalDirection{s.offset, s.mu}.renyi(alpha)
	}
	t := alpha - 1
	tail := s.mu * math.Sqrt2 * special.GammaHalfStep(float64(s.dimension)/2) // t → 0: μ·E[Z]
	if t*s.mu > 1e-12 {
		tail = s.chi.log(t*s.mu) / t
	}
	return float64(s.dimension)*s.offset + s.mu*s.mu/2 + tail
}

var gauss16 = special.GaussLegendre(16)

// chiMoment computes log E[e^{sZ}] for Z ~ χ_d, d ≥ 2, by Gauss–Legendre panels
// around the peaks of densities that fall off at least as fast as N(0, 1)'s.
type chiMoment struct {
	power float64 // d − 1
	peak  float64 // √(d−1), where z^{d−1} e^{−z²/2} is largest
	mass  float64 // the integral of that, relative to its largest value
}

func newChiMoment(d int) chiMoment {
	c := chiMoment{power: float64(d - 1), peak: math.Sqrt(float64(d - 1))}
	if d > 1 {
		c.mass = panels(c.peak, 0, func(z float64) float64 { return math.Exp(c.shape(z)) })
	}
	return c
}

// shape is the log density of Z at z less that at the peak.
func (c chiMoment) shape(z float64) float64 {
	h := z - c.peak
	return c.power*math.Log1p(h/c.peak) - h*(z+c.peak)/2
}

// log returns log E[e^{sZ}] for s > 0.
func (c chiMoment) log(s float64) float64 {
	if s <= 1 {
		// E e^{sZ} = e^{s·peak}(1 + E[e^{s(Z−peak)} − 1]), Z − peak of order 1.
		excess := panels(c.peak, s, func(z float64) float64 {
			return math.Exp(c.shape(z)) * math.Expm1(s*(z-c.peak))
		})
		return s*c.peak + math.Log1p(excess/c.mass)
	}
	tilted := (s + math.Sqrt(s*s+4*c.power)) / 2
	moment := panels(tilted, 0, func(z float64) float64 {
		h := z - tilted
		return math.Exp(c.power*math.Log1p(h/tilted) - h*(z+tilted)/2 + s*h)
	})
	return c.shape(tilted) + s*tilted + math.Log(moment/c.mass)
}

// panels integrates f over the positive part of [center − 9, center + 9 + extra],
// outside which a normal density has less than 1e-18 of its mass.
func panels(center, extra float64, f func(float64) float64) float64 {
	const span = 9.0
	low := math.Max(0, center-span)
	high := center + span + extra
	n := math.Ceil((high - low) / 1.5)
	sum := 0.0
	for i := 0.0; i < n; i++ {
		sum += gauss16.IntegrateFrom(f, low+(high-low)*i/n, (high-low)/n)
	}
	return sum
}
