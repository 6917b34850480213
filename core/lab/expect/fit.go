package expect

import (
	"strconv"

	"cloister/core/learn/dpgd"
	"cloister/core/learn/dpsgd"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
)

// Fit is a way to fit with the parameters that were chosen for the real one: of
// one vector, or of one a class.
type Fit struct {
	dimension int
	clip      float64 // C

	// Solved: the minimum of Σ ℓ_C + (λ/2)‖θ‖² + bᵀθ, b ~ N(0, σ²I), with
	// N(0, σ_out²I) added, moved to the ball of this radius (0: there is none).
	lambda, sigma, out, radius float64

	descent *descent // not solved: these steps
}

// descent is gradient descent with momentum μ from 0: vₜ₊₁ = μvₜ + gₜ,
// θₜ₊₁ = θₜ − ηₜvₜ₊₁, gₜ a sum of clipped gradients of records that each take part
// with probability q, plus N(0, σₜ²I).
type descent struct {
	rate     float64   // q
	sigmas   []float64 // σₜ
	steps    []float64 // ηₜ, for sums
	momentum float64   // μ
}

// Minima is a fit by approximate minima perturbation.
func Minima(e privacy.ApproximateMinima) Fit {
	o := e.Objective
	return Fit{dimension: o.Dimension, clip: o.Lipschitz, lambda: o.Lambda, sigma: o.Sigma, out: e.SigmaOut}
}

// Output is a fit by output perturbation.
func Output(p outpert.Plan) Fit {
	return Fit{dimension: p.Dimension, clip: p.Clip, lambda: p.Lambda, out: p.Sigma, radius: p.Radius}
}

// Descent is a fit by gradient descent on all records. A plan with a regulariser
// or a ball is a *privacy.ParameterError: trials know none.
func Descent(p dpgd.Plan) (Fit, error) {
	if p.Lambda != 0 {
		return Fit{}, unknown("lambda", p.Lambda)
	}
	if p.Radius != 0 {
		return Fit{}, unknown("radius", p.Radius)
	}
	return Fit{dimension: p.Dimension, clip: p.Clip, descent: &descent{rate: 1, sigmas: p.Sigmas, steps: p.Rates, momentum: p.Momentum}}, nil
}

// Sampled is a fit by DP-SGD of so many columns. A plan with another optimiser
// than momentum, or with a mean of its last steps, is a *privacy.ParameterError.
func Sampled(p dpsgd.Plan, dimension int) (Fit, error) {
	if p.Optimiser.Method != dpsgd.Momentum {
		return Fit{}, &privacy.ParameterError{Field: "optimiser.method", Value: strconv.Quote(string(p.Optimiser.Method)), Want: `"momentum" in a trial`}
	}
	if p.Average > 1 {
		return Fit{}, unknown("average", float64(p.Average))
	}
	d := &descent{rate: p.Rate, sigmas: make([]float64, p.Steps), steps: make([]float64, p.Steps), momentum: p.Optimiser.Momentum}
	for t := range d.sigmas {
		d.sigmas[t], d.steps[t] = p.NoiseMultiplier*p.Clip, p.Optimiser.LearningRate/p.Batch
	}
	return Fit{dimension: dimension, clip: p.Clip, descent: d}, nil
}

func unknown(field string, value float64) error {
	return &privacy.ParameterError{Field: field, Value: privacy.Number(value), Want: "0 in a trial"}
}
