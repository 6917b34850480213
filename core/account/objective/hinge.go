package objective

import "math"

// hingeCoupling is the rounded hinge's bracket in the variable s = a/R ∈ [0, S], S = L/R ≤ 1,
// with m = R/σ and ρ = R²/λ, less log(1 + ρ), its value at s = 0:
//
//	m·v·s + κ(s),   κ(s) = m²s²/2 + log(1 + ρ(1−s)) − log(1 + ρ).
//
// κ” = m² − (ρ/(1 + ρ(1−s)))² falls in s: κ is convex up to some s₁, and concave from there on.
// So the maximum over s is at 0, or on [s₁, S], and jumps from one to the other once at most.
type hingeCoupling struct{ m, rho float64 }

// value is κ(s): the logarithms' difference is −log(1 + ρs/(1 + ρ(1−s))), in which nothing
// cancels.
func (k hingeCoupling) value(s float64) float64 {
	return k.m*k.m*s*s/2 - math.Log1p(k.rho*s/(1+k.rho*(1-s)))
}

// rate is ρ/(1 + ρ(1−s)).
func (k hingeCoupling) rate(s float64) float64 { return k.rho / (1 + k.rho*(1-s)) }

// slope is κ'(s).
func (k hingeCoupling) slope(s float64) float64 { return k.m*k.m*s - k.rate(s) }

// curvature is κ”(s).
func (k hingeCoupling) curvature(s float64) float64 {
	rate := k.rate(s)
	return (k.m - rate) * (k.m + rate)
}

// inflection returns s₁, which may be below 0 or above 1: where 1 + ρ(1−s) = ρ/m.
func (k hingeCoupling) inflection() float64 { return 1 + 1/k.rho - 1/k.m }

// hingeLoss bounds the privacy loss of the rounded hinge in the added direction (theory §4.8),
//
//	g(v) = max_{0<a≤L} [ a·v/σ + a²/(2σ²) + log(1 + R(R−a)/λ) ],
//
// for ‖x‖ ≤ R and a = |f'|·‖x‖ ≤ L ≤ R, where f”‖x‖² ≤ R(R−a); a record whose slope is 0
// has the loss 0, which g is never below. It does not decrease in v.
//
// # Theorem (zero overhead)
//
// If L = R and λ ≥ R²/ε, then ∫ φ(v)[1 − e^{ε−g(v)}]₊ dv = δ_G(ε; R/σ): the price of one
// Gaussian mechanism.
//
// Proof. Let r = R/σ, u = a/R, ℓ = rv + r²/2, B(u) = urv + u²r²/2 + log(1 + (1−u)R²/λ), so
// that B(1) = ℓ. Where ℓ ≥ ε, as log(1 + t) ≤ t and u ≤ 1,
//
//	ℓ − B(u) ≥ (1−u)[rv + (1+u)r²/2 − R²/λ] ≥ (1−u)[ℓ − R²/λ] ≥ (1−u)(ε − R²/λ) ≥ 0.
//
// So g = ℓ there. g does not decrease in v and is ε where ℓ = ε, so that smaller v add
// nothing. (f' is Lipschitz, so that θ ↔ b is one to one and absolutely continuous both ways,
// and its kinks w = 0 are hyperplanes: the density of theory §2 holds almost everywhere.) ∎
//
// E[e^{−g}] ≤ 1, because g ≥ ℓ for L = R, and the line of slope μ = L/σ and height c ≥ 0
// at its end in general: g is the loss of a dominating pair (theory §4.4).
//
// Where digits do not suffice for the jump, it is the larger loss of §4.2 instead.
func hingeLoss(rowNorm, lipschitz, lambda, sigma float64) *envelopeLoss {
	k := hingeCoupling{m: rowNorm / sigma, rho: rowNorm * (rowNorm / lambda)}
	top, mu := lipschitz/rowNorm, atLeastNormal(lipschitz/sigma)
	e := &envelopeLoss{
		base: math.Log1p(k.rho), mu: mu,
		c: -math.Log1p(lipschitz * (rowNorm / lambda) / (1 + rowNorm*((rowNorm-lipschitz)/lambda))),
	}
	// From here on the line is the larger of the two ends.
	e.flatEnd = -e.c/mu - mu/2
	e.linearStart = e.flatEnd
	if first := k.inflection(); first < top {
		b := branch{bracket: k, m: k.m, low: math.Max(first, 0), high: top}
		b.vLow, b.vHigh = b.vAt(b.low), b.vAt(top)
		jump := b.vLow // of a κ that is concave throughout
		if first > 0 {
			jump = jumpBetween(b.best, b.vLow, b.vHigh)
		}
		if s := b.maximiser(jump); s < top {
			b.low, b.vLow = s, jump
			e.flatEnd, e.linearStart = jump, b.vHigh
			e.branches = []branch{b}
		}
	}
	if !(e.flatEnd <= e.linearStart) || math.IsInf(e.flatEnd, 0) || math.IsInf(e.linearStart, 0) ||
		math.IsNaN(e.c) || math.IsInf(e.c, 0) {
		return cutLoss(math.Log1p(rowNorm*(rowNorm/lambda)), mu)
	}
	return e
}

// hingeRate is κ = ρ(1 − a) of the control problem, for the rounded hinge.
type hingeRate float64

func (r hingeRate) at(a float64) (kappa, slope float64) { return float64(r) * (1 - a), -float64(r) }
func (r hingeRate) travel(a float64) float64            { return -math.Log1p(-a) / float64(r) }
func (r hingeRate) level(travel float64) float64        { return -math.Expm1(-travel * float64(r)) }
func (r hingeRate) most(low, _ float64) float64         { return float64(r) * (1 - low) }
func (r hingeRate) bend(_, high float64) float64        { return 1 / ((1 - high) * (1 - high)) }
