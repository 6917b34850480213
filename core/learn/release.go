package learn

import (
	"math"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/privacy"
)

// Format and newest version of the JSON form of a release.
const (
	ReleaseFormat  = "cloister-release"
	ReleaseVersion = 6
)

// Release is what may be published: everything that a reader needs to use the
// model and to check its guarantee, and nothing else. In particular it holds no
// number of records, no accuracy that was not paid for, no iteration count
// (theory §7); those are a [Diagnostics], which has no JSON form.
type Release struct {
	Library   string // version of the library that made it
	Schema    *data.Schema
	Event     privacy.Event // what was done to the data
	Guarantee Statement
	Model     Model
	Choice    Choice // how the model came to be the one that is published

	// Assessment is what was released about how the model does on held-out
	// records, with an event and a guarantee of its own; nil for nothing.
	Assessment *Assessment
}

// Statement is the guarantee as the release states it.
type Statement struct {
	privacy.Guarantee
	Method  account.Method  // how the event is priced
	Bound   objective.Bound // of objective perturbation; "" where there is none
	Theorem string

	// Covers is false if the guarantee leaves something out, such as bounds
	// that were read from the private data; Caveats says what, in plain words.
	Covers  bool
	Caveats []string
}

// NewRelease puts a release together. Caveats and coverage follow from the
// model's schema; the guarantee is priced again from the event, and it is an
// error if it does not hold under the bound named (objective.BoundAuto: the
// sharpest that applies, which the statement then names), or if the event is
// not of a mechanism that fits such a model (a *ClaimError).
func NewRelease(
	event privacy.Event, guarantee privacy.Guarantee, bound objective.Bound, model Model,
) (*Release, error) {
	if err := guarantee.Validate(); err != nil {
		return nil, err
	}
	if err := model.check(); err != nil {
		return nil, err
	}
	price, resolved, err := priced(event, account.Auto, bound)
	if err != nil {
		return nil, err
	}
	r := &Release{
		Library: privacy.LibraryVersion,
		Schema:  model.Schema,
		Event:   event,
		Guarantee: Statement{
			Guarantee: guarantee,
			Method:    price.Method,
			Bound:     resolved,
			Theorem:   Theorem(price.Method, resolved),
			Covers:    model.Schema.CoversEverything(),
			Caveats:   model.Schema.Caveats(),
		},
		Model: model,
	}
	if finding, failed := r.Verify().Failed(); failed {
		return nil, &ClaimError{finding}
	}
	return r, nil
}

// check returns a *privacy.ParameterError unless the model is one that a
// release can hold.
func (m Model) check() error {
	if m.Schema == nil {
		return &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "the one that the data were read with",
		}
	}
	if err := m.Schema.Validate(); err != nil {
		return err
	}
	if LossName(m.Loss) == "" {
		return &privacy.ParameterError{
			Field: "loss",
			Value: "missing or unknown",
			Want:  wantedLosses,
		}
	}
	if err := CheckLoss(m.Loss, &m.Schema.Label); err != nil {
		return err
	}
	if !(m.Clip > 0) {
		return &privacy.ParameterError{
			Field: "clip",
			Value: privacy.Number(m.Clip),
			Want:  "a number above 0",
		}
	}
	if err := privacy.CheckNonNegative("lambda", m.Lambda); err != nil {
		return err
	}
	if m.Moments != nil {
		if LossName(m.Loss) != SquaredLoss || m.Schema.Label.Type != data.NumericLabel ||
			m.Lambda != 0 || !math.IsInf(m.Clip, 1) {
			return &privacy.ParameterError{
				Field: "moments", Value: "given",
				Want: "left out, but for the squared loss of a number, with neither clip nor lambda",
			}
		}
		if err := m.Moments.check(m.Schema.Dimension()); err != nil {
			return err
		}
	}
	if err := m.checkTold(); err != nil {
		return err
	}
	if want := m.Vectors() * m.Schema.Dimension(); len(m.Coefficients) != want {
		return &privacy.ParameterError{
			Field: "coefficients",
			Value: strconv.Itoa(len(m.Coefficients)) + " numbers",
			Want:  strconv.Itoa(want) + ", one a column of the schema for each vector",
		}
	}
	for _, c := range m.Coefficients {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return &privacy.ParameterError{
				Field: "coefficients",
				Value: privacy.Number(c),
				Want:  "finite",
			}
		}
	}
	return nil
}
