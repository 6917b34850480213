package ops

import (
	"context"
	"math"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/pld"
	"cloister/core/adaptive"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fixed is a sample without a test, or output perturbation.
type Fixed struct{ adaptive.Fixed }

// NewFixed returns the plan with the λ by which a forecast of the squared error is least:
// d/γ or tr(H)σ² for the noise, and for the ridge λ·reach²/2, reach a public guess of ‖θ‖ (0:
// DefaultReach/R). Errors are of type *privacy.ParameterError, or calibrate.Gaussian's.
func NewFixed(
	g privacy.Guarantee, output bool, dimension int, rowNorm float64, records int, reach float64,
) (Fixed, error) {
	if err := g.Validate(); err != nil {
		return Fixed{}, err
	}
	if reach == 0 {
		reach = DefaultReach / rowNorm
	}
	f := Fixed{adaptive.Fixed{
		Adjacency: g.Adjacency, Dimension: dimension, RowNorm: rowNorm, Records: records,
		Output: output, Lambda: 2 * rowNorm * rowNorm,
	}}
	sigma, err := calibrate.Gaussian(g.Epsilon, g.Delta, 1)
	if err != nil {
		return Fixed{}, err
	}
	f.OutputRatio = 1 / sigma * (1 - 0x1p-29) // less than Event adds
	if !output {
		f.OutputRatio *= 0x1p-8
		f.Delta = g.Delta * (1 - 0x1p-8)
		f.Epsilon = g.Epsilon
	}
	if err := f.Validate(); err != nil {
		return Fixed{}, err
	}
	if err := learn.CheckRange("reach", reach, false); err != nil {
		return Fixed{}, err
	}
	if !output {
		if f.Epsilon, err = f.promise(g); err != nil {
			return Fixed{}, err
		}
	}
	least, best := math.Inf(1), 0.0
	for k := range 150 {
		try := f
		try.Lambda = 2 * rowNorm * rowNorm * math.Exp(float64(k)*0.1)
		if forecast := try.noise() + try.Lambda*reach*reach/2; forecast < least {
			least, best = forecast, try.Lambda
		}
	}
	if math.IsInf(least, 1) {
		return Fixed{}, bad("epsilon", privacy.Number(g.Epsilon), "more, for a sample at any ridge")
	}
	f.Lambda = best
	return f, nil
}

// promise is the ε of a sample that, with the noise of its lattice, comes to the guarantee.
func (f Fixed) promise(g privacy.Guarantee) (float64, error) {
	low, high := 0.0, g.Epsilon
	for high-low > 1e-9*g.Epsilon {
		f.Epsilon = low + (high-low)/2
		event, err := f.Event()
		if err != nil {
			return 0, err
		}
		price, err := account.Of(event, account.Closed, pld.Options{})
		if err != nil {
			return 0, err
		}
		if epsilon, err := price.EpsilonUpper(g.Delta); err == nil && epsilon <= g.Epsilon {
			low = f.Epsilon
		} else {
			high = f.Epsilon
		}
	}
	if low == 0 {
		return 0, bad("epsilon", privacy.Number(g.Epsilon), "more")
	}
	return low, nil
}

// noise is the forecast of what the noise adds to the sum of squares, for Records records.
func (f Fixed) noise() float64 {
	d := float64(f.Dimension)
	if !f.Output {
		return d / f.Gamma()
	}
	sigma := f.Precision(0).Sigma
	return sigma * sigma * (float64(f.Records)*f.RowNorm*f.RowNorm + d*f.Lambda)
}

// Fit runs the plan on the problem, with noise from source: see the function Fit for what may
// be published and for errors. A table of more than Records records is a
// *privacy.ParameterError: with one record replaced that tells nothing.
func (f Fixed) Fit(
	ctx context.Context, problem learn.Problem, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	if err := f.Validate(); err != nil {
		return learn.Model{}, nil, err
	}
	if err := problem.CheckRegression(f.Dimension, f.RowNorm); err != nil {
		return learn.Model{}, nil, err
	}
	if err := f.checkRecords(problem); err != nil {
		return learn.Model{}, nil, err
	}
	return f.fit(ctx, problem, f.gamma(), 1, source, progress)
}

// gamma is γ of a sample, a search of its own: whoever fits one plan often takes it once. 0 for
// output perturbation.
func (f Fixed) gamma() float64 {
	if f.Output {
		return 0
	}
	return f.Gamma()
}

// checkRecords refuses a table of more records than the plan is for.
func (f Fixed) checkRecords(problem learn.Problem) error {
	if problem.Data.X.Rows() > f.Records {
		return bad("records", "fewer than the table has", "no less than there are, publicly known")
	}
	return nil
}

// fit is Fit without the checks, with the plan's γ, and with noise that is so many times what it
// should be: 1, but in audits.
func (f Fixed) fit(
	ctx context.Context, problem learn.Problem, gamma, noise float64, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	theta, solved, told, err := f.release(ctx, problem, gamma, noise, source)
	if err != nil {
		return learn.Model{}, nil, err
	}
	defer clear(solved.Theta)
	if progress != nil {
		progress(solve.Progress{Iteration: 1})
	}
	model := learn.NewModel(problem, math.Inf(1), theta)
	if !f.Output {
		model.Told = learn.FixedSample{FixedTold: told}
	}
	return model, &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Iterations: solved.Iterations,
		Certificate: solved.Certificate, Hessians: solved.Hessians,
	}, nil
}

func (f Fixed) release(
	ctx context.Context, problem learn.Problem, gamma, noise float64, source random.Source,
) (theta []float64, solved *solve.Result, told adaptive.FixedTold, err error) {
	if f.Output {
		out := f.Precision(0)
		solved, err = solution(ctx, problem, f.RowNorm, f.Lambda, out.Tau, problem.Data.Y, nil)
		if err != nil {
			return nil, nil, told, err
		}
		theta, err = learn.AddLatticeNoise(solved.Theta, noise*out.Sigma, out.Grid, source)
		return theta, solved, told, err
	}
	gamma /= noise * noise
	if !(gamma > 0) {
		return nil, nil, told, bad("lambda", privacy.Number(f.Lambda),
			"larger: with leverages up to R²/λ no sample has this guarantee")
	}
	out := f.Precision(gamma)
	told = adaptive.FixedTold{
		Records: f.Records, Lambda: f.Lambda, Gamma: gamma, SigmaOut: out.Sigma, Grid: out.Grid,
	}
	theta, solved, err = draw(ctx, problem, f.RowNorm, f.Lambda, gamma, out, source)
	return theta, solved, told, err
}
