package data

import (
	"bytes"
	"slices"
	"strings"
)

// refusal is the error, without its row, for a field of feature k.
func (s *Schema) refusal(k int, result outcome, text string) *Error {
	f := &s.Features[k]
	err := &Error{Column: f.Name, Value: shorten(text)}
	value := quoted(text)
	switch result {
	case refusedMissing:
		err.Kind = MissingValue
		err.Problem = "the value is missing"
		if text != "" {
			err.Problem += " (" + value + ")"
		}
		err.Want = `Fill it in, or say in the schema what a missing value becomes: "drop" leaves the record out, `
		if f.Type == Numeric {
			err.Want += "a number takes its place"
		} else {
			err.Want += `"zero" counts it as none of the categories, {"category": "…"} as one of them`
		}
	case refusedUnknown:
		err.Kind = UnknownValue
		err.Problem = value + " is not one of the categories listed (" + list(f.Categories, 5) +
			")" + like(text, f.Categories)
		err.Want = `Correct it, add it to the categories, or say in the schema what an unknown value becomes ("drop", "zero" or {"category": "…"})`
	case refusedEncoding:
		err.Kind = NotUTF8
		err.Problem = value + " is not UTF-8 text"
		err.Want = `Save the file as "CSV UTF-8"`
	case refusedNotFinite:
		return notNumber(f.Name, text, isNotFinite, f.Min, f.Max)
	case refusedTooLarge:
		return notNumber(f.Name, text, isTooLarge, f.Min, f.Max)
	default:
		return notNumber(f.Name, text, isText, f.Min, f.Max)
	}
	return err
}

// notNumber is the error, without its row, for a text of a numeric column with
// these bounds.
func notNumber(column, text string, kind numberKind, lo, hi float64) *Error {
	value := quoted(text)
	err := &Error{Column: column, Value: shorten(text)}
	if kind == isText {
		err.Kind = NotNumber
		err.Problem = value + " is not a number"
		err.Want = "Write it in digits, such as 39 or 3.5, or list " + value + " under missing_values in the schema if it means that there is none"
		if looksDecimal(text) {
			err.Want = "Write it with a decimal point and without separators between the thousands, such as 1234.5"
		}
		return err
	}
	err.Kind = NotFinite
	err.Problem = value + " is not a finite number"
	if kind == isTooLarge {
		err.Problem = value + " is too large for a number (the largest is 1.8e308)"
	}
	err.Want = "Write a number from " + number(lo) + " to " + number(hi) + ", or list " + value +
		" under missing_values in the schema if it means that there is none"
	return err
}

// refusal is the error, without its row, for a label that is missing or of no
// class.
func (l *Label) refusal(text string, missing bool) *Error {
	err := &Error{Kind: UnknownLabel, Column: l.Name, Value: shorten(text)}
	if missing {
		err.Kind = MissingValue
		err.Problem = "the label is missing"
		if text != "" {
			err.Problem += " (" + quoted(text) + ")"
		}
		err.Want = `Fill it in, or let the schema's label have missing: "drop", which leaves the record out`
		return err
	}
	known := slices.Concat(l.classes()...)
	if l.Type == SeveralClasses {
		err.Problem = quoted(text) + " is not a label of any class (" + list(l.ClassNames(), 10) +
			")" + like(text, known)
		err.Want = "Correct it, or add it to the spellings of the class that it means; the list of classes is public and is not read off the file"
		return err
	}
	err.Problem = quoted(text) + " is neither a negative label (" + list(l.Negative, 10) +
		") nor a positive one (" + list(l.Positive, 10) + ")" + like(text, known)
	err.Want = "A label has two values; correct this one, or add it to the spellings of the class that it means"
	return err
}

// like points out a text that differs only in capitals or spaces inside.
func like(text string, known []string) string {
	squeeze := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
	for _, other := range known {
		if squeeze(other) == squeeze(text) {
			return " (" + quoted(other) + " is: capitals and spaces count)"
		}
	}
	return ""
}

// looksDecimal reports whether a text would be a number but for commas, spaces
// or apostrophes among its digits.
func looksDecimal(text string) bool {
	plain := bytes.Map(func(r rune) rune {
		if strings.ContainsRune(", '’\u00a0\u202f", r) {
			return -1
		}
		return r
	}, []byte(text))
	_, kind := parseNumber(plain)
	return kind == isNumber && len(plain) < len(text)
}
