package glm

import (
	"math"

	"cloister/core/privacy"
)

// Clipped is a loss whose gradient is clipped at a threshold C: for a record
// with features x it stands for the function f_C(m; y) of
//
//	f_C′ = f′ clamped to [−c, c],   c = C/‖x‖₂,
//
// so that ‖∇ℓ‖₂ = |f_C′|·‖x‖₂ ≤ C whatever θ is. Song, Thakkar & Thakurta
// 2020, Lemma 5.1; Redberg, Koskela & Wang 2023, appendix F.2. f_C is f where
// |f′| ≤ c and continues along its tangents outside,
//
//	f_C(m) = f(u_L) − c(m − u_L)   m < u_L,   f′(u_L) = −c,
//	         f(m)                  u_L ≤ m ≤ u_H,
//	         f(u_H) + c(m − u_H)   m > u_H,   f′(u_H) = c
//
// (the paper prints the two lines without f(u_L) and f(u_H); with them f_C is
// continuous, and it is the derivative alone that the proofs use). It is also
// the greatest c-Lipschitz function below f.
//
// # What stays true of f_C
//
// f_C is convex, because f_C′ does not decrease; it is a GLM loss, with
// ‖∇ℓ‖ ≤ L = min(C, R·MaxSlope) for ‖x‖ ≤ R; f_C″ is f″ or 0, so
// 0 ≤ f_C″ ≤ β; f_C′ has the sign of f′, so that the class stays "signed" if it
// was.
//
// For the logistic loss, shifted, weighted or not, more is true, which is what the sharp bound of
// theory §4.3 rests on. With a = |f_C′|·‖x‖:
//
//	f_C″‖x‖² ≤ a(R − a)   and   0 ≤ a ≤ L ≤ R.
//
// Where nothing is clipped, a = p‖x‖ and f″‖x‖² = p(1 − p)‖x‖² = a(‖x‖ − a) ≤
// a(R − a); with a weight w ≤ 1, a = wp‖x‖ and wp(1 − p)‖x‖² = a(‖x‖ − a/w) is no more. Where
// it is, f_C″ = 0, and a(R − a) ≥ 0 because a ≤ |f′|·‖x‖ < R.
// So g(v) of §4.3, a maximum over 0 ≤ a ≤ L, bounds the loss of f_C as well,
// whatever C. For the rounded hinge it is, by the same steps with f″ = 1 − |f′|,
// f_C″‖x‖² ≤ ‖x‖(‖x‖ − a) ≤ R(R − a) where it is not 0, and so for §4.8.
//
// # Kinks
//
// f_C′ has a corner at u_L and u_H, so f_C is twice differentiable except there. The
// bounds start from the density formula of theory §2, which holds nevertheless. The map
// θ ↦ b = −∇J(θ; Z) is Lipschitz, and it is one to one and onto with a Lipschitz
// inverse because J is λ-strongly convex (the inverse's constant is 1/λ). It is
// differentiable except on finitely many hyperplanes xᵢᵀθ = u, a null set, which
// Lipschitz maps send to null sets. The area formula for Lipschitz maps then gives θ
// the density φ_σ(∇J)·det ∇²J almost everywhere, with ∇²J the Hessian where it exists:
// all integrals of §3 and §4 stand. (The same argument serves Huber; the paper leaves
// it to the reader, after Chaudhuri, Monteleoni & Sarwate 2011, Corollary 13.)
//
// # Rounding
//
// c is the float64 below C/‖x‖ (and no clipping is done where
// ‖x‖·MaxSlope ≤ C), so c·‖x‖ ≤ C holds exactly for the norm that was given.
type Clipped struct {
	loss      Loss
	threshold float64
}

// Clip returns loss with its gradient clipped at threshold, in units of
// slope × feature norm; +Inf means no clipping. A threshold that is not above
// 0 is a *privacy.ParameterError for the field "clip".
func Clip(loss Loss, threshold float64) (Clipped, error) {
	if !(threshold > 0) {
		return Clipped{}, &privacy.ParameterError{
			Field: "clip", Value: privacy.Number(threshold), Want: "a number above 0",
		}
	}
	return Clipped{loss: loss, threshold: threshold}, nil
}

