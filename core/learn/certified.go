package learn

import (
	"context"
	"errors"

	"cloister/core/solve"
)

// Certified returns a point whose gradient is certified to be within the tolerance of the options,
// or a *Refusal of [CauseGradient]. The solver is not trusted: its point is certified here.
func Certified(
	ctx context.Context, objective *solve.Objective, solver solve.Solver, options solve.Options,
) (*solve.Result, error) {
	solved, err := solver(ctx, objective, options)
	var failed *solve.NotConvergedError
	if errors.As(err, &failed) {
		return nil, &Refusal{Cause: CauseGradient, Solver: failed}
	}
	if err != nil {
		return nil, err
	}
	solved.Certificate = objective.Certify(solved.Point())
	if !(solved.Certificate.Upper() <= options.Tolerance) { // whatever the solver thinks of it
		return nil, &Refusal{Cause: CauseGradient}
	}
	return solved, nil
}
