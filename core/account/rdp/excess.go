package rdp

import "math"

// logExcess returns log(e^{αt} − 1 − α(e^t − 1)) for α > 1, to a few ulp of the
// excess itself, with no cancellation for t near 0, α near 1, or either large.
// It is −Inf at t = 0.
//
// If t = log(dP/dQ) then E_Q[excess] = E_Q[(dP/dQ)^α] − 1, because
// E_Q[dP/dQ] = 1 (P ≪ Q). The excess is never negative (Bernoulli), so a Rényi
// divergence is a sum of positive terms:
//
//	D_α(P‖Q) = log(1 + E_Q[excess]) / (α − 1).
func logExcess(alpha, t float64) float64 {
	if t == 0 {
		return math.Inf(-1)
	}
	at := alpha * t
	switch {
	case math.Abs(at) < 0.5:
		// Σ_{k≥2} α(α^{k−1} − 1) t^k/k!: expm1 keeps the digits of α − 1, and
		// 20 terms of ratio |αt|/k < 1/4 leave less than 2⁻⁶⁰. For t < 0 the
		// series alternates, each term at most a quarter of the one before.
		logAlpha := math.Log(alpha)
		sum, power := 0.0, t
		for k := 2; k <= 20; k++ {
			power *= t / float64(k)
			sum += alpha * math.Expm1(float64(k-1)*logAlpha) * power
		}
		return math.Log(sum)
	case t > 40:
		// e^t(e^{(α−1)t} − α) + α − 1, whose last term no longer shows.
		s := alpha - 1
		if s*t > 40+s {
			return at
		}
		return t + math.Log(math.Expm1(s*t)-s)
	case at > 40:
		return at + math.Log1p(-(math.Expm1(t)*alpha+1)*math.Exp(-at))
	case alpha < 2:
		// e^t·(e^{(α−1)t} − 1) − (α−1)(e^t − 1): both halves carry the small
		// factor α − 1, which the plain form would lose.
		s := alpha - 1
		return math.Log(math.Exp(t)*math.Expm1(s*t) - s*math.Expm1(t))
	}
	return math.Log(math.Expm1(at) - alpha*math.Expm1(t))
}
