package solve

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/optimize"
)

// LBFGS is a [Solver] that needs no Hessian: the limited-memory BFGS method
// (Nocedal & Wright 2006, Algorithm 7.4) as gonum has it, from 0. Its directions
// are gonum's; when to stop, and how far to go along a direction, is decided
// here, because gonum's own tests are of the largest component of the gradient
// and of values of F, which rounding makes useless long before ‖∇F‖ is as small
// as a private learner needs. The line search is Newton's: directional
// derivatives alone decide, see [Newton].
//
// An iteration costs one gradient, or a few where a step is too long. How many
// there are grows with the condition of the objective; where a Hessian fits into
// memory Newton takes a fraction of the time. Options.Iterations: 20,000 if 0.
func LBFGS(ctx context.Context, o *Objective, options Options) (*Result, error) {
	options = options.checked(o, 40*DefaultIterations)
	l := &limited{
		ctx: ctx, objective: o, options: options,
		theta: make([]float64, o.Dim()), least: math.Inf(1), norm: math.Inf(1),
	}
	certificate, reason := certified(ctx, o, options.Tolerance, l.approach)
	return conclude(ctx, options, certificate, reason, Result{Theta: l.theta, Iterations: l.iterations})
}

// limited is the state of one minimisation. gonum evaluates in another
// goroutine, but never while it asks for the status or for a step.
type limited struct {
	ctx       context.Context
	objective *Objective
	options   Options
	target    float64

	theta      []float64 // the point of the least gradient yet
	least      float64   // its norm
	norm       float64   // of the gradient computed last
	iterations int
	reason     Reason

	line   bracket // the search along the direction at hand
	slope0 float64 // the slope at its start
	before float64 // least, at its start
	step   float64
	tried  int
}

var errStopped = errors.New("solve: stopped")

// approach goes on from theta until its gradient's norm is at most target.
// Where a direction leads nowhere, it begins anew without what it remembers; if
// that leads nowhere either it is stalled.
func (l *limited) approach(target float64) ([]float64, Reason) {
	l.target = target
	for !(l.least <= target) {
		before := l.least
		l.reason = ""
		problem := optimize.Problem{
			// Nothing looks at values.
			Func:   func([]float64) float64 { return 0 },
			Grad:   l.evaluate,
			Status: l.status,
		}
		settings := &optimize.Settings{Converger: optimize.NeverTerminate{}, GradientThreshold: math.NaN()}
		method := &optimize.LBFGS{Linesearcher: l, Store: memory, GradStopThreshold: math.NaN()}
		// Why it ended is known here better than by gonum's error.
		_, _ = optimize.Minimize(problem, append([]float64(nil), l.theta...), settings, method)
		switch {
		case l.reason != "":
			return l.theta, l.reason
		case !(l.least < before) && !isFinite(l.norm):
			return l.theta, ReasonNotFinite
		case !(l.least <= target) && !(l.least < before):
			return l.theta, ReasonStalled
		}
	}
	return l.theta, ""
}

// evaluate computes the gradient at theta.
func (l *limited) evaluate(gradient, theta []float64) {
	l.objective.Derivatives(theta, gradient, nil)
	l.iterations++
	l.norm = norm(gradient)
	if l.norm < l.least {
		l.least = l.norm
		copy(l.theta, theta)
	}
	if l.options.Progress != nil {
		l.options.Progress(Progress{Iteration: l.iterations, GradientNorm: l.norm, Tolerance: l.options.Tolerance})
	}
}

// status is asked after every evaluation.
func (l *limited) status() (optimize.Status, error) {
	switch {
	case l.ctx.Err() != nil:
		l.reason = interrupted
	case l.least <= l.target:
	case l.iterations >= l.options.Iterations:
		l.reason = ReasonIterations
	default:
		return optimize.NotTerminated, nil
	}
	return optimize.Failure, errStopped
}

// Init begins a search along a direction (optimize.Linesearcher).
func (l *limited) Init(_, slope, step float64) optimize.Operation {
	l.line = bracket{slopeLow: slope, high: math.Inf(1)}
	l.slope0, l.before, l.step, l.tried = slope, l.least, step, 0
	return optimize.GradEvaluation
}

// Iterate takes in the slope at the step tried last (optimize.Linesearcher).
func (l *limited) Iterate(_, slope float64) (optimize.Operation, float64, error) {
	if isFinite(l.norm) && (l.norm <= sufficient*l.before || (slope <= 0 && slope >= sufficient*l.slope0)) {
		return optimize.MajorIteration, l.step, nil
	}
	if l.tried++; l.tried >= trials {
		return optimize.NoOperation, 0, optimize.ErrLinesearcherFailure
	}
	l.step = l.line.narrow(l.step, slope)
	return optimize.GradEvaluation, l.step, nil
}
