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
//	κ(a) = ρ·a(1−a), ρ = R²/λ   for the logistic loss, shifted or not,
//	κ(a) = ρ(1−a)               for the rounded hinge,
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
// # Where W is largest
//
// Let x(a) = ∫ m/κ da and c = β + x(a), the offset. The rate is respected where c does not
// fall as a falls. At a level W rises up to one offset, best(a), and falls from there to β₀: left
// of β₀ log W is concave. In the lemma κ is any concave function with κ ≥ 0 on [0, S].
//
// Lemma. As a rises, best(a) first falls and then rises. So does the offset none(a) = x + (ε −
// log(1+κ))/(ma) + ma/2, up to which nothing is charged.
//
// Proof. ma²·none' = −ε + m²a²/2 + m²a²/κ + log(1+κ) − aκ'/(1+κ) does not fall: κ/a does not rise,
// and the last two have the derivative −aκ”/(1+κ) + aκ'²/(1+κ)² ≥ 0. Best(a) is left of β₀ where
// κ·(ε − m²a²/2)/(ma)² > 1, which holds up to some level only. There e^v = (1+κ)u/β at it, and the
// derivative of the logarithm of that gives, for g = uβ/(1+uβ) and y = m(u − 1/u) + κ'/(1+κ),
//
//	β' = −g·y/(ma),  best' = m/κ − g·y/(ma),  u' = β' − m.
//
// So best rises where g·y ≤ m²a/κ. The right side does not fall. κ'/(1+κ) does not rise: while
// y > 0, so do β, u, g and y fall, and where y reaches 0 it is negative from there on. Beyond that
// level best(a) is at β₀, and ma²·(β₀ + x)' = −ε + m²a²/2 + m²a²/κ rises, from 0. ∎
//
// # The value
//
// A curve in the plane of (a, c) that never falls as a rises crosses every path of falling a and
// rising c, at some (q, c): levels above q are passed at offsets of at most c, and those below q at
// offsets of at least c. So V is at most the largest, over the curve, of a sum of unconstrained
// maxima, level by level. Let the curve be best(a), from where it is least on. Then levels above
// the other one where it is c, a(c), are charged W at c, and those below it their largest:
//
//	V = max F(c),  F(c) = ∫₀^{a(c)} max W da + ∫_{a(c)}^S W(c − x, a) da,
//
// which is what a path costs that falls at full rate from S to a(c). With u = c − x − ma,
// v = ε − mau − m²a²/2 and Ψ(c, a) = Φ(−u) − e^ε Φ(−u − ma), W = ∂Ψ/∂a left of β₀, and right of it
// too if Ψ is δ_G(ε; ma) there. So the second integral is Ψ(c, end) − Ψ(c, a(c)), with the end at
// S or where none = c, and
//
//	F'(c) = B(c, end) − B(c, a(c)),  B = ∂Ψ/∂c = φ(u)(e^v − 1), or 0 right of β₀.
//
// Ψ(c, a) is what a threshold at c has of δ_G(ε; ma), so that Ψ ≤ δ_G(ε; mS) everywhere.
//
// # The certificate
//
// F is known from above at nodes: levels a with c = best(a), and if best(first) is not far enough,
// the lowest level, first, at larger c. The first integral is that of pieces, each rounded up as a
// whole (piece). Between the nodes of levels a₁ > a₂, at offsets c₁ ≤ c ≤ c₂, four things bound F
// (search.gap), with G(a) the integral up to a:
//
//   - a(c) ≤ a₁, and charging more levels their largest is no less: F(c) ≤ G(a₁) + D(c), where
//     D(c) = Ψ(c, end) − Ψ(c, a₁). At c₁ it is F.
//   - D' = B(c, end) − B(c, a₁), because W is 0 at an end that moves. ∂B/∂a = ∂W/∂c is positive
//     there, and the end rises with c. So D” is at least that of a fixed end, for which place
//     between end(c₁) and end(c₂) whatever (search.bend), and D is below its chord plus
//     K(c−c₁)(c₂−c)/2 where D” ≥ −K.
//   - B(c, end) ≥ 0, and where u ≥ 0 both factors of B(c, a₁) = φ(u)(e^v − 1) fall as c rises, the
//     second until it is 0: D(c) ≤ D(c₂) + (c₂ − c₁)·max(0, B(c₁, a₁)) (search.fall).
//   - Ψ(c, end) ≤ δ_G(ε; mS), and Ψ(c, a₁) does not fall as c rises: D(c) ≤ δ_G(ε; mS) − Ψ(c₁, a₁).
//
// For offsets below the least of best, the curve goes on at its level, and F is no more than there:
// the level is known between two only, and those are charged their largest (search.belowValley).
// From best(S) on, no level above a(c) is charged more as c rises, so F falls and the last node
// bounds it. Where x(S) is infinite, S is replaced by a level above which next to nothing is
// charged at all, and the most that it can be is added to every F (search.highest); so is what is
// charged below first (search.lowest).
//
// The gap with the largest bound is cut until it is within stepLoss of the largest F. No path is
// followed, and stopping early leaves a bound.
//
// # What it takes
//
// 0.1 to 0.2 ms of a processor natively for nearly all ε, whatever λ is (BenchmarkControl). The
// bounds of theory §4.3 take 0.02 ms.
// The bound is above V by 2e-5 to 5e-5 of it, where looks suffice (mostLooks).
type controlDirection struct {
	path control
	mu   float64 // S·m
	// ceiling is a larger bound, which answers for what is as sharp, or fails.
	ceiling direction
	nodes   *controlNodes // of all directions of this one's parameters
	// often is where chords end, nil unless it is asked often.
	often func() []float64
}

