package solve

import (
	"context"
	"math"
)

// Directions says where [LineSearch] goes from a point θ with the gradient
// ∇F(θ), which it may not keep or change. Both methods write a direction, of
// length Dim, and return the multiple of it to try first.
type Directions interface {
	// Begin forgets all earlier points: the direction depends only on this one.
	Begin(theta, gradient, direction []float64) (step float64)

	// Next is called with every point after Begin, and may use all of them.
	Next(theta, gradient, direction []float64) (step float64)
}

// LineSearch is what a [Solver] without Hessians does along the directions it chooses,
// from 0. The line search is Newton's: directional derivatives alone decide, see
// [Newton]. Most implementations compare values of F. Those become useless long before
// ‖∇F‖ is as small as a private learner needs, because rounding hides their
// differences. It stops by ‖∇F‖₂ and its certificate, as every solver does.
//
// A direction costs one gradient, or a few where a step is too long.
// Options.Iterations: 20,000 if 0.
func LineSearch(
	ctx context.Context, o *Objective, options Options, directions Directions,
) (*Result, error) {
	options = options.checked(o, 40*DefaultIterations)
	l := &lineSearch{
		ctx: ctx, objective: o, options: options, directions: directions,
		theta: make(
			[]float64, o.Dim(),
		), gradient: make([]float64, o.Dim()), direction: make([]float64, o.Dim()),
	}
	result := Result{}
	reason := certified(ctx, o, options.Tolerance, &result, l.approach)
	result.Iterations = l.iterations
	return conclude(ctx, options, reason, result)
}

// lineSearch is the state of one minimisation.
type lineSearch struct {
	ctx       context.Context
	objective *Objective
	options   Options

	theta, gradient []float64 // θ and ∇F(θ)
	norm            float64   // ‖∇F(θ)‖
	least           float64   // the least norm yet
	iterations      int

	directions Directions
	direction  []float64
	step       float64 // where to begin the search along it
	fresh      bool    // it depends on no earlier points
}

// approach goes on until the gradient's norm is at most target. Where a
// direction leads nowhere, it begins anew without what is remembered; if that
// leads nowhere either it is stalled.
func (l *lineSearch) approach(target float64) ([]float64, Reason) {
	if l.iterations == 0 {
		if l.ctx.Err() != nil {
			return l.theta, interrupted
		}
		l.norm = l.evaluate(l.theta, l.gradient)
		l.least = l.norm
		if !isFinite(l.norm) {
			return l.theta, ReasonNotFinite
		}
		l.begin()
	}
	for !(l.norm <= target) {
		reason := l.advance()
		switch {
		case reason == ReasonStalled && !l.fresh:
			l.begin()
		case reason != "":
			return l.theta, reason
		}
	}
	return l.theta, ""
}

func (l *lineSearch) begin() {
	l.step = l.directions.Begin(l.theta, l.gradient, l.direction)
	l.fresh = true
}

func (l *lineSearch) evaluate(theta, gradient []float64) float64 {
	l.objective.Derivatives(theta, gradient, nil)
	l.iterations++
	length := norm(gradient)
	if l.options.Progress != nil && isFinite(length) {
		l.options.Progress(
			Progress{Iteration: l.iterations, GradientNorm: length, Tolerance: l.options.Tolerance},
		)
	}
	return length
}

// advance goes along the direction at hand and chooses the next.
func (l *lineSearch) advance() Reason {
	slope0 := dot(l.direction, l.gradient)
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
			theta[j] = l.theta[j] + t*p
			moved = moved || theta[j] != l.theta[j]
		}
		if !moved {
			return ReasonStalled
		}
		length := l.evaluate(theta, gradient)
		slope := dot(l.direction, gradient)
		if isFinite(length) &&
			(length <= sufficient*l.least || (slope <= 0 && slope >= sufficient*slope0)) {
			l.theta, l.gradient, l.norm = theta, gradient, length
			l.least = math.Min(l.least, length)
			l.step = l.directions.Next(theta, gradient, l.direction)
			l.fresh = false
			return ""
		}
		t = line.narrow(t, slope)
	}
	return ReasonStalled
}
