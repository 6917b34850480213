package learn

import (
	"context"
	"slices"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Method is a way to fit that has a name. Every private learner offers one, the
// variable Learner of its package, and package methods lists them.
//
// Use package methods to fit by name. Call Choose directly only with a question that
// suits the method, or after checking it as package methods does.
type Method struct {
	Name  string // in requests, files and command lines: "amp"
	Title string // for people, as the literature has it: "objective perturbation"

	// The questions that it answers. Any other is refused before Choose is called.
	Labels      []data.LabelType
	Losses      []string // names, as ParseLoss takes them
	Adjacencies []privacy.Adjacency

	Records bool // it is set by a public number of records: Asked.Records
	Tuned   bool // it takes a Tuning; the others choose all of it themselves
	Sums    bool // one vector needs sums over the records alone, so that these may be elsewhere
	Spread  bool // it has other workers take sums over the records (Problem.Spread)

	// Choose chooses the noise and everything that the method has defaults for. It looks
	// at no record. Errors: a *privacy.ParameterError for the field at fault, or an
	// *InfeasibleError of package account or calibrate where no noise gives the
	// guarantee.
	Choose func(Asked) (Chosen, error)
}

// Asked describes the wanted fit. All of it is public.
type Asked struct {
	Schema    *data.Schema
	Loss      glm.Loss
	Guarantee privacy.Guarantee
	Tuning    Tuning

	// Records is about how many records there are, as publicly known; never count them
	// for this. Methods that do not need it ignore it. A wrong number costs accuracy,
	// never privacy.
	Records float64
}

// Tuning overrides defaults of objective perturbation, each in the units of
// calibrate.MinimaRequest. The zero value overrides none.
type Tuning struct {
	Bound  objective.Bound // "" is objective.BoundAuto
	Clip   float64         // L, to which the gradient of a record is clipped; 0: chosen
	Lambda float64         // λ; 0: chosen
	Radius float64         // a guess of ‖θ*‖; 0: chosen
	Tau    float64         // τ, which the solver certifies; 0: chosen
}

// Chosen is a fit whose noise is chosen. It holds nothing about any record. It can fit
// more than once, and each fit is charged.
type Chosen struct {
	Event privacy.Event   // what a fit is charged for
	Bound objective.Bound // that prices it; "" where no objective is perturbed
	Price account.Method  // by which a release prices it
	Tau   float64         // what the solver must certify; 0 where nothing is solved

	// Sums is the method's, and false if it does not hold for this label. ClassSums is the same for
	// a label of several classes, whose records may be in an [ElsewhereOfClasses] alone.
	Sums, ClassSums bool

	// Check is the *privacy.ParameterError with which Fit would refuse the problem,
	// whatever its rows are; nil for a fit that refuses none. Call it before charging
	// for a fit.
	Check func(Problem) error

	// Fit runs the mechanism with noise from source. The model may be published; the
	// diagnostics, one for each vector of coefficients, may not. Errors: a
	// *privacy.ParameterError, a *RowError for a row that breaks what the schema
	// promises, the context's, the source's, a *Refusal or a *DivergedError. Charge
	// before calling, and keep the charge whatever comes back.
	Fit Fit

	// Trial returns the fit that stands for this one on made-up records. Use it to see
	// beforehand how much accuracy such a fit loses. Of one fit a class it stands for
	// each of them. The error is a *privacy.ParameterError, for the field
	// "method", if no trial can stand for the fit; pages say nothing of it beforehand.
	Trial func() (Trial, error)

	// Plan is the learner's own, from which package methods makes Attack; nil where the
	// learner sets Attack itself.
	Plan any

	// Attack returns what an audit runs to find a fit like this whose noise is less. The
	// error is that of the promise. Package methods sets it; it is nil before.
	Attack func(Suspect) (Attack, error)
}

// Fit is a fit of a problem whose noise is chosen; see Chosen.
type Fit func(context.Context, Problem, random.Source, Watch) (Model, []*Diagnostics, error)

// FitBy is a learner's own Fit, of one vector by a plan of type P. progress may be nil.
type FitBy[P any] func(
	ctx context.Context, problem Problem, plan P, source random.Source,
	progress func(solve.Progress),
) (Model, *Diagnostics, error)

// OneVector makes a Chosen.Fit from a learner of one vector and its plan. steps is the
// number of steps, or 0 if the solver decides; a learner that solves nothing takes one,
// and tells of it at its end. (It is not generic in the plan, because
// that would make the smallest binary larger by a fiftieth.)
func OneVector(
	steps int,
	fit func(
		context.Context, Problem, random.Source, func(solve.Progress),
	) (Model, *Diagnostics, error),
) Fit {
	return func(
		ctx context.Context, p Problem, source random.Source, watch Watch,
	) (Model, []*Diagnostics, error) {
		var told func(solve.Progress)
		if watch.Progress != nil {
			told = func(p solve.Progress) { watch.Progress(Progress{Progress: p, Steps: steps}) }
		}
		model, diagnostics, err := fit(ctx, p, source, told)
		if err != nil {
			return Model{}, nil, err
		}
		return model, []*Diagnostics{diagnostics}, nil
	}
}

// Watch shows a running fit to the data holder, and to nobody else. Each field may be
// nil.
type Watch struct {
	Progress func(Progress)

	// Noise is called with b, the noise in a perturbed objective, at the end of a fit of
	// a single vector. A privacy report is made from b, and b is as private as the data.
	// Other fits do not call Noise. It must copy what it keeps.
	Noise func(b []float64)
}

// Progress is where a fit stands.
type Progress struct {
	solve.Progress

	Steps          int // that will be taken; 0 where it is the solver who decides
	Class, Classes int // whose vector is fitted, from 0, of how many; 0 of 0 for one vector
}

// AllLosses are the names of the losses, and OneVectorLabels the labels that one vector of
// coefficients predicts: what most methods can. ShiftedLosses are for objective perturbation,
// which prices them sharply. TwoClassLosses are those that only two classes take.
var (
	AllLosses       = []string{LogisticLoss, HuberLoss, SquaredLoss}
	ShiftedLosses   = []string{ShiftedLoss, HingeLoss}
	TwoClassLosses  = append(slices.Clone(ShiftedLosses), WeightedLoss)
	OneVectorLabels = []data.LabelType{data.TwoClasses, data.NumericLabel}
	AllAdjacencies  = []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne}
)
