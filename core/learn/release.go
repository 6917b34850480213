package learn

import (
	"math"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/privacy"
)

// Format and version of the JSON form of a release.
const (
	ReleaseFormat  = "cloister-release"
	ReleaseVersion = 1
)

// Release is what may be published: everything that a reader needs to use the
// model and to check its guarantee, and nothing else. In particular it holds no
// number of records, no accuracy, no iteration count (theory §7); those are a
// [Diagnostics], which has no JSON form.
type Release struct {
	Library   string // version of the library that made it
	Schema    *data.Schema
	Event     privacy.Event // what was done to the data
	Guarantee Statement
	Model     Model
}

// Statement is the guarantee as the release states it.
type Statement struct {
	privacy.Guarantee
	Bound   account.Bound
	Theorem string

	// Covers is false if the guarantee leaves something out, such as bounds
	// that were read from the private data; Caveats says what, in plain words.
	Covers  bool
	Caveats []string
}

// NewRelease puts a release together. Caveats and coverage follow from the
// model's schema; the guarantee is priced again from the event, and it is
// an error if it does not hold under the bound named (account.BoundAuto: the
// sharpest that applies, which the statement then names).
func NewRelease(event privacy.Event, guarantee privacy.Guarantee, bound account.Bound, model Model) (*Release, error) {
	if err := guarantee.Validate(); err != nil {
		return nil, err
	}
	for _, c := range model.Coefficients {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return nil, &privacy.ParameterError{Field: "coefficients", Value: privacy.Number(c), Want: "finite"}
		}
	}
	resolved, err := resolve(event, bound)
	if err != nil {
		return nil, err
	}
	r := &Release{
		Library: privacy.LibraryVersion,
		Schema:  model.Schema,
		Event:   event,
		Guarantee: Statement{
			Guarantee: guarantee,
			Bound:     resolved,
			Theorem:   resolved.Theorem(),
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

// resolve names the bound that account.BoundAuto stands for.
func resolve(event privacy.Event, bound account.Bound) (account.Bound, error) {
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		return bound.Resolve(e.Objective.Loss)
	case privacy.ObjectivePerturbation:
		return bound.Resolve(e.Loss)
	}
	return account.ParseBound(string(bound))
}

// Prediction is what a model says of one record.
type Prediction struct {
	Margin      float64
	Probability float64 // of the positive label
	Positive    bool    // Probability ≥ 1/2
	Notes       []data.Note
}

// Predict encodes one record by the release's schema, exactly as a file's
// records are encoded, and applies the model. Errors are of type *data.Error.
func (r *Release) Predict(record map[string]string) (Prediction, error) {
	encoder, err := data.NewEncoder(r.Schema)
	if err != nil {
		return Prediction{}, err
	}
	row, notes, err := encoder.Encode(record)
	return r.predicted(row, notes), err
}

// PredictText is Predict for one record as CSV text; see data.Encoder.
func (r *Release) PredictText(text string) (Prediction, error) {
	encoder, err := data.NewEncoder(r.Schema)
	if err != nil {
		return Prediction{}, err
	}
	row, notes, err := encoder.EncodeText(text)
	return r.predicted(row, notes), err
}

func (r *Release) predicted(row data.Row, notes []data.Note) Prediction {
	margin := r.Model.Margin(row)
	return Prediction{
		Margin:      margin,
		Probability: Probability(margin, r.Cut(row)),
		Positive:    margin >= 0,
		Notes:       notes,
	}
}
