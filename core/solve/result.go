package solve

import "fmt"

// Options says when a [Solver] stops.
type Options struct {
	// Tolerance is what the certificate has to prove: ‖∇F(θ)‖₂ ≤ Tolerance,
	// rounding errors included; finite and > 0.
	Tolerance float64

	// Iterations is how many gradients of the whole objective may be
	// computed; 0 stands for the solver's own number, DefaultIterations for
	// Newton.
	Iterations int

	// Progress, unless nil, is called after every such gradient. What it is
	// told depends on the data: it is for the eyes of the data holder.
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
	Certificate Certificate
	Iterations  int // gradients of the whole objective, certificates not counted
	Hessians    int // Hessians of the whole objective
	Evaluations int // gradients of single records, where SAG counts them
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
	return fmt.Sprintf("solve: not converged after %d iterations: %s (gradient norm %.3g, its rounding error at most %.3g, wanted %.3g)",
		e.Iterations, e.Reason, e.Certificate.GradientNorm, e.Certificate.RoundingBound, e.Tolerance)
}
