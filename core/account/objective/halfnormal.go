package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// halfNormalDirection is the profile of the loss c + μ²/2 + |N(0, μ²)|:
// Theorem 3.1 with c = −log(1 − βR²/λ), and theory §4.1 with c' and 0. With
// ε̂ = ε − c − μ²/2,
//
//	δ = 2 δ_G(ε − c; μ)                    if ε̂ ≥ 0,
//	δ = 1 − e^{ε̂} erfcx(μ/√2)              if ε̂ < 0.
type halfNormalDirection struct{ c, mu float64 }

func (h halfNormalDirection) logDelta(epsilon float64) float64 {
	shifted := curve.Lowered(epsilon, h.c)
	hat := curve.Lowered(shifted, h.mu*h.mu/2)
	if hat >= 0 {
		return math.Ln2 + logGaussianDelta(shifted, h.mu)
	}
	// log erfcx(μ/√2) from 1 − erfcx = √(2/π)·[m(0) − m(μ)].
	logErfcx := math.Log1p(-math.Sqrt(2/math.Pi) * special.MillsDrop(0, h.mu))
	return special.Log1mExp(hat + logErfcx)
}

func (h halfNormalDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	shifted := curve.Lowered(epsilon, h.c)
	return math.Ln2 + logLinearTail(shifted, 0, h.mu, muOut)
}

// renyi is D_α, t = α − 1 (Theorem 3.2):
//
//	c + μ²/2 + log(2 e^{t²μ²/2} Φ(tμ))/t,   in the limit t → 0 c + μ²/2 + μ√(2/π).
func (h halfNormalDirection) renyi(alpha float64) float64 {
	t := alpha - 1
	tail := h.mu * math.Sqrt(2/math.Pi)
	if z := t * h.mu; z > 1e-300 {
		if z < 1 {
			tail = math.Log1p(math.Erf(z/math.Sqrt2)) / t
		} else {
			tail = (math.Ln2 + special.LogNormalCDF(z)) / t
		}
	}
	return h.c + h.mu*h.mu/2 + t*h.mu*h.mu/2 + tail
}
