package ops

import (
	"context"
	"math"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/pld"
	"cloister/core/account/posterior"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fixed is a mechanism that looks at nothing before it releases: a sample from the posterior, or
// with Output the minimiser itself with noise. It rests on a public number of records that no
// table exceeds.
//
// With one record replaced that number is public. Under add/remove the guarantee is among tables
// of at most so many records, whose number a fit then holds against it.
type Fixed struct {
	Adjacency privacy.Adjacency
	Dimension int
	RowNorm   float64 // R
	Records   int     // n, the most that any table has

	Output bool    // output perturbation, and no sample
	Lambda float64 // λ ≥ 2R²

	// Of a sample: it is (Epsilon, Delta)-DP, and the noise on its lattice is a Gaussian
	// mechanism of OutputRatio. Of output perturbation OutputRatio alone counts.
	Epsilon, Delta float64
	OutputRatio    float64
}

// mostLambda bounds a search for λ, over R².
const mostLambda = 1e9

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
	f := Fixed{
		Adjacency: g.Adjacency, Dimension: dimension, RowNorm: rowNorm, Records: records,
		Output: output, Lambda: 2 * rowNorm * rowNorm,
	}
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
	if err := f.validate(); err != nil {
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

// residual is ē: no table of Records records has a larger one.
func (f Fixed) residual() float64 {
	return (1 + f.RowNorm*math.Sqrt(float64(f.Records)/f.Lambda)/2) * (1 + 0x1p-48)
}

func (f Fixed) leverage() float64 { return f.RowNorm * f.RowNorm / f.Lambda * (1 + 0x1p-50) }

// gamma is γ of a sample; 0 if λ is too small for any.
func (f Fixed) gamma() float64 {
	shift := posterior.Shift
	if f.Adjacency == privacy.ReplaceOne {
		shift = posterior.ShiftReplaced
	}
	a, ok := shift(f.Epsilon, f.Delta, f.leverage())
	if !ok {
		return 0
	}
	return a * a / (f.leverage() * f.residual() * f.residual()) * (1 - 0x1p-44)
}

// noise is the forecast of what the noise adds to the sum of squares, for Records records.
func (f Fixed) noise() float64 {
	d := float64(f.Dimension)
	if !f.Output {
		return d / f.gamma()
	}
	sigma := f.output(0).sigma
	return sigma * sigma * (float64(f.Records)*f.RowNorm*f.RowNorm + d*f.Lambda)
}

// output is the precision of the output's lattice. For output perturbation one record moves θ_λ
// by Rē/λ: for one more, θ′ − θ = H′⁻¹xe; for one replaced there are two such steps from the
// table without either, each with the residual in the larger table.
func (f Fixed) output(gamma float64) precision {
	if !f.Output {
		return precisionOf(f.RowNorm, f.Lambda, gamma, f.residual(), f.OutputRatio)
	}
	moves := f.RowNorm * f.residual() / f.Lambda
	if f.Adjacency == privacy.ReplaceOne {
		moves *= 2
	}
	tau := 0x1p-18 * f.RowNorm * f.residual()
	sigma := (moves + 2*tau/f.Lambda) / f.OutputRatio * (1 + 0x1p-18)
	_, exponent := math.Frexp(sigma)
	// ω√d ≤ 2^-18·ratio·σ, for the 2^-18 above.
	fine := math.Sqrt(float64(f.Dimension)) / (f.OutputRatio * 0x1p-20)
	_, below := math.Frexp(math.Max(fine, 0x1p20))
	return precision{tau, sigma, math.Ldexp(1, exponent-1-below)}
}

// Event is what account prices, in closed form. Errors are of type *privacy.ParameterError.
func (f Fixed) Event() (privacy.Event, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	// The lattice's noise is priced as continuous: learn.LatticeSensitivity, for σ ≥ 2^20 ω.
	gaussian := privacy.Gaussian{
		Adjacency: f.Adjacency, Sensitivity: f.OutputRatio * (1 + 0x1p-30), Sigma: 1,
	}
	if f.Output {
		return gaussian, gaussian.Validate()
	}
	e := privacy.Composition{Adjacency: f.Adjacency, Parts: []privacy.Part{
		{Count: 1, Event: privacy.ApproximateDP{
			Adjacency: f.Adjacency, Epsilon: f.Epsilon, Delta: f.Delta,
		}},
		{Count: 1, Event: gaussian},
	}}
	return e, e.Validate()
}

func (f Fixed) validate() error {
	if !f.Adjacency.Valid() {
		return bad("adjacency", f.Adjacency.String(),
			`"add-remove" or "replace-one"; it has no default`)
	}
	if err := checkDimension(f.Dimension); err != nil {
		return err
	}
	if err := privacy.FirstError(
		learn.CheckRange("row_norm", f.RowNorm, false),
		learn.CheckRange("lambda", f.Lambda, false),
		checkRatio("output_ratio", f.OutputRatio),
	); err != nil {
		return err
	}
	switch square := f.RowNorm * f.RowNorm; {
	case f.Records < 1 || f.Records > 1<<24:
		return bad("records", privacy.Number(float64(f.Records)), "from 1 to 2^24, publicly known")
	case !(f.Lambda >= 2*square && f.Lambda <= mostLambda*square):
		return bad("lambda", privacy.Number(f.Lambda), "from 2R² to 10⁹R²: leverages are at most R²/λ")
	case f.Output:
		return nil
	}
	return privacy.FirstError(privacy.CheckEpsilon(f.Epsilon), privacy.CheckDelta(f.Delta))
}

// Fit runs the plan on the problem, with noise from source: see the function Fit for what may
// be published and for errors. A table of more than Records records is a
// *privacy.ParameterError: with one record replaced that tells nothing.
func (f Fixed) Fit(
	ctx context.Context, problem learn.Problem, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	if err := f.validate(); err != nil {
		return learn.Model{}, nil, err
	}
	if err := checkProblem(problem, f.Dimension, f.RowNorm); err != nil {
		return learn.Model{}, nil, err
	}
	if problem.Data.X.Rows() > f.Records {
		return learn.Model{}, nil, bad(
			"records", "fewer than the table has", "no less than there are, publicly known")
	}
	theta, solved, err := f.release(ctx, problem, source)
	if err != nil {
		return learn.Model{}, nil, err
	}
	defer clear(solved.Theta)
	if progress != nil {
		progress(solve.Progress{Iteration: 1})
	}
	return learn.NewModel(problem, math.Inf(1), theta), &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Iterations: solved.Iterations,
		Certificate: solved.Certificate, Hessians: solved.Hessians,
	}, nil
}

func (f Fixed) release(
	ctx context.Context, problem learn.Problem, source random.Source,
) ([]float64, *solve.Result, error) {
	if f.Output {
		out := f.output(0)
		solved, err := solution(ctx, problem, f.RowNorm, f.Lambda, out.tau, problem.Data.Y, nil)
		if err != nil {
			return nil, nil, err
		}
		theta, err := learn.AddLatticeNoise(solved.Theta, out.sigma, out.grid, source)
		return theta, solved, err
	}
	gamma := f.gamma()
	if !(gamma > 0) {
		return nil, nil, bad("lambda", privacy.Number(f.Lambda),
			"larger: with leverages up to R²/λ no sample has this guarantee")
	}
	return draw(ctx, problem, f.RowNorm, f.Lambda, gamma, f.output(gamma), source)
}
