package outptr

import (
	"context"
	"errors"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/distance"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Told is what is given out besides the coefficients. All of it may be published.
type Told struct {
	Curvature float64 // s̃
	Sigma     float64 // of each coefficient's noise, on the lattice of spacing Grid
	Grid      float64
}

// tau is the certified bound on the gradient where the solver stops: more than rounding comes to
// for 2^24 records (calibrate.SmallestTau).
func (p Plan) tau() float64 { return 0x1p-17 * p.RowNorm }

func (p Plan) margin() (*distance.Margin, error) {
	return distance.NewMargin(
		p.Curvature()+2*slack*p.RowNorm*p.RowNorm, p.CurvatureRatio, p.Failure)
}

// then is the noise that follows from s̃. The last factor is room for what rounding to the
// lattice moves: grid·√d is below 2^-34 of the noise, and the ratio 1e-4 at least.
func (p Plan) then(margin *distance.Margin, noisy float64) (sigma, grid float64) {
	low := math.Max(0, margin.Lower(noisy)-slack*p.RowNorm*p.RowNorm)
	moves := p.Radius(low) + 2*p.tau()/p.Lambda
	sigma = moves / p.OutputRatio * (1 + 0x1p-18)
	_, exponent := math.Frexp(sigma)
	return sigma, math.Ldexp(1, exponent-1-38)
}

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
	if err := plan.check(problem); err != nil {
		return fail(err)
	}
	margin, err := plan.margin()
	if err != nil {
		return fail(err)
	}
	parts, err := parts(problem, plan.RowNorm)
	if err != nil {
		return fail(err)
	}
	solved, err := plan.minimise(ctx, parts, progress)
	if err != nil {
		return fail(err)
	}
	defer clear(solved.Theta)
	least, err := leastEigenvalue(parts, solved.Theta)
	if err != nil {
		return fail(err)
	}
	var told Told
	if told.Curvature, err = margin.Run(source, math.Min(least, reach*plan.Lambda)); err != nil {
		return fail(err)
	}
	told.Sigma, told.Grid = plan.then(margin, told.Curvature)
	theta, err := learn.AddLatticeNoise(solved.Theta, told.Sigma, told.Grid, source)
	if err != nil {
		return fail(err)
	}
	model := learn.NewModel(problem, math.Inf(1), theta)
	model.Lambda = plan.Lambda
	return model, told, &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Iterations: solved.Iterations,
		Certificate: solved.Certificate, Hessians: solved.Hessians,
	}, nil
}

// Check reports whether the lattice is what the plan makes of s̃, and every coefficient lies on
// it: what anybody can compute again.
func (t Told) Check(plan Plan, theta []float64) bool {
	if plan.validate() != nil || len(theta) != plan.Dimension {
		return false
	}
	margin, err := plan.margin()
	if err != nil {
		return false
	}
	sigma, grid := plan.then(margin, t.Curvature)
	if !(math.Abs(t.Sigma-sigma) <= 1e-9*sigma) || t.Grid != grid {
		return false
	}
	for _, x := range theta {
		if math.Remainder(x, grid) != 0 {
			return false
		}
	}
	return true
}

// check returns an error unless the plan is one for this problem, and its rows keep what is
// promised of them.
func (p Plan) check(problem learn.Problem) error {
	if err := p.validate(); err != nil {
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
	var ends []int
	n := d.X.Rows()
	for end := data.BlockRows; end < n; end += data.BlockRows {
		ends = append(ends, end)
	}
	var out []solve.Part
	for _, block := range solve.NewBlocks(rows, append(ends, n)) {
		out = append(out, block)
	}
	return out, nil
}

// minimise returns a point with a gradient of τ at most, certified.
func (p Plan) minimise(
	ctx context.Context, parts []solve.Part, progress func(solve.Progress),
) (*solve.Result, error) {
	objective := solve.NewObjective(p.Lambda, nil, parts...)
	solved, err := solve.Newton(
		ctx, objective, solve.Options{Tolerance: p.tau(), Progress: progress})
	var failed *solve.NotConvergedError
	if errors.As(err, &failed) {
		return nil, &learn.Refusal{Cause: learn.CauseGradient, Solver: failed}
	}
	if err != nil {
		return nil, err
	}
	solved.Certificate = objective.Certify(solved.Point())
	if !(solved.Certificate.Upper() <= p.tau()) { // whatever the solver thinks of it
		return nil, &learn.Refusal{Cause: learn.CauseGradient}
	}
	return solved, nil
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
