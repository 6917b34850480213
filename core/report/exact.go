package report

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// Exact knows D's gradient and Hessian at θ, and computes exact losses from
// them. All that it says is private.
type Exact struct {
	sigma    float64
	gradient []float64     // ∇J(θ; D)
	factor   *solve.Packed // C, lower triangular, with ∇²J(θ; D) = C Cᵀ
	work     []float64
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
		return nil, &privacy.ParameterError{Field: "theta", Value: strconv.Itoa(len(theta)) + " numbers", Want: strconv.Itoa(d) + ", one a column"}
	}
	if objective.Linear != nil {
		return nil, &privacy.ParameterError{Field: "objective", Value: "perturbed", Want: "without the noise: the gradient at theta is what it was"}
	}
	e := &Exact{sigma: sigma, gradient: make([]float64, d), factor: solve.NewPacked(d), work: make([]float64, d)}
	objective.Derivatives(theta, e.gradient, e.factor)
	if !e.factor.Factorize() {
		return nil, &privacy.ParameterError{Field: "lambda", Value: privacy.Number(objective.Lambda), Want: "larger: the Hessian is not positive definite in floating-point arithmetic"}
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
//
// It is not safe for use by several goroutines.
func (e *Exact) Loss(r Record, in bool) float64 {
	square, along := 0.0, 0.0
	clear(e.work)
	for k, j := range r.Row.Index {
		v := r.Row.Value[k]
		square += v * v
		along += v * e.gradient[j]
		e.work[j] = v
	}
	return e.signed(r.Curvature*e.leverage(e.work), r.Slope*r.Slope*square, r.Slope*along, in)
}

// signed puts a loss together from f″μ, ‖g‖² and ∇Jᵀg.
func (e *Exact) signed(leverage, square, along float64, in bool) float64 {
	s := e.sigma * e.sigma
	if in {
		return -math.Log1p(-math.Min(leverage, 1)) + square/(2*s) - along/s
	}
	return -math.Log1p(leverage) + square/(2*s) + along/s
}

// leverage is xᵀ(C Cᵀ)⁻¹x = ‖C⁻¹x‖²; it overwrites x with C⁻¹x.
func (e *Exact) leverage(x []float64) float64 {
	total := 0.0
	for i := range x {
		row := e.factor.Row(i)
		v := x[i]
		for j, c := range row[:i] {
			v -= c * x[j]
		}
		x[i] = v / row[i]
		total += x[i] * x[i]
	}
	return total
}
