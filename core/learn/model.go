package learn

import (
	"slices"

	"cloister/core/data"
	"cloister/core/glm"
)

// Model is a linear model on the design matrix of a schema: the margin of a
// row x is xᵀθ, and what is predicted follows from the margin and the loss. For
// a label of K classes there are K vectors θ, each of one class against the
// rest. What all fields hold is public.
type Model struct {
	Schema *data.Schema
	Loss   glm.Loss // without clipping

	// Clip is the norm C to which each record's gradient was clipped; +Inf for
	// none.
	Clip float64

	// Lambda is the λ of the regulariser (λ/2)‖θ‖² that stood beside the sum
	// over records, where the guarantee rests on it and the event does not
	// say it (output perturbation); else 0.
	Lambda float64

	Columns      []data.Column // Schema.Columns(); the intercept, if any, last
	Coefficients []float64     // θ, one a column; the vectors of K classes one after the other
}

// NewModel returns what a learner found: theta for the problem, with each
// record's gradient clipped at clip (+Inf: not). It panics if theta is not of
// the problem's length.
func NewModel(problem Problem, clip float64, theta []float64) Model {
	m := Model{
		Schema: problem.Data.Schema, Loss: problem.Loss, Clip: clip,
		Columns: problem.Data.Schema.Columns(), Coefficients: slices.Clone(theta),
	}
	if len(m.Columns) != len(theta) {
		panic("learn: coefficients and columns of different number")
	}
	return m
}

// Margin returns xᵀθ for one row of the design matrix.
func (m Model) Margin(row data.Row) float64 {
	sum := 0.0
	for k, column := range row.Index {
		sum += row.Value[k] * m.Coefficients[column]
	}
	return sum
}

// Intercept returns what the intercept's column adds to every margin, κθ_κ; 0
// without one.
func (m Model) Intercept() float64 {
	for j, column := range m.Columns {
		if column.Intercept {
			return column.Scale * m.Coefficients[j]
		}
	}
	return 0
}

// Original is a coefficient in the units of the file.
type Original struct {
	Feature     string
	Category    string  // "" unless the feature is categorical
	Coefficient float64 // per Unit
	Unit        string  // "1" (per unit of the value), "category" or "log1p(x − offset)"
	Offset      float64 // of Unit, where it is a logarithm
}

// Originals returns the coefficients in the units of the file and the constant
// that goes with them. A record with values x has
//
//	margin = (constant + Σ coefficient·x)/N + Intercept(),
//
// where N is the norm of its encoded features (rows of norm "unit"; 1 if that
// is 0) or the larger of that norm and 1 (rows of norm "clip"), and x of a
// category is 1 or 0, of a logarithmic feature log1p(value − Offset). Values
// outside a feature's bounds count as the nearer bound.
func (m Model) Originals() (coefficients []Original, constant float64) {
	for j, column := range m.Columns {
		if column.Intercept {
			continue
		}
		c := Original{
			Feature:     column.Feature,
			Category:    column.Category,
			Coefficient: m.Coefficients[j] * column.Scale,
			Unit:        "1",
		}
		switch {
		case column.Category != "":
			c.Unit = "category"
		case column.Log:
			c.Unit, c.Offset = "log1p(x - offset)", column.Offset
		default:
			constant -= c.Coefficient * column.Offset
		}
		coefficients = append(coefficients, c)
	}
	return coefficients, constant
}
