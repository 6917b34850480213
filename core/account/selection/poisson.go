package selection

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// Poisson returns the price of selecting the best of K runs, K ~ Poisson(μ). If K = 0,
// the output says so.
//
// worst bounds the base mechanism's D_α in both directions, deltaUpper(ε) its
// δ(ε); a sharp one (from the loss distribution) makes a sharp price. If it is
// nil, the bound that worst implies is used.
//
// Theorem (ours). Let ν = e^{(α−1)r} with D_α ≤ r for the base mechanism, and
// let it be (log(1 + 1/(α−1)), δ)-DP. With h = min((α−1)δ, ν − 1),
//
//	e^{(α−1)ε'(α)} ≤ e^{μh} (1 + μ(ν − 1 − h)).
//
// For μ ≥ 1 it is never above Theorem 6 of Papernot & Steinke,
// ε' = r + μδ + log(μ)/(α−1), that is e^{μ(α−1)δ} μν, and unlike it does not
// charge log μ when the base mechanism reveals nothing. For μ < 1 their
// formula can be negative and is no bound (its proof leaves K = 0 out); this
// one holds for every μ > 0.
//
// Proof. Order outputs by score, ties broken by an independent uniform number,
// and let P, Q be the base mechanism's laws on neighbours, p(y), q(y) the
// probabilities of a score of at most y's. A run of the selection has density
// μe^{μ(p−1)} dP and puts e^{−μ} on K = 0, so that
//
//	M := e^{(α−1)D_α} = e^{−μ} + ∫ μ e^{μg} dν,   g = αp − (α−1)q − 1,
//
// where dν = dP^α dQ^{1−α}, of total mass at most ν, and g runs from −1 to 0.
// By Bernoulli's inequality dν ≥ α dP − (α−1) dQ = dg. Let g* ≥ 0 be the
// largest g. From the lowest score up to where g = g*,
// ∫ μ(e^{μg*} − e^{μg}) dν ≥ ∫ μ(e^{μg*} − e^{μg}) dg
// = e^{μg*}(μ(1+g*) − 1) + e^{−μ}, and beyond it the integrand is not negative.
// Hence M ≤ μe^{μg*}ν − e^{μg*}(μ(1+g*) − 1) = e^{μg*}(1 + μ(ν − 1 − g*)).
// That increases in g* while g* ≤ ν − 1, and so it is: ν ≥ ∫dν ≥ ∫dg = 1 + g*,
// both integrals up to g = g*.
// Finally g = (α−1)[(1−q) − (α/(α−1))(1−p)] ≤ (α−1)δ. ∎
func Poisson(
	worst func(alpha float64) float64, deltaUpper func(epsilon float64) float64, mu float64,
) (Price, error) {
	if err := privacy.CheckPositive("mu", mu); err != nil {
		return nil, err
	}
	if deltaUpper == nil {
		deltaUpper = converted(worst)
	}
	return monotone(worst, func(alpha, r float64) float64 {
		return poissonAtOrder(alpha, r, mu, deltaUpper(math.Log1p(1/(alpha-1))))
	}), nil
}

// converted returns δ(ε) as the curve implies it, from orders that are looked at
// once: a scan of log(α−1) in steps of a tenth, which loses a thousandth of log δ
// at most to the best order.
func converted(worst func(alpha float64) float64) func(epsilon float64) float64 {
	var orders, values []float64
	for x := -14.0; x <= 18.5; x += 0.1 {
		alpha := 1 + math.Exp(x)
		orders, values = append(orders, alpha), append(values, worst(alpha))
	}
	return func(epsilon float64) float64 {
		least := 0.0
		for i, alpha := range orders {
			if values[i] >= 0 {
				least = math.Min(least, curve.LogDeltaAtOrder(alpha, values[i], epsilon))
			}
		}
		return math.Exp(least) * (1 + 0x1p-50)
	}
}

// poissonAtOrder is the theorem at one order. The factor 1 + 1e-12 covers
// rounding.
func poissonAtOrder(alpha, r, mu, delta float64) float64 {
	if math.IsInf(r, 1) {
		return r
	}
	s := alpha - 1
	logNu := s * r
	h := s * math.Max(0, delta)
	if excess := math.Expm1(logNu); excess < h {
		h = excess
	}
	if logNu > 600 {
		// ν overflows: log(1 + μ(ν−1−h)) = log μ + log ν + log(1 + (1−μ−μh)/(μν)).
		rest := math.Max(0, 1-mu-mu*h) / mu * math.Exp(-logNu)
		return (mu*h + math.Log(mu) + logNu + math.Log1p(rest)) / s * (1 + 1e-12)
	}
	return (mu*h + math.Log1p(mu*(math.Expm1(logNu)-h))) / s * (1 + 1e-12)
}

// PublishedPoissonAtOrder is Theorem 6 of Papernot & Steinke 2022 at one order: r + μδ
// + log(μ)/(α−1), where the base mechanism has D_α ≤ r and is (log(1 + 1/(α−1)), δ)-DP.
// It is a bound only for μ ≥ 1. Use it for comparison.
func PublishedPoissonAtOrder(alpha, r, mu, delta float64) float64 {
	return r + mu*delta + math.Log(mu)/(alpha-1)
}
