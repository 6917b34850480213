package objective

import (
	"math"

	"cloister/core/special"
)

// coupling is the logistic loss's bracket of theory §4.3 in the variable
// s = a/R ∈ [0, S], S = L/R ≤ 1, with m = R/σ and ρ = R²/λ:
//
//	m·v·s + κ(s),   κ(s) = m²s²/2 + log(1 + ρ s(1−s)).
//
// Its maximum over s is g(v). Being a maximum of lines in v it is convex, and
// the maximiser s*(v) does not decrease. κ” is symmetric about s = 1/2 and
// falls away from it, so κ is concave, or concave–convex–concave, or convex:
// s* follows at most two smooth branches, with one jump between them at most.
type coupling struct{ m, rho float64 }

// value is κ(s).
func (k coupling) value(s float64) float64 {
	return k.m*k.m*s*s/2 + math.Log1p(k.rho*s*(1-s))
}

// slope is κ'(s).
func (k coupling) slope(s float64) float64 {
	return k.m*k.m*s + k.rho*(1-2*s)/(1+k.rho*s*(1-s))
}

// curvature is κ”(s) = m² + 2ρ/q − ρ(ρ+4)/q², q = 1 + ρ s(1−s).
func (k coupling) curvature(s float64) float64 {
	w := 1 / (1 + k.rho*s*(1-s))
	r := k.rho * w
	return k.m*k.m + 2*r - r*(r+4*w)
}

// inflection returns the smaller zero s₁ of κ”, the other being 1 − s₁: 1/2 if
// κ is concave throughout, 0 if it is convex throughout.
func (k coupling) inflection() float64 {
	// κ'' = 0 where q = q*, the reciprocal of the positive root of
	// (ρ²+4ρ)w² − 2ρw − m² = 0.
	q := (k.rho + 4) / (1 + math.Sqrt(1+(1+4/k.rho)*k.m*k.m))
	product := (q - 1) / k.rho // s(1−s) there
	switch {
	case product >= 0.25:
		return 0.5
	case product > 0:
		return 2 * product / (1 + math.Sqrt(1-4*product))
	}
	return 0
}

// bracket is the κ of a loss max over s of m·v·s + κ(s).
type bracket interface {
	value(s float64) float64
	slope(s float64) float64
	curvature(s float64) float64
}

// branch is a stretch [low, high] of s on which κ is concave and s maximises
// the bracket for v between vLow and vHigh. On it v = −κ'(s)/m, which
// increases in s, and the loss is κ(s) − sκ'(s).
type branch struct {
	bracket
	m           float64
	low, high   float64
	vLow, vHigh float64
}

func (b *branch) vAt(s float64) float64 { return -b.slope(s) / b.m }

// lossAt is g(v(s)).
func (b *branch) lossAt(s float64) float64 { return b.value(s) - s*b.slope(s) }

// maximiser returns the s of the branch at which κ'(s) is nearest to −m·v.
func (b *branch) maximiser(v float64) float64 {
	return decreasingRoot(b.slope, b.curvature, -b.m*v, b.low, b.high)
}

// best is the bracket's maximum over the branch for any v.
func (b *branch) best(v float64) float64 {
	s := b.maximiser(v)
	return b.m*v*s + b.value(s)
}

// levelAt returns the s of the branch at which the loss is nearest to x.
func (b *branch) levelAt(x float64) float64 {
	return decreasingRoot(
		func(s float64) float64 { return -b.lossAt(s) },
		func(s float64) float64 { return s * b.curvature(s) },
		-x, b.low, b.high)
}

// decreasingRoot solves f(s) = target for a decreasing f on [low, high] by
// Newton's method kept inside a shrinking bracket; an end if there is none.
func decreasingRoot(f, slope func(float64) float64, target, low, high float64) float64 {
	if f(low) <= target {
		return low
	}
	if f(high) >= target {
		return high
	}
	s := low + (high-low)/2
	for range 200 {
		excess := f(s) - target
		if excess > 0 {
			low = s
		} else {
			high = s
		}
		step := excess / slope(s)
		if math.Abs(step) <= 1e-15*s {
			return s
		}
		next := s - step
		if !(next > low && next < high) {
			next = low + (high-low)/2
			if next == low || next == high {
				return next
			}
		}
		s = next
	}
	return s
}

