package solve

import (
	"context"
	"math"
)

// Newton minimises a strongly convex objective (Lambda > 0) and returns a
// point θ with a certificate that ‖∇F(θ)‖₂ ≤ Tolerance. Starting point: 0.
//
// It is Newton's method with a line search, made cheaper in two ways. A
// Hessian costs several gradients, so one is kept while it serves: BFGS
// updates (Nocedal & Wright 2006, §7.2, with the Cholesky factor of the
// Hessian in the place of the scaled identity) adapt it to where the iterate
// has moved, and it is computed anew once the gradient falls too slowly. And
// where the parts can be thinned ([Thinner]) the first steps are taken on an
// eighth of the records, which brings the iterate to within statistical error
// of the answer. Neither bears on what is returned: the certificate is
// recomputed on all records at the final point.
//
// The line search needs no values of F, only directional derivatives, so it
// works down to the rounding error of the gradient. A step is taken if the
// gradient falls by a tenth below the least yet, which can happen only finitely
// often, or if φ'(t) ∈ [−0.9 |φ'(0)|, 0] for φ(t) = F(θ + tp): φ is convex, so
// F has then fallen along the whole of the step, and by at least a fixed part
// of φ'(0)²/(M‖p‖²), M the largest curvature. Newton's direction makes a fixed
// angle with the gradient, hence the iterates converge from anywhere (ibid.,
// Theorem 3.2).
//
// It returns a *NotConvergedError if no point can be certified, and the
// context's error as soon as it is cancelled (which is looked at before every
// pass over the records). It panics if Lambda or Tolerance is not above 0.
func Newton(ctx context.Context, o *Objective, options Options) (*Result, error) {
	if !(o.Lambda > 0) || !(options.Tolerance > 0) {
		panic("solve: Newton needs Lambda > 0 and Tolerance > 0")
	}
	if options.Iterations == 0 {
		options.Iterations = DefaultIterations
	}
	theta := make([]float64, o.Dim())
	if thin, ok := o.thinned(warmEvery, warmRecords); ok {
		// The whole problem's minimiser is some √(n·every) of gradient away:
		// there is no use in solving the thinned one much better than that.
		warm := newDescent(ctx, thin, theta)
		warm.limit = warmIterations
		if reason := warm.start(); reason == "" {
			warm.descend(warmContraction * warm.norm)
		}
		if isFinite(warm.norm) && warm.norm < warm.first {
			theta = warm.theta
		}
	}
	d := newDescent(ctx, o, theta)
	d.limit, d.progress, d.tolerance = options.Iterations, options.Progress, options.Tolerance
	certificate, reason := d.certify()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if reason != "" {
		return nil, &NotConvergedError{
			Reason: reason, Iterations: d.iterations, Certificate: certificate, Tolerance: options.Tolerance,
		}
	}
	return &Result{Theta: d.theta, Certificate: certificate, Iterations: d.iterations, Hessians: d.hessians}, nil
}

const (
	warmEvery       = 8    // the thinned problem has one record in so many
	warmRecords     = 1024 // but at least so many
	warmIterations  = 12
	warmContraction = 1e-3

	// A Hessian is kept while, at the rate of the last step, this many
	// further gradients would suffice.
	patience = 8

	memory     = 30  // pairs kept before a new Hessian is due
	sufficient = 0.9 // what is left of the gradient after a step that will do
	trials     = 60  // points along one line

	interrupted Reason = "cancelled"
)

// certify descends until a certificate proves the tolerance. Half of what
// rounding leaves of it is aimed at, so that the recomputed gradient, which
// differs from the plain one by rounding errors, will do as well.
func (d *descent) certify() (Certificate, Reason) {
	if reason := d.start(); reason != "" {
		return Certificate{GradientNorm: d.norm}, reason
	}
	target := d.tolerance / 2
	for {
		reason := d.descend(target)
		if d.ctx.Err() != nil {
			return Certificate{}, interrupted
		}
		certificate := d.objective.Certify(d.theta)
		switch {
		case certificate.Upper() <= d.tolerance:
			return certificate, ""
		case reason != "":
			return certificate, reason
		case !(certificate.RoundingBound < d.tolerance):
			return certificate, ReasonRounding
		}
		target = math.Min(target, d.tolerance-certificate.RoundingBound) / 2
	}
}

