package report

import (
	"math"
	"strconv"

	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Mechanism is what is public of a release by objective perturbation or by
// approximate minima (AMP), and what a report rests on.
type Mechanism struct {
	Loss    glm.Clipped // clipped at the mechanism's Lipschitz, or the model's clip if that is less
	RowNorm float64     // R ≥ ‖x‖, intercept included
	Lambda  float64     // λ
	Sigma   float64     // σ
	Theta   []float64   // what was published
	Numeric bool        // labels are from −1 to 1; else −1 or 1

	// Schema is that of the rows, where it is known; else nil.
	Schema *data.Schema

	// Output is the step from the exact minimiser θ* to Theta; the zero value for
	// none, Theta = θ*.
	Output OutputStep
}

// OutputStep is that of approximate minima: the solver's θ̃ is at most τ/λ from
// θ*, it is rounded to a lattice, and lattice noise is added (theory §2).
type OutputStep struct {
	Shift float64 // bound on the distance of θ̃, rounded, from θ*: τ/λ + g√d/2
	Ratio float64 // μ_out = (2τ/λ + g√d)/σ_out
	Sigma float64 // σ_out
}

// NewMechanism returns the mechanism of a privacy.ObjectivePerturbation or
// privacy.ApproximateMinima event that published theta by a loss. Errors are
// *privacy.ParameterError: an event that is none of the two or does not fit the
// loss, a theta of another length.
func NewMechanism(event privacy.Event, loss glm.Loss, theta []float64) (Mechanism, error) {
	if event == nil {
		return Mechanism{}, unfit("missing")
	}
	if err := event.Validate(); err != nil {
		return Mechanism{}, err
	}
	m := Mechanism{Theta: theta}
	var o privacy.ObjectivePerturbation
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		o = e
	case privacy.ApproximateMinima:
		_, ratio, _ := objective.Decompose(e)
		o = e.Objective
		m.Output = OutputStep{
			Shift: (e.Tau/o.Lambda + e.Grid*math.Sqrt(float64(o.Dimension))/2) * (1 + 0x1p-50),
			Ratio: ratio, Sigma: e.SigmaOut,
		}
	default:
		return Mechanism{}, unfit(strconv.Quote(event.Mechanism()))
	}
	if o.Adjacency != privacy.AddRemove {
		return Mechanism{}, &privacy.ParameterError{
			Field: "event.adjacency",
			Value: strconv.Quote(o.Adjacency.String()),
			Want:  "add-remove: the loss is that of taking one record out, or putting it in",
		}
	}
	if o.Loss == privacy.LossSmooth || !learn.Includes(o.Loss, loss.Class()) ||
		!(o.Smoothness >= loss.MaxCurvature()) {
		return Mechanism{}, &privacy.ParameterError{
			Field: "event.loss",
			Value: strconv.Quote(string(o.Loss)),
			Want:  "the class of the model's loss, with its smoothness",
		}
	}
	if o.Dimension != len(theta) || len(theta) == 0 {
		return Mechanism{}, &privacy.ParameterError{
			Field: "event.dimension",
			Value: strconv.Itoa(o.Dimension),
			Want:  strconv.Itoa(len(theta)) + ", the number of coefficients",
		}
	}
	for _, c := range theta {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return Mechanism{}, &privacy.ParameterError{
				Field: "theta",
				Value: privacy.Number(c),
				Want:  "finite",
			}
		}
	}
	var err error
	m.Loss, err = glm.Clip(loss, o.Lipschitz)
	m.RowNorm, m.Lambda, m.Sigma = o.RowNorm, o.Lambda, o.Sigma
	_, m.Numeric = loss.(glm.Squared)
	return m, err
}

// MechanismOf is NewMechanism for a release of one vector of coefficients, whose loss is
// clipped where the model says that it was: the event may be priced for longer
// gradients, and slopes of another loss do not bound those of this one.
func MechanismOf(release *learn.Release) (Mechanism, error) {
	if n := release.Model.Vectors(); n != 1 {
		return Mechanism{}, &privacy.ParameterError{
			Field: "label",
			Value: "of " + strconv.Itoa(n) + " classes",
			Want:  "of two classes or numeric: each vector of several is a release of its own",
		}
	}
	m, err := NewMechanism(release.Event, release.Model.Loss, release.Model.Vector(0))
	m.Schema = release.Schema
	if err == nil && release.Model.Clip < m.Loss.Threshold() {
		m.Loss, err = glm.Clip(release.Model.Loss, release.Model.Clip)
	}
	return m, err
}

func unfit(mechanism string) error {
	return &privacy.ParameterError{
		Field: "event", Value: mechanism,
		Want: "objective perturbation or approximate minima: of other mechanisms there is no report",
	}
}

// lipschitz is the largest norm of a record's gradient.
func (m Mechanism) lipschitz() float64 { return m.Loss.Lipschitz(m.RowNorm) }

// hessianNorm is βR², the largest norm of a record's Hessian.
func (m Mechanism) hessianNorm() float64 {
	return m.Loss.MaxCurvature() * m.RowNorm * m.RowNorm * (1 + 0x1p-50)
}

// RowError says that a record is none that the release's schema allows.
type RowError struct {
	Field   string // "row" or "label"
	Problem string
}

func (e *RowError) Error() string { return "the record's " + e.Field + " " + e.Problem }

// check returns a *RowError unless the record could be in a data set of the
// mechanism's.
func (m Mechanism) check(row data.Row, y float64) error {
	for k, j := range row.Index {
		if j < 0 || int(j) >= len(m.Theta) {
			return &RowError{
				"row",
				"has an entry in column " + strconv.Itoa(int(j)+1) + ", and the model has " +
					strconv.Itoa(len(m.Theta)) + " columns",
			}
		}
		if v := row.Value[k]; math.IsNaN(v) || math.IsInf(v, 0) {
			return &RowError{
				"row",
				"has the entry " + privacy.Number(v) + ", which is no finite number",
			}
		}
	}
	if length := norm2(row); !(length <= m.RowNorm*(1+1e-12)) {
		return &RowError{
			"row",
			"has norm " + privacy.Number(length) +
				", which the schema's bounds do not allow: at most " + privacy.Number(m.RowNorm),
		}
	}
	if m.Numeric && !(y >= -1 && y <= 1) || !m.Numeric && y != 1 && y != -1 {
		want := "neither -1 nor 1"
		if m.Numeric {
			want = "not from -1 to 1"
		}
		return &RowError{"label", "is " + privacy.Number(y) + ", " + want}
	}
	return nil
}

// norm2 and norm1 are the row's Euclidean norm and the sum of absolute values.
func norm2(row data.Row) float64 {
	squares := 0.0
	for _, v := range row.Value {
		squares += v * v
	}
	return math.Sqrt(squares)
}

func norm1(row data.Row) float64 {
	sum := 0.0
	for _, v := range row.Value {
		sum += math.Abs(v)
	}
	return sum
}
