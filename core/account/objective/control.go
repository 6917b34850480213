package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// controlDirection is the added direction of objective perturbation by the value of a
// one-dimensional control problem (theory §4.6; the bound "control"). Use it where λ is
// below λ₀: it is within a few percent of what explicit data cost, and never below.
//
// Let f' have one sign given y, and let the record's slope be a = |f'|·‖x‖ in units of R,
// m = R/σ, S = L/R. On each line along x, b ↦ b + h(b) with h = −m·a moves the noise of Z
// to that of Z ∪ {z}; a does not rise along the line, and m·|da/dβ| ≤ κ(a), where
//
//	κ(a) = ρ·a(1−a), ρ = R²/λ   for the logistic loss,
//	κ(a) = βR²/λ                for any other whose slope has one sign.
//
// So δ(ε) ≤ V(ε) = sup ∫ [φ(β−ma)(1 + h') − e^ε φ(β)]₊ dβ over all such paths, for every
// data set, every dimension and every real ε.
//
// # From paths to levels
//
// The integrand is convex in h', so a path costs at most what it does if it is charged
// r₀ = [φ(β−ma) − e^ε φ(β)]₊ for standing, and r₁ (with 1 + κ) for moving at full rate,
// each for its share of the time: r₀ dβ + (r₁ − r₀)(m/κ)|da|. Standing costs something
// right of β₀(a) = ε/(ma) + ma/2 only. Write ∫r₀ dβ along the path as the change of
// P(β, a) = ∫_{β₀(a)}^β r₀ dβ', plus what P loses as a falls: ∂P/∂a = −mφ(β−ma) +
// mφ(β₀−ma) there. Right of β₀, (r₁ − r₀)m/κ = mφ(β−ma), and the two cancel. What is
// left is one charge for each level that the path passes, or never reaches (β = ∞):
//
//	V = (1 − e^ε)₊ + sup ∫₀^S W(β(a), a) da,
//
//	W(β, a) = mφ(u)·[1 − (e^v − 1)/κ]₊  left of β₀,   mφ(β₀ − ma) right of it,
//	u = β − ma,  v = ε − mau − m²a²/2 ≥ 0.
//
// The charge on the right is ∂δ_G(ε; ma)/∂a: standing at S for ever costs δ_G(ε; mS), so
// V is never less. For ε ≤ 0 it is no more: then u < 0 where W > 0, and both factors of W
// rise up to β₀.
//
// # The certificate
//
// Let x(a) = ∫ m/κ da and c = β + x(a), the offset. The rate is respected where c does not
// fall as a falls. A curve in the plane of (a, c) that never falls as a rises crosses every
// such path, at some (q, c): levels above q are passed at offsets of at most c, and those
// below q at offsets of at least c. So V is at most the largest, over the curve, of a sum
// of unconstrained maxima, level by level. With the curve through the offsets at which W
// is largest, where they rise with a, the maxima are those of a path, and nothing is lost.
// The curve is cut into boxes [q₁, q₂] × [c₁, c₂] (control.search), levels into pieces
// (piece), each rounded up as a whole; no path is followed.
//
// # What it takes
//
// Nearly all ε take 0.4 to 3 ms of a processor natively and 2 to 6 ms in V8, some with a
// large m up to 6 and 20, at δ = 1e-5 and λ from λ₀/4 to 0.8 λ₀ (BenchmarkControl; least of
// several runs on a machine with other work). The bounds of theory §4.3 take 0.02 ms. Far
// below λ₀, where W changes faster over the levels, a search stops at some mostHalves
// pieces, and loses up to 3 % of δ by that.
type controlDirection struct {
	path control
	mu   float64 // S·m
	// ceiling is a larger bound, which answers for what is as sharp, or fails.
	ceiling direction
	nodes   *controlNodes
}

// controlOf is the added direction of the bound "control": that of theory §4.3, or §4.2, is
// its ceiling.
func controlOf(e privacy.ObjectivePerturbation, ceiling *envelopeDirection) controlDirection {
	mu := sensitivityRatio(e)
	d := controlDirection{mu: mu, ceiling: ceiling, nodes: &controlNodes{}}
	if e.Loss == privacy.LossLogistic {
		d.path = control{
			m: e.RowNorm / e.Sigma, top: e.Lipschitz / e.RowNorm,
			rate: logisticRate(e.RowNorm * (e.RowNorm / e.Lambda)),
		}
		return d
	}
	d.path = control{m: mu, top: 1, rate: constantRate(Curvature(e) / e.Lambda)}
	return d
}

// control is the control problem: m, S, and κ.
type control struct {
	m, top float64
	rate   rate
}

// rate is κ(a), what it implies for x(a) = m·travel(a), and how both curve.
type rate interface {
	// at returns κ(a) and κ'(a).
	at(a float64) (kappa, slope float64)

	// travel is ∫ da/κ from anywhere, −Inf or +Inf where that diverges.
	travel(a float64) float64

	// most is the largest κ(a) for low ≤ a ≤ high.
	most(low, high float64) float64

	// bend is at least the second derivative of −log κ − t·travel for low ≤ a ≤ high,
	// +Inf where there is no such number.
	bend(low, high, t float64) float64
}

// logisticRate is ρ·a(1−a).
type logisticRate float64

func (r logisticRate) at(a float64) (kappa, slope float64) {
	return float64(r) * a * (1 - a), float64(r) * (1 - 2*a)
}

func (r logisticRate) travel(a float64) float64 {
	return (math.Log(a) - math.Log1p(-a)) / float64(r)
}

func (r logisticRate) most(low, high float64) float64 {
	a := math.Max(low, math.Min(high, 0.5))
	return float64(r) * a * (1 - a)
}

// bend: (1 + t/ρ)/a² + (1 − t/ρ)/(1−a)².
func (r logisticRate) bend(low, high, t float64) float64 {
	e := t / float64(r)
	left, right := low, high
	if e < -1 {
		left = high
	}
	if e > 1 {
		right = low
	}
	return (1+e)/(left*left) + (1-e)/((1-right)*(1-right))
}

// constantRate is the same κ at all levels.
type constantRate float64

func (r constantRate) at(float64) (kappa, slope float64) { return float64(r), 0 }
func (r constantRate) travel(a float64) float64          { return a / float64(r) }
func (r constantRate) most(float64, float64) float64     { return float64(r) }
func (r constantRate) bend(_, _, _ float64) float64      { return 0 }

// logDelta returns log of a bound on V(ε); the ceiling's answer where that is less, or is
// what one Gaussian mechanism costs, which V is never below.
func (d controlDirection) logDelta(epsilon float64) float64 {
	least := logGaussianDelta(epsilon, d.mu)
	if epsilon <= 0 {
		return least
	}
	most := d.ceiling.logDelta(epsilon)
	if curve.Failed(most) || !(most-least > settled) {
		return most
	}
	value := d.path.logValue(epsilon, least, most)
	if !(value <= most) || below(value, least) { // NaN too
		return most
	}
	return value
}

// settled is a difference in log δ for which no search is begun.
const settled = 1e-6
