package learn

import "cloister/core/solve"

// Cause says why nothing was released.
type Cause string

const (
	// CauseGradient: the solver could not certify that the gradient is within τ. On a
	// strongly convex objective with rows of bounded norm, and with τ and λ not below
	// their floors (calibrate.SmallestTau), that is a fault of the program: every
	// accepted data set can be certified.
	CauseGradient Cause = "the gradient could not be certified to be as small as the mechanism promises"

	// CauseNoise: ‖b‖ > σ(√d + 40), which happens with probability below
	// e^-800 unless the source of randomness is broken.
	CauseNoise Cause = "the noise is longer than noise ever is: the source of randomness is broken"
)

// Refusal says that a fit ended without a release. The mechanism is charged
// all the same: that it refused is an output. Its text names no number that
// depends on the data; the solver's own error, which does, is in Solver for
// the data holder.
type Refusal struct {
	Cause  Cause
	Solver *solve.NotConvergedError // nil unless CauseGradient
}

func (e *Refusal) Error() string { return "nothing was released: " + string(e.Cause) }

// Unwrap gives the solver's error.
func (e *Refusal) Unwrap() error {
	if e.Solver == nil {
		return nil
	}
	return e.Solver
}
