package ops

import (
	"context"
	"math"

	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fit runs the plan on the problem, with noise from source. The model and what is told may be
// published, the diagnostics not. progress may be nil.
//
// Errors: a *privacy.ParameterError if the plan is not one for this problem, a
// *learn.RowError if a row breaks what the schema promises (neither draws noise), the
// context's error, the source's, solve.ErrEigen, or a *learn.Refusal. Charge for the event
// before calling, and keep the charge whatever comes back.
func Fit(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source,
	progress func(solve.Progress),
) (learn.Model, Told, *learn.Diagnostics, error) {
	fail := func(err error) (learn.Model, Told, *learn.Diagnostics, error) {
		return learn.Model{}, Told{}, nil, err
	}
	if err := plan.Validate(); err != nil {
		return fail(err)
	}
	if err := problem.CheckRegression(plan.Dimension, plan.RowNorm); err != nil {
		return fail(err)
	}
	return fit(ctx, problem, plan, 1, source, progress)
}

// fit is Fit without the checks, with a sample whose noise is so many times what it should be:
// 1, but in audits.
func fit(
	ctx context.Context, problem learn.Problem, plan Plan, noise float64, source random.Source,
	progress func(solve.Progress),
) (learn.Model, Told, *learn.Diagnostics, error) {
	fail := func(err error) (learn.Model, Told, *learn.Diagnostics, error) {
		return learn.Model{}, Told{}, nil, err
	}
	first, err := plan.EigenvalueMargin()
	if err != nil {
		return fail(err)
	}
	least, err := leastEigenvalue(problem, plan.RowNorm)
	if err != nil {
		return fail(err)
	}
	var told Told
	if told.Eigenvalue, err = first.Run(source, least); err != nil {
		return fail(err)
	}
	c, second, err := plan.After(told.Eigenvalue)
	if err != nil {
		return fail(err)
	}
	told.Lambda = c.Lambda
	radius, err := logRadius(ctx, problem, plan.RowNorm, c.Lambda)
	if err != nil {
		return fail(err)
	}
	if told.LogRadius, err = second.Run(source, radius); err != nil {
		return fail(err)
	}
	gamma, out := plan.Then(c, second, told.LogRadius)
	gamma /= noise * noise
	told.Gamma, told.SigmaOut, told.Grid = gamma, out.Sigma, out.Grid
	theta, solved, err := draw(ctx, problem, plan.RowNorm, c.Lambda, gamma, out, source)
	if err != nil {
		return fail(err)
	}
	if progress != nil {
		progress(solve.Progress{Iteration: 1})
	}
	defer clear(solved.Theta)
	model := learn.NewModel(problem, math.Inf(1), theta)
	model.Told = learn.TestedSample{SampleTold: told}
	return model, told, &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Iterations: solved.Iterations,
		Certificate: solved.Certificate, Hessians: solved.Hessians,
	}, nil
}
