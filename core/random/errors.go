package random

import "strconv"

// ParameterError reports a parameter of a sampler outside its valid range.
type ParameterError struct {
	Field string // which parameter
	Value string // what it was
	Want  string // what would be right
}

func (e *ParameterError) Error() string {
	return "random: " + e.Field + " is " + e.Value + ": it must be " + e.Want
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
