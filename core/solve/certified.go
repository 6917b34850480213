package solve

import (
	"context"
	"math"
)

// Solver finds a point with a certificate that ‖∇F(θ)‖₂ ≤ Options.Tolerance,
// for a strongly convex objective (Lambda > 0), starting from 0. [Newton],
// [SAG] and core/solve/lbfgs's Solve are solvers. What a private learner rests on is the
// certificate, which is recomputed on all records at the final point and owes
// nothing to the way there, so it may take any of them.
//
// A solver returns a *NotConvergedError if no point can be certified, and the
// context's error soon after it is cancelled. It panics if Lambda or Tolerance
// is not above 0.
type Solver func(ctx context.Context, o *Objective, options Options) (*Result, error)

// certified calls approach, which goes on from where it stands to a point of
// computed gradient norm at most target, until a certificate proves the
// tolerance. Half of what rounding leaves of it is aimed at, so that the
// recomputed gradient, which differs from the plain one by rounding errors, will
// do as well.
func certified(ctx context.Context, o *Objective, tolerance float64, approach func(target float64) ([]float64, Reason)) (Certificate, Reason) {
	target := tolerance / 2
	for {
		theta, reason := approach(target)
		if ctx.Err() != nil {
			return Certificate{}, interrupted
		}
		certificate := o.Certify(theta)
		switch {
		case certificate.Upper() <= tolerance:
			return certificate, ""
		case reason != "":
			return certificate, reason
		case !(certificate.RoundingBound < tolerance):
			return certificate, ReasonRounding
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

// conclude makes a result, or the error in its place.
func conclude(ctx context.Context, options Options, certificate Certificate, reason Reason, result Result) (*Result, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if reason != "" {
		return nil, &NotConvergedError{
			Reason: reason, Iterations: result.Iterations, Certificate: certificate, Tolerance: options.Tolerance,
		}
	}
	result.Certificate = certificate
	return &result, nil
}
