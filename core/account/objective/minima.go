package objective

import (
	"math"

	"cloister/core/privacy"
)

// Decompose splits approximate minima into what they are the adaptive
// composition of (theory §2): the objective perturbation; a Gaussian mechanism
// of sensitivity 2τ/λ + g√d and noise σ_out, given by its ratio muOut; and the
// lattice on which the noise is really drawn.
//
// J is λ-strongly convex, so any θ̃ with ‖∇J(θ̃) + b‖ ≤ τ lies within τ/λ of the
// exact minimum, the objective perturbation's output; for one and the same
// output, neighbours move θ̃ by at most 2τ/λ, and rounding to the lattice by
// g√d more.
func Decompose(
	e privacy.ApproximateMinima,
) (objective privacy.ObjectivePerturbation, muOut float64, lattice Lattice) {
	sensitivity := 2*e.Tau/e.Objective.Lambda + e.Grid*math.Sqrt(float64(e.Objective.Dimension))
	muOut = sensitivity / e.SigmaOut
	if muOut > 0 {
		muOut *= 1 + 0x1p-50
	}
	if e.Grid > 0 {
		lattice = Lattice{Dimension: e.Objective.Dimension, Ratio: e.SigmaOut / e.Grid}
	}
	return e.Objective, muOut, lattice
}
