package outptr

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/adaptive"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Plan is the plan of a fit, and Told what one gives out besides the coefficients.
type (
	Plan = adaptive.Curvature
	Told = adaptive.CurvatureTold
)

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
		margin, err := p.Margin()
		if err != nil {
			return Plan{}, err
		}
		p.Lambda = math.Max(adaptive.LeastLambda*rowNorm*rowNorm, marginShare*margin.Width())
	}
	return p, p.Validate()
}

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}
