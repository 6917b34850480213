package learn

import (
	"slices"

	"cloister/core/data"
	"cloister/core/glm"
)

// Model is a linear model on the design matrix of a schema: the margin of a row x is
// xᵀθ, and what is predicted follows from the margin and the loss. For a label of K
// classes there are K vectors θ: each of one class against the rest, or with the softmax
// the scores of the classes. All fields are public.
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

	// Moments are what was released, if the coefficients are computed from noisy second
	// moments (package suffstats); else nil.
	Moments *Moments

	// Told is what else the fit gave out and what its noise follows from, where the event does
	// not say it (packages ops and outptr); else nil.
	Told Told

	// Selected is set where a private selection chose the candidate that made the model
	// (package selection); else nil.
	Selected *Selected

	Columns      []data.Column // Schema.Columns(); the intercept, if any, last
	Coefficients []float64     // θ, one a column; the vectors of K classes one after the other
}

// NewModel returns what a learner found: theta for the problem, with each
// record's gradient clipped at clip (+Inf: not). It panics if theta is not of
// the problem's length, or for the softmax as many times that as there are classes.
func NewModel(problem Problem, clip float64, theta []float64) Model {
	m := Model{
		Schema: problem.Data.Schema, Loss: problem.Loss, Clip: clip,
		Columns: problem.Data.Schema.Columns(), Coefficients: slices.Clone(theta),
	}
	if len(m.Columns)*m.jointVectors() != len(theta) {
		panic("learn: coefficients and columns of different number")
	}
	return m
}

// Join returns the model of several classes whose vectors are those of the models
// given, in the order of the classes: model k is of class k against the rest. It panics
// unless there is one model for each class of the schema, and they differ only in their
// vectors.
func Join(schema *data.Schema, models []Model) Model {
	if schema.Label.Type != data.SeveralClasses || len(models) != len(schema.Label.Classes) {
		panic("learn: as many models are joined as the label has classes")
	}
	m := models[0]
	m.Schema, m.Coefficients = schema, nil
	for _, one := range models {
		if one.Loss != m.Loss || one.Clip != m.Clip || one.Lambda != m.Lambda ||
			len(one.Coefficients) != len(m.Columns) {
			panic("learn: models that are joined must be alike")
		}
		m.Coefficients = append(m.Coefficients, one.Coefficients...)
	}
	return m
}

// Vectors is the number of vectors θ: that of the classes for a label of
// several, else 1.
func (m Model) Vectors() int {
	if m.Schema != nil && m.Schema.Label.Type == data.SeveralClasses {
		return len(m.Schema.Label.Classes)
	}
	return 1
}

// joint reports whether one mechanism gives out the vectors of all classes.
func (m Model) joint() bool {
	_, softmax := m.Loss.(glm.Softmax)
	return softmax
}

// jointVectors is the number of vectors that one fit gives out.
func (m Model) jointVectors() int {
	if m.joint() {
		return m.Vectors()
	}
	return 1
}

// fits is the number of mechanisms that gave out the coefficients: one a vector, or one.
func (m Model) fits() int { return m.Vectors() / m.jointVectors() }

// fitted is what mechanism k of those gave out. It shares the model's memory.
func (m Model) fitted(k int) []float64 {
	d := len(m.Coefficients) / m.fits()
	return m.Coefficients[k*d : (k+1)*d : (k+1)*d]
}

// Vector is θ of class k, or the one that there is for k = 0. It shares the
// model's memory.
func (m Model) Vector(k int) []float64 {
	d := len(m.Coefficients) / m.Vectors()
	return m.Coefficients[k*d : (k+1)*d : (k+1)*d]
}

// Margin returns xᵀθ for one row of the design matrix, by the first vector θ.
func (m Model) Margin(row data.Row) float64 { return row.Dot(m.Vector(0)) }

// Margins returns xᵀθ by every vector.
func (m Model) Margins(row data.Row) []float64 {
	return m.margins(make([]float64, 0, m.Vectors()), row)
}

// margins appends them.
func (m Model) margins(to []float64, row data.Row) []float64 {
	for k := range m.Vectors() {
		to = append(to, row.Dot(m.Vector(k)))
	}
	return to
}

// Intercept returns what the intercept's column adds to every margin of vector
// k, κθ_κ; 0 without one.
func (m Model) Intercept(k int) float64 {
	for j, column := range m.Columns {
		if column.Intercept {
			return column.Scale * m.Vector(k)[j]
		}
	}
	return 0
}

// Original is a coefficient in the units of the file.
type Original struct {
	Feature     string
	Category    string  // "" unless it is of a category
	Coefficient float64 // per Unit
	Unit        string  // "1" (per unit of the value), "category", "missing", "log1p(x − offset)"
	Offset      float64 // of Unit, where it is a logarithm
}

// Originals returns the coefficients of vector k in the units of the file and
// the constant that goes with them. A record with values x has
//
//	margin = (constant + Σ coefficient·x)/N + Intercept(k),
//
// where N is the norm of its encoded features (rows of norm "unit"; 1 if that
// is 0) or the larger of that norm and 1 (rows of norm "clip") or 1 ("scale"), and x of a
// category is 1 or 0, of a missing value 1 if there is none and 0 if there is one, of a
// logarithmic feature log1p(value − Offset). Values outside a feature's bounds count as
// the nearer bound. Where "missing" has a coefficient, a missing number counts as the
// middle of its bounds, of a logarithmic feature as half the largest logarithm.
func (m Model) Originals(k int) (coefficients []Original, constant float64) {
	theta := m.Vector(k)
	for j, column := range m.Columns {
		if column.Intercept {
			continue
		}
		c, shift := original(column, theta[j]*column.Scale)
		coefficients, constant = append(coefficients, c), constant-shift
	}
	return coefficients, constant
}

// Logarithmic reports whether Unit is a logarithm, which has an Offset.
func (o Original) Logarithmic() bool { return o.Unit == logarithm }

const logarithm = "log1p(x - offset)"

// original is a coefficient per unit of the column, and how much less the constant is for it.
func original(column data.Column, coefficient float64) (c Original, shift float64) {
	c = Original{
		Feature: column.Feature, Category: column.Category, Coefficient: coefficient, Unit: "1",
	}
	switch {
	case column.Category != "":
		c.Unit = "category"
	case column.Missing:
		c.Unit = "missing"
	case column.Log:
		c.Unit, c.Offset = logarithm, column.Offset
	default:
		shift = float64(coefficient * column.Offset)
	}
	return c, shift
}
