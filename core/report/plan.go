package report

import (
	"math"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/report/matrix"
	"cloister/core/solve"
)

// MaxDimension is the largest number of coefficients for which a Hessian is
// released and read.
const MaxDimension = 200

// Plan says with what noise a report's own releases are made: standard
// deviations, 0 for what is not released. The zero value is the data-independent
// report, which costs nothing.
//
// Gradient and Hessian are σ₂ and σ₃ of the thesis' Algorithms 2, 10 and 11; with
// Least, σ₄ of Algorithm 8, it is the adaptive report, Algorithm 9.
type Plan struct {
	Gradient float64 // σ₂ of ∇J(θ*; D)
	Hessian  float64 // σ₃ of ∇²J(θ*; D), 2σ₃² on the diagonal
	Least    float64 // σ₄ of the Hessian's smallest eigenvalue; not without Hessian
	Scores   float64 // σ₅ of Σ∇ℓ∇ℓᵀ at Theta, 2σ₅² on the diagonal: for standard errors (Intervals)

	// Rest is for releasing beside a Hessian from below what it falls short of that
	// at Theta, with noise like the Hessian's: for standard errors, and at no cost
	// (Events).
	Rest bool
}

// gridRatio is the least σ/grid of the lattices.
const gridRatio = 1 << 26

func gridOf(sigma float64) float64 {
	_, exponent := math.Frexp(sigma / gridRatio)
	return math.Ldexp(0.5, exponent)
}

