package rdp

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// Linearised is the bound of appendix C.1 of Redberg, Koskela & Wang 2023 on
// D_α of objective perturbation with a GLM loss, at real α > 1, in nats, as an
// ESTIMATE: it is not certified and nothing in this library prices with it. Pages
// draw it beside what is proved.
//
// With 1/p + 1/q = 1, κ = βR²/λ < 1 and μ = L/σ,
//
//	ε(α) = −log(1 − κ) + μ²/2 + p(α−1)μ²/2 − log(1 − 2q(α−1)κ)/(2q(α−1)),
//
// the least over q > 1 with 2q(α−1)κ < 1; +Inf where there is none. (The paper
// prints the last expectation for z ~ N(0, σ²) but drops the 1/σ² of its own
// exponent two lines before; as printed the bound would depend on the units.)
//
// Why it is only an estimate: the proof writes θᴾ − θ* = −A⁻¹b with A a Hessian
// at a point between the two, and then treats A as fixed. That point depends on
// b, so xᵀA⁻¹b need not be Gaussian with variance at most σ²R²/λ². In one
// dimension |xA⁻¹b| ≤ R|b|/λ repairs the step; in more no repair is known to us.
func Linearised(alpha, mu, kappa float64) float64 {
	if !(alpha > 1) || !(mu > 0) || !(kappa > 0 && kappa < 1) {
		return math.Inf(1)
	}
	s := alpha - 1
	largest := 1 / (2 * s * kappa) // q must stay below
	if largest <= 1 {
		return math.Inf(1)
	}
	best := curve.BestOrder(func(order float64) float64 {
		// order ∈ (1, ∞) ↦ q ∈ (1, largest)
		share := (order - 1) / order
		q := 1 + (largest-1)*share
		p := q / (q - 1)
		return p*s*mu*mu/2 - math.Log1p(-2*q*s*kappa)/(2*q*s)
	})
	return -math.Log1p(-kappa) + mu*mu/2 + best
}

// LinearisedOf is Linearised of an event at each order: of one objective
// perturbation of a linear model, under add/remove. Another is an error.
func LinearisedOf(event privacy.Event, orders []float64) ([]float64, error) {
	e, ok := event.(privacy.ObjectivePerturbation)
	if !ok || e.Loss == privacy.LossSmooth || e.Adjacency != privacy.AddRemove {
		return nil, &privacy.ParameterError{
			Field: "mechanism", Value: privacy.Quote(event.Mechanism()),
			Want: "one objective perturbation of a linear model under add-remove, for a linearised estimate",
		}
	}
	if err := e.Validate(); err != nil {
		return nil, err
	}
	estimated := make([]float64, len(orders))
	for i, alpha := range orders {
		estimated[i] = Linearised(alpha, e.Lipschitz/e.Sigma, objective.Curvature(e)/e.Lambda)
	}
	return estimated, nil
}
