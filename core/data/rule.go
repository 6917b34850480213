package data

// Rule says what becomes of a record whose field is missing or unknown. The
// zero value refuses: nothing is left out or made up unless the schema says
// so.
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
