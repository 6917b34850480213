package amp

import (
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// MaxDimension is the largest number of columns that can be fitted. Their Hessian takes
// 67 MB, and factorising it takes some ten seconds in a browser.
const MaxDimension = 4096

// check returns an error unless the event describes what will be done to this
// problem: first by public things (Check), then that the rows keep what the
// schema promises about them.
//
// The gradient needs no check against Lipschitz, because it is clipped there;
// so L = R, or more, means no clipping.
func check(problem learn.Problem, event privacy.ApproximateMinima) error {
	if err := Check(problem, event); err != nil {
		return err
	}
	if err := problem.CheckRecords(); err != nil {
		return err
	}
	return problem.Check(event.Objective.RowNorm)
}

// Check returns the *privacy.ParameterError with which Fit would refuse the event,
// whatever the rows are. Call it before charging for a fit. It uses only the event, the
// schema and the loss.
func Check(problem learn.Problem, event privacy.ApproximateMinima) error {
	if err := event.Validate(); err != nil {
		return err
	}
	o := event.Objective
	if problem.Data == nil || problem.Data.Schema == nil {
		return &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "the one that the data were read with",
		}
	}
	schema := problem.Data.Schema
	if err := learn.CheckLoss(problem.Loss, &schema.Label); err != nil {
		return err
	}
	if err := learn.CheckWidth(problem.Loss); err != nil {
		return err
	}
	if !learn.Includes(o.Loss, problem.Loss.Class()) {
		return mismatch(
			"loss",
			strconv.Quote(string(o.Loss)),
			strconv.Quote(string(problem.Loss.Class()))+
				", the class of the loss, or a wider class of GLM losses",
		)
	}
	if !(o.Smoothness >= problem.Loss.MaxCurvature()) {
		return mismatch(
			"smoothness",
			privacy.Number(o.Smoothness),
			"at least "+privacy.Number(problem.Loss.MaxCurvature())+
				", the largest curvature of the loss",
		)
	}
	if o.Dimension > MaxDimension {
		return mismatch(
			"dimension",
			strconv.Itoa(o.Dimension),
			"at most "+strconv.Itoa(MaxDimension)+
				": leave out features, or put rare categories together",
		)
	}
	vectors := 1
	if o.Loss == privacy.LossSoftmax {
		if vectors = len(schema.Label.Classes); o.Classes != vectors {
			return mismatch(
				"classes", strconv.Itoa(o.Classes),
				strconv.Itoa(vectors)+", the number of classes of the label",
			)
		}
	}
	if d := problem.Dimension() * vectors; o.Dimension != d {
		return mismatch(
			"dimension", strconv.Itoa(o.Dimension), strconv.Itoa(d)+", the number of columns"+
				map[bool]string{true: " times that of classes"}[vectors > 1],
		)
	}
	if d := schema.Dimension(); d != problem.Dimension() {
		return mismatch(
			"dimension", strconv.Itoa(problem.Dimension()),
			strconv.Itoa(d)+", the number of columns of the schema",
		)
	}
	if norm := schema.RowNorm(); !(o.RowNorm >= norm) {
		return mismatch(
			"row_norm", privacy.Number(o.RowNorm),
			"at least "+privacy.Number(norm)+", the longest row that the schema allows",
		)
	}
	if event.Grid == 0 {
		return mismatch("grid", "0", "a power of two: what is released lies on a lattice")
	}
	if event.SigmaOut > event.Grid*learn.MaxLatticeRatio {
		return mismatch(
			"grid", privacy.Number(event.Grid),
			"at least sigma_out / 2^40, so that the lattice reaches far beyond the noise",
		)
	}
	if least := calibrate.SmallestRegularizer(
		o.Smoothness * o.RowNorm * o.RowNorm,
	); !(o.Lambda >= least) {
		return mismatch("lambda", privacy.Number(o.Lambda), calibrate.WantRegularizer(least))
	}
	if least := calibrate.SmallestTau(o); !(event.Tau >= least) {
		return mismatch("tau", privacy.Number(event.Tau), calibrate.WantTau(least))
	}
	return nil
}

func mismatch(field, value, want string) error {
	return &privacy.ParameterError{Field: "event." + field, Value: value, Want: want}
}
