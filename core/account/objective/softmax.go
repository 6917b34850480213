package objective

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// softmaxDirections returns the directions (added, removed) of objective perturbation with
// the softmax loss of K classes (bound "softmax"; theory §4.7). Each answers with the least
// of what its theorems give at an ε.
//
// Let r = R/σ, ρ = R²/λ, κ = ρ − r²/2, and v ~ N(0, I_K) the noise seen along the record's
// x, a number a class. With y the record's class, M = r·max_{k≠y} (v_k − v_y).
//
// # Theorem (no free curvature)
//
// removed: the privacy loss is at most max(0, M + r²).
// added: it is at most (K−1)·log(1 + ρ/K) + max(0, M + r²), and also at most
//
//	g(M) = max over 0 ≤ a ≤ 1 of aM + 2ρa − (K/(K−1))·κa²   if κ > 0,
//	g(M) = max(0, M + r²)                                   if κ ≤ 0.
//
// Proof. The gradient is (p − e_y) ⊗ x and the Hessian P ⊗ xxᵀ, P = diag p − ppᵀ. By
// Sylvester's identity, and because H ⪰ λI, 1 ≤ det(H + P ⊗ xxᵀ)/det H ≤ det(I +
// (‖x‖²/λ)P). Put c₀ = ‖x‖/R ≤ 1, a = c₀(1 − p_y) in [0, 1], t_k = p_k/(1 − p_y), and m_k =
// r(v_k − v_y). The Gaussian part of the loss is aΣ t_k m_k + (r²/2)a²(1 + ‖t‖²).
//
// Removed: the logarithm of the determinants counts against it, and the rest is convex in
// the vector at, of which w ≥ 0 and Σw ≤ 1. So it is largest at a corner: 0, or m_k + r².
// (v and −v have one law.) Added: log det(I + ρP) is concave in p, because P is and log det
// is concave and increasing, and symmetric; so it is largest at p = 1/K, where it is
// (K−1)·log(1 + ρ/K). The Gaussian part is at most max(0, M + r²). For the second bound take
// log det ≤ trace: (‖x‖²/λ) tr P = ρ(2ac₀ − a²(1 + ‖t‖²)) ≤ ρ(2a − a²(1 + ‖t‖²)), so
// that the loss is at most aM + 2ρa − κa²(1 + ‖t‖²). With κ > 0 use ‖t‖² ≥ 1/(K−1); else
// ‖t‖ ≤ 1, after which it is convex in a, and largest at 0 or 1. ∎
//
// M is the largest of K−1 numbers, each N(0, 2r²): each alone is the loss of a Gaussian
// mechanism of ratio μ = √2·r. So each of these costs at most K−1 times what its one number
// does (severalTimes). With a = 1 and K = 2 nothing is lost: one Gaussian mechanism of
// sensitivity √2·R for λ ≥ 2R²/(ε + R²/σ²).
//
// softmaxFaces has the other theorem for the added direction.
//
// # It is not one Gaussian mechanism
//
// For K ≥ 3 the price is not δ_G(ε; √2·R/σ), at any λ that does not grow with ε. With no
// other record at all, the removed direction tends to K−1 times that as ε → ∞. With three
// classes and λ = 3·R²K/(ε(K−1)) it is 1.07 times that at ε = 1 and δ = 1e-5, and 1.83
// times at a third of this λ (a test integrates it).
func softmaxDirections(e privacy.ObjectivePerturbation) (added, removed direction) {
	s := softmaxOf(e)
	count := math.Log(float64(e.Classes - 1))
	simple := severalTimes{cutDirection(0, s.mu), count}
	if !(s.kappa > 0) {
		return simple, simple
	}
	top := float64(e.Classes-1) * math.Log1p(s.rho/float64(e.Classes))
	added = leastOf{
		severalTimes{cutDirection(top, s.mu), count},
		severalTimes{&envelopeDirection{envelopeLoss: s.envelope()}, count},
	}
	if e.Classes > 2 {
		added = append(added.(leastOf), newSoftmaxFaces(s))
	}
	return added, simple
}