// Loss is the loss without clipping.
func (c Clipped) Loss() Loss { return c.loss }

// Threshold is C.
func (c Clipped) Threshold() float64 { return c.threshold }

// Active reports whether a record of this feature norm can have its gradient
// clipped: norm·MaxSlope > C.
func (c Clipped) Active(norm float64) bool {
	return norm > 0 && norm*c.loss.MaxSlope() > c.threshold
}

// Lipschitz is L = min(C, R·MaxSlope), the bound on ‖∇ℓ‖₂ for records whose
// feature norm, intercept included, is at most rowNorm = R. It is +Inf when
// neither bounds it.
func (c Clipped) Lipschitz(rowNorm float64) float64 {
	if c.Active(rowNorm) {
		return c.threshold
	}
	return rowNorm * c.loss.MaxSlope()
}

// Class is the class of the loss itself, which clipping does not change (see
// the type's own comment).
func (c Clipped) Class() privacy.LossClass { return c.loss.Class() }

// MaxCurvature is β of the loss itself, an upper bound for the clipped one.
func (c Clipped) MaxCurvature() float64 { return c.loss.MaxCurvature() }

// Row returns the loss of one record: f_C for features of this norm. norm may
// be any upper bound of ‖x‖₂, which clips no less; it must not be NaN, Inf or
// below 0.
func (c Clipped) Row(norm float64) Loss {
	if !c.Active(norm) {
		return c.loss
	}
	return c.capped(norm)
}

func (c Clipped) capped(norm float64) Capped {
	return Capped{loss: c.loss, slope: math.Nextafter(c.threshold/norm, 0)}
}

// Capped is a loss with its slope clamped to [−c, c]: f_C of [Clipped] for one
// record.
type Capped struct {
	loss  Loss
	slope float64 // c
}

// Value is f where |f′| ≤ c, and its tangent of slope ±c outside.
func (l Capped) Value(m, y float64) float64 {
	slope := l.loss.Slope(m, y)
	if !(math.Abs(slope) > l.slope) {
		return l.loss.Value(m, y)
	}
	return l.tangent(m, y, math.Copysign(l.slope, slope))
}

// tangent is the value at m of the tangent of this slope.
func (l Capped) tangent(m, y, slope float64) float64 {
	u := l.loss.Margin(slope, y)
	return l.loss.Value(u, y) + slope*(m-u)
}

// Slope is f′ clamped to [−c, c].
func (l Capped) Slope(m, y float64) float64 {
	slope := l.loss.Slope(m, y)
	if math.Abs(slope) > l.slope {
		return math.Copysign(l.slope, slope)
	}
	return slope
}

// Curvature is f″ where |f′| ≤ c and 0 outside.
func (l Capped) Curvature(m, y float64) float64 {
	_, slope, curvature := l.loss.At(m, y)
	if math.Abs(slope) > l.slope {
		return 0
	}
	return curvature
}

// At returns value, slope and curvature.
func (l Capped) At(m, y float64) (value, slope, curvature float64) {
	value, slope, curvature = l.loss.At(m, y)
	if math.Abs(slope) > l.slope {
		slope = math.Copysign(l.slope, slope)
		return l.tangent(m, y, slope), slope, 0
	}
	return value, slope, curvature
}

// Margin is the inverse of Slope: ±Inf for a slope of −c, c or beyond.
func (l Capped) Margin(slope, y float64) float64 {
	switch {
	case slope <= -l.slope:
		return math.Inf(-1)
	case slope >= l.slope:
		return math.Inf(1)
	}
	return l.loss.Margin(slope, y)
}

// Class is the class of the loss itself.
func (l Capped) Class() privacy.LossClass { return l.loss.Class() }

// MaxSlope is the smaller of c and the loss's own bound.
func (l Capped) MaxSlope() float64 { return math.Min(l.slope, l.loss.MaxSlope()) }

// MaxCurvature is the loss's own bound.
func (l Capped) MaxCurvature() float64 { return l.loss.MaxCurvature() }
