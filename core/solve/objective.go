package solve

import "math"

// Part is the sum of a convex, twice differentiable loss over one block of
// records: Σ ℓ(θ; z). A block may be a few rows in memory, a shard that
// another worker holds, or the rows of a cluster: a solver sees the three sums
// below and never a row.
//
// The sums must depend only on their arguments.
type Part interface {
	// Dim is the length of θ.
	Dim() int

	// Value returns Σ ℓ(θ; z).
	Value(theta []float64) float64

	// Derivatives adds Σ ∇ℓ(θ; z) to gradient and, unless hessian is nil,
	// Σ ∇²ℓ(θ; z) to hessian.
	Derivatives(theta, gradient []float64, hessian *Packed)

	// Certify adds Σ ∇ℓ(θ; z) to sum and returns E ≥ 0 with
	// ‖added − Σ ∇ℓ(θ; z)‖₂ ≤ E, a bound that is proved and takes in every
	// rounding error on the way; +Inf when there is none (overflow). θ is theta,
	// or, where that has 2·Dim numbers, the exact sum of its two halves.
	Certify(theta []float64, sum *Sum) float64
}

// Thinner is a Part that can stand in for itself with fewer records: Thin returns about
// one in every of them, each counted every times. The solver takes its first steps
// there when a part has many records. A result of a thinned part is never certified.
type Thinner interface {
	Part
	Records() int
	Thin(every int) Part

	// Costly reports whether a Hessian costs many gradients, as that of dense
	// records does.
	Costly() bool
}

// Starter is a Part whose sums another worker computes. Start makes that worker begin
// with the sums that are requested next, at the same θ, so that all workers are busy at
// once. It returns at once. Request only sums that were started: nothing is promised
// about others.
type Starter interface {
	Part
	Start(theta []float64, next Sums)
}

// Sums names the sums of a part, except its value, which Newton does not use.
type Sums uint8

const (
	Gradients Sums = iota // those of Derivatives without a Hessian
	Hessians              // those of Derivatives with one
	Certified             // those of Certify
	Diagonals             // those of Scores.DiagonalBlocks
	Moments               // those of Rows.Moments; θ is one number, the step
)

// start has all parts begin.
func (o *Objective) start(theta []float64, next Sums) {
	for _, p := range o.Parts {
		if s, ok := p.(Starter); ok {
			s.Start(theta, next)
		}
	}
}

// Objective is F(θ) = Σ parts + (λ/2)‖θ‖² + bᵀθ: a sum over records, not a
// mean, with a quadratic regulariser and a linear perturbation.
type Objective struct {
	Parts  []Part
	Lambda float64   // λ > 0
	Linear []float64 // b; nil for none
	dim    int
}

// NewObjective puts parts of one dimension together. It panics if there is no
// part, if dimensions differ, or if linear is neither nil nor of that length.
func NewObjective(lambda float64, linear []float64, parts ...Part) *Objective {
	if len(parts) == 0 {
		panic("solve: an objective needs a part")
	}
	dim := parts[0].Dim()
	for _, p := range parts {
		if p.Dim() != dim {
			panic("solve: parts of different dimension")
		}
	}
	if linear != nil && len(linear) != dim {
		panic("solve: linear term and parts of different dimension")
	}
	return &Objective{Parts: parts, Lambda: lambda, Linear: linear, dim: dim}
}

// Dim is the length of θ.
func (o *Objective) Dim() int { return o.dim }

// Value returns F(θ).
func (o *Objective) Value(theta []float64) float64 {
	value := o.Lambda / 2 * dot(theta, theta)
	if o.Linear != nil {
		value += dot(o.Linear, theta)
	}
	for _, p := range o.Parts {
		value += p.Value(theta)
	}
	return value
}

// Derivatives overwrites gradient with ∇F(θ) and, unless it is nil, hessian
// with ∇²F(θ).
func (o *Objective) Derivatives(theta, gradient []float64, hessian *Packed) {
	clear(gradient)
	next := Gradients
	if hessian != nil {
		next = Hessians
		clear(hessian.At)
		hessian.AddDiagonal(o.Lambda)
	}
	o.start(theta, next)
	for _, p := range o.Parts {
		p.Derivatives(theta, gradient, hessian)
	}
	axpy(o.Lambda, theta, gradient)
	if o.Linear != nil {
		axpy(1, o.Linear, gradient)
	}
}