// logisticLoss is g of theory §4.3 for ‖x‖ ≤ R, |f'|·‖x‖ ≤ L ≤ R. Where the
// search for the jump fails for want of exponent range, it is the larger loss
// of §4.2 instead.
func logisticLoss(rowNorm, lipschitz, lambda, sigma float64) *envelopeLoss {
	e := envelopeOf(rowNorm, lipschitz, lambda, sigma)
	if !(e.flatEnd <= e.linearStart) || math.IsInf(e.flatEnd, 0) || math.IsInf(e.linearStart, 0) ||
		math.IsNaN(e.c) {
		return cutLoss(math.Log1p(rowNorm*(rowNorm/lambda)/4), atLeastNormal(lipschitz/sigma))
	}
	return e
}

func envelopeOf(rowNorm, lipschitz, lambda, sigma float64) *envelopeLoss {
	k := coupling{m: rowNorm / sigma, rho: rowNorm * (rowNorm / lambda)}
	top := lipschitz / rowNorm
	e := &envelopeLoss{
		mu: atLeastNormal(lipschitz / sigma),
		c:  math.Log1p(lipschitz * ((rowNorm - lipschitz) / lambda)),
	}
	s1 := k.inflection()
	first := branch{bracket: k, m: k.m, high: math.Min(s1, top)}
	second := branch{bracket: k, m: k.m, low: math.Min(math.Max(1-s1, s1), top), high: top}
	first.vLow, first.vHigh = first.vAt(0), first.vAt(first.high)
	second.vLow, second.vHigh = second.vAt(second.low), second.vAt(top)

	if top <= s1 || s1 == 0.5 {
		// Concave on [0, S]: no jump.
		whole := branch{bracket: k, m: k.m, high: top, vLow: first.vLow, vHigh: second.vHigh}
		if top <= s1 {
			whole.vHigh = first.vHigh
		}
		e.flatEnd, e.linearStart = whole.vLow, whole.vHigh
		e.branches = []branch{whole}
		return e
	}

	// The best of either side at v; their difference grows in v, at the rate
	// m(s_right − s_left) > 0, and the jump is where it vanishes.
	difference := func(v float64) float64 {
		return second.best(v) - first.best(v)
	}
	jump := jumpBetween(
		difference, math.Min(first.vLow, second.vLow), math.Max(first.vHigh, second.vHigh),
	)
	left, right := first.maximiser(jump), second.maximiser(jump)
	e.flatEnd, e.linearStart = jump, jump
	if left > 0 {
		first.high, first.vHigh = left, jump
		e.flatEnd = first.vLow
		e.branches = append(e.branches, first)
	}
	if right < top {
		second.low, second.vLow = right, jump
		e.linearStart = second.vHigh
		e.branches = append(e.branches, second)
	}
	return e
}

// jumpBetween finds the zero of an increasing function, searching outwards
// from [low, high]; NaN if there is none, or a bound is no number.
func jumpBetween(difference func(float64) float64, low, high float64) float64 {
	for step := 1 + math.Abs(low); !(difference(low) <= 0); step *= 2 {
		low -= step
		if !(low > math.Inf(-1)) {
			return math.NaN()
		}
	}
	for step := 1 + math.Abs(high); !(difference(high) > 0); step *= 2 {
		high += step
		if !(high < math.Inf(1)) {
			return math.NaN()
		}
	}
	jump, err := special.ConservativeRoot(difference, high, low, 0)
	if err != nil {
		return math.NaN()
	}
	return jump
}

// ZeroOverheadLambda returns λ₀ = R²/(ε + R²/(2σ²)) of theory §4.3: from there
// on, objective perturbation of the logistic loss with L = R has at ε the δ of
// one Gaussian mechanism with sensitivity R and noise σ.
func ZeroOverheadLambda(epsilon, rowNorm, sigma float64) float64 {
	return rowNorm * rowNorm / (epsilon + rowNorm*rowNorm/(2*sigma*sigma))
}
