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
	blocks, err := ExactSums(model, d)
	if err != nil {
		return nil, err
	}
	return ExactOf(model, blocks), nil
}

// ExactSums returns what [ExactOf] needs: one list of numbers for each block of the data set, or
// for all its records if it has none. Use it for records of which several workers have some blocks
// each: the figures are the same to the last bit, whoever has which. An error is that of a data set
// of another schema.
func ExactSums(model learn.Model, d *data.Dataset) ([][]float64, error) {
	if err := sameRows(model, d); err != nil {
		return nil, err
	}
	var out [][]float64
	first := 0
	for _, end := range d.BlockEnds() {
		if model.Schema.Label.Type == data.NumericLabel {
			out = append(out, errorsOf(model, d, first, end))
		} else {
			out = append(out, confusionOf(model, d, first, end))
		}
		first = end
	}
	return out, nil
}

// errorsOf takes the sums of a numeric label over the records from first to end−1: their number,
// the mean of the label, its squared deviations from that, and the squared errors.
func errorsOf(model learn.Model, d *data.Dataset, first, end int) []float64 {
	var n, mean, square, off float64
	var p learn.Prediction // of one record after the other
	label := &model.Schema.Label
	for i := first; i < end; i++ {
		value := label.Original(d.Y[i])
		model.PredictInto(&p, d.X.Row(i))
		miss := value - p.Value
		off += float64(miss * miss)
		n++
		step := value - mean // Welford
		mean += step / n
		square += float64(step * (value - mean))
	}
	return []float64{n, mean, square, off}
}

// confusionOf takes the sums of classes over the records from first to end−1: their numbers by
// class and class predicted, and their log loss, which is NaN without probabilities.
func confusionOf(model learn.Model, d *data.Dataset, first, end int) []float64 {
	var p learn.Prediction // of one record after the other
	label := &model.Schema.Label
	classes := len(label.ClassNames())
	out := make([]float64, classes*classes+1)
	loss := &out[classes*classes]
	for i := first; i < end; i++ {
		y := d.Y[i]
		model.PredictInto(&p, d.X.Row(i))
		class := int(y)
		if label.Type == data.TwoClasses {
			class = (class + 1) / 2
		}
		out[class*classes+p.Class]++
		if p.Probabilities == nil {
			*loss = math.NaN()
		} else {
			*loss += logLoss(p, y, model)
		}
	}
	return out
}

// ExactOf is [Exactly] for records of which [ExactSums] took the sums by the same model: the lists
// of all their blocks, in order.
func ExactOf(model learn.Model, blocks [][]float64) *Exact {
	e := &Exact{LogLoss: math.NaN(), MeanSquaredError: math.NaN(), Variance: math.NaN()}
	label := &model.Schema.Label
	if label.Type == data.NumericLabel {
		var n, mean, square, off float64
		for _, b := range blocks {
			if b[0] == 0 {
				continue
			}
			step, all := b[1]-mean, n+b[0] // Chan, Golub & LeVeque
			square += b[2] + float64(step*step*(n*b[0]/all))
			mean += float64(step * (b[0] / all))
			n, off = all, off+b[3]
		}
		e.Rows, e.MeanSquaredError, e.Variance = int(n), off/n, square/n
		return e
	}
	classes := len(label.ClassNames())
	e.Confusion = make([][]int, classes)
	loss := 0.0
	for k := range e.Confusion {
		e.Confusion[k] = make([]int, classes)
		for j := range e.Confusion[k] {
			for _, b := range blocks {
				e.Confusion[k][j] += int(b[k*classes+j])
			}
			e.Rows += e.Confusion[k][j]
		}
	}
	for _, b := range blocks {
		loss += b[classes*classes]
	}
	e.LogLoss = loss / float64(e.Rows)
	return e
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
