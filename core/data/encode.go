package data

import (
	"slices"
	"strconv"
	"strings"
)

// Encoder turns single records into rows exactly as a Parser does, for
// predictions from a model. It may be used for many records, one at a time.
type Encoder struct {
	schema  *Schema
	encoder *encoder
}

// Note says how a field was changed before it was used.
type Note struct {
	Feature string
	Text    string // in plain words
}

// NewEncoder returns a *SchemaError if the schema is not valid.
func NewEncoder(s *Schema) (*Encoder, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return &Encoder{s, newEncoder(s)}, nil
}

// Encode takes the fields of a record by the names of the features; others, such as the
// label, are not looked at. It returns an *Error for a missing feature, and for
// anything that a Parser would refuse or leave out.
func (e *Encoder) Encode(record map[string]string) (Row, []Note, error) {
	var notes []Note
	e.encoder.start()
	for k := range e.schema.Features {
		f := &e.schema.Features[k]
		text, given := record[f.Name]
		if !given {
			return Row{}, nil, &Error{
				Kind:    NoColumn,
				Column:  f.Name,
				Problem: "the record has no value of this name",
				Want:    "Give one for every feature of the model; an empty one if it is missing",
			}
		}
		text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), " \t")
		result := e.encoder.feature(k, []byte(text))
		if result.refused() {
			return Row{}, nil, e.schema.refusal(k, result, text)
		}
		if result == missingDropped || result == unknownDropped {
			return Row{}, nil, e.schema.dropped(f, result, text)
		}
		if result != used {
			notes = append(notes, Note{f.Name, f.note(result, text)})
		}
	}
	row := e.encoder.finish()
	return Row{Index: slices.Clone(row.Index), Value: slices.Clone(row.Value)}, notes, nil
}

// EncodeText takes one record as CSV: either below a header that names the
// features, or alone, its fields being the features in the schema's order with
// or without the label after them.
func (e *Encoder) EncodeText(text string) (Row, []Note, error) {
	s := e.schema
	names := make([]string, 0, len(s.Features)+1)
	for k := range s.Features {
		names = append(names, s.Features[k].Name)
	}
	var failed *Error
	for _, delimiter := range delimiters {
		lines := records{}
		if err := lines.read(text, delimiter); err != nil {
			if failed == nil {
				failed = err
			}
			continue
		}
		switch {
		case len(lines) == 1 && (len(lines[0]) == len(names) || len(lines[0]) == len(names)+1):
			return e.Encode(zip(names, lines[0]))
		case len(lines) == 2 && len(lines[0]) == len(lines[1]) && containsAll(lines[0], names):
			return e.Encode(zip(lines[0], lines[1]))
		}
	}
	if failed == nil {
		failed = &Error{Kind: Ragged, Problem: "this is not one record of this model",
			Want: "Paste the " + strconv.Itoa(len(names)) + " values of " + list(
				names, len(names),
			) + " in this order, or a header line and a record below it"}
	}
	return Row{}, nil, failed
}

// Encode is Encoder.Encode for a single record.
func (s *Schema) Encode(record map[string]string) (Row, []Note, error) {
	e, err := NewEncoder(s)
	if err != nil {
		return Row{}, nil, err
	}
	return e.Encode(record)
}

func (f *Feature) note(result outcome, text string) string {
	switch result {
	case clampedLow:
		return quoted(text) + " is below the lower bound and counts as " + number(f.Min)
	case clampedHigh:
		return quoted(text) + " is above the upper bound and counts as " + number(f.Max)
	}
	what, rule := "The missing value counts as ", f.Missing
	if result == unknownReplaced {
		what, rule = quoted(text)+" is not one of the categories and counts as ", f.Unknown
	}
	switch rule.Action {
	case UseZero:
		return what + "none of them"
	case Indicate:
		if f.Type == Numeric {
			return what + "the middle of its bounds, and as missing"
		}
		return what + "missing, and as none of the categories"
	case UseCategory:
		return what + quoted(rule.Category)
	}
	return what + number(rule.Value)
}

// dropped is the error for a record that reading a file would leave out.
func (s *Schema) dropped(f *Feature, result outcome, text string) *Error {
	err := &Error{
		Kind:    MissingValue,
		Column:  f.Name,
		Value:   shorten(text),
		Problem: "the value is missing",
	}
	if result == unknownDropped {
		err.Kind = UnknownValue
		err.Problem = quoted(text) + " is not one of the categories listed (" +
			list(f.Categories, 5) + ")"
	}
	err.Problem += ", and the model was made without such records"
	err.Want = "Fill in a value that the model knows"
	return err
}

// records gathers all records of a text, the header among them.
type records [][]string

func (r *records) header(names []string) *Error {
	*r = append(*r, names)
	return nil
}

func (r *records) record(_ int, text []byte, fields []span) *Error {
	record := make([]string, len(fields))
	for i, f := range fields {
		record[i] = string(text[f.start:f.end])
	}
	*r = append(*r, record)
	return nil
}

func (r *records) read(text string, delimiter byte) *Error {
	s := scanner{sink: r, given: delimiter}
	s.begin()
	if err := s.write([]byte(text)); err != nil {
		return err
	}
	return s.end()
}

func zip(names, values []string) map[string]string {
	record := make(map[string]string, len(names))
	for i, name := range names {
		record[name] = values[i]
	}
	return record
}

func containsAll(have, want []string) bool {
	for _, name := range want {
		if !slices.Contains(have, name) {
			return false
		}
	}
	return true
}