// mostCurved is the βR²/λ up to which the bound "control" solves the control problem. Beyond it
// the bound is the ceiling: a search can take seconds there, and no such λ is of use, because ε is
// above log(βR²/λ) > 20 unless δ is near L/σ or larger.
const mostCurved = 1 << 30

// controlDirections are the added direction by the control problem, with that of theory §4.3,
// §4.8 or §4.2 for its ceiling, and the removed one.
func controlDirections(
	e privacy.ObjectivePerturbation,
) (added controlDirection, removed direction, err error) {
	quick, err := BoundAuto.Quick(e.Loss)
	if err != nil {
		return controlDirection{}, nil, err
	}
	ceiling, removed, err := objectiveDirections(e, quick)
	if err != nil {
		return controlDirection{}, nil, err
	}
	mu := sensitivityRatio(e)
	d := controlDirection{mu: mu, ceiling: ceiling, nodes: nodesOf(e)}
	if e.Loss == privacy.LossLogistic || e.Loss == privacy.LossHinge {
		d.path = control{m: e.RowNorm / e.Sigma, top: e.Lipschitz / e.RowNorm}
		rho := e.RowNorm * (e.RowNorm / e.Lambda)
		if d.path.rate = logisticRate(rho); e.Loss == privacy.LossHinge {
			d.path.rate = hingeRate(rho)
		}
		return d, removed, nil
	}
	d.path = control{m: mu, top: 1, rate: constantRate(Curvature(e) / e.Lambda)}
	return d, removed, nil
}

// control is the control problem: m, S, and κ.
type control struct {
	m, top float64
	rate   rate
}

// rate is κ(a), which is concave, what it implies for x(a) = m·travel(a), and how it curves.
type rate interface {
	// at returns κ(a) and κ'(a).
	at(a float64) (kappa, slope float64)

	// travel is ∫ da/κ from anywhere, −Inf or +Inf where that diverges.
	travel(a float64) float64

	// level is the a of a travel from where travel is 0.
	level(travel float64) float64

	// most is the largest κ(a) for low ≤ a ≤ high.
	most(low, high float64) float64

	// bend is at least the second derivative of −log κ for low ≤ a ≤ high, +Inf where there
	// is no such number.
	bend(low, high float64) float64
}

// logisticRate is ρ·a(1−a).
type logisticRate float64

func (r logisticRate) at(a float64) (kappa, slope float64) {
	return float64(r) * a * (1 - a), float64(r) * (1 - 2*a)
}

// travel is log(a/(1−a))/ρ, also next to a = 1/2, where two logarithms would cancel.
func (r logisticRate) travel(a float64) float64 {
	if a > 0.25 && a < 0.75 {
		return math.Log1p((2*a-1)/(1-a)) / float64(r)
	}
	return (math.Log(a) - math.Log1p(-a)) / float64(r)
}

func (r logisticRate) level(travel float64) float64 {
	return 1 / (1 + math.Exp(-float64(r)*travel))
}

func (r logisticRate) most(low, high float64) float64 {
	a := math.Max(low, math.Min(high, 0.5))
	return float64(r) * a * (1 - a)
}

func (r logisticRate) bend(low, high float64) float64 {
	return 1/(low*low) + 1/((1-high)*(1-high))
}

// constantRate is the same κ at all levels.
type constantRate float64

func (r constantRate) at(float64) (kappa, slope float64) { return float64(r), 0 }
func (r constantRate) travel(a float64) float64          { return a / float64(r) }
func (r constantRate) level(travel float64) float64      { return travel * float64(r) }
func (r constantRate) most(float64, float64) float64     { return float64(r) }
func (r constantRate) bend(_, _ float64) float64         { return 0 }

// logDelta returns log of a bound on V(ε); the ceiling's answer where that is less, or is
// what one Gaussian mechanism costs, which V is never below.
func (d controlDirection) logDelta(epsilon float64) float64 {
	if d.often != nil {
		return d.node(epsilon, rough)
	}
	return d.logDeltaBy(epsilon, sharp)
}

func (d controlDirection) logDeltaBy(epsilon float64, by effort) float64 {
	least := logGaussianDelta(epsilon, d.mu)
	if epsilon <= 0 {
		return least
	}
	most := d.ceiling.logDelta(epsilon)
	if curve.Failed(most) || !(most-least > settled) {
		return most
	}
	value := d.path.logValue(epsilon, least, by)
	if !(value <= most) || below(value, least) { // NaN too
		return most
	}
	return value
}

// settled is a difference in log δ for which no search is begun.
const settled = 1e-6
