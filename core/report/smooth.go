package report

import (
	"math"
)

// SmoothRecord is a record of a smooth convex loss that need not be a GLM's, by
// its derivatives at θ: the gradient, and the Hessian as Σ Values[k]·uₖuₖᵀ with
// uₖ = Vectors[k] orthonormal and Values[k] ≥ 0. Directions of value 0 may be
// left out.
type SmoothRecord struct {
	Gradient []float64
	Values   []float64
	Vectors  [][]float64
}

// SmoothLoss is [Exact.Loss] for a smooth convex loss (Theorem 2.3.1): the
// determinants' ratio is a product over the eigenvectors,
//
//	z in D      −Σ log(1 − μₖ),  μₖ = λₖ uₖᵀ(H − Σ_{j<k} λⱼuⱼuⱼᵀ)⁻¹uₖ
//	z not in D  −Σ log(1 + μₖ),  μₖ = λₖ uₖᵀ(H + Σ_{j<k} λⱼuⱼuⱼᵀ)⁻¹uₖ
//
// with H = ∇²J(θ; D), the matrix determinant lemma applied a direction at a
// time, and each inverse had from the one before it by the Sherman–Morrison
// formula. (The thesis writes −H for H and so the opposite signs before μₖ.)
//
// It takes O(rank·d²) operations, and panics if the record's dimension is not
// that of θ.
func (e *Exact) SmoothLoss(r SmoothRecord, in bool) float64 {
	d := len(e.gradient)
	square, along := 0.0, 0.0
	for j, g := range e.dimension(r.Gradient) {
		square += g * g
		along += g * e.gradient[j]
	}
	sign := 1.0
	if in {
		sign = -1
	}
	// (H ± Σ λⱼuⱼuⱼᵀ)⁻¹ = H⁻¹ − Σ weights[j]·solved[j]·solved[j]ᵀ.
	var solved [][]float64
	var weights []float64
	logarithm := 0.0
	for k, value := range r.Values {
		if value == 0 {
			continue
		}
		u := e.dimension(r.Vectors[k])
		v := append(make([]float64, 0, d), u...)
		e.factor.SolveFactorized(v)
		for j, s := range solved {
			along := weights[j] * inner(s, u)
			for i := range v {
				v[i] -= along * s[i]
			}
		}
		mu := sign * value * inner(u, v)
		logarithm += math.Log1p(math.Max(mu, -1))
		solved, weights = append(solved, v), append(weights, sign*value/(1+mu))
	}
	s := e.sigma * e.sigma
	return -logarithm + square/(2*s) + sign*along/s
}

// dimension panics unless x has θ's length.
func (e *Exact) dimension(x []float64) []float64 {
	if len(x) != len(e.gradient) {
		panic("report: a vector and theta of different dimension")
	}
	return x
}

func inner(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// GaussianLoss is the ex-post loss of a Gaussian mechanism that published
// Q(D) + noise, noise ~ N(0, sigma² I), where shift = Q(D') − Q(D):
//
//	‖shift‖²/(2σ²) − shiftᵀnoise/σ²
//
// (Theorem A.6.1). It is the same for discrete Gaussian noise on a lattice that
// both Q(D) and Q(D') lie on, whose masses have one and the same denominator.
//
// For approximate minima (AMP) it is the output step's: there Q(D) is the θ̃ that
// the solver arrived at, and shift is at most 2τ/λ + g√d long (theory §2). The
// loss of both steps together is the sum of the two; a reader of the output
// alone knows no more than a reader of both.
func GaussianLoss(shift, noise []float64, sigma float64) float64 {
	square, along := 0.0, 0.0
	for j, s := range shift {
		square += s * s
		along += s * noise[j]
	}
	return (square/2 - along) / (sigma * sigma)
}
