package adaptive

import (
	"math"

	"cloister/core/distance"
	"cloister/core/privacy"
)

// LeastLambda is the least λ in units of R². With less the solver's point may be too far from the
// minimum for the curvature there to be told.
const LeastLambda = 0x1p-4

// CurvatureReach is how far beyond λ the eigenvalue is told.
const CurvatureReach = 0x1p8

// Curvature is all that output perturbation after a test is told besides the data: public
// parameters only.
type Curvature struct {
	Adjacency privacy.Adjacency
	Dimension int
	RowNorm   float64 // R ≥ ‖x‖, intercept included
	Lambda    float64 // λ ≥ LeastLambda·R²

	CurvatureRatio float64 // μ₁: what one record moves the eigenvalue by, over its noise
	OutputRatio    float64 // μ₂, of the coefficients
	Failure        float64 // δ′: that the bound on the eigenvalue is wrong
}

// Event is what account prices, in closed form. The lattices' noise is priced as continuous:
// learn.LatticeSensitivity, for noise of 2^20 steps and more. Errors are of type
// *privacy.ParameterError.
func (p Curvature) Event() (privacy.ProposeTestRelease, error) {
	if err := p.Validate(); err != nil {
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

// Validate returns a *privacy.ParameterError for the first field that is out of range.
func (p Curvature) Validate() error {
	if err := privacy.FirstError(
		privacy.CheckAdjacency(p.Adjacency), checkDimension(p.Dimension),
		checkRange("row_norm", p.RowNorm), checkRange("lambda", p.Lambda),
		checkRatio("curvature_ratio", p.CurvatureRatio, 1e-4),
		checkRatio("output_ratio", p.OutputRatio, 1e-4),
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

// slope is how large a gradient of F is at the neighbour's minimiser: R for a record more or
// less, 2R for one replaced.
func (p Curvature) slope() float64 {
	if p.Adjacency == privacy.ReplaceOne {
		return 2 * p.RowNorm
	}
	return p.RowNorm
}

// Moves is what one record moves the eigenvalue by: RL + R²/4, L its slope.
func (p Curvature) Moves() float64 {
	return p.RowNorm*p.slope() + p.RowNorm*p.RowNorm/4
}

// Radius is r: how far one record moves the minimiser of data whose smallest eigenvalue is low at
// least.
func (p Curvature) Radius(low float64) float64 {
	radius := p.slope() / p.Lambda
	if q := p.RowNorm * p.slope() / (p.Lambda + low); q < 1 {
		radius = math.Min(radius, -math.Log1p(-q)/p.RowNorm)
	}
	return radius * (1 + 0x1p-48)
}

// CurvatureOf is the plan whose Event this is, with this λ; false if it is no such event, as one
// that states Neighbour, which no plan proves.
func CurvatureOf(event privacy.Event, dimension int, rowNorm, lambda float64) (Curvature, bool) {
	e, ok := event.(privacy.ProposeTestRelease)
	if !ok {
		return Curvature{}, false
	}
	test, a := e.Test.(privacy.Gaussian)
	release, b := e.Release.(privacy.Gaussian)
	p := Curvature{
		Adjacency: e.Neighbours(), Dimension: dimension, RowNorm: rowNorm, Lambda: lambda,
		CurvatureRatio: test.Sensitivity / test.Sigma / (1 + 0x1p-32),
		OutputRatio:    release.Sensitivity / release.Sigma / (1 + 0x1p-32),
		Failure:        e.Failure,
	}
	return p, a && b && e.Neighbour == 0 && p.Validate() == nil
}

// Tau is the certified bound on the gradient where the solver stops: more than rounding comes to
// for 2^24 records (calibrate.SmallestTau).
func (p Curvature) Tau() float64 { return 0x1p-17 * p.RowNorm }

// Margin is the test of the eigenvalue.
func (p Curvature) Margin() (*distance.Margin, error) {
	return distance.NewMargin(p.Moves()+2*slack*p.RowNorm*p.RowNorm, p.CurvatureRatio, p.Failure)
}

// curvatureBits is how fine the lattice of the coefficients is.
const curvatureBits = 38

// Then is the noise that follows from s̃. The last factor is room for what rounding to the
// lattice moves: grid·√d is below 2^-34 of the noise, and the ratio 1e-4 at least.
func (p Curvature) Then(margin *distance.Margin, noisy float64) (sigma, grid float64) {
	low := math.Max(0, margin.Lower(noisy)-slack*p.RowNorm*p.RowNorm)
	moves := p.Radius(low) + 2*p.Tau()/p.Lambda
	sigma = moves / p.OutputRatio * (1 + 0x1p-18)
	return sigma, gridOf(sigma, curvatureBits)
}

// CurvatureTold is what output perturbation after a test gives out besides the coefficients. All
// of it may be published.
type CurvatureTold struct {
	Curvature float64 // s̃
	Lambda    float64 // λ, of the plan
	Sigma     float64 // of each coefficient's noise, on the lattice of spacing Grid
	Grid      float64
}

// Check reports whether the lattice is what the plan makes of s̃, and every coefficient lies on
// it: what anybody can compute again.
func (t CurvatureTold) Check(plan Curvature, theta []float64) bool {
	if plan.Validate() != nil || len(theta) != plan.Dimension || t.Lambda != plan.Lambda ||
		t.Curvature != t.Curvature {
		return false
	}
	margin, err := plan.Margin()
	if err != nil {
		return false
	}
	sigma, _ := plan.Then(margin, t.Curvature)
	return near(t.Sigma, sigma) && t.Grid == gridOf(t.Sigma, curvatureBits) &&
		OnLattice(theta, t.Grid)
}
