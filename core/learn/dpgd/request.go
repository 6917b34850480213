package dpgd

import (
	"math"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Schedule names a way to spread a budget over steps.
type Schedule string

const (
	// ScheduleStronglyConvex is Setting.StronglyConvex; it needs Lambda > 0.
	ScheduleStronglyConvex Schedule = "strongly-convex"

	// ScheduleConvex is Setting.Convex; it needs Distance.
	ScheduleConvex Schedule = "convex"

	// ScheduleNonConvex is Setting.NonConvex.
	ScheduleNonConvex Schedule = "non-convex"

	// ScheduleAllocated is Setting.Allocated; it needs Lambda > 0.
	ScheduleAllocated Schedule = "allocated"

	// ScheduleConstant is Steps steps of the same noise.
	ScheduleConstant Schedule = "constant"
)

// Accounting names how ε and δ are turned into the budget of a plan.
type Accounting string

const (
	// AccountingExact is the price of the one Gaussian mechanism that the steps amount
	// to (μ² = Σ μₜ²).
	AccountingExact Accounting = "exact"

	// AccountingZCDP is RhoOf, by which Fay et al. account: some 10 % more noise
	// for the same ε.
	AccountingZCDP Accounting = "zcdp"
)

// Request asks for a plan with a guarantee. Every field is public, and none may
// have been read off the data.
type Request struct {
	Guarantee  privacy.Guarantee
	Accounting Accounting // "" stands for AccountingExact
	Schedule   Schedule
	Loss       glm.Loss
	Dimension  int     // Plan.Dimension
	Classes    int     // Plan.Classes
	RowNorm    float64 // R, intercept included

	Clip float64 // C; 0 stands for learn.DefaultClip

	Lambda float64 // λ of the sum, ≥ 0

	// Records is N: the number of records under replace-one, where it is
	// public, and a public guess of it under add/remove.
	Records float64

	// Gap is F(0) − F* of the mean objective, or more: it says how noisy a
	// schedule begins, and with it how many steps the budget is spread over. 0
	// stands for C²N/(2λ), which follows from strong convexity, and with λ = 0
	// for F(0), which is log 2 for the logistic loss. F(0) is the sharper bound
	// mostly, and the worse choice ([Defaults] has figures): the bounds let F
	// fall by its least curvature alone. (Of K classes F(0) is log K.)
	Gap float64

	Distance float64 // R ≥ ‖θₜ − θ*‖, for the convex schedule

	Steps    int     // T of the constant schedule, else 0
	Rate     float64 // η of the mean objective; 0 stands for 1/(2M)
	Momentum float64
	Radius   float64 // of the ball that θ is kept in; 0 for none
	Tail     int     // Plan.Tail, of the constant schedule; else 0

	Centring *learn.Centring // Plan.Centring
}

// Plan returns the plan, whose event has the guarantee by its exact price. The part of
// the budget that is left after a schedule's last whole step is spread over all steps:
// all noise becomes smaller by the same factor.
//
// Errors are of type *privacy.ParameterError; "epsilon" is at fault if the
// schedule's first step costs more than there is.
func (r Request) Plan() (Plan, error) {
	if err := r.validate(); err != nil {
		return Plan{}, err
	}
	if r.Clip == 0 {
		r.Clip = learn.DefaultClip(r.Loss, r.RowNorm)
	}
	unit, err := calibrate.Gaussian(r.Guarantee.Epsilon, r.Guarantee.Delta, 1)
	if err != nil {
		return Plan{}, err
	}
	rho := 1 / (2 * unit * unit)
	if r.Accounting == AccountingZCDP {
		rho = RhoOf(r.Guarantee)
	}
	setting, err := r.Setting()
	if err != nil {
		return Plan{}, err
	}
	var sigmas []float64
	switch r.Schedule {
	case ScheduleStronglyConvex:
		sigmas = setting.Steps(setting.StronglyConvex, rho)
	case ScheduleConvex:
		sigmas = setting.Steps(setting.Convex, rho)
	case ScheduleNonConvex:
		sigmas = setting.Steps(setting.NonConvex, rho)
	case ScheduleAllocated:
		sigmas = setting.Allocated(rho)
	case ScheduleConstant:
		sigmas = make([]float64, r.Steps)
		for t := range sigmas {
			sigmas[t] = setting.Sensitivity / setting.Records * math.Sqrt(float64(r.Steps)/(2*rho))
		}
	}
	if len(sigmas) == 0 {
		return Plan{}, bad(
			"epsilon", privacy.Number(r.Guarantee.Epsilon),
			"larger: not one step of this schedule can be paid for",
		)
	}
	rate := r.Rate
	if rate == 0 {
		rate = setting.Rate()
	}
	plan := Plan{
		Adjacency: r.Guarantee.Adjacency, Dimension: r.Dimension, Classes: r.Classes,
		RowNorm: r.RowNorm, Clip: r.Clip, Lambda: r.Lambda,
		Momentum: r.Momentum, Radius: r.Radius, Tail: r.Tail, Centring: r.Centring,
		Sigmas: sigmas, Rates: make([]float64, len(sigmas)),
	}
	// From F to J, and to the last of the budget.
	scale := math.Sqrt(setting.Spent(sigmas)/rho) * r.Records
	for t := range sigmas {
		sigmas[t] *= scale
		plan.Rates[t] = rate / r.Records
	}
	event, err := plan.Event()
	if err != nil {
		return Plan{}, err
	}
	// Lattices may be coarser than was assumed, and squares round when added.
	slack := math.Max(
		1, event.Sensitivity/setting.Sensitivity,
	) * (1 + 1e-10 + float64(len(sigmas))*0x1p-48)
	for t := range sigmas {
		sigmas[t] *= slack
	}
	_, err = plan.Event()
	return plan, err
}

// Setting returns the constants of the mean objective that the schedules use.
func (r Request) Setting() (Setting, error) {
	if err := r.validate(); err != nil {
		return Setting{}, err
	}
	if r.Clip == 0 {
		r.Clip = learn.DefaultClip(r.Loss, r.RowNorm)
	}
	s := Setting{
		Records:     r.Records,
		Dimension:   r.Dimension,
		Sensitivity: Sensitivity(r.Guarantee.Adjacency, r.Clip, r.Clip, r.Dimension),
		Smoothness:  r.Lambda/r.Records + r.Loss.MaxCurvature()*r.RowNorm*r.RowNorm,
		Convexity:   r.Lambda / r.Records,
		Gap:         r.Gap,
		Distance:    r.Distance,
	}
	if s.Gap == 0 {
		switch {
		case s.Convexity > 0:
			s.Gap = r.Clip * r.Clip / (2 * s.Convexity)
		case r.Classes > 0:
			s.Gap = math.Log(float64(r.Classes))
		case r.Loss.Class() != privacy.LossGLM: // labels are −1 and +1
			s.Gap = math.Max(r.Loss.Value(0, 1), r.Loss.Value(0, -1))
		default:
			s.Gap = math.Inf(1)
		}
	}
	if math.IsInf(s.Gap, 1) && r.Schedule != ScheduleConvex && r.Schedule != ScheduleConstant {
		return Setting{}, bad(
			"gap", "missing", "given: neither the loss nor the regulariser bounds F(0) − F*",
		)
	}
	return s, nil
}

func (r Request) validate() error {
	if err := r.Guarantee.Validate(); err != nil {
		return err
	}
	switch r.Accounting {
	case "", AccountingExact, AccountingZCDP:
	default:
		return bad("accounting", strconv.Quote(string(r.Accounting)), `"exact" or "zcdp"`)
	}
	if r.Loss == nil {
		return bad("loss", "missing", "a loss")
	}
	if r.Dimension < 1 || r.Dimension > MaxDimension {
		return bad("dimension", strconv.Itoa(r.Dimension), "from 1 to "+strconv.Itoa(MaxDimension))
	}
	if err := privacy.FirstError(
		learn.CheckRange("row_norm", r.RowNorm, false), learn.CheckRange(
			"records", r.Records, false,
		), learn.CheckRange("clip", r.Clip, true), learn.CheckRange("lambda", r.Lambda, true),
		learn.CheckRange("gap", r.Gap, true), learn.CheckRange(
			"distance", r.Distance, true,
		), learn.CheckRange("rate", r.Rate, true),
	); err != nil {
		return err
	}
	switch r.Schedule {
	case ScheduleStronglyConvex, ScheduleAllocated:
		if r.Lambda == 0 {
			return bad("lambda", "0", "above 0 for this schedule")
		}
	case ScheduleConvex:
		if r.Distance == 0 {
			return bad("distance", "0", "above 0 for this schedule")
		}
	case ScheduleNonConvex:
	case ScheduleConstant:
		if r.Steps < 1 || r.Steps > MaxSteps {
			return bad("steps", strconv.Itoa(r.Steps), "from 1 to "+strconv.Itoa(MaxSteps))
		}
		if r.Tail < 0 || r.Tail > r.Steps {
			return bad("tail", strconv.Itoa(r.Tail), "from 0 to the number of steps")
		}
		return nil
	default:
		return bad(
			"schedule",
			strconv.Quote(string(r.Schedule)),
			`"strongly-convex", "convex", "non-convex", "allocated" or "constant"`,
		)
	}
	for _, of := range []struct {
		field string
		value int
	}{{"steps", r.Steps}, {"tail", r.Tail}} {
		if of.value != 0 {
			return bad(
				of.field, strconv.Itoa(of.value),
				"0 for this schedule, which finds the number of steps",
			)
		}
	}
	return nil
}
