package solve

import (
	"context"
	"math"

	"gonum.org/v1/gonum/optimize"
)

// LBFGS is a [Solver] that needs no Hessian: the limited-memory BFGS method
// (Nocedal & Wright 2006, Algorithm 7.4), from 0. The directions are those of
// gonum's optimize.LBFGS; when to stop, and how far to go along a direction, is
// decided here, because gonum's own tests are of the largest component of the
// gradient and of values of F, which rounding makes useless long before ‖∇F‖ is as
// small as a private learner needs. The line search is Newton's: directional
// derivatives alone decide, see [Newton].
//
// An iteration costs one gradient, or a few where a step is too long. How many
// there are grows with the condition of the objective; where a Hessian fits into
// memory Newton takes a fraction of the time. Options.Iterations: 20,000 if 0.
func LBFGS(ctx context.Context, o *Objective, options Options) (*Result, error) {
	options = options.checked(o, 40*DefaultIterations)
	l := &limited{
		ctx: ctx, objective: o, options: options,
		directions: optimize.LBFGS{Store: memory},
		at:         optimize.Location{X: make([]float64, o.Dim()), Gradient: make([]float64, o.Dim())},
		direction:  make([]float64, o.Dim()),
	}
	certificate, reason := certified(ctx, o, options.Tolerance, l.approach)
	return conclude(ctx, options, certificate, reason, Result{Theta: l.at.X, Iterations: l.iterations})
}

// limited is the state of one minimisation.
type limited struct {
	ctx       context.Context
	objective *Objective
	options   Options

	directions optimize.LBFGS
	at         optimize.Location // θ and ∇F(θ); nothing looks at F
	norm       float64           // ‖∇F(θ)‖
	least      float64           // the least norm yet
	iterations int

	direction []float64
	step      float64 // where to begin the search along it
	fresh     bool    // nothing is remembered of earlier steps
}

// approach goes on until the gradient's norm is at most target. Where a
// direction leads nowhere, it begins anew without what is remembered; if that
// leads nowhere either it is stalled.
func (l *limited) approach(target float64) ([]float64, Reason) {
	if l.iterations == 0 {
		if l.ctx.Err() != nil {
			return l.at.X, interrupted
		}
		l.norm = l.evaluate(l.at.X, l.at.Gradient)
		l.least = l.norm
		if !isFinite(l.norm) {
			return l.at.X, ReasonNotFinite
		}
		l.begin()
	}
	for !(l.norm <= target) {
		reason := l.advance()
		switch {
		case reason == ReasonStalled && !l.fresh:
			l.begin()
		case reason != "":
			return l.at.X, reason
		}
	}
	return l.at.X, ""
}

// begin turns to the steepest descent.
func (l *limited) begin() {
	l.step = l.directions.InitDirection(&l.at, l.direction)
	l.fresh = true
}

func (l *limited) evaluate(theta, gradient []float64) float64 {
	l.objective.Derivatives(theta, gradient, nil)
	l.iterations++
	length := norm(gradient)
	if l.options.Progress != nil && isFinite(length) {
		l.options.Progress(Progress{Iteration: l.iterations, GradientNorm: length, Tolerance: l.options.Tolerance})
	}
	return length
}

// advance goes along the direction at hand and chooses the next.
func (l *limited) advance() Reason {
	slope0 := dot(l.direction, l.at.Gradient)
	switch {
	case !isFinite(slope0) && l.fresh:
		return ReasonNotFinite
	case !(slope0 < 0) || math.IsInf(slope0, 0):
		return ReasonStalled
	}
	theta, gradient := make([]float64, len(l.direction)), make([]float64, len(l.direction))
	line := bracket{slopeLow: slope0, high: math.Inf(1)}
	t := l.step
	for range trials {
		if l.ctx.Err() != nil {
			return interrupted
		}
		if l.iterations >= l.options.Iterations {
			return ReasonIterations
		}
		moved := false
		for j, p := range l.direction {
			theta[j] = l.at.X[j] + t*p
			moved = moved || theta[j] != l.at.X[j]
		}
		if !moved {
			return ReasonStalled
		}
		length := l.evaluate(theta, gradient)
		slope := dot(l.direction, gradient)
		if isFinite(length) && (length <= sufficient*l.least || (slope <= 0 && slope >= sufficient*slope0)) {
			l.at.X, l.at.Gradient, l.norm = theta, gradient, length
			l.least = math.Min(l.least, length)
			l.step = l.directions.NextDirection(&l.at, l.direction)
			l.fresh = false
			return ""
		}
		t = line.narrow(t, slope)
	}
	return ReasonStalled
}
