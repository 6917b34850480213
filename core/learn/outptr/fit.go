package outptr

import (
	"context"
	"math"
	"strconv"

	"cloister/core/adaptive"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fit runs the plan on the problem, with noise from source. The model and what is told may be
// published, the diagnostics not. progress may be nil.
//
// Errors: a *privacy.ParameterError if the plan is not one for this problem, a *learn.RowError if
// a row breaks what the schema promises (neither draws noise), the context's error, the source's,
// solve.ErrEigen, or a *learn.Refusal. Charge for the event before calling, and keep the charge
// whatever comes back.
func Fit(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source,
	progress func(solve.Progress),
) (learn.Model, Told, *learn.Diagnostics, error) {
	fail := func(err error) (learn.Model, Told, *learn.Diagnostics, error) {
		return learn.Model{}, Told{}, nil, err
	}
	if err := check(plan, problem); err != nil {
		return fail(err)
	}
	margin, err := plan.Margin()
	if err != nil {
		return fail(err)
	}
	parts, err := parts(problem, plan.RowNorm)
	if err != nil {
		return fail(err)
	}
	solved, err := minimise(ctx, plan, parts, progress)
	if err != nil {
		return fail(err)
	}
	defer clear(solved.Theta)
	least, err := leastEigenvalue(parts, solved.Theta)
	if err != nil {
		return fail(err)
	}
	told := Told{Lambda: plan.Lambda}
	least = math.Min(least, adaptive.CurvatureReach*plan.Lambda)
	if told.Curvature, err = margin.Run(source, least); err != nil {
		return fail(err)
	}
	told.Sigma, told.Grid = plan.Then(margin, told.Curvature)
	theta, err := learn.AddLatticeNoise(solved.Theta, told.Sigma, told.Grid, source)
	if err != nil {
		return fail(err)
	}
	model := learn.NewModel(problem, math.Inf(1), theta)
	model.Told = learn.TestedCurvature{CurvatureTold: told}
	return model, told, &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Iterations: solved.Iterations,
		Certificate: solved.Certificate, Hessians: solved.Hessians,
	}, nil
}

// check returns an error unless the plan is one for this problem, and its rows keep what is
// promised of them.
func check(p Plan, problem learn.Problem) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if err := problem.CheckRecords(); err != nil {
		return err
	}
	if name := learn.LossName(problem.Loss); name != learn.LogisticLoss {
		return bad("loss", strconv.Quote(name), `"logistic"`)
	}
	return problem.CheckPlan(p.Dimension, p.RowNorm)
}

// parts are the records in blocks of data.BlockRows: sums of sums of so many lose little.
func parts(p learn.Problem, rowNorm float64) ([]solve.Part, error) {
	d := *p.Data
	d.Ends = nil
	rows, err := learn.Problem{Data: &d, Loss: p.Loss}.Rows(math.Inf(1), rowNorm)
	if err != nil {
		return nil, err
	}
	return learn.EvenBlocks(rows, d.X.Rows()), nil
}

// minimise returns a point with a gradient of τ at most, certified.
func minimise(
	ctx context.Context, p Plan, parts []solve.Part, progress func(solve.Progress),
) (*solve.Result, error) {
	objective := solve.NewObjective(p.Lambda, nil, parts...)
	return learn.Certified(
		ctx, objective, solve.Newton, solve.Options{Tolerance: p.Tau(), Progress: progress},
	)
}

// leastEigenvalue is λ_min(Σ f″ xxᵀ) at theta, at least 0.
func leastEigenvalue(parts []solve.Part, theta []float64) (float64, error) {
	d := len(theta)
	matrix := solve.NewPacked(d)
	solve.NewObjective(0, nil, parts...).Derivatives(theta, make([]float64, d), matrix)
	eigen, err := solve.Decompose(matrix)
	if err != nil {
		return 0, err
	}
	return math.Max(0, eigen.Values[0]), nil
}
