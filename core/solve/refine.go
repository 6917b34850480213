package solve

import (
	"context"
	"math"
)

// mostRefinements is how many steps refine takes. Near the minimiser, where it
// starts, Newton's method needs two or three.
const mostRefinements = 60

// refine is Newton's method where plain floats come to an end: from a point near
// the minimiser, at which rounding errors of the gradient are larger than the
// tolerance, or no float is near enough to the minimiser.
//
// Both happen to few data sets, and to large ones before small ones: the plain
// gradient sums rounding errors of all records, and if n records have nearly one
// curvature in a direction in which λ is all that bounds θ, then θ grows with
// √(n/λ), and its last bit moves the gradient by 2^-53·n‖θ‖ in others. A learner
// that gave up there would tell how many records there are.
//
// So the gradient is that of the certificate, in double-double sums, and the
// point is the exact sum of two vectors of floats, Theta + Low of result; the
// certificate is for Theta, and Offset is what Low costs. It goes on from
// result.Theta. Steps and when to take one are Newton's. Hessians are computed at
// Theta: what Low would change in them is nothing.
func refine(ctx context.Context, o *Objective, tolerance float64, result *Result) Reason {
	d := o.dim
	point, gradient := make([]float64, 2*d), make([]float64, d)
	copy(point, result.Theta)
	certificate := o.certify(point, gradient)
	defer func() {
		result.Theta, result.Low, result.Certificate = point[:d:d], point[d:], certificate
	}()
	least := certificate.GradientNorm
	for range mostRefinements {
		if certificate.Upper() <= tolerance {
			return ""
		}
		if ctx.Err() != nil {
			return interrupted
		}
		direction, ok := newtonDirection(o, point[:d], gradient)
		slope0 := dot(direction, gradient)
		if !ok || !(slope0 < 0) || !isFinite(slope0) {
			return ReasonStalled
		}
		line, t, moved := bracket{slopeLow: slope0, high: math.Inf(1)}, 1.0, false
		for range trials {
			if ctx.Err() != nil {
				return interrupted
			}
			trial, after := along(point, direction, t), make([]float64, d)
			c := o.certify(trial, after)
			slope := dot(direction, after)
			if isFinite(c.GradientNorm) &&
				(c.GradientNorm <= sufficient*least || (slope <= 0 && slope >= sufficient*slope0)) {
				point, gradient, certificate, moved = trial, after, c, true
				least = math.Min(least, c.GradientNorm)
				break
			}
			t = line.narrow(t, slope)
		}
		if !moved {
			return ReasonStalled
		}
	}
	return ReasonStalled
}

// newtonDirection returns −H⁻¹∇F, H the Hessian at theta with as much of a ridge
// as lets it be factorised; false if none does.
func newtonDirection(o *Objective, theta, gradient []float64) ([]float64, bool) {
	hessian, factor := NewPacked(o.dim), NewPacked(o.dim)
	o.Derivatives(theta, make([]float64, o.dim), hessian)
	largest := hessian.largestDiagonal()
	direction := make([]float64, o.dim)
	if !(largest > 0) || math.IsInf(largest, 1) {
		return direction, false
	}
	for ridge := 0.0; ridge <= largest; ridge = nextRidge(ridge, o.dim, largest) {
		factor.Set(hessian)
		factor.AddDiagonal(ridge)
		if !factor.Factorize() {
			continue
		}
		for j, g := range gradient {
			direction[j] = -g
		}
		factor.SolveFactorized(direction)
		return direction, true
	}
	return direction, false
}

// nextRidge is what is added to the diagonal of a Hessian that could not be
// factorised with this much.
func nextRidge(ridge float64, dim int, largest float64) float64 {
	return math.Max(16*ridge, 0x1p-50*float64(dim)*largest)
}

// along returns point + t·direction, both halves normalised: no number of the
// second is more than half a last bit of its neighbour in the first.
func along(point, direction []float64, t float64) []float64 {
	d := len(direction)
	out := make([]float64, 2*d)
	for j, p := range direction {
		high, err := twoSum(point[j], t*p)
		out[j], out[d+j] = twoSum(high, err+point[d+j])
	}
	return out
}
