package evaluate

import (
	"errors"
	"math"

	"cloister/core/data"
	"cloister/core/learn"
)

// Exact holds a model's figures on records, computed without noise. It is as private as
// the records, whatever the model is. It has no JSON form, and is not part of a
// release.
type Exact struct {
	Rows int

	// Confusion counts records by their class and the class predicted; nil for
	// a numeric label.
	Confusion [][]int

	// LogLoss is the mean of −log of the probability of the record's own class,
	// nats; NaN without probabilities.
	LogLoss float64

	// MeanSquaredError and Variance are those of a numeric label, in squared
	// units of the file, values outside the bounds moved to them; else NaN.
	MeanSquaredError float64
	Variance         float64
}

// MarshalJSON always fails.
func (*Exact) MarshalJSON() ([]byte, error) { return nil, errPrivate }

var errPrivate = errors.New("evaluate: this is for the data holder alone and has no JSON form")

// Exactly computes it. An error is that of a data set of another schema.
func Exactly(model learn.Model, d *data.Dataset) (*Exact, error) {
	if err := sameRows(model, d); err != nil {
		return nil, err
	}
	e := &Exact{
		Rows:             d.X.Rows(),
		LogLoss:          math.NaN(),
		MeanSquaredError: math.NaN(),
		Variance:         math.NaN(),
	}
	n := float64(e.Rows)
	var p learn.Prediction // of one record after the other
	label := &model.Schema.Label
	if label.Type == data.NumericLabel {
		var mean, square, off float64
		for i, y := range d.Y {
			value := label.Original(y)
			model.PredictInto(&p, d.X.Row(i))
			miss := value - p.Value
			off += float64(miss * miss)
			step := value - mean // Welford
			mean += step / float64(i+1)
			square += float64(step * (value - mean))
		}
		e.MeanSquaredError, e.Variance = off/n, square/n
		return e, nil
	}
	names := label.ClassNames()
	e.Confusion = make([][]int, len(names))
	for k := range e.Confusion {
		e.Confusion[k] = make([]int, len(names))
	}
	loss, known := 0.0, true
	for i, y := range d.Y {
		model.PredictInto(&p, d.X.Row(i))
		class := int(y)
		if label.Type == data.TwoClasses {
			class = (class + 1) / 2
		}
		e.Confusion[class][p.Class]++
		if known = p.Probabilities != nil; known {
			loss += logLoss(p, y, model)
		}
	}
	if known {
		e.LogLoss = loss / n
	}
	return e, nil
}

// Accuracy is the share of records whose class is predicted; NaN for none and
// for a numeric label.
func (e *Exact) Accuracy() float64 {
	right := 0
	for k, row := range e.Confusion {
		right += row[k]
	}
	if e.Confusion == nil {
		return math.NaN()
	}
	return float64(right) / float64(e.Rows)
}

// Baseline is the share of the largest class: what a constant answer achieves.
func (e *Exact) Baseline() float64 {
	most := 0
	for _, row := range e.Confusion {
		sum := 0
		for _, n := range row {
			sum += n
		}
		most = max(most, sum)
	}
	if e.Confusion == nil {
		return math.NaN()
	}
	return float64(most) / float64(e.Rows)
}

// RSquared is 1 − mean squared error/variance; NaN but for a numeric label that
// varies.
func (e *Exact) RSquared() float64 {
	if !(e.Variance > 0) {
		return math.NaN()
	}
	return 1 - e.MeanSquaredError/e.Variance
}
