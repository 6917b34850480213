// Package lbfgs minimises without Hessians, by gonum's limited-memory BFGS. Use it for
// many columns. It is separate from core/solve because gonum's optimize imports
// matrices and their encodings, which programs that solve by Hessians should not have
// to download.
package lbfgs

import (
	"context"

	"gonum.org/v1/gonum/optimize"

	"cloister/core/solve"
)

// store is how many steps are remembered.
const store = 30

// Solve is a [solve.Solver] that needs no Hessian: the limited-memory BFGS
// method (Nocedal & Wright 2006, Algorithms 7.4 and 7.5), from 0. The directions
// are those of gonum's optimize.LBFGS; when to stop, and how far to go along a
// direction, is [solve.LineSearch]'s to decide, because gonum's own tests are of
// the largest component of the gradient and of values of F, which rounding makes
// useless long before ‖∇F‖ is as small as a private learner needs.
//
// An iteration costs one gradient, or a few where a step is too long. Their number
// grows with the condition number of the objective. If a Hessian fits into memory,
// Newton takes a fraction of the time. Options.Iterations: 20,000 if 0.
func Solve(ctx context.Context, o *solve.Objective, options solve.Options) (*solve.Result, error) {
	return solve.LineSearch(ctx, o, options, new(directions))
}

// directions are gonum's; nothing it is asked for looks at values of F.
type directions struct{ from optimize.LBFGS }

// Begin is the steepest descent, by a step of length 1. It starts on an empty
// memory: gonum's own keeps scale factors of forgotten steps, and one that has
// overflowed would spoil all directions to come.
func (d *directions) Begin(theta, gradient, direction []float64) float64 {
	d.from = optimize.LBFGS{Store: store}
	return d.from.InitDirection(&optimize.Location{X: theta, Gradient: gradient}, direction)
}

func (d *directions) Next(theta, gradient, direction []float64) float64 {
	return d.from.NextDirection(&optimize.Location{X: theta, Gradient: gradient}, direction)
}
