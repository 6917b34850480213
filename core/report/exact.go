package report

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// Exact computes exact losses from D's gradient and Hessian at θ. All of its results
// are private.
type Exact struct {
	sigma    float64
	gradient []float64     // ∇J(θ; D)
	factor   *solve.Packed // C, lower triangular, with ∇²J(θ; D) = C Cᵀ
	inverse  *solve.Packed // of ∇²J(θ; D)
}

// NewExact prepares the losses of publishing theta, the minimiser of
// J(θ; D) + bᵀθ with b ~ N(0, sigma² I). objective is J: without a linear term.
//
// Errors: a *privacy.ParameterError for "sigma", "theta" or "lambda"; the last
// if the Hessian is not positive definite in floating-point arithmetic.
func NewExact(objective *solve.Objective, theta []float64, sigma float64) (*Exact, error) {
	if err := privacy.CheckPositive("sigma", sigma); err != nil {
		return nil, err
	}
	d := objective.Dim()
	if len(theta) != d {
		return nil, &privacy.ParameterError{
			Field: "theta",
			Value: strconv.Itoa(len(theta)) + " numbers",
			Want:  strconv.Itoa(d) + ", one a column",
		}
	}
	if objective.Linear != nil {
		return nil, &privacy.ParameterError{
			Field: "objective",
			Value: "perturbed",
			Want:  "without the noise: the gradient at theta is what it was",
		}
	}
	e := &Exact{
		sigma:    sigma,
		gradient: make([]float64, d),
		factor:   solve.NewPacked(d),
		inverse:  solve.NewPacked(d),
	}
	objective.Derivatives(theta, e.gradient, e.factor)
	if !e.factor.Factorize() {
		return nil, &privacy.ParameterError{
			Field: "lambda",
			Value: privacy.Number(objective.Lambda),
			Want:  "larger: the Hessian is not positive definite in floating-point arithmetic",
		}
	}
	column := make([]float64, d)
	for i := range d {
		clear(column)
		column[i] = 1
		e.factor.SolveFactorized(column)
		copy(e.inverse.Row(i), column)
	}
	return e, nil
}

// Record is what a record adds to the objective at θ: ∇ℓ = Slope·x and
// ∇²ℓ = Curvature·x xᵀ. With clipping, they are those of the clipped loss.
type Record struct {
	Row              data.Row
	Slope, Curvature float64
}

// Loss is the exact ex-post loss of the record, in nats and with its sign; in
// says whether the record is among D. With μ = xᵀ(∇²J(θ; D))⁻¹x and g = f′x,
//
//	z in D      −log(1 − f″μ) + ‖g‖²/(2σ²) − ∇J(θ; D)ᵀg/σ²
//	z not in D  −log(1 + f″μ) + ‖g‖²/(2σ²) + ∇J(θ; D)ᵀg/σ²
//
// (theory §6; Corollary 2.3.2, which prints ≤ for what is an equality.) Both are
// log p_D(θ)/p_D'(θ) of the density of theory §2: the Gaussian factors give the
// last two terms, and the determinants the first by the matrix determinant
// lemma. Where f″μ rounds to 1 it is +Inf.
func (e *Exact) Loss(r Record, in bool) float64 {
	square, along := 0.0, 0.0
	for k, j := range r.Row.Index {
		v := r.Row.Value[k]
		square += v * v
		along += v * e.gradient[j]
	}
	return e.signed(r.Curvature*e.leverage(r.Row), r.Slope*r.Slope*square, r.Slope*along, in)
}

// signed puts a loss together from f″μ, ‖g‖² and ∇Jᵀg.
func (e *Exact) signed(leverage, square, along float64, in bool) float64 {
	s := e.sigma * e.sigma
	if in {
		return -math.Log1p(-math.Min(leverage, 1)) + square/(2*s) - along/s
	}
	return -math.Log1p(leverage) + square/(2*s) + along/s
}

// leverage is xᵀ(∇²J)⁻¹x, in k²/2 operations for k entries, with a relative error
// of some units in the last place times the Hessian's condition number.
func (e *Exact) leverage(x data.Row) float64 {
	total := 0.0
	for a, i := range x.Index {
		row, sum := e.inverse.Row(int(i)), 0.0
		for b, j := range x.Index[:a] {
			sum += row[j] * x.Value[b]
		}
		total += x.Value[a] * (2*sum + row[i]*x.Value[a])
	}
	return math.Max(total, 0)
}
