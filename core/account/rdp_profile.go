package account

import "math"

// renyiDirection is the profile that a Rényi curve implies: at every ε the
// best conversion over real orders.
type renyiDirection struct {
	renyi func(alpha float64) float64
}

func (r renyiDirection) logDelta(epsilon float64) float64 {
	return LogDeltaFromRenyi(r.renyi, epsilon)
}

// logDeltaWithGaussian adds αμ_out²/2 to the curve (Theorem 4.1 of Redberg,
// Koskela & Wang 2023).
func (r renyiDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	return r.plus(muOut).logDelta(epsilon)
}

func (r renyiDirection) plus(muOut float64) renyiDirection {
	return renyiDirection{func(alpha float64) float64 { return r.renyi(alpha) + alpha*muOut*muOut/2 }}
}

func (r renyiDirection) epsilonUpper(logDelta float64) float64 {
	return EpsilonFromRenyi(r.renyi, logDelta)
}

// renyiUp turns a computed Rényi divergence into an upper bound: the formulas
// are good to a few units in the last place, or bounded by their quadrature.
func renyiUp(value float64) float64 {
	if math.IsNaN(value) {
		return math.Inf(1)
	}
	return math.Max(0, value*(1+0x1p-46))
}