// descent is the state of one minimisation.
type descent struct {
	ctx       context.Context
	objective *Objective
	progress  func(Progress)
	tolerance float64
	limit     int

	theta, gradient      []float64
	norm                 float64 // ‖gradient‖
	least                float64 // the least norm yet
	first                float64 // the norm at the start
	iterations, hessians int

	factor *Packed // of the Hessian at some earlier point
	pairs  []pair  // steps since then
}

// pair is a step s and the change y of the gradient along it.
type pair struct {
	s, y []float64
	rho  float64 // 1/(sᵀy)
}

func newDescent(ctx context.Context, o *Objective, theta []float64) *descent {
	return &descent{ctx: ctx, objective: o, theta: theta, factor: NewPacked(o.Dim())}
}

// start computes gradient and Hessian at the starting point.
func (d *descent) start() Reason {
	d.gradient = make([]float64, len(d.theta))
	reason := d.refresh()
	d.iterations++
	d.first, d.least = d.norm, d.norm
	if reason == "" {
		d.report()
	}
	return reason
}

// refresh computes gradient and Hessian at theta and factorises the latter. A
// Hessian that is not positive definite in floating-point (columns that are
// the same, with a tiny λ) is helped by a ridge: any positive definite matrix
// gives a direction of descent.
func (d *descent) refresh() Reason {
	d.pairs = d.pairs[:0]
	for ridge := 0.0; ; {
		if d.ctx.Err() != nil {
			return interrupted
		}
		d.objective.Evaluate(d.theta, d.gradient, d.factor)
		d.hessians++
		d.norm = norm(d.gradient)
		largest := d.factor.largestDiagonal()
		if !isFinite(d.norm) || !isFinite(largest) {
			return ReasonNotFinite
		}
		d.factor.AddDiagonal(ridge)
		if d.factor.Factorize() {
			return ""
		}
		ridge = math.Max(16*ridge, 0x1p-50*float64(d.factor.N)*largest)
		if ridge > largest {
			return ReasonNotFinite
		}
	}
}

func (d *descent) report() {
	if d.progress != nil {
		d.progress(Progress{Iteration: d.iterations, GradientNorm: d.norm, Tolerance: d.tolerance})
	}
}

// descend takes steps until ‖gradient‖ ≤ target.
func (d *descent) descend(target float64) Reason {
	fresh := len(d.pairs) == 0
	for !(d.norm <= target) {
		before := d.norm
		reason := d.step()
		if reason == ReasonStalled && !fresh {
			// The updated Hessian may have lost its use: try once with a new one.
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
// updates of the steps since (the two-loop recursion).
func (d *descent) direction() []float64 {
	p := make([]float64, len(d.gradient))
	for i, g := range d.gradient {
		p[i] = -g
	}
	along := make([]float64, len(d.pairs))
	for i := len(d.pairs) - 1; i >= 0; i-- {
		q := &d.pairs[i]
		along[i] = q.rho * dot(q.s, p)
		axpy(-along[i], q.y, p)
	}
	d.factor.SolveFactorized(p)
	for i := range d.pairs {
		q := &d.pairs[i]
		axpy(along[i]-q.rho*dot(q.y, p), q.s, p)
	}
	return p
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
		d.objective.Evaluate(theta, gradient, nil)
		d.iterations++
		length, slope := norm(gradient), dot(p, gradient)
		if isFinite(length) && (length <= sufficient*d.least || (slope <= 0 && slope >= sufficient*slope0)) {
			d.accept(theta, gradient, length)
			return ""
		}
		t = line.narrow(t, slope)
	}
	return ReasonStalled
}

// bracket is an interval (low, high) at whose lower end φ' is negative and at
// whose upper end it is positive, or not a number.
type bracket struct {
	low, high           float64
	slopeLow, slopeHigh float64
	bisect              bool // the last point left more than half of it
}

// narrow takes in that φ' is slope at t and returns where to look next: where
// the secant meets zero, less a twentieth of the way because a φ' below zero is
// what is wanted, or in the middle if that did badly the last time.
func (b *bracket) narrow(t, slope float64) float64 {
	width := b.high - b.low
	if slope < 0 {
		b.low, b.slopeLow = t, slope
	} else {
		b.high, b.slopeHigh = t, slope
	}
	if math.IsInf(b.high, 1) {
		return 2 * b.low
	}
	b.bisect = !b.bisect && b.high-b.low > width/2
	part := 0.95 * b.slopeLow / (b.slopeLow - b.slopeHigh)
	if b.bisect || !(part > 0.05) {
		part = 0.5
	}
	return b.low + math.Min(part, 0.95)*(b.high-b.low)
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
