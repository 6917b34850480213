package data

import (
	"slices"
	"strconv"
)

// Rule decides what happens to a record whose field is missing or unknown. The zero
// value refuses it: nothing is left out or made up unless the schema says so.
type Rule struct {
	Action   Action
	Value    float64 // for UseValue: the number, in the units of the file
	Category string  // for UseCategory: one of the feature's categories
}

// Action is the kind of a rule.
type Action uint8

const (
	// Refuse stops reading, naming row and column.
	Refuse Action = iota

	// Drop leaves the whole record out. It is a decision about one record by
	// itself, so it costs no privacy, but the model then describes complete
	// records only.
	Drop

	// UseZero leaves all columns of the feature 0: for a category "none of those
	// listed". (Categorical features only.)
	UseZero

	// UseValue puts a public number in its place. (Numeric features only.)
	UseValue

	// UseCategory puts one of the categories in its place. (Categorical
	// features only.)
	UseCategory

	// Indicate gives missing values a column of their own, "NAME is missing", which is 1
	// where the value is missing, else 0. A number then stands in the middle of its
	// bounds, its entry being 1/2 (the middle of the logarithmic scale with Log), and of a
	// category all others are 0. No record is left out, and the model learns what
	// it means that there is no value. (Missing values only.)
	Indicate
)

// String is the rule as JSON has it.
func (r Rule) String() string {
	switch r.Action {
	case Refuse:
		return `"error"`
	case Drop:
		return `"drop"`
	case UseZero:
		return `"zero"`
	case UseValue:
		return number(r.Value)
	case UseCategory:
		return `{"category": ` + strconv.Quote(r.Category) + `}`
	case Indicate:
		return `"indicator"`
	}
	return "of an unknown kind"
}

// tree is the rule as a plain tree: a string, a number, or an object.
func (r Rule) tree() any {
	switch r.Action {
	case Drop:
		return "drop"
	case UseZero:
		return "zero"
	case UseValue:
		return r.Value
	case UseCategory:
		return map[string]any{"category": r.Category}
	case Indicate:
		return "indicator"
	}
	return "error"
}

// readIndicator refuses what older readers of this version do not know.
func readIndicator(f *fields, version float64, rule Rule) {
	if rule.Action == Indicate && version < 6 {
		f.bad("missing", "another rule in a schema of this version")
	}
}

// hasIndicator reports whether some missing value has a column of its own.
func (s *Schema) hasIndicator() bool {
	return slices.ContainsFunc(s.Features, func(f Feature) bool {
		return f.Missing.Action == Indicate
	})
}
