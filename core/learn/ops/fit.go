package ops

import (
	"context"
	"math"

	"cloister/core/account/posterior"
	"cloister/core/distance"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Told is what the tested sample gives out besides the coefficients. All of it may be
// published. Everything but the two noisy numbers follows from them and the plan (Check).
type Told struct {
	Eigenvalue float64 // s̃
	LogRadius  float64 // t̃
	Lambda     float64 // λ
	Gamma      float64 // γ
	SigmaOut   float64 // of each coefficient's own noise, on the lattice of spacing Grid
	Grid       float64
}

// margins are the two bounds from one side.
func (p Plan) eigenvalueMargin() (*distance.Margin, error) {
	return distance.NewMargin(
		p.RowNorm*p.RowNorm*(1+slack), p.EigenvalueRatio, p.Failure/2)
}

func (p Plan) radiusMargin(c choice) (*distance.Margin, error) {
	return distance.NewMargin(c.moves*(1+slack), p.RadiusRatio, p.Failure/2)
}

// after is what follows from s̃: λ and the test of the radius. The eigenvalue that is computed
// may be off by a little of what one record moves it by, which low gives away.
func (p Plan) after(eigenvalue float64) (choice, *distance.Margin, error) {
	first, err := p.eigenvalueMargin()
	if err != nil {
		return choice{}, nil, err
	}
	low := math.Max(0, first.Lower(eigenvalue)-slack*p.RowNorm*p.RowNorm)
	c := p.best(low, first.Width()/first.Sigma())
	second, err := p.radiusMargin(c)
	return c, second, err
}

// then is what follows from t̃: γ, and the output's precision.
func (p Plan) then(c choice, second *distance.Margin, noisy float64) (float64, precision) {
	high := math.Max(0, second.Upper(noisy)+slack*c.moves)
	// a = √(γx)·e^{t_high}, rounded down.
	gamma := c.shift * c.shift / c.leverage * math.Exp(-2*high) * (1 - 0x1p-44)
	return gamma, precisionOf(p.RowNorm, c.lambda, gamma, math.Exp(high), p.OutputRatio)
}

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
	if err := plan.validate(); err != nil {
		return fail(err)
	}
	if err := checkProblem(problem, plan.Dimension, plan.RowNorm); err != nil {
		return fail(err)
	}
	first, err := plan.eigenvalueMargin()
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
	c, second, err := plan.after(told.Eigenvalue)
	if err != nil {
		return fail(err)
	}
	told.Lambda = c.lambda
	radius, err := logRadius(ctx, problem, plan.RowNorm, c.lambda)
	if err != nil {
		return fail(err)
	}
	if told.LogRadius, err = second.Run(source, radius); err != nil {
		return fail(err)
	}
	gamma, out := plan.then(c, second, told.LogRadius)
	told.Gamma, told.SigmaOut, told.Grid = gamma, out.sigma, out.grid
	theta, solved, err := draw(ctx, problem, plan.RowNorm, c.lambda, gamma, out, source)
	if err != nil {
		return fail(err)
	}
	if progress != nil {
		progress(solve.Progress{Iteration: 1})
	}
	defer clear(solved.Theta)
	return learn.NewModel(problem, math.Inf(1), theta), told, &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Iterations: solved.Iterations,
		Certificate: solved.Certificate, Hessians: solved.Hessians,
	}, nil
}

// Check reports whether λ, γ and the lattice are what the plan makes of the noisy numbers, and
// every coefficient lies on it: what anybody can compute again.
func (t Told) Check(plan Plan, theta []float64) bool {
	if plan.validate() != nil || len(theta) != plan.Dimension {
		return false
	}
	c, second, err := plan.after(t.Eigenvalue)
	if err != nil {
		return false
	}
	gamma, out := plan.then(c, second, t.LogRadius)
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	if !near(t.Lambda, c.lambda) || !near(t.Gamma, gamma) || !near(t.SigmaOut, out.sigma) ||
		t.Grid != out.grid {
		return false
	}
	for _, x := range theta {
		if math.Remainder(x, t.Grid) != 0 {
			return false
		}
	}
	// The divergence that the plan pays for, computed again.
	bound := posterior.Bound{Leverage: c.leverage, Shift: c.shift}
	return bound.Renyi(plan.Order) <= plan.Renyi*(1+1e-12)
}
