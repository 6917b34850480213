package data

import (
	"math"
	"math/big"
)

// InterceptName is the Name of the intercept's column.
const InterceptName = "(intercept)"

// Column describes one column of the design matrix. Before the row is brought
// to its norm, the entry of a numeric feature with value x is
//
//	Scale·(x − Offset), or with Log: Scale·log1p(x − Offset),
//
// x moved into the feature's bounds first; that of a category is Scale = 1
// (Offset 0), that of a missing value's column is Scale = 1 if it is missing (Offset 0;
// the number then counts as the middle, its entry being 1/2), and that of the intercept
// always is Scale = κ.
//
// So a coefficient θ of the design matrix is, in the units of the file, θ·Scale
// per unit of x, and the sum of −θ·Scale·Offset (columns without Log) goes to
// the intercept. That holds up to the row's norm: a record whose features were
// scaled to norm 1 has them all, but not the intercept, divided by what they had. Under the
// rule Scale every row is multiplied by the same number, RowScale, which is in Scale.
type Column struct {
	Name      string // "age", "age is missing", "workclass=Private", "(intercept)"
	Feature   string // the feature's name; "" for the intercept
	Category  string // "" unless it is that of a category
	Missing   bool   // it says whether the feature's value is missing (Indicate)
	Intercept bool
	Log       bool
	Scale     float64
	Offset    float64
}

// Columns describes the columns of the design matrix, in order: numeric
// features have one, categorical ones one a category, then either has one for its
// missing values if that is its rule (Indicate), and the intercept, if κ > 0, is the last.
func (s *Schema) Columns() []Column {
	out := make([]Column, 0, s.Dimension())
	one := 1.0 // of the row
	if s.Rows.Norm == Scale {
		one = s.RowScale()
	}
	for i := range s.Features {
		f := &s.Features[i]
		if f.Type == Numeric {
			out = append(
				out,
				Column{
					Name:    f.Name,
					Feature: f.Name,
					Log:     f.Log,
					Scale:   one / f.span(),
					Offset:  f.Min,
				},
			)
		}
		for _, category := range f.Categories {
			out = append(
				out,
				Column{
					Name:     f.Name + "=" + category,
					Feature:  f.Name,
					Category: category,
					Scale:    one,
				},
			)
		}
		if f.Missing.Action == Indicate {
			out = append(
				out, Column{Name: f.Name + missingName, Feature: f.Name, Missing: true, Scale: one},
			)
		}
	}
	if s.Intercept > 0 {
		out = append(out, Column{Name: InterceptName, Intercept: true, Scale: s.Intercept})
	}
	return out
}

// Dimension is the number of columns of the design matrix, intercept included.
func (s *Schema) Dimension() int {
	d := 0
	for i := range s.Features {
		d += s.Features[i].Width()
	}
	if s.Intercept > 0 {
		d++
	}
	return d
}

// missingName ends the Name of a missing value's column.
const missingName = " is missing"

// Width is the number of the feature's columns, that of its missing values included.
func (f *Feature) Width() int {
	width := len(f.Categories)
	if f.Type == Numeric {
		width = 1
	}
	if f.Missing.Action == Indicate {
		width++
	}
	return width
}

// Certain reports whether every row has one of the feature's columns: a category's, or that of
// missing values.
func (f *Feature) Certain() bool {
	return f.Type == Categorical && f.Missing.Action != UseZero && f.Unknown.Action != UseZero
}

// span is what a numeric feature's shifted value is divided by.
func (f *Feature) span() float64 {
	if f.Log {
		return math.Log1p(f.Max - f.Min)
	}
	return f.Max - f.Min
}

// RowNorm is the bound R on the Euclidean norm of every row, intercept
// included: the smallest double that is not below √(1 + κ²).
func (s *Schema) RowNorm() float64 {
	kappa := big.NewFloat(s.Intercept)
	square := new(big.Float).SetPrec(256).SetMode(big.ToPositiveInf).Mul(kappa, kappa) // exact
	// or rounded up
	square.Add(square, big.NewFloat(1))
	r := math.Sqrt(1 + s.Intercept*s.Intercept)
	r = math.Nextafter(math.Nextafter(r, 0), 0)
	for {
		bound := big.NewFloat(r)
		if new(big.Float).SetPrec(256).Mul(bound, bound).Cmp(square) >= 0 {
			return r
		}
		r = math.Nextafter(r, math.Inf(1))
	}
}
