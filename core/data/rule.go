package data

import "strconv"

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
	}
	return "error"
}
