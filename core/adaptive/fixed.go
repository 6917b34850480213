package adaptive

import (
	"math"

	"cloister/core/account/posterior"
	"cloister/core/privacy"
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

// mostLambda bounds λ, over R².
const mostLambda = 1e9

// MaxRecords is the largest number of records of a Fixed.
const MaxRecords = 1 << 24

// Residual is ē: no table of Records records has a larger one.
func (f Fixed) Residual() float64 {
	return (1 + f.RowNorm*math.Sqrt(float64(f.Records)/f.Lambda)/2) * (1 + 0x1p-48)
}

// Leverage is x: no record has a larger one.
func (f Fixed) Leverage() float64 { return f.RowNorm * f.RowNorm / f.Lambda * (1 + 0x1p-50) }

// Gamma is γ of a sample; 0 if λ is too small for any.
func (f Fixed) Gamma() float64 {
	shift := posterior.Shift
	if f.Adjacency == privacy.ReplaceOne {
		shift = posterior.ShiftReplaced
	}
	a, ok := shift(f.Epsilon, f.Delta, f.Leverage())
	if !ok {
		return 0
	}
	return a * a / (f.Leverage() * f.Residual() * f.Residual()) * (1 - 0x1p-44)
}

// Precision is that of the output's lattice. For output perturbation one record moves θ_λ
// by Rē/λ: for one more, θ′ − θ = H′⁻¹xe; for one replaced there are two such steps from the
// table without either, each with the residual in the larger table.
func (f Fixed) Precision(gamma float64) Precision {
	if !f.Output {
		return SamplePrecision(f.RowNorm, f.Lambda, gamma, f.Residual(), f.OutputRatio)
	}
	moves := f.RowNorm * f.Residual() / f.Lambda
	if f.Adjacency == privacy.ReplaceOne {
		moves *= 2
	}
	tau := 0x1p-18 * f.RowNorm * f.Residual()
	sigma := (moves + 2*tau/f.Lambda) / f.OutputRatio * (1 + 0x1p-18)
	// ω√d ≤ 2^-18·ratio·σ, for the 2^-18 above.
	fine := math.Sqrt(float64(f.Dimension)) / (f.OutputRatio * 0x1p-20)
	_, below := math.Frexp(math.Max(fine, 0x1p20))
	return Precision{tau, sigma, gridOf(sigma, below)}
}

// Event is what account prices, in closed form. Errors are of type *privacy.ParameterError.
func (f Fixed) Event() (privacy.Event, error) {
	if err := f.Validate(); err != nil {
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

// Validate returns a *privacy.ParameterError for the first field that is out of range.
func (f Fixed) Validate() error {
	if err := privacy.FirstError(
		privacy.CheckAdjacency(f.Adjacency), checkDimension(f.Dimension),
		checkRange("row_norm", f.RowNorm), checkRange("lambda", f.Lambda),
		checkRatio("output_ratio", f.OutputRatio, 1e-6),
	); err != nil {
		return err
	}
	switch square := f.RowNorm * f.RowNorm; {
	case f.Records < 1 || f.Records > MaxRecords:
		return bad("records", privacy.Number(float64(f.Records)), "from 1 to 2^24, publicly known")
	case !(f.Lambda >= 2*square && f.Lambda <= mostLambda*square):
		return bad("lambda", privacy.Number(f.Lambda), "from 2R² to 10⁹R²: leverages are at most R²/λ")
	case f.Output:
		return nil
	}
	return privacy.FirstError(privacy.CheckEpsilon(f.Epsilon), privacy.CheckDelta(f.Delta))
}

// FixedTold is what a sample without a test says besides its coefficients. None of it comes from
// the data.
type FixedTold struct {
	Records  int     // n, public
	Lambda   float64 // λ
	Gamma    float64 // γ
	SigmaOut float64 // of each coefficient's own noise, on the lattice of spacing Grid
	Grid     float64
}

// FixedOf is the sample whose Event this is, but for Records and λ; false if it is no such event.
func FixedOf(event privacy.Event, dimension int, rowNorm float64) (Fixed, bool) {
	sample, out, ok := two(event)
	if !ok {
		return Fixed{}, false
	}
	promise, a := sample.(privacy.ApproximateDP)
	output, b := out.(privacy.Gaussian)
	return Fixed{
		Adjacency: event.Neighbours(), Dimension: dimension, RowNorm: rowNorm,
		Epsilon: promise.Epsilon, Delta: promise.Delta,
		OutputRatio: output.Sensitivity / output.Sigma / (1 + 0x1p-30),
	}, a && b
}

// Check reports whether γ and the lattice are what the plan makes of λ and the number of records,
// and every coefficient lies on it. With one record replaced alone is that number no secret.
func (t FixedTold) Check(plan Fixed, theta []float64) bool {
	plan.Records, plan.Lambda, plan.Output = t.Records, t.Lambda, false
	if plan.Adjacency != privacy.ReplaceOne || plan.Validate() != nil ||
		len(theta) != plan.Dimension {
		return false
	}
	gamma := plan.Gamma()
	// The last digits of γ cost, too. Gamma leaves room for those of another machine.
	shift := math.Sqrt(t.Gamma*plan.Leverage()) * plan.Residual() * (1 + 0x1p-48)
	bound := posterior.Bound{Leverage: plan.Leverage(), Shift: shift}
	return gamma > 0 && near(t.Gamma, gamma) && bound.Replaced(plan.Epsilon, plan.Delta) &&
		near(t.SigmaOut, plan.Precision(t.Gamma).Sigma) &&
		t.Grid == gridOf(t.SigmaOut, sampleBits) && OnLattice(theta, t.Grid)
}
