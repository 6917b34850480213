package wire

import (
	"cloister/core/data"
)

// The public schema: what is known about the file without looking at it. `ParseSchema` in
// `core/data` documents every rule. The schema is part of the release, so it must hold nothing that
// was read off private data, unless its `provenance` says so.
type Schema[L AnyLabel] struct {
	// 2 if the label has a type, 3 if bounds were bought, 4 if categories were, 5 if a reason is
	// given, 6 if a missing value has an indicator, 7 if rows are scaled.
	Version float64 `json:"version" is:"1|2|3|4|5|6|7"`
	// In the order of the model's columns.
	Features []Feature `json:"features"`
	Label    L         `json:"label"`
	Rows     RowRule   `json:"rows"`
	// κ: value of the constant feature; 0 for no intercept, 0.5 is usual.
	Intercept float64 `json:"intercept"`
	// Spellings of a missing value; `["", "?", "NA"]` if left out. At most 1,048,576, counted once
	// a categorical feature.
	MissingValues []string `json:"missing_values,omitempty"`
}

// `public`: known without looking at the file. `suggested`: read off the private file and not
// confirmed by a person. `bought`, of bounds or categories: by a private release of its own, which
// `purchase` names. It has no default.
type Provenance = data.Provenance

// Where bounds or categories were bought.
type Purchase struct {
	// The charge's ID in the ledger of the data.
	Charge string `json:"charge"`
	// Of the whole charge, whatever else was bought with it.
	Epsilon float64 `json:"epsilon"`
	// Likewise (version 4); 0 if left out.
	Delta float64 `json:"delta,omitempty"`
}

type Feature interface{ isFeature() }

func (NumericFeature) isFeature()     {}
func (CategoricalFeature) isFeature() {}

type NumericFeature struct {
	// As in the file's header.
	Name string `json:"name"`
	Type string `json:"type" is:"numeric"`
	// Public bounds, min < max. Values outside are moved to the nearer one.
	Min float64 `json:"min"`
	Max float64 `json:"max"`
	// Scale by log1p(x − min) instead of x − min.
	Log bool `json:"log,omitempty"`
	// What a missing value becomes: an error (the default), a dropped record, a 1 in a column of
	// its own (version 6), or a number within the bounds.
	Missing    any        `json:"missing,omitempty" ts:"'error' | 'drop' | 'indicator' | number"`
	Provenance Provenance `json:"provenance"`
	// Why it is public, in the words of whoever declared it (version 5).
	Reason string `json:"reason,omitempty"`
	// With `bought`.
	Purchase Purchase `json:"purchase,omitempty"`
}

type CategoricalFeature struct {
	Name string `json:"name"`
	Type string `json:"type" is:"categorical"`
	// One column each; none is left out as a reference.
	Categories []string `json:"categories"`
	// What a missing value becomes; `indicator` (version 6) is a 1 in a column of its own.
	Missing any `json:"missing,omitempty" ts:"CategoryRule | 'indicator'"`
	// What a text that is not among the categories becomes.
	Unknown    CategoryRule `json:"unknown,omitempty"`
	Provenance Provenance   `json:"provenance"`
	// Why it is public, in the words of whoever declared it (version 5).
	Reason string `json:"reason,omitempty"`
	// With `bought`.
	Purchase Purchase `json:"purchase,omitempty"`
}

// An error (the default), a dropped record, none of the categories, or one of them.
//
//ts:type "error" | "drop" | "zero" | { category: string }
type CategoryRule any

// A label of two classes.
type Label struct {
	Name string `json:"name"`
	Type any    `json:"type,omitempty" ts:"undefined"`
	// Spellings of the class coded −1.
	Negative []string `json:"negative"`
	// Spellings of the class coded +1.
	Positive   []string   `json:"positive"`
	Missing    string     `json:"missing,omitempty" is:"error|drop"`
	Provenance Provenance `json:"provenance"`
	// Why it is public, in the words of whoever declared it (version 5).
	Reason string `json:"reason,omitempty"`
}

// A label of three classes or more.
type ClassesLabel struct {
	Name string `json:"name"`
	Type string `json:"type" is:"classes"`
	// Each class by its spellings, the first of which names it. Public, and not read off the file.
	Classes    [][]string `json:"classes"`
	Missing    string     `json:"missing,omitempty" is:"error|drop"`
	Provenance Provenance `json:"provenance"`
	// Why it is public, in the words of whoever declared it (version 5).
	Reason string `json:"reason,omitempty"`
}

// A number to be predicted.
type NumericLabel struct {
	Name string `json:"name"`
	Type string `json:"type" is:"numeric"`
	// Public bounds, min < max. Values outside are moved to the nearer one.
	Min        float64    `json:"min"`
	Max        float64    `json:"max"`
	Missing    string     `json:"missing,omitempty" is:"error|drop"`
	Provenance Provenance `json:"provenance"`
	// Why it is public, in the words of whoever declared it (version 5).
	Reason string `json:"reason,omitempty"`
	// With `bought`.
	Purchase Purchase `json:"purchase,omitempty"`
}

// Any label.
type AnyLabel interface{ isAnyLabel() }

func (Label) isAnyLabel()        {}
func (ClassesLabel) isAnyLabel() {}
func (NumericLabel) isAnyLabel() {}

// A schema of any label.
type AnySchema = Schema[AnyLabel]

type RowRule struct {
	// `clip`: rows of features longer than 1 are scaled to length 1. `unit`: all are. `scale`:
	// all are divided by the length of the longest that is possible.
	Norm data.Norm `json:"norm"`
}

// One column of the design matrix: entry = scale·(x − offset), with `log` scale·log1p(x − offset).
type Column struct {
	// Unique, for tables: `age`, `age is missing`, `workclass=Private`, `(intercept)`.
	Name string `json:"name"`
	// The feature it comes from; empty for the intercept.
	Feature string `json:"feature"`
	// Empty unless it is that of a category.
	Category string `json:"category"`
	// It is 1 where the feature's value is missing.
	Missing   bool    `json:"missing"`
	Intercept bool    `json:"intercept"`
	Log       bool    `json:"log"`
	Scale     float64 `json:"scale"`
	Offset    float64 `json:"offset"`
}
