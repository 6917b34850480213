package learn

import (
	"math"
	"slices"

	"cloister/core/data"
)

// Unprotected is a linear model that no guarantee covers: one fitted without
// noise, one whose noise was steered by the data, or the best of several that
// were compared without paying for it. It is what private fits are measured
// against, on the data holder's machine. It is no [Model] and does not convert to
// one, so [NewRelease] does not take it by mistake; nor has it a JSON form. That
// is no defence against intent: Coefficients are there to be copied.
type Unprotected struct {
	reason string
	model  Model
}

// NewUnprotected is NewModel for coefficients that no guarantee covers; reason
// says in plain words why.
func NewUnprotected(reason string, problem Problem, theta []float64) Unprotected {
	return Unprotected{reason: reason, model: NewModel(problem, math.Inf(1), theta)}
}

// Reason says in plain words why no guarantee covers the model.
func (u Unprotected) Reason() string { return u.reason }

// Coefficients returns a copy of θ.
func (u Unprotected) Coefficients() []float64 { return slices.Clone(u.model.Coefficients) }

// Margin is Model.Margin.
func (u Unprotected) Margin(row data.Row) float64 { return u.model.Margin(row) }

// Evaluate is Model.Evaluate.
func (u Unprotected) Evaluate(d *data.Dataset) Evaluation { return u.model.Evaluate(d) }

// MarshalJSON is an error: nothing of it may be published.
func (Unprotected) MarshalJSON() ([]byte, error) { return nil, errPrivate }
