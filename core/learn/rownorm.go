package learn

import (
	"math"
	"math/big"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
)

// RowError reports a row that a data set must not have: one that is longer
// than the mechanism assumes, holds what is no finite number, or has a label
// that its schema does not allow. Data sets that package data has read have
// none.
type RowError struct {
	Row     int // from 0
	Problem string
}

func (e *RowError) Error() string {
	return "row " + strconv.Itoa(e.Row+1) + " of the data set " + e.Problem
}

// CheckRows returns a *RowError unless every row's exact Euclidean norm is at
// most bound and every label is −1 or +1, or from −1 to +1 if the data set's
// schema has a numeric label. A label of several classes is a
// *privacy.ParameterError for the field "label".
func CheckRows(d *data.Dataset, bound float64) error {
	if d.Schema != nil && d.Schema.Label.Type == data.SeveralClasses {
		return &privacy.ParameterError{
			Field: "label", Value: "of " + strconv.Itoa(len(d.Schema.Label.Classes)) + " classes",
			Want: "of two classes or numeric; several are fitted one against the rest",
		}
	}
	return CheckRowsOf(d, bound)
}

// CheckRowsOf is CheckRows for a learner that takes several classes at once, whose labels
// are the classes' numbers, from 0.
func CheckRowsOf(d *data.Dataset, bound float64) error {
	allowed, want := func(y float64) bool { return y == 1 || y == -1 }, "neither -1 nor 1"
	if d.Schema != nil {
		switch d.Schema.Label.Type {
		case data.SeveralClasses:
			classes := float64(len(d.Schema.Label.Classes))
			allowed, want = func(y float64) bool {
				return y >= 0 && y < classes && y == math.Trunc(y)
			}, "not the number of a class"
		case data.NumericLabel:
			allowed, want = func(y float64) bool { return y >= -1 && y <= 1 }, "not from -1 to 1"
		}
	}
	for i := range d.X.Rows() {
		entries := d.X.Row(i).Value
		if !withinNorm(entries, bound) {
			return &RowError{
				i,
				"has norm " + privacy.Number(normUpper(entries)) +
					", which is not within the bound " + privacy.Number(bound),
			}
		}
		if y := d.Y[i]; !allowed(y) {
			return &RowError{i, "has the label " + privacy.Number(y) + ", which is " + want}
		}
	}
	return nil
}

// normUpper returns n ≥ ‖x‖₂, within (k/2 + 8)·2^-53 of it for k entries that are
// not 0 and whose squares do not underflow: the sum of squares errs by at most k
// roundings of 2^-53 each and the root by one more.
//
// The entries of a dense row are those of the sparse one with zeros in between.
// They are added in the same order, a zero changes no sum, and it is not counted.
// So the norm is the same float for both, on every platform (the conversions keep
// a product and a sum from being fused): how the records are stored, which one
// record can decide (package data), moves no clipped gradient.
func normUpper(x []float64) float64 {
	squares, entries := 0.0, 0
	for _, v := range x {
		squares += float64(v * v)
		if v != 0 {
			entries++
		}
	}
	if squares < 0x1p-900 {
		sum := 0.0
		for _, v := range x {
			sum += math.Abs(v)
		}
		return sum * (1 + float64(entries+1)*0x1p-52)
	}
	return math.Sqrt(squares) * (1 + float64(entries+8)*0x1p-53)
}

// withinNorm reports whether ‖x‖₂ ≤ bound, exactly: false too if an entry is no
// finite number. Floats decide where their rounding errors cannot matter, and
// whole-number arithmetic where they could.
func withinNorm(x []float64, bound float64) bool {
	squares := 0.0
	for _, v := range x {
		squares += v * v
	}
	if squares >= 0x1p-900 && squares*(1+float64(len(x)+4)*0x1p-53) <= bound*bound &&
		bound < 0x1p500 {
		return true
	}
	if math.IsNaN(squares) || math.IsInf(squares, 0) || math.IsNaN(bound) || bound < 0 {
		return false
	}
	if math.IsInf(bound, 1) {
		return true
	}
	// Squares of float64 are multiples of 2^-2148 below 2^2048.
	total := new(big.Float).SetPrec(4300)
	square := func(v float64) *big.Float {
		f := new(big.Float).SetFloat64(v)
		return f.SetPrec(4300).Mul(f, f)
	}
	for _, v := range x {
		total.Add(total, square(v))
	}
	return total.Cmp(square(bound)) <= 0
}