// thinned returns the objective with one record in every of them and at least
// least in all; false if it would not be smaller, or a part cannot be thinned.
func (o *Objective) thinned(every, least int) (*Objective, bool) {
	records := 0
	for _, p := range o.Parts {
		t, ok := p.(Thinner)
		if !ok {
			return nil, false
		}
		records += t.Records()
	}
	every = min(every, records/least)
	if every < 2 {
		return nil, false
	}
	thin := &Objective{Lambda: o.Lambda, Linear: o.Linear, dim: o.dim}
	for _, p := range o.Parts {
		thin.Parts = append(thin.Parts, p.(Thinner).Thin(every))
	}
	return thin, true
}

// sketch returns the objective thinned for Hessians, or nil if all its records
// should count: where they are few or sparse.
func (o *Objective) sketch() *Objective {
	for _, p := range o.Parts {
		if rows, ok := p.(Thinner); !ok || !rows.Costly() {
			return nil
		}
	}
	thin, ok := o.thinned(sketchEvery, sketchRows*o.dim)
	if !ok {
		return nil
	}
	return thin
}

// Certificate says how close a point is to the minimiser. It is the only result of a
// solver on which a private learner may depend: it is recomputed from the data at the
// final point, whatever path the solver took.
type Certificate struct {
	// GradientNorm is the computed ‖∇F(θ)‖₂, rounded up.
	GradientNorm float64

	// RoundingBound is a proved bound on the distance between the computed
	// gradient and the gradient of F in exact arithmetic at the same floats
	// θ, λ, b and rows.
	RoundingBound float64

	// Offset is λ times the distance, rounded up, from the point that the
	// certificate is for to the one, finer than floats are, at which the gradient
	// was computed; 0, nearly always, where these are one. See [Result.Low].
	Offset float64
}

// Upper returns u ≥ λ‖θ − θ*‖₂ for the minimiser θ*, which is what a learner that
// perturbs its output needs of the point θ. Where Offset is 0 it is an upper bound
// on ‖∇F(θ)‖₂, in exact arithmetic, too.
//
// F is λ-strongly convex, so λ‖θ′ − θ*‖ ≤ ‖∇F(θ′)‖ for every θ′. If the gradient
// was computed at another point θ′ than θ, ‖θ − θ*‖ ≤ ‖θ − θ′‖ + ‖θ′ − θ*‖.
func (c Certificate) Upper() float64 {
	upper := up(c.GradientNorm + c.RoundingBound)
	if c.Offset != 0 {
		upper = up(upper + c.Offset)
	}
	return upper
}

// Certify recomputes ∇F at theta, or, where that has 2·Dim numbers, at the sum of
// its two halves; the certificate is for the point that is the first half.
//
// Error. Each part answers for its own sum (see [Part]). λθ_j enters as the
// exact product of two floats (hi + lo by a fused multiply-add), b_j as it is,
// both added in double-double arithmetic, whose error [Sum] bounds. Rounding
// the total to one float, squaring, adding d squares and taking the root is
// relative (d/2 + 3)·2^-53 at most, which GradientNorm is multiplied up by; Offset
// likewise.
func (o *Objective) Certify(theta []float64) Certificate {
	return o.certify(theta, make([]float64, o.dim))
}

// certify is Certify, and writes the computed gradient.
func (o *Objective) certify(theta, gradient []float64) Certificate {
	sum := NewSum(o.dim)
	bound := 0.0
	o.start(theta, Certified)
	for _, p := range o.Parts {
		bound = up(bound + p.Certify(theta, sum))
	}
	for j := range gradient {
		sum.AddProduct(j, o.Lambda, theta[j])
		if len(theta) > o.dim {
			sum.AddProduct(j, o.Lambda, theta[o.dim+j])
		}
		if o.Linear != nil {
			sum.Add(j, o.Linear[j])
		}
	}
	sum.Float64s(gradient)
	inexact := 1 + float64(o.dim+8)*0x1p-52
	return Certificate{
		GradientNorm:  norm(gradient) * inexact,
		RoundingBound: up(bound + sum.ErrorBound()),
		Offset:        o.Lambda * norm(theta[o.dim:]) * inexact,
	}
}

// up returns a float above x ≥ 0 by at least the rounding error of the one
// operation that gave x.
func up(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
