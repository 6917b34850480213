package learn

import (
	"math"
	"math/big"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/solve"
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
	rows := design(d)
	checked := func(from, end int) error {
		for i := from; i < end; i++ {
			if y := d.Y[i]; !allowed(y) {
				return &RowError{i, "has the label " + privacy.Number(y) + ", which is " + want}
			}
		}
		return nil
	}
	for from, n := 0, d.X.Rows(); from < n; {
		unsure := rows.Within(bound, from)
		if err := checked(from, unsure); err != nil {
			return err
		}
		if unsure == n {
			return nil
		}
		entries := d.X.Row(unsure).Value
		if !withinNorm(entries, bound) {
			return &RowError{
				unsure,
				"has norm " + privacy.Number(solve.NormUpper(entries)) +
					", which is not within the bound " + privacy.Number(bound),
			}
		}
		if err := checked(unsure, unsure+1); err != nil {
			return err
		}
		from = unsure + 1
	}
	return nil
}

// design returns the rows of a data set as a solver takes them, in the same memory, without a loss.
func design(d *data.Dataset) *solve.Rows {
	return &solve.Rows{
		Start:     d.X.RowStart,
		Index:     d.X.Index,
		Entry:     d.X.Value,
		Block:     d.X.Blocks,
		BlockRows: data.BlockRows,
		Label:     d.Y,
		Columns:   d.X.Columns,
	}
}

// withinNorm reports whether ‖x‖₂ ≤ bound, exactly: false too if an entry is no
// finite number. It is for the rows of which floats cannot tell (solve.Rows.Within).
func withinNorm(x []float64, bound float64) bool {
	squares := 0.0
	for _, v := range x {
		squares += v * v
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
