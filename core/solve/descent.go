package solve

import (
	"context"
	"math"
)

// descent is the state of one minimisation.
type descent struct {
	ctx       context.Context
	objective *Objective
	progress  func(Progress)
	tolerance float64
	limit     int
	ample     bool // the limit is the solver's own

	theta, gradient      []float64
	norm                 float64 // ‖gradient‖
	least                float64 // the least norm yet
	first                float64 // the norm at the start
	iterations, hessians int

	factor *Packed // of the Hessian at some earlier point
	pairs  []pair  // steps since then
	warm   bool    // factor and pairs come from the thinned objective

	// sketch stands in for the objective where a Hessian is computed; nil for
	// none. It is given up after mostSketches.
	sketch   *Objective
	sketches int
}

// pair is a step s and the change y of the gradient along it.
type pair struct {
	s, y []float64
	rho  float64 // 1/(sᵀy)
}

func newDescent(ctx context.Context, o *Objective, theta []float64) *descent {
	return &descent{ctx: ctx, objective: o, theta: theta}
}

// start computes gradient and Hessian at the starting point, or only the
// gradient if there is a Hessian from warming up.
func (d *descent) start() Reason {
	d.gradient = make([]float64, len(d.theta))
	var reason Reason
	if d.warm {
		reason = d.measure()
	} else {
		reason = d.refresh()
	}
	d.iterations++
	d.first, d.least = d.norm, d.norm
	if reason == "" {
		d.report()
	}
	return reason
}

// refresh computes gradient and Hessian at theta and factorises the latter. A Hessian of the sketch
// does as well while it gives good steps. A Hessian that is not positive definite in floating-point
// (columns that are the same, with a tiny λ) is helped by a ridge: any positive definite matrix
// gives a direction of descent.
func (d *descent) refresh() Reason {
	d.pairs = nil
	if d.factor == nil {
		d.factor = NewPacked(len(d.theta))
	}
	for ridge := 0.0; ; {
		if d.ctx.Err() != nil {
			return interrupted
		}
		d.differentiate()
		d.norm = norm(d.gradient)
		largest := d.factor.largestDiagonal()
		if !isFinite(d.norm) || !isFinite(largest) {
			return ReasonNotFinite
		}
		d.factor.AddDiagonal(ridge)
		if d.factor.Factorize() {
			return ""
		}
		ridge = nextRidge(ridge, d.factor.N, largest)
		if ridge > largest {
			return ReasonNotFinite
		}
	}
}

// differentiate computes the gradient at theta and a Hessian.
func (d *descent) differentiate() {
	if d.sketches++; d.sketches > mostSketches {
		d.sketch = nil
	}
	if d.sketch == nil {
		d.objective.Derivatives(d.theta, d.gradient, d.factor)
		d.hessians++
		return
	}
	d.sketch.Derivatives(d.theta, d.gradient, d.factor)
	d.objective.Derivatives(d.theta, d.gradient, nil)
}

// measure computes the gradient at theta.
func (d *descent) measure() Reason {
	if d.ctx.Err() != nil {
		return interrupted
	}
	d.objective.Derivatives(d.theta, d.gradient, nil)
	d.norm = norm(d.gradient)
	if !isFinite(d.norm) {
		return ReasonNotFinite
	}
	return ""
}

func (d *descent) report() {
	if d.progress != nil {
		d.progress(Progress{Iteration: d.iterations, GradientNorm: d.norm, Tolerance: d.tolerance})
	}
}

// descend takes steps until ‖gradient‖ ≤ target.
func (d *descent) descend(target float64) Reason {
	fresh := len(d.pairs) == 0 && !d.warm
	for !(d.norm <= target) {
		before := d.norm
		reason := d.step()
		if reason == ReasonStalled && (!fresh || d.sketch != nil) {
			// The updated Hessian may have lost its use: try once with a new one.
			if fresh {
				d.sketch = nil
			}
			if reason = d.refresh(); reason == "" {
				fresh = true
				continue
			}
		}
		if reason != "" {
			return reason
		}
		fresh = false
		if d.norm > target && d.worn(before, target) {
			if reason := d.refresh(); reason != "" {
				return reason
			}
			fresh = true
		}
	}
	return ""
}

// worn reports whether a new Hessian is due: at the rate of the last step,
// which began at the norm before, target is too many steps away.
func (d *descent) worn(before, target float64) bool {
	rate := math.Log(d.norm / before)
	return len(d.pairs) >= memory || !(patience*rate <= math.Log(target/d.norm))
}

// direction returns −B∇F, B the inverse of the kept Hessian with the BFGS
// updates of the steps since.
func (d *descent) direction() []float64 {
	p := make([]float64, len(d.gradient))
	downhill(p, d.gradient, d.pairs, d.factor.SolveFactorized)
	return p
}

// downhill writes −B∇F into p by the two-loop recursion, where first takes the product with the
// B that the pairs update.
func downhill(p, gradient []float64, pairs []pair, first func(p []float64)) {
	for i, g := range gradient {
		p[i] = -g
	}
	along := make([]float64, len(pairs))
	for i := len(pairs) - 1; i >= 0; i-- {
		q := &pairs[i]
		along[i] = q.rho * dot(q.s, p)
		axpy(-along[i], q.y, p)
	}
	first(p)
	for i := range pairs {
		q := &pairs[i]
		axpy(along[i]-q.rho*dot(q.y, p), q.s, p)
	}
}

// step moves along one direction.
func (d *descent) step() Reason {
	p := d.direction()
	slope0 := dot(p, d.gradient)
	if !isFinite(slope0) {
		return ReasonNotFinite
	}
	if slope0 >= 0 {
		return ReasonStalled
	}
	line := bracket{slopeLow: slope0, high: math.Inf(1)}
	t := 1.0
	for range trials {
		if d.ctx.Err() != nil {
			return interrupted
		}
		if d.iterations >= d.limit {
			return ReasonIterations
		}
		theta := make([]float64, len(p))
		moved := false
		for i := range theta {
			theta[i] = d.theta[i] + t*p[i]
			moved = moved || theta[i] != d.theta[i]
		}
		if !moved {
			return ReasonStalled
		}
		gradient := make([]float64, len(p))
		d.objective.Derivatives(theta, gradient, nil)
		d.iterations++
		length, slope := norm(gradient), dot(p, gradient)
		if isFinite(length) &&
			(length <= sufficient*d.least || (slope <= 0 && slope >= sufficient*slope0)) {
			d.accept(theta, gradient, length)
			return ""
		}
		t = line.narrow(t, slope)
	}
	return ReasonStalled
}

func (d *descent) accept(theta, gradient []float64, length float64) {
	s := make([]float64, len(theta))
	y := make([]float64, len(theta))
	for i := range s {
		s[i] = theta[i] - d.theta[i]
		y[i] = gradient[i] - d.gradient[i]
	}
	// Strong convexity makes sᵀy ≥ λ‖s‖² > 0; a pair that rounding has spoilt
	// is left out.
	if sy := dot(s, y); sy > 0x1p-40*norm(s)*norm(y) {
		d.pairs = append(d.pairs, pair{s: s, y: y, rho: 1 / sy})
	}
	d.theta, d.gradient, d.norm = theta, gradient, length
	d.least = math.Min(d.least, length)
	d.report()
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }
