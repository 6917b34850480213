package solve

import "context"

// Newton minimises a strongly convex objective (Lambda > 0) and returns a
// point θ with a certificate that ‖∇F(θ)‖₂ ≤ Tolerance. Starting point: 0.
//
// It is Newton's method with a line search, made cheaper in two ways. A Hessian costs several
// gradients, so one is kept while it serves: BFGS updates (Nocedal & Wright 2006, §7.2, with the
// Cholesky factor of the Hessian in the place of the scaled identity) adapt it to where the iterate
// has moved, and it is computed anew once the gradient falls too slowly. And where the parts can be
// thinned ([Thinner]) the first steps are taken on an eighth of the records, which brings the
// iterate to within statistical error of the answer and gives the first Hessian to keep; so do
// Hessians of an eighth of the records where there are many, and they are dense, so that a Hessian
// costs many gradients. None of this bears on what is returned: the certificate is recomputed on
// all records at the final point.
//
// The line search needs no values of F, only directional derivatives, so it
// works down to the rounding error of the gradient, and below it by a more precise
// one (refine). A step is taken if the
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
	ample := options.Iterations == 0
	options = options.checked(o, DefaultIterations)
	d := newDescent(ctx, o, make([]float64, o.Dim()))
	d.ample = ample
	d.sketch = o.sketch()
	if thin, ok := o.thinned(warmEvery, warmRecords); ok {
		// The whole problem's minimiser is some √(n·every) of gradient away:
		// there is no use in solving the thinned one much better than that.
		warm := newDescent(ctx, thin, d.theta)
		warm.sketch = thin.sketch()
		warm.limit = warmIterations
		if reason := warm.start(); reason == "" {
			warm.descend(warmContraction * warm.norm)
		}
		if isFinite(warm.norm) && warm.norm < warm.first {
			d.theta, d.factor, d.pairs = warm.theta, warm.factor, warm.pairs
			d.warm = true
		}
	}
	d.limit, d.progress, d.tolerance = options.Iterations, options.Progress, options.Tolerance
	result := Result{}
	reason := d.certify(&result)
	result.Iterations, result.Hessians = d.iterations, d.hessians
	return conclude(ctx, options, reason, result)
}

const (
	warmEvery       = 8    // the thinned problem has one record in so many
	warmRecords     = 1024 // but at least so many
	warmIterations  = 12
	warmContraction = 1e-3

	// A Hessian, which costs as much as 3.6 gradients, is kept while at the
	// rate of the last step so many further ones would suffice. Steps get
	// better as they go, so this is more than 3.6; 6 was best in a trial of 4 to
	// 40 on six problems of 36,177 rows.
	patience = 6

	// A Hessian of n dense rows of d columns is off by some √(d/n) of itself, so
	// that a step with it leaves so much of the gradient: an eighth of it here.
	sketchEvery  = 8
	sketchRows   = 64 // in units of d
	mostSketches = 4  // then Hessians are of all rows

	memory     = 30  // pairs kept before a new Hessian is due
	sufficient = 0.9 // what is left of the gradient after a step that will do
	trials     = 60  // points along one line

	interrupted Reason = "cancelled"
)

// certify descends until a certificate proves the tolerance. Where rounding errors
// stall the descent, refine takes over from its last point. So it does where the iterations have
// come to an end, if their number was Newton's own: no descent takes so many but one whose
// gradient is a rounding error, which points downwards by chance again and again.
func (d *descent) certify(result *Result) Reason {
	if reason := d.start(); reason != "" {
		result.Certificate.GradientNorm = d.norm
		return reason
	}
	reason := certified(
		d.ctx,
		d.objective,
		d.tolerance,
		result,
		func(target float64) ([]float64, Reason) {
			reason := d.descend(target)
			return d.theta, reason
		},
	)
	over := d.ample && reason == ReasonIterations
	switch {
	case reason != ReasonStalled && !over:
	case result.Certificate.RoundingBound < d.tolerance:
		return refine(d.ctx, d.objective, d.tolerance, result)
	case over:
		return ReasonRounding
	}
	return reason
}
