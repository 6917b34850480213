package golden

import "math/big"

// EpsilonAtOrder is ε = r + log(1 − 1/α) − (log δ + log α)/(α−1), that a bound r on the
// Rényi divergence at order α implies.
func EpsilonAtOrder(alpha, r, logDelta *big.Float) *big.Float {
	s := Minus(alpha, Big(1))
	return Minus(Plus(r, Log(Over(s, alpha))), Over(Plus(logDelta, Log(alpha)), s))
}

// LogDeltaAtOrder is the same solved for log δ: (α−1)(r − ε + log(1 − 1/α)) − log α.
func LogDeltaAtOrder(alpha, r, epsilon *big.Float) *big.Float {
	s := Minus(alpha, Big(1))
	return Minus(Times(s, Plus(Minus(r, epsilon), Log(Over(s, alpha)))), Log(alpha))
}

// GaussianEpsilon is the least EpsilonAtOrder over real orders for the Gaussian
// mechanism of ratio μ, whose Rényi divergence is αμ²/2: within 1e-24 of it, by
// bisection of the derivative's sign, μ²/2 + (log δ + log α)/(α−1)², in α − 1.
func GaussianEpsilon(mu, delta float64) *big.Float {
	half := Over(Times(Big(mu), Big(mu)), Big(2))
	logDelta := Log(Big(delta))
	low, high := Big(1e-9), Big(1e9)
	for range 140 {
		s := Over(Plus(low, high), Big(2))
		if high.Cmp(Times(low, Big(4))) > 0 { // by size first
			s = new(big.Float).SetPrec(Bits).Sqrt(Times(low, high))
		}
		at := Plus(Times(half, Times(s, s)), Plus(logDelta, Log(Plus(s, Big(1)))))
		if at.Sign() < 0 {
			low = s
		} else {
			high = s
		}
	}
	alpha := Plus(high, Big(1))
	return EpsilonAtOrder(alpha, Times(alpha, half), logDelta)
}
