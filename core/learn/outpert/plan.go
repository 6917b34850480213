package outpert

import (
	"math"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// MaxDimension is the largest number of columns that can be fitted: the solver
// factorises the Hessian.
const MaxDimension = 4096

// Plan is all that output perturbation is told besides the data: nothing but
// public parameters, in the units of the sum over records
// J(θ) = Σ ℓ_C(θ; zᵢ) + (λ/2)‖θ‖², ℓ_C the loss with each record's gradient
// clipped at C (glm.Clipped).
type Plan struct {
	Adjacency privacy.Adjacency
	Dimension int
	RowNorm   float64 // R ≥ ‖x‖₂, intercept included
	Clip      float64 // C > 0; at R·max|f'| or above, nothing is ever clipped
	Lambda    float64 // λ ≥ SmallestLambda of the loss
	Tau       float64 // τ ≥ SmallestTau: certified bound on λ‖θ̃ − θ*‖ where the solver stops
	Sigma     float64 // of each coordinate's noise, in units of θ
	Grid      float64 // g: spacing of the lattice, a power of two; from Sigma/2^40 to Sigma/2^20
	Radius    float64 // of the ball that the output is moved to; 0 for none
}

// Event is what account prices: a Gaussian mechanism with noise Sigma and the
// sensitivity that the package comment derives. Errors are of type
// *privacy.ParameterError.
func (p Plan) Event() (privacy.Gaussian, error) {
	if err := p.validate(); err != nil {
		return privacy.Gaussian{}, err
	}
	event := privacy.Gaussian{
		Adjacency: p.Adjacency,
		Sensitivity: learn.LatticeSensitivity(
			Sensitivity(p.Adjacency, p.Clip, p.Lambda, p.Tau)+
				p.Grid*math.Sqrt(float64(p.Dimension))*(1+0x1p-50),
			p.Sigma,
			p.Grid,
		) * (1 + 0x1p-50),
		Sigma: p.Sigma,
	}
	return event, event.Validate()
}

// Sensitivity is how far apart the solver's outputs on two neighbours can be:
// (C + 2τ)/λ with one record added or removed, (2C + 2τ)/λ with one replaced.
func Sensitivity(adjacency privacy.Adjacency, clip, lambda, tau float64) float64 {
	if adjacency == privacy.ReplaceOne {
		clip *= 2
	}
	return (clip + 2*tau) / lambda * (1 + 0x1p-50)
}

// SmallestTau is the least τ that a plan may have, 2^-21·(5/4)(R + C): room for the
// rounding errors of 2^24 records of any kind, as calibrate.SmallestTau derives it for
// no noise in the objective. With less, a refusal could reveal the number of records or
// the value of one.
func SmallestTau(rowNorm, clip float64) float64 {
	return calibrate.SmallestTau(privacy.ObjectivePerturbation{RowNorm: rowNorm, Lipschitz: clip})
}

// SmallestLambda is the least λ that a fit with the loss may have, 2^-12·βR², β the
// loss's largest curvature: calibrate.SmallestRegularizer, which says why. A Plan
// names no loss, so Request.Plan and Fit check it, before anything is charged and
// before any noise is drawn.
func SmallestLambda(loss glm.Loss, rowNorm float64) float64 {
	return calibrate.SmallestRegularizer(loss.MaxCurvature() * rowNorm * rowNorm)
}

func (p Plan) validate() error {
	if err := privacy.CheckAdjacency(p.Adjacency); err != nil {
		return err
	}
	if p.Dimension < 1 || p.Dimension > MaxDimension {
		return bad(
			"dimension",
			strconv.Itoa(p.Dimension),
			"from 1 to "+strconv.Itoa(MaxDimension)+
				": leave out features, or put rare categories together",
		)
	}
	if err := privacy.FirstError(
		learn.CheckRange(
			"row_norm", p.RowNorm, false,
		), learn.CheckRange("clip", p.Clip, false), learn.CheckRange("lambda", p.Lambda, false),
		learn.CheckRange("sigma", p.Sigma, false), learn.CheckRange("radius", p.Radius, true),
	); err != nil {
		return err
	}
	if least := SmallestTau(p.RowNorm, p.Clip); !(p.Tau >= least && p.Tau <= 0x1p300) {
		return bad("tau", privacy.Number(p.Tau), calibrate.WantTau(least))
	}
	if half, _ := math.Frexp(p.Grid); half != 0.5 {
		return bad("grid", privacy.Number(p.Grid), "a power of two")
	}
	if ratio := p.Sigma / p.Grid; !(ratio >= privacy.MinGridRatio &&
		ratio <= learn.MaxLatticeRatio) {
		return bad("grid", privacy.Number(p.Grid), "from sigma/2^40 to sigma/2^20")
	}
	return nil
}

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}

// check returns an error unless the plan is one for this problem: first by
// public things, then that the rows keep what the schema promises of them.
func (p Plan) check(problem learn.Problem) error {
	if err := p.validate(); err != nil {
		return privacy.Within("plan", err)
	}
	if problem.Loss != nil {
		if err := learn.CheckWidth(problem.Loss); err != nil {
			return err
		}
		if err := checkLambda(p.Lambda, problem.Loss, p.RowNorm); err != nil {
			return privacy.Within("plan", err)
		}
	}
	if err := problem.CheckRecords(); err != nil {
		return err
	}
	return problem.CheckPlan(p.Dimension, p.RowNorm)
}

// checkLambda holds λ against the floor for the loss's curvature, which is as
// public as λ is: below it whether a fit is refused would tell of one record
// (calibrate.SmallestRegularizer).
func checkLambda(lambda float64, loss glm.Loss, rowNorm float64) error {
	if least := SmallestLambda(loss, rowNorm); !(lambda >= least) {
		return bad("lambda", privacy.Number(lambda), calibrate.WantRegularizer(least))
	}
	return nil
}