// softmax has the numbers that its price depends on, each at least what it is where κ > 0, but
// for scaled: a larger one lowers the bracket 2ρa − scaled·a². That bracket is at least what it
// is. Proof: ρ is above R²/λ by some D ≥ 2^-50·ρ, and r above R/σ. So scaled is at most
// (K/(K−1))·(κ + D), of which its factor takes off more than is rounded, and K/(K−1) ≤ 2; or it
// is 2^-60·ρ < 2D. So it is too large by 2D at most, and 2ρa by 2Da.
type softmax struct {
	classes       float64 // K
	r, mu         float64 // R/σ, √2·R/σ
	rho, kappa    float64 // R²/λ, ρ − r²/2
	scaled, extra float64 // κK/(K−1), κ(K−2)/(K−1)
}

func softmaxOf(e privacy.ObjectivePerturbation) softmax {
	const up = 1 + 0x1p-50
	k := float64(e.Classes)
	row := math.Max(e.RowNorm, e.Lipschitz/math.Sqrt2) * up
	s := softmax{classes: k, r: atLeastNormal(row / e.Sigma)}
	s.mu, s.rho = math.Sqrt2*s.r*up, row*(row/e.Lambda)*up
	s.kappa = s.rho - s.r*s.r/2
	s.scaled = math.Max(s.kappa*k/(k-1)*(1-0x1p-50), 0x1p-60*s.rho)
	s.kappa += 0x1p-50 * (s.rho + s.r*s.r)
	s.extra = s.kappa * (k - 2) / (k - 1) * up
	return s
}

// envelope is g of one number m = μv: 0 up to m = −2ρ, then a parabola, then a line.
func (s softmax) envelope() *envelopeLoss {
	b := branch{bracket: softmaxBracket{s.rho, s.scaled}, m: s.mu, high: 1}
	b.vLow, b.vHigh = b.vAt(0), b.vAt(1)
	return &envelopeLoss{
		flatEnd: b.vLow, branches: []branch{b}, linearStart: b.vHigh, c: s.extra, mu: s.mu,
	}
}

// softmaxBracket is the bracket 2ρs − bend·s².
type softmaxBracket struct{ rho, bend float64 }

func (p softmaxBracket) value(s float64) float64   { return s * (2*p.rho - p.bend*s) }
func (p softmaxBracket) slope(s float64) float64   { return 2*p.rho - 2*p.bend*s }
func (p softmaxBracket) curvature(float64) float64 { return -2 * p.bend }

// severalTimes is the direction of the largest of several losses that are alike, and 0 or
// more, by the union bound: ψ(max ω_k) ≤ Σ ψ(ω_k) for ψ = [1 − e^{ε−ω}]₊, and for
// e^{tω} − 1.
type severalTimes struct {
	one   *envelopeDirection
	count float64 // log of their number
}

func (s severalTimes) logDelta(epsilon float64) float64 {
	if epsilon < 0 { // 1 − e^{ε−ω} = 1 − e^ε + e^ε(1 − e^{−ω})
		return special.LogAddExp(
			special.Log1mExp(epsilon), epsilon+math.Min(0, s.count+s.one.logDelta(0)),
		)
	}
	return math.Min(0, s.count+s.one.logDelta(epsilon)) // NaN stays one
}

func (s severalTimes) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	return math.Min(0, s.count+s.one.logDeltaWithGaussian(epsilon, muOut))
}

// renyi is log(1 + n·(E e^{tω} − 1))/t, t = α − 1 or, where that is less, 2^-40: D_α does
// not decrease in α. (This bound on it may, a little.)
func (s severalTimes) renyi(alpha float64) float64 {
	alpha = math.Max(alpha, 1+0x1p-40)
	t := alpha - 1
	exponent := t * s.one.renyi(alpha)
	return special.Log1pExp(s.count+special.LogExpm1(exponent)) / t
}

// leastOf is the least of several bounds on one direction. One that fails, NaN, makes no
// promise, and the others stand.
type leastOf []direction

func least(bounds []direction, of func(direction) float64) float64 {
	value := math.NaN()
	for _, b := range bounds {
		if other := of(b); !(value <= other) && !math.IsNaN(other) {
			value = other
		}
	}
	return value
}

func (l leastOf) logDelta(epsilon float64) float64 {
	return least(l, func(d direction) float64 { return d.logDelta(epsilon) })
}

func (l leastOf) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	return least(l, func(d direction) float64 { return d.logDeltaWithGaussian(epsilon, muOut) })
}

// renyi is the least of those that have a Rényi curve.
func (l leastOf) renyi(alpha float64) float64 {
	return least(l, func(d direction) float64 {
		if r, ok := d.(interface{ renyi(float64) float64 }); ok {
			return r.renyi(alpha)
		}
		return math.Inf(1)
	})
}
