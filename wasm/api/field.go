package api

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// List is a reply's list of texts or numbers. It is never nil: an empty list is not null.
func List[T any](items []T) []any {
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = item
	}
	return list
}

// FieldText is a value of a row as a file would have it; null is a missing one.
// It is a *privacy.ParameterError of the field at path if the value is neither a
// number nor text nor null.
func FieldText(value any, path string) (string, error) {
	switch value := value.(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	case float64:
		return FieldNumber(value), nil
	}
	return "", &privacy.ParameterError{
		Field: path,
		Value: "of another kind",
		Want:  "a number, text or null",
	}
}

// FieldNumber is a number as a file would have it: plain digits where they are
// short, as in JavaScript.
func FieldNumber(x float64) string {
	if size := math.Abs(x); x == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
