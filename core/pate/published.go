package pate

import (
	"math"

	"cloister/core/special"
)

// What others published, to hold [TwoTails] and [Plan] against. No release is priced by it.

// Papernot is Theorem 6 with Proposition 10 of Papernot et al. 2018, which bounds what
// [TwoTails] does, from log q; false where their conditions are not met.
func Papernot(logq, sigma, alpha float64) (float64, bool) {
	order2 := sigma * math.Sqrt(-logq)
	order1 := order2 + 1
	e1, e2 := order1/(sigma*sigma), order2/(sigma*sigma)
	if !(order2 > 1 && alpha < order1) {
		return 0, false
	}
	limit := (order2-1)*e2 - order2*math.Log(order1/(order1-1)*order2/(order2-1))
	if !(logq <= limit) {
		return 0, false
	}
	rest := special.Log1mExp(logq)
	a := rest - special.Log1mExp((logq+e2)*(order2-1)/order2)
	b := e1 - logq/(order1-1)
	return special.LogAddExp(rest+(alpha-1)*a, logq+(alpha-1)*b) / (alpha - 1), true
}

// Smooth is the exact Rényi divergence, of order alpha, of releasing a number with noise
// N(0, σ²) times a β-smooth bound of its sensitivity (Papernot et al. 2018's GNSS; the
// release of Redberg's thesis, Algorithm 6): the largest, over t = log of the quotient of the
// two bounds in [−β, β], of
//
//	αΔ²/(2σ²v) + t + (2t − log v)/(2(α−1)),   v = αe^2t + 1 − α,   Δ = min(1, e^t).
//
// It is +Inf where v ≤ 0 for some t. It does not vanish as σ grows.
func Smooth(alpha, beta, sigma float64) float64 {
	negative := func(t float64) float64 {
		v := alpha*math.Expm1(2*t) + 1
		if !(v > 0) {
			return math.Inf(-1)
		}
		d := math.Min(1, math.Exp(t))
		return -(alpha*d*d/(2*sigma*sigma*v) + t + (2*t-math.Log(v))/(2*(alpha-1)))
	}
	worst := 0.0
	const parts = 64
	for i := range parts {
		from := beta * (2*float64(i)/parts - 1)
		_, value := special.Minimum(negative, from, from+2*beta/parts, 1e-9*beta)
		worst = math.Max(worst, -value)
	}
	return math.Max(worst, math.Max(-negative(-beta), -negative(beta)))
}

// PublishedTest are the constants of Algorithm 6 of Redberg's thesis for a test of ε̂ =
// epsilon: the order, the noise and the β of the release of [Smooth], which is charged ε̂/2 at
// that order.
func PublishedTest(epsilon, delta float64) (alpha, sigma, beta float64) {
	alpha = 1 + 2*math.Log(2/delta)/epsilon
	return alpha, math.Sqrt((2 + 3*alpha) / epsilon), 0.2 / alpha
}
