package privacy

import (
	"math"
	"strconv"
)

// ParameterError reports a parameter outside its valid range. Field is the
// name it has in JSON, with a path for nested events ("events[2].sigma").
type ParameterError struct {
	Field string // which parameter
	Value string // what it was
	Want  string // what would be right
}

func (e *ParameterError) Error() string {
	return e.Field + " is " + e.Value + ": it must be " + e.Want
}

// Number formats x for an error text: the shortest decimal that reads back.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func quote(s string) string { return Quote(s) }

// Quote puts a text between quotation marks, with quotation marks, backslashes
// and control characters escaped. strconv.Quote knows which characters of all
// scripts can be printed, from tables that are larger than all of this package.
func Quote(s string) string {
	const hex = "0123456789abcdef"
	out := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ' || c == 0x7f:
			out = append(out, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}

// CheckPositive returns a *ParameterError unless x is finite and > 0.
func CheckPositive(field string, x float64) error {
	if x > 0 && !math.IsInf(x, 1) {
		return nil
	}
	return &ParameterError{Field: field, Value: Number(x), Want: "a finite number above 0"}
}

// CheckNonNegative returns a *ParameterError unless x is finite and >= 0.
func CheckNonNegative(field string, x float64) error {
	if x >= 0 && !math.IsInf(x, 1) {
		return nil
	}
	return &ParameterError{Field: field, Value: Number(x), Want: "a finite number, 0 or more"}
}

// CheckEpsilon returns a *ParameterError unless epsilon can be asked for:
// finite and > 0.
func CheckEpsilon(epsilon float64) error { return CheckPositive("epsilon", epsilon) }

// CheckDelta returns a *ParameterError unless [LeastProbability] ≤ delta < 1, as δ of
// events have it. A δ that is no normal float64 is none that can be asked for: on some
// processors math.Log makes up to 35 too much of it.
func CheckDelta(delta float64) error { return checkProbability("delta", delta) }

// Within prefixes the field of a *ParameterError with a path, and returns any
// other error as it is.
func Within(path string, err error) error {
	if p, ok := err.(*ParameterError); ok {
		return &ParameterError{Field: path + "." + p.Field, Value: p.Value, Want: p.Want}
	}
	return err
}
