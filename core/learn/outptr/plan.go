package outptr

import (
	"math"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/distance"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// MaxDimension is the largest number of columns: of more the eigenvalues are not known as well
// as is promised (solve.EigenError).
const MaxDimension = 200

// LeastLambda is the least λ in units of R². With less the solver's point may be too far from the
// minimum for the curvature there to be told.
const LeastLambda = 0x1p-4

// reach is how far beyond λ the eigenvalue is told.
const reach = 0x1p8

// slack is what the eigenvalue may be off by, in units of R².
const slack = 0x1p-8

// Plan is all that the mechanism is told besides the data: public parameters only.
type Plan struct {
	Adjacency privacy.Adjacency
	Dimension int
	RowNorm   float64 // R ≥ ‖x‖, intercept included
	Lambda    float64 // λ ≥ LeastLambda·R²

	CurvatureRatio float64 // μ₁: what one record moves the eigenvalue by, over its noise
	OutputRatio    float64 // μ₂, of the coefficients
	Failure        float64 // δ′: that the bound on the eigenvalue is wrong
}

// The shares that NewPlan gives: of the Gaussian mechanism's ratio to the test, and of δ to its
// failure; and λ, in widths of the test's margin. Data whose curvature is well above the margin
// are then hardly biased, and those below it have noise that λ limits. A quarter to a half, and a
// sixteenth to a quarter, do about as well (TestUtility).
const (
	testShare    = 0.4
	failureShare = 0.25
	marginShare  = 0.125
)

// NewPlan returns a plan with the guarantee and the least noise; lambda 0 stands for an eighth of
// the test's margin. Errors are of type *privacy.ParameterError, or that of calibrate.Gaussian.
func NewPlan(g privacy.Guarantee, dimension int, rowNorm, lambda float64) (Plan, error) {
	if err := g.Validate(); err != nil {
		return Plan{}, err
	}
	if err := learn.CheckRange("row_norm", rowNorm, false); err != nil {
		return Plan{}, err
	}
	p := Plan{
		Adjacency: g.Adjacency, Dimension: dimension, RowNorm: rowNorm, Lambda: lambda,
		Failure: failureShare * g.Delta,
	}
	sigma, err := calibrate.Gaussian(g.Epsilon, (g.Delta-p.Failure)*(1-0x1p-40), 1)
	if err != nil {
		return Plan{}, err
	}
	all := 1 / sigma * (1 - 0x1p-30) // less than Event adds
	p.CurvatureRatio = testShare * all
	p.OutputRatio = math.Sqrt(1-testShare*testShare) * all
	if lambda == 0 {
		margin, err := p.margin()
		if err != nil {
			return Plan{}, err
		}
		p.Lambda = math.Max(LeastLambda*rowNorm*rowNorm, marginShare*margin.Width())
	}
	return p, p.validate()
}

// Event is what account prices, in closed form. The lattices' noise is priced as continuous:
// learn.LatticeSensitivity, for noise of 2^20 steps and more. Errors are of type
// *privacy.ParameterError.
func (p Plan) Event() (privacy.ProposeTestRelease, error) {
	if err := p.validate(); err != nil {
		return privacy.ProposeTestRelease{}, err
	}
	gaussian := func(ratio float64) privacy.Gaussian {
		return privacy.Gaussian{
			Adjacency: p.Adjacency, Sensitivity: ratio * (1 + 0x1p-32), Sigma: 1,
		}
	}
	e := privacy.ProposeTestRelease{
		Test: gaussian(p.CurvatureRatio), Release: gaussian(p.OutputRatio), Failure: p.Failure,
	}
	return e, e.Validate()
}

func (p Plan) validate() error {
	if !p.Adjacency.Valid() {
		return bad("adjacency", p.Adjacency.String(),
			`"add-remove" or "replace-one"; it has no default`)
	}
	if p.Dimension < 1 || p.Dimension > MaxDimension {
		return bad("dimension", strconv.Itoa(p.Dimension), "from 1 to "+
			strconv.Itoa(MaxDimension)+": leave out features, or put rare categories together")
	}
	if err := privacy.FirstError(
		learn.CheckRange("row_norm", p.RowNorm, false),
		learn.CheckRange("lambda", p.Lambda, false),
		checkRatio("curvature_ratio", p.CurvatureRatio),
		checkRatio("output_ratio", p.OutputRatio),
	); err != nil {
		return err
	}
	if least := LeastLambda * p.RowNorm * p.RowNorm; !(p.Lambda >= least) {
		return bad("lambda", privacy.Number(p.Lambda), "at least "+privacy.Number(least)+
			", R²/16: below it the curvature cannot be told")
	}
	if !(p.Failure >= distance.LeastFailure && p.Failure < 0.5) {
		return bad("failure", privacy.Number(p.Failure), "from 1e-100 to below 0.5")
	}
	return nil
}

func checkRatio(field string, ratio float64) error {
	if !(ratio >= 1e-4 && ratio <= 100) {
		return bad(field, privacy.Number(ratio), "from 1e-4 to 100")
	}
	return nil
}

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}

// slope is how large a gradient of F is at the neighbour's minimiser: R for a record more or
// less, 2R for one replaced.
func (p Plan) slope() float64 {
	if p.Adjacency == privacy.ReplaceOne {
		return 2 * p.RowNorm
	}
	return p.RowNorm
}

// Curvature is what one record moves the eigenvalue by: RL + R²/4, L its slope.
func (p Plan) Curvature() float64 {
	return p.RowNorm*p.slope() + p.RowNorm*p.RowNorm/4
}

// Radius is r: how far one record moves the minimiser of data whose smallest eigenvalue is low at
// least.
func (p Plan) Radius(low float64) float64 {
	radius := p.slope() / p.Lambda
	if q := p.RowNorm * p.slope() / (p.Lambda + low); q < 1 {
		radius = math.Min(radius, -math.Log1p(-q)/p.RowNorm)
	}
	return radius * (1 + 0x1p-48)
}
