package learn

import (
	"cloister/core/data"
	"cloister/core/solve"
	"errors"
)

// Diagnostics is for the data holder alone, after a fit: its fields depend on the data
// and were not paid for. It has no JSON form, and is not part of a Release.
type Diagnostics struct {
	Rows        int               // n
	Certificate solve.Certificate // of the solution before noise was added to it
	// η: what the noise sampler's error can add to the certified norm
	SamplerError float64
	Iterations   int
	Hessians     int
}

// MarshalJSON always fails, so that no Diagnostics is written beside a release by
// accident.
func (*Diagnostics) MarshalJSON() ([]byte, error) { return nil, errPrivate }

// MarshalJSON always fails, as for Diagnostics.
func (Evaluation) MarshalJSON() ([]byte, error) { return nil, errPrivate }

var errPrivate = errors.New("learn: this is for the data holder alone and has no JSON form")

// Evaluation measures a model on labelled records. It is as private as they are.
type Evaluation struct {
	Rows         int
	Correct      int     // records whose class is predicted; 0 for a numeric label
	SquaredError float64 // numeric label: the sum of squared errors, in squared units of the file
}

// Accuracy is the share of the records whose class is predicted correctly, NaN for no
// records.
func (e Evaluation) Accuracy() float64 { return float64(e.Correct) / float64(e.Rows) }

// MeanSquaredError is that of a numeric label, NaN for no records.
func (e Evaluation) MeanSquaredError() float64 { return e.SquaredError / float64(e.Rows) }

// Evaluate applies a model to the records of a data set with the model's
// columns and label. It panics if they have others.
func (m Model) Evaluate(d *data.Dataset) Evaluation {
	if d.X.Columns*m.Vectors() != len(m.Coefficients) {
		panic("learn: model and data set of different columns")
	}
	kind := data.TwoClasses
	if m.Schema != nil {
		kind = m.Schema.Label.Type
	}
	e := Evaluation{Rows: d.X.Rows()}
	for i := range e.Rows {
		row := d.X.Row(i)
		switch kind {
		case data.TwoClasses:
			if (m.Margin(row) >= 0) == (d.Y[i] > 0) {
				e.Correct++
			}
		case data.SeveralClasses:
			if float64(m.PredictRow(row).Class) == d.Y[i] {
				e.Correct++
			}
		default:
			off := m.Schema.Label.Original(m.Margin(row)) - m.Schema.Label.Original(d.Y[i])
			e.SquaredError += float64(off * off)
		}
	}
	return e
}
