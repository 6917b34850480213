package objective

import (
	"cloister/core/account/curve"
)

// renyiDirection is the profile that a Rényi curve implies: at every ε the
// best conversion over real orders.
type renyiDirection struct {
	renyi func(alpha float64) float64
}

func (r renyiDirection) logDelta(epsilon float64) float64 {
	return curve.LogDeltaFromRenyi(r.renyi, epsilon)
}

// logDeltaWithGaussian adds αμ_out²/2 to the curve (Theorem 4.1 of Redberg,
// Koskela & Wang 2023).
func (r renyiDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	return r.plus(muOut).logDelta(epsilon)
}

func (r renyiDirection) plus(muOut float64) renyiDirection {
	return renyiDirection{
		func(alpha float64) float64 { return r.renyi(alpha) + alpha*muOut*muOut/2 },
	}
}

func (r renyiDirection) epsilonUpper(logDelta float64) float64 {
	return curve.EpsilonFromRenyi(r.renyi, logDelta)
}
