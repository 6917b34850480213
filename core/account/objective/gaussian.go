package objective

import (
	"math"

	"cloister/core/special"
)

// logGaussianDelta returns log δ_G(ε; μ) for the Gaussian mechanism with
// sensitivity/noise ratio μ ≥ 0 (Balle & Wang 2018, Theorem 8),
//
//	δ_G(ε; μ) = Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2),
//
// at any real ε. With x = ε/μ − μ/2 it is φ(x)·[m(x) − m(x+μ)], m the Mills
// ratio, in which nothing cancels (theory §8). x is rounded down by more than
// its own error, so that the result errs upwards in ε and μ; what remains are a
// few units in the last place, which RoundUp covers.
func logGaussianDelta(epsilon, mu float64) float64 {
	switch {
	case mu == 0:
		if epsilon >= 0 {
			return -math.MaxFloat64 // δ = 0
		}
		return special.Log1mExp(epsilon)
	case math.IsInf(epsilon, 1):
		return -math.MaxFloat64
	case epsilon < 0:
		// The pair is symmetric: H_{e^ε}(P‖Q) = 1 − e^ε + e^ε H_{e^−ε}(Q‖P).
		return special.LogAddExp(special.Log1mExp(epsilon), epsilon+logGaussianDelta(-epsilon, mu))
	}
	scaled := epsilon / mu
	x := scaled - mu/2 - 0x1p-51*(scaled+mu/2)
	if x > farthest || math.IsInf(scaled, 1) { // μ is below 1 then
		return -math.MaxFloat64
	}
	if x < -1 {
		// Here μ > 2, and δ is not small: take the complement.
		complement := special.Mills(-x) + special.Mills(scaled+mu/2)
		return math.Log1p(-special.NormalDensity(x) * complement)
	}
	return special.LogNormalDensity(x) + math.Log(special.MillsDrop(x, mu))
}

// farthest is an x with −x²/2 below −MaxFloat64.
const farthest = 2e154

// gaussianDirection is the profile of the Gaussian mechanism, the same in both
// directions.
type gaussianDirection struct{ mu float64 }

func (g gaussianDirection) logDelta(epsilon float64) float64 {
	return logGaussianDelta(epsilon, g.mu)
}

func (g gaussianDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	return logGaussianDelta(epsilon, math.Hypot(g.mu, muOut))
}

// GaussianLogDeltaUpper returns log δ̂ with δ̂ ≥ δ_G(ε; μ), μ ≥ 0 being
// sensitivity/noise: what Of prices a Gaussian mechanism by, without an event.
func GaussianLogDeltaUpper(epsilon, mu float64) float64 {
	return rounded{gaussianDirection{mu}}.LogDeltaUpper(epsilon)
}
