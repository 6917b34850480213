package solve

import (
	"context"
	"math"
)

// Solver finds a point with a certificate that ‖∇F(θ)‖₂ ≤ Options.Tolerance, for a
// strongly convex objective (Lambda > 0), starting from 0. [Newton], [SAG] and
// core/solve/lbfgs's Solve are solvers. A private learner depends only on the
// certificate. It is recomputed on all records at the final point, however the solver
// got there. So a learner may use any solver.
//
// A solver returns a *NotConvergedError if no point can be certified, and the
// context's error soon after it is cancelled. It panics if Lambda or Tolerance
// is not above 0.
type Solver func(ctx context.Context, o *Objective, options Options) (*Result, error)

// certified calls approach, which goes on from where it stands to a point of
// computed gradient norm at most target, until a certificate proves the
// tolerance. Half of what rounding leaves of it is aimed at, so that the
// recomputed gradient, which differs from the plain one by rounding errors, will
// do as well. What it comes to is in result, but for the counts.
func certified(
	ctx context.Context, o *Objective, tolerance float64, result *Result,
	approach func(target float64) ([]float64, Reason),
) Reason {
	target := tolerance / 2
	for {
		theta, reason := approach(target)
		if ctx.Err() != nil {
			return interrupted
		}
		certificate := o.Certify(theta)
		result.Theta, result.Certificate = theta, certificate
		switch {
		case certificate.Upper() <= tolerance:
			return ""
		case reason != "":
			return reason
		case !(certificate.RoundingBound < tolerance):
			return ReasonRounding
		}
		target = math.Min(target, tolerance-certificate.RoundingBound) / 2
	}
}

// checked panics unless o and options are such as every solver needs, and fills
// in how many gradients may be computed.
func (options Options) checked(o *Objective, iterations int) Options {
	if !(o.Lambda > 0) || !(options.Tolerance > 0) {
		panic("solve: a solver needs Lambda > 0 and Tolerance > 0")
	}
	if options.Iterations == 0 {
		options.Iterations = iterations
	}
	return options
}

// conclude returns the result, or the error in its place.
func conclude(ctx context.Context, options Options, reason Reason, result Result) (*Result, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if reason != "" {
		return nil, &NotConvergedError{
			Reason: reason, Iterations: result.Iterations, Certificate: result.Certificate,
			Tolerance: options.Tolerance,
		}
	}
	return &result, nil
}
