package wire

import (
	"cloister/core/data"
)

// What reading did to the records. Every count in it is private.
type Tally struct {
	Bytes float64 `json:"bytes"`
	// Records read, headers not counted.
	Rows float64 `json:"rows"`
	// Records that became rows of the matrix.
	Kept         float64 `json:"kept"`
	Dropped      float64 `json:"dropped"`
	LabelMissing float64 `json:"labelMissing"`
	// Numeric labels that were moved to a bound.
	LabelClamped float64 `json:"labelClamped"`
	// In the schema's order: fields that were missing, unknown, or moved to a bound.
	Features []struct {
		Name    string  `json:"name"`
		Missing float64 `json:"missing"`
		Unknown float64 `json:"unknown"`
		Clamped float64 `json:"clamped"`
	} `json:"features"`
}

// What [FileReading.checkSchema] learnt from the schema alone.
type CheckedSchema[L AnyLabel] struct {
	// The schema with every default written out.
	Schema Schema[L] `json:"schema"`
	// R: no row, intercept included, is longer.
	RowNorm float64 `json:"rowNorm"`
	// d, intercept included.
	Dimension float64 `json:"dimension"`
	// The intercept, if there is one, last.
	Columns []Column `json:"columns"`
	// Features (and the label) that are still marked `suggested`, by name.
	Suggested []string `json:"suggested"`
	// Plain sentences: what a guarantee does not cover because of them. They go into the release.
	Caveats []string `json:"caveats"`
}

// Whether the first line of a file, or of each part, names its columns: it does, or it is a record,
// and the columns are called c1, c2, ….
type Header = data.Header

// How a file is laid out, as it was read; of several parts, the first.
type Layout struct {
	// Between fields: one sign. A space stands for any run of spaces and tabs.
	Delimiter string `json:"delimiter"`
	// Some field stands in quotes (").
	Quoted bool `json:"quoted"`
	// How many, used or not.
	Columns float64 `json:"columns"`
	// The first line names the columns.
	Header bool `json:"header"`
}

// A number in a column that seems to say that its value is missing, such as 999. For the data
// holder alone.
type Sentinel struct {
	Column string  `json:"column"`
	Value  float64 `json:"value"`
	// As the file has it.
	Spellings []string `json:"spellings"`
	// Of all records.
	Share float64 `json:"share"`
	// Bounds suggested for the column without such numbers.
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// A column that by itself all but tells the label: a copy of it maybe, or something that was
// written down when the outcome was known. For the data holder alone.
type Lookalike struct {
	Column string `json:"column"`
	// Of classes: of the records, those whose class it tells. Of a number: of the variance, what
	// it accounts for.
	Share float64 `json:"share"`
}

type Progress struct {
	// `reserving` and `committing`: of a purchase through the ledger. Whoever ends the work after
	// `reserving` may be charged.
	Phase string `json:"phase" is:"reading|calibrating|reserving|solving|searching|releasing|committing"`
	// 0 to 1 within the phase, where it can be known.
	Fraction float64 `json:"fraction,omitempty"`
	// Reading: how far.
	Bytes      float64 `json:"bytes,omitempty"`
	TotalBytes float64 `json:"totalBytes,omitempty"`
	Rows       float64 `json:"rows,omitempty"`
	// Searching: how many partial cards were looked at. `fraction` is the share of all cards that
	// were, or that are ruled out: no more than the rest is left.
	Nodes float64 `json:"nodes,omitempty"`
	// Solving: where the solver is, and what it must reach.
	Iteration float64 `json:"iteration,omitempty"`
	// Solving for several classes: which one, from 1, of how many.
	Class        float64 `json:"class,omitempty"`
	Classes      float64 `json:"classes,omitempty"`
	GradientNorm float64 `json:"gradientNorm,omitempty"`
	Target       float64 `json:"target,omitempty"`
}

type About struct {
	// Version of the library.
	Library string `json:"library"`
}

// How many records of all have no value in a column. For the data holder alone.
type MissingValues struct {
	Column  string  `json:"column"`
	Records float64 `json:"records"`
	Of      float64 `json:"of"`
}

// A column that is not used; the reason reads as the end of "it …".
type UnusedColumn struct {
	Column string `json:"column"`
	Reason string `json:"reason"`
}
