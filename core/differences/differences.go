package differences

import (
	"math"
	"slices"
	"strings"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/special"
)

// Share is the largest expected share of wrong signs among the differences shown as more
// than noise.
const Share = 0.025

// Vector is what one vector of coefficients found.
type Vector struct {
	Class       string // whose vector; "" where there is one
	Differences []Difference

	// Limit is the limit s on the standard error of a difference with ‖c‖ = 1; +Inf where
	// nothing is known. Noisy steps may tell more of some columns: see Difference.Error.
	Limit float64
}

// Difference is how far a margin differs between two values of one feature, all else
// equal, for a row whose features have norm 1 or less. With the softmax the margin of a class
// is its score less the mean of the others' scores.
type Difference struct {
	Feature string

	// Of a category: it and the one it is compared with. "" for a number, which is
	// compared at its two bounds.
	Category, Reference string

	// A missing value is compared with a number in the middle of its bounds, or with the
	// Reference.
	Missing bool

	Estimate float64 // on the model's scale
	Error    float64 // not below the standard error of Estimate; +Inf: not known
	Shown    bool    // it is more than noise, by the rule of the package comment
}

// Of returns what the release's model found, a vector for each of the model's. A column
// of one category has no difference.
func Of(r *learn.Release) []Vector {
	limits, stretches := limits(r), stretches(r)
	names := r.Schema.Label.ClassNames()
	out := make([]Vector, r.Model.Vectors())
	for k := range out {
		v := &out[k]
		v.Limit = limits[k] * slices.Max(stretches)
		if len(out) > 1 {
			v.Class = names[k]
		}
		v.Differences = differences(r.Schema, vector(r.Model, k), limits[k], stretches)
		mark(v.Differences)
	}
	return out
}

// vector is that of the margin k: the model's own, and of the softmax θ_k less the mean of
// the other classes' vectors.
func vector(m learn.Model, k int) []float64 {
	own := m.Vector(k)
	if !joint(m) {
		return own
	}
	out := slices.Clone(own)
	for other := range m.Vectors() {
		if other != k {
			for j, x := range m.Vector(other) {
				out[j] -= x / float64(m.Vectors()-1)
			}
		}
	}
	return out
}

// differences are those of one vector, in the schema's order. All columns of a category have one
// stretch.
func differences(
	schema *data.Schema, theta []float64, limit float64, stretches []float64,
) []Difference {
	var out []Difference
	column := 0
	for i := range schema.Features {
		f := &schema.Features[i]
		if f.Type == data.Numeric {
			out = append(out, Difference{
				Feature: f.Name, Estimate: theta[column], Error: limit * stretches[column],
			})
		}
		reference := Reference(f.Categories)
		for k, category := range f.Categories {
			if k != reference {
				out = append(out, Difference{
					Feature: f.Name, Category: category, Reference: f.Categories[reference],
					Estimate: theta[column+k] - theta[column+reference],
					Error:    math.Sqrt2 * limit * stretches[column],
				})
			}
		}
		last := column + f.Width() - 1
		if f.Missing.Action == data.Indicate {
			missing := Difference{
				Feature: f.Name, Missing: true, Estimate: theta[last],
				Error: limit * stretches[last],
			}
			if f.Type == data.Categorical {
				missing.Reference = f.Categories[reference]
				missing.Estimate -= theta[column+reference]
				missing.Error *= math.Sqrt2
			}
			out = append(out, missing)
		}
		column = last + 1
	}
	return out
}

// natural are the names of categories that others are usually compared with.
var natural = []string{
	"no", "none", "never", "normal", "false", "0", "control", "placebo", "baseline", "reference",
}

// Reference is the number of the category that the others of its column are compared
// with: the first whose name says that it is the usual or the absent one ("no", "never",
// "control"), or the schema's first. It looks at names alone, so it tells nothing.
func Reference(categories []string) int {
	return max(0, slices.IndexFunc(categories, func(name string) bool {
		return slices.Contains(natural, strings.ToLower(name))
	}))
}

// mark sets Shown.
func mark(differences []Difference) {
	p := make([]float64, len(differences))
	for i, d := range differences {
		p[i] = special.NormalSurvival(math.Abs(d.Estimate) / d.Error)
	}
	order := slices.Clone(p)
	slices.Sort(order)
	largest := -1.0 // Benjamini & Hochberg's step-up
	for k, value := range order {
		if value <= Share*float64(k+1)/float64(len(order)) {
			largest = value
		}
	}
	for i := range differences {
		differences[i].Shown = p[i] <= largest
	}
}