// total adds up numbers, one for each release, none of them below 0. of is what comes
// before a release's name in that of a field.
func total(of string, each ...float64) (sum float64, err error) {
	for k, v := range each {
		if err := privacy.CheckNonNegative(of+[...]string{"gradient", "hessian", "least", "scores"}[k], v); err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func (p Plan) validate(m Mechanism) error {
	if _, err := total("", p.Gradient, p.Hessian, p.Least, p.Scores); err != nil {
		return err
	}
	if p.Hessian > 0 && len(m.Theta) > MaxDimension {
		return &privacy.ParameterError{
			Field: "hessian",
			Value: privacy.Number(p.Hessian),
			Want:  "0 for more than " + strconv.Itoa(MaxDimension) + " columns",
		}
	}
	if p.Least > 0 && p.Hessian == 0 {
		return &privacy.ParameterError{
			Field: "least",
			Value: privacy.Number(p.Least),
			Want:  "0 where no Hessian is released",
		}
	}
	if p.Scores > 0 && p.Hessian == 0 {
		return &privacy.ParameterError{
			Field: "scores",
			Value: privacy.Number(p.Scores),
			Want:  "0 where no Hessian is released",
		}
	}
	if p.Rest && p.Hessian == 0 {
		return &privacy.ParameterError{
			Field: "rest",
			Value: "asked for",
			Want:  "none where no Hessian is released",
		}
	}
	if p.Scores > 0 {
		if _, err := p.scores(m); err != nil {
			return err
		}
	}
	if p.Hessian > 0 {
		_, err := p.matrix(m)
		return err
	}
	return nil
}

// matrix is the release of the Hessian.
func (p Plan) matrix(m Mechanism) (matrix.Mechanism, error) {
	return matrix.NewMechanism(privacy.AddRemove, len(m.Theta), m.hessianNorm(), p.Hessian)
}

// scores is the release of Σ∇ℓ∇ℓᵀ, whose records' Frobenius norm is ‖∇ℓ‖² ≤ L².
func (p Plan) scores(m Mechanism) (matrix.Mechanism, error) {
	norm := m.lipschitz()
	return matrix.NewMechanism(privacy.AddRemove, len(m.Theta), norm*norm*(1+0x1p-50), p.Scores)
}

// Events lists what a report by this plan does to the data, one Gaussian
// mechanism a release; none for the data-independent one. θ* (and Theta) being
// given, they are:
//
//   - the gradient of J at θ*, which is −b, with N(0, σ₂² I): one record moves it
//     by its own gradient, L = min(C, R·max|f′|) at most (Theorem A.3.4). That it
//     is the float b that is released and not the ideal one adds 2η (package amp),
//     and the lattice g√d;
//   - the Hessian at θ* with GOE noise: βR²/√2 (Theorem A.4.1). A Hessian from below
//     and the rest, as one vector, are no more sensitive: a record adds a·x xᵀ to
//     one and b·x xᵀ to the other, a, b ≥ 0 and a + b = f″, so √(a² + b²) ≤ β. But
//     both are rounded, which adds at most as much again as to one;
//   - its smallest eigenvalue: βR² by Weyl's inequality (Theorem A.3.1), and twice
//     the error with which it is computed, for at most matrix.MaxRows records;
//   - the sum of the records' ∇ℓ∇ℓᵀ at Theta with GOE noise: L²/√2 (the same).
//
// Where Theta is not θ*, the Hessian released is one at Theta that is below
// that at θ* (see Release), and it is no more sensitive.
func (p Plan) Events(m Mechanism) ([]privacy.Gaussian, error) {
	if err := p.validate(m); err != nil {
		return nil, err
	}
	var events []privacy.Gaussian
	if p.Gradient > 0 {
		grid := gridOf(p.Gradient)
		sensitivity := m.lipschitz() + 2*m.samplerError() + grid*math.Sqrt(float64(len(m.Theta)))
		events = append(events, privacy.Gaussian{
			Adjacency: privacy.AddRemove, Sigma: p.Gradient,
			Sensitivity: learn.LatticeSensitivity(sensitivity*(1+0x1p-40), p.Gradient, grid),
		})
	}
	if p.Hessian > 0 {
		h, err := p.matrix(m)
		if err != nil {
			return nil, err
		}
		e, err := h.Event()
		if err != nil {
			return nil, err
		}
		if p.Rest {
			e.Sensitivity = (2*e.Sensitivity - m.hessianNorm()/math.Sqrt2) * (1 + 0x1p-40)
		}
		events = append(events, e)
		if p.Least > 0 {
			sum, err := h.Sum()
			if err != nil {
				return nil, err
			}
			grid := gridOf(p.Least)
			sensitivity := math.Sqrt2*sum.Sensitivity() + 2*p.eigenError(m) + grid
			events = append(events, privacy.Gaussian{
				Adjacency: privacy.AddRemove, Sigma: p.Least,
				Sensitivity: learn.LatticeSensitivity(sensitivity*(1+0x1p-40), p.Least, grid),
			})
		}
	}
	if p.Scores > 0 {
		s, err := p.scores(m)
		if err != nil {
			return nil, err
		}
		e, err := s.Event()
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	for _, e := range events {
		if err := e.Validate(); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// Event is Events as one event, for account and the ledger; a composition of
// nothing for the data-independent report.
func (p Plan) Event(m Mechanism) (privacy.Composition, error) {
	events, err := p.Events(m)
	c := privacy.Composition{Adjacency: privacy.AddRemove}
	for _, e := range events {
		c.Parts = append(c.Parts, privacy.Part{Event: e, Count: 1})
	}
	return c, err
}

// samplerError is η, the bound on ‖b − b*‖ of package amp.
func (m Mechanism) samplerError() float64 {
	return 2 * random.GaussianRelativeError * m.Sigma * (math.Sqrt(float64(len(m.Theta))) + 40)
}

// eigenError bounds the error of the smallest eigenvalue computed: that of
// solve.Decompose for a Hessian of at most matrix.MaxRows records.
func (p Plan) eigenError(m Mechanism) float64 {
	return 2 * solve.EigenError * matrix.MaxRows * m.hessianNorm()
}

// Shares says how the price of a report is split among its releases, in parts of
// the squared ratio sensitivity/noise; they need not add up to 1.
//
// Least is seldom worth its share: where the Hessian is released, Ĥ by itself bounds
// its least eigenvalue, and all estimators of the adaptive report are tried with that
// too (leverage). At one price, ε = 0.3 or 1 beside releases of ε = 0.5, 1 and 2 of
// Adult and of the thesis' synthetic set, the adaptive report's median bound was from
// 0.91 to 1.18 times that without it, and above it in eleven cases of twelve.
type Shares struct{ Gradient, Hessian, Least, Scores float64 }

// Calibrate returns the plan whose releases together have the guarantee: n
// Gaussian mechanisms of ratios μᵢ are one of ratio √Σμᵢ² (adaptively, too), and
// the μ that (ε, δ) allows is split by shares. The thesis calibrates each by a
// tail bound of its own and adds up (Corollary A.3.6), which is dearer. Where
// there is a Hessian from below, scores bring the rest of it with them.
func Calibrate(m Mechanism, g privacy.Guarantee, shares Shares) (Plan, error) {
	if err := g.Validate(); err != nil {
		return Plan{}, err
	}
	if g.Adjacency != privacy.AddRemove {
		return Plan{}, &privacy.ParameterError{
			Field: "adjacency",
			Value: strconv.Quote(g.Adjacency.String()),
			Want:  "add-remove",
		}
	}
	total, err := total("shares.", shares.Gradient, shares.Hessian, shares.Least, shares.Scores)
	if err != nil {
		return Plan{}, err
	}
	if total == 0 {
		return Plan{}, &privacy.ParameterError{
			Field: "shares",
			Value: "all 0",
			Want:  "above 0 for what is to be released",
		}
	}
	unit, err := calibrate.Gaussian(g.Epsilon, g.Delta, 1)
	if err != nil {
		return Plan{}, err
	}
	// A little more noise than the unrounded sensitivities ask for pays for
	// rounding; more, until it is enough.
	for spare := 0x1p-24; spare < 1; spare *= 4 {
		noise := func(sensitivity, share float64) float64 {
			if share == 0 {
				return 0
			}
			return sensitivity * unit * math.Sqrt(total/share) * (1 + spare)
		}
		plan := Plan{
			Rest:     shares.Scores > 0 && shares.Hessian > 0 && m.Output.Sigma > 0,
			Gradient: noise(m.lipschitz(), shares.Gradient),
			Hessian:  noise(m.hessianNorm()/math.Sqrt2, shares.Hessian),
			Least:    noise(m.hessianNorm(), shares.Least),
			Scores:   noise(m.lipschitz()*m.lipschitz()/math.Sqrt2, shares.Scores),
		}
		event, err := plan.Event(m)
		if err != nil {
			return Plan{}, err
		}
		profile, err := objective.Of(event, objective.BoundAuto)
		if err != nil {
			return Plan{}, err
		}
		if delta, err := curve.DeltaUpper(profile, g.Epsilon); err == nil && delta <= g.Delta {
			return plan, nil
		}
	}
	return Plan{}, curve.ErrNumerical
}
