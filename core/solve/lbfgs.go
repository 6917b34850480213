package solve

import (
	"context"
	"math"
)

// LBFGS is a [Solver] that needs no Hessian: the limited-memory BFGS method
// (Nocedal & Wright 2006, Algorithms 7.4 and 7.5), from 0. The line search is
// Newton's: directional derivatives alone decide, see [Newton]. Values of F,
// which most implementations compare, are of no use long before ‖∇F‖ is as small
// as a private learner needs: rounding hides their differences.
//
// The directions are those of gonum's optimize.LBFGS, which a test compares; the
// package itself does not link it, for that brings gonum's matrices and their
// encodings into every program that solves anything.
//
// An iteration costs one gradient, or a few where a step is too long. How many
// there are grows with the condition of the objective; where a Hessian fits into
// memory Newton takes a fraction of the time. Options.Iterations: 20,000 if 0.
func LBFGS(ctx context.Context, o *Objective, options Options) (*Result, error) {
	options = options.checked(o, 40*DefaultIterations)
	l := &limited{
		ctx: ctx, objective: o, options: options,
		theta: make([]float64, o.Dim()), gradient: make([]float64, o.Dim()),
	}
	certificate, reason := certified(ctx, o, options.Tolerance, l.approach)
	return conclude(ctx, options, certificate, reason, Result{Theta: l.theta, Iterations: l.iterations})
}

// limited is the state of one minimisation.
type limited struct {
	ctx       context.Context
	objective *Objective
	options   Options

	theta, gradient []float64 // θ and ∇F(θ)
	norm            float64   // ‖∇F(θ)‖
	least           float64   // the least norm yet
	iterations      int

	pairs     []pair // of the latest steps, at most memory of them, oldest first
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

// begin turns to the steepest descent.
func (l *limited) begin() {
	l.pairs, l.fresh = nil, true
	l.step = 1 / l.norm
	l.direction = twoLoops(nil, l.gradient)
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
		if isFinite(length) && (length <= sufficient*l.least || (slope <= 0 && slope >= sufficient*slope0)) {
			l.remember(theta, gradient)
			l.theta, l.gradient, l.norm = theta, gradient, length
			l.least = math.Min(l.least, length)
			l.step, l.fresh = 1, false
			l.direction = twoLoops(l.pairs, gradient)
			return ""
		}
		t = line.narrow(t, slope)
	}
	return ReasonStalled
}

// remember keeps the step to theta, in place of the oldest one if need be.
func (l *limited) remember(theta, gradient []float64) {
	p := pair{s: make([]float64, len(theta)), y: make([]float64, len(theta))}
	for j := range theta {
		p.s[j], p.y[j] = theta[j]-l.theta[j], gradient[j]-l.gradient[j]
	}
	p.rho = 1 / dot(p.s, p.y)
	if len(l.pairs) == memory {
		copy(l.pairs, l.pairs[1:])
		l.pairs = l.pairs[:memory-1]
	}
	l.pairs = append(l.pairs, p)
}

// twoLoops returns −B·gradient, where B is the multiple of the identity that
// fits the latest pair, sᵀy/‖y‖² (1 without pairs), with the BFGS updates of all
// pairs, oldest first (Nocedal & Wright 2006, Algorithm 7.4 and (7.20)).
func twoLoops(pairs []pair, gradient []float64) []float64 {
	p := make([]float64, len(gradient))
	for j, g := range gradient {
		p[j] = -g
	}
	along := make([]float64, len(pairs))
	for i := len(pairs) - 1; i >= 0; i-- {
		q := &pairs[i]
		along[i] = q.rho * dot(q.s, p)
		axpy(-along[i], q.y, p)
	}
	if n := len(pairs); n > 0 {
		last := &pairs[n-1]
		scale := 1 / (last.rho * dot(last.y, last.y))
		for j := range p {
			p[j] *= scale
		}
	}
	for i := range pairs {
		q := &pairs[i]
		axpy(along[i]-q.rho*dot(q.y, p), q.s, p)
	}
	return p
}
