package ops

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/pld"
	"cloister/core/account/posterior"
	"cloister/core/adaptive"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Plan is the plan of a tested sample, and Told what one gives out besides the coefficients.
type (
	Plan = adaptive.Sample
	Told = adaptive.SampleTold
)

// The shares that NewPlan gives: of the Gaussian mechanism's ratio that (ε, δ) affords, half to
// the two tests, half of that to the eigenvalue, and of δ a quarter to failures. 0.35 to 0.65 of
// the ratio do as well (ptr.md §2.4).
const (
	testShare       = 0.5
	eigenvalueShare = 0.5
	failureShare    = 0.25
	outputShare     = 0x1p-5
)

// DefaultReach is R·Reach where none is asked for. 1.5 to 3 do as well on the tumours of the
// package comment.
const DefaultReach = 2

// NewPlan returns a plan with the guarantee, one record added or removed. Errors are of type
// *privacy.ParameterError, or that of calibrate.Gaussian.
func NewPlan(g privacy.Guarantee, dimension int, rowNorm float64) (Plan, error) {
	if err := g.Validate(); err != nil {
		return Plan{}, err
	}
	if g.Adjacency != privacy.AddRemove {
		return Plan{}, bad("adjacency", g.Adjacency.String(),
			`"add-remove": what a replaced record moves the tests by is not priced here`)
	}
	if err := learn.CheckRange("row_norm", rowNorm, false); err != nil {
		return Plan{}, err
	}
	sigma, err := calibrate.Gaussian(g.Epsilon, g.Delta, 1)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Dimension: dimension, RowNorm: rowNorm, Reach: DefaultReach / rowNorm}
	mu := testShare / sigma
	p.EigenvalueRatio = eigenvalueShare * mu
	p.RadiusRatio = math.Sqrt(1-eigenvalueShare*eigenvalueShare) * mu
	p.OutputRatio = outputShare * mu
	p.Failure = failureShare * g.Delta
	all := math.Hypot(mu, p.OutputRatio) * (1 + 0x1p-48)
	var ok bool
	p.Order, p.Renyi, ok = posterior.OrderBudget(
		g.Epsilon, (g.Delta-p.Failure)*(1-0x1p-40), all)
	if !ok {
		return Plan{}, bad("epsilon", privacy.Number(g.Epsilon)+" at delta "+
			privacy.Number(g.Delta), "more: the tests alone cost as much")
	}
	for range 64 { // once, but for rounding
		event, err := p.Event()
		if err != nil {
			return Plan{}, err
		}
		price, err := account.Of(event, account.Renyi, pld.Options{})
		if err != nil {
			return Plan{}, err
		}
		epsilon, err := price.EpsilonUpper(g.Delta)
		// A release is held to δ at ε, whose rounding is another than that of ε at δ.
		over := price.LogDeltaUpper(g.Epsilon) - math.Log(g.Delta) + 0x1p-44
		if err != nil || epsilon <= g.Epsilon && over <= 0 {
			return p, err
		}
		p.Renyi -= math.Max(epsilon-g.Epsilon, 2*over/(p.Order-1)) * (1 + 1e-6)
	}
	return Plan{}, bad("epsilon", privacy.Number(g.Epsilon), "less extreme")
}

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}
