package ops

import (
	"math"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/pld"
	"cloister/core/account/posterior"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// MaxDimension is the largest number of columns: of more the eigenvalues are not known as well
// as is promised (solve.EigenError).
const MaxDimension = 200

// Plan is all that the tested sample is told besides the data, one record added or removed:
// public parameters only.
type Plan struct {
	Dimension int
	RowNorm   float64 // R ≥ ‖x‖, intercept included

	EigenvalueRatio float64 // μ₁: what one record moves the eigenvalue by, over its noise
	RadiusRatio     float64 // μ₂, of the logarithm of the radius
	OutputRatio     float64 // μ_out
	Failure         float64 // δ′: that one of the two bounds is wrong; half of it each
	Order           float64 // α at which the sample is priced
	Renyi           float64 // r: its divergence

	// Reach is a public guess of ‖θ‖, by which λ is chosen; it bears on accuracy alone.
	Reach float64
}

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
		if err != nil || epsilon <= g.Epsilon {
			return p, err
		}
		p.Renyi -= (epsilon - g.Epsilon) * (1 + 1e-6)
	}
	return Plan{}, bad("epsilon", privacy.Number(g.Epsilon), "less extreme")
}

// Event is what account prices. Its Gaussian mechanisms stand for noise on lattices, which has
// no more Rényi divergence of any order (Canonne, Kamath & Steinke 2020), and Rényi divergence
// is all that it can be priced by. Errors are of type *privacy.ParameterError.
func (p Plan) Event() (privacy.ProposeTestRelease, error) {
	if err := p.validate(); err != nil {
		return privacy.ProposeTestRelease{}, err
	}
	gaussian := func(ratio float64) privacy.Part {
		return privacy.Part{Count: 1, Event: privacy.Gaussian{
			Adjacency: privacy.AddRemove, Sensitivity: ratio, Sigma: 1,
		}}
	}
	both := func(parts ...privacy.Part) privacy.Event {
		return privacy.Composition{Adjacency: privacy.AddRemove, Parts: parts}
	}
	e := privacy.ProposeTestRelease{
		Test: both(gaussian(p.EigenvalueRatio), gaussian(p.RadiusRatio)),
		Release: both(privacy.Part{Count: 1, Event: privacy.RenyiDP{
			Adjacency: privacy.AddRemove, Order: p.Order, Epsilon: p.Renyi,
		}}, gaussian(p.OutputRatio)),
		Failure: p.Failure,
	}
	return e, e.Validate()
}

func (p Plan) validate() error {
	if err := checkDimension(p.Dimension); err != nil {
		return err
	}
	if err := privacy.FirstError(
		learn.CheckRange("row_norm", p.RowNorm, false),
		learn.CheckRange("reach", p.Reach, false),
		checkRatio("eigenvalue_ratio", p.EigenvalueRatio),
		checkRatio("radius_ratio", p.RadiusRatio),
		checkRatio("output_ratio", p.OutputRatio),
	); err != nil {
		return err
	}
	switch {
	case !(p.Failure > 0 && p.Failure < 1):
		return bad("failure", privacy.Number(p.Failure), "above 0, below 1")
	case !(p.Order > 1 && p.Order <= 1e9):
		return bad("order", privacy.Number(p.Order), "above 1, up to 1e9")
	case !(p.Renyi > 0 && p.Renyi <= 1e9):
		return bad("renyi", privacy.Number(p.Renyi), "above 0, up to 1e9")
	}
	return nil
}

func checkDimension(d int) error {
	if d < 1 || d > MaxDimension {
		return bad("dimension", strconv.Itoa(d), "from 1 to "+strconv.Itoa(MaxDimension)+
			": leave out features, or put rare categories together")
	}
	return nil
}

func checkRatio(field string, ratio float64) error {
	if !(ratio >= 1e-6 && ratio <= 100) {
		return bad(field, privacy.Number(ratio), "from 1e-6 to 100")
	}
	return nil
}

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}

// checkProblem returns an error unless rows and labels keep what is promised of them.
func checkProblem(problem learn.Problem, dimension int, rowNorm float64) error {
	if err := problem.CheckRecords(); err != nil {
		return err
	}
	if s := problem.Data.Schema; s != nil && s.Label.Type != data.NumericLabel {
		return bad("label", strconv.Quote(string(s.Label.Type)), "a number")
	}
	if name := learn.LossName(problem.Loss); name != learn.SquaredLoss {
		return bad("loss", strconv.Quote(name), `"squared"`)
	}
	return problem.CheckPlan(dimension, rowNorm)
}
