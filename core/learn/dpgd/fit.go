// Package dpgd fits by noisy gradient descent on the whole data. Noise and step size
// may differ from step to step ([Plan]). A [Request] chooses them without looking at
// the data: by the schedules of Fay, Magnússon, Sjölund & Johansson 2023, "Adaptive
// Hyperparameter Selection for Differentially Private Gradient Descent" (below: Fay et
// al.), by the best allocation of the budget for strongly convex losses, or with
// constant noise.
//
// # What is released, and what it costs
//
// Step t releases the sum of the records' clipped gradients with Gaussian noise. It may
// depend on the outputs of the steps before, so the whole is an adaptive composition of
// Gaussian mechanisms, privacy.GradientDescent. Their ratios of sensitivity and noise
// add up in squares. So the whole has exactly the privacy profile of one Gaussian
// mechanism with μ² = Σ (Δ/σₜ)² (Dong, Roth & Su 2022, Corollary 3.3), and is ρ-zCDP
// with ρ = μ²/2 (Bun & Steinke 2016). The regulariser, the number by which a mean would
// be divided and all else is public.
//
// The sensitivity Δ of a sum of vectors of length at most C is C if one record is added
// or removed and 2C if one is replaced. Under add/remove the number of records is
// private, so no mean is ever taken. A schedule that needs the number gets a public
// guess ([Request].Records). A wrong guess costs accuracy, never privacy.
//
// # Finite precision
//
// The guarantee needs no assumption on floating-point arithmetic and no tolerance. From the
// record alone its row is rounded to whole numbers of a unit, and from the record and θ alone its
// slope to a whole number of another. Their product is the record's gradient, a point of a
// lattice, whose norm is at most C. These are added exactly (summer), and discrete Gaussian noise
// is drawn on the lattice exactly (random.DiscreteGaussian). The event's sensitivity includes the
// difference between discrete and continuous noise. Everything after that is arithmetic on
// released whole numbers.
package dpgd

import (
	"context"
	"math"

	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fit runs the plan on the problem, with noise from source, and returns the model,
// which may be published, and diagnostics, which may not. progress may be nil; it gets
// the step and the norm of the gradient without noise, which are private too.
//
// Errors: a *privacy.ParameterError if the plan is not one for this problem, a
// *learn.RowError if a row breaks what the schema promises (neither draws noise), the
// context's error, the source's, or a *learn.DivergedError. Charge for the event before
// calling, and keep the charge whatever comes back.
func Fit(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	var see func(State)
	if progress != nil {
		see = func(s State) {
			progress(solve.Progress{Iteration: s.Step, GradientNorm: s.GradientNorm})
		}
	}
	theta, err := watch(ctx, problem, plan, source, see)
	if err != nil {
		return learn.Model{}, nil, err
	}
	return learn.NewModel(problem, plan.Clip, theta), &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Iterations: len(plan.Sigmas),
	}, nil
}

// State is where a descent stands before a step, or after the last one. It is
// for the eyes of the data holder.
type State struct {
	Step         int       // steps taken so far
	Theta        []float64 // θₜ, or at the end their mean, of centred rows; valid during the call
	GradientNorm float64   // ‖∇J(θₜ)‖₂ without noise, clipped as the plan says
}

// Watch is Fit for a data holder who wants to see every state on the way. It returns
// nothing, so that nothing can be published by mistake.
func Watch(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source, see func(State),
) error {
	_, err := watch(ctx, problem, plan, source, see)
	return err
}

func watch(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source, see func(State),
) ([]float64, error) {
	if err := plan.check(problem); err != nil {
		return nil, err
	}
	return run(ctx, problem, plan, source, see)
}

// run is the mechanism itself, without the checks.
func run(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source, see func(State),
) ([]float64, error) {
	sum, err := newSummer(problem, plan)
	if err != nil {
		return nil, err
	}
	d := &descent{
		plan:     plan,
		theta:    make([]float64, plan.Dimension),
		velocity: make([]float64, plan.Dimension),
	}
	mean := newTail(plan)
	noisy := make([]float64, plan.Dimension)
	for t, sigma := range plan.Sigmas {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		grid := gridOf(plan.Clip, sigma)
		sum.sum(d.theta, grid)
		if see != nil {
			see(State{Step: t, Theta: d.theta, GradientNorm: d.gradientNorm(sum.total, grid)})
		}
		noise, err := random.NewDiscreteGaussian(sigma, grid)
		if err != nil {
			return nil, err
		}
		for j, k := range sum.total {
			draw, err := noise.Sample(source)
			if err != nil {
				return nil, err
			}
			noisy[j] = float64(k+draw) * grid
		}
		if err := d.step(t, noisy); err != nil {
			return nil, err
		}
		mean.add(t, d.theta)
	}
	mean.release(d.theta)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	theta := d.theta
	if see != nil {
		grid := gridOf(plan.Clip, plan.Clip)
		sum.sum(d.theta, grid)
		see(
			State{
				Step:         len(plan.Sigmas),
				Theta:        d.theta,
				GradientNorm: d.gradientNorm(sum.total, grid),
			},
		)
	}
	for columns := plan.columns(); len(theta) > 0; theta = theta[columns:] {
		plan.Centring.Back(theta[:columns], problem.Data.Schema.Intercept)
	}
	return d.theta, nil
}

// descent is the part that sees noisy sums only.
type descent struct {
	plan            Plan
	theta, velocity []float64
}

func (d *descent) step(t int, noisy []float64) error {
	rate, squares := d.plan.Rates[t], 0.0
	for j, g := range noisy {
		d.velocity[j] = float64(d.plan.Momentum*d.velocity[j]) +
			(g + float64(d.plan.Lambda*d.theta[j]))
		d.theta[j] -= float64(rate * d.velocity[j])
		if !(math.Abs(d.theta[j]) <= learn.Farthest) {
			return &learn.DivergedError{Step: t + 1}
		}
		squares += float64(d.theta[j] * d.theta[j])
	}
	if length := math.Sqrt(squares); d.plan.Radius > 0 && length > d.plan.Radius {
		for j := range d.theta {
			d.theta[j] *= d.plan.Radius / length
		}
	}
	return nil
}

// gradientNorm is ‖total·grid + λθ‖.
func (d *descent) gradientNorm(total []int64, grid float64) float64 {
	squares := 0.0
	for j, k := range total {
		g := float64(k)*grid + float64(d.plan.Lambda*d.theta[j])
		squares += float64(g * g)
	}
	return math.Sqrt(squares)
}
