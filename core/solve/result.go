package solve

import (
	"slices"
	"strconv"
)

// Options says when a [Solver] stops.
type Options struct {
	// Tolerance is the bound that the certificate must prove: ‖∇F(θ)‖₂ ≤ Tolerance,
	// rounding errors included; finite and > 0.
	Tolerance float64

	// Iterations is how many gradients of the whole objective may be
	// computed; 0 stands for the solver's own number, DefaultIterations for
	// Newton.
	Iterations int

	// Progress, unless nil, is called after every such gradient. Its arguments depend on
	// the data and are for the data holder alone.
	Progress func(Progress)
}

// DefaultIterations is far above what Newton's method needs.
const DefaultIterations = 500

// Progress tells the data holder where the solver stands.
type Progress struct {
	Iteration    int     // gradients of the whole objective so far
	GradientNorm float64 // ‖∇F(θ)‖₂, without a bound on its rounding error
	Tolerance    float64 // what it has to come down to
}

// Result is a point that is certified to be nearly stationary.
type Result struct {
	Theta       []float64
	Low         []float64 // nil, or what Theta lacks, below its last bits: see refine
	Certificate Certificate
	Iterations  int // gradients of the whole objective, certificates not counted
	Hessians    int // Hessians of the whole objective
	Evaluations int // gradients of single records, where SAG counts them
}

// Point is the argument with which [Objective.Certify] computes the certificate again:
// Theta, followed by Low if there is one.
func (r *Result) Point() []float64 {
	if r.Low == nil {
		return r.Theta
	}
	return slices.Concat(r.Theta, r.Low)
}

// Reason says why no point was certified.
type Reason string

const (
	// ReasonIterations: Options.Iterations gradients were not enough.
	ReasonIterations Reason = "the iteration limit was reached"

	// ReasonStalled: no step brings the gradient lower; floating-point numbers
	// are not fine enough for this objective and tolerance.
	ReasonStalled Reason = "the gradient cannot be brought lower in floating-point arithmetic"

	// ReasonRounding: the proved bound on rounding errors alone leaves no room
	// under the tolerance.
	ReasonRounding Reason = "rounding errors alone may exceed the tolerance"

	// ReasonNotFinite: the gradient or the Hessian overflowed.
	ReasonNotFinite Reason = "the objective overflows"
)

// NotConvergedError says that no point was certified within Tolerance. Its
// numbers depend on the data.
type NotConvergedError struct {
	Reason      Reason
	Iterations  int
	Certificate Certificate // of the last point
	Tolerance   float64
}

func (e *NotConvergedError) Error() string {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	return "solve: not converged after " + strconv.Itoa(e.Iterations) + " iterations: " +
		string(e.Reason) + " (gradient norm " + short(e.Certificate.GradientNorm) +
		", its rounding error at most " + short(e.Certificate.RoundingBound) +
		", wanted " + short(e.Tolerance) + ")"
}
