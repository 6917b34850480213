package reading

import (
	"errors"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// record is a row as it was typed: its fields by feature, and its label.
type record struct {
	fields map[string]string
	label  string
}

// readRecord reads the fields "row", an object of fields by feature, and "label".
func (o *opened) readRecord(f *privacy.Fields) (record, error) {
	out := record{fields: make(map[string]string)}
	tree, label := f.Any("row"), given(f, "label")
	members, ok := tree.(map[string]any)
	if !ok {
		return out, &privacy.ParameterError{
			Field: "row",
			Value: "not an object",
			Want:  "its fields by the names of the model's columns",
		}
	}
	for name, value := range members {
		text, err := api.FieldText(value, "row."+name)
		if err != nil {
			return out, err
		}
		out.fields[name] = text
	}
	var err error
	out.label, err = api.FieldText(label, "label")
	return out, err
}

// given is a field that may be null or left out.
func given(f *privacy.Fields, name string) any {
	if !f.Has(name) {
		return nil
	}
	return f.Any(name)
}

// encoded is a record as the design matrix has it.
type encoded struct {
	row   data.Row
	y     float64
	notes []data.Note

	// leftOut is the column for whose sake reading a file would have left the
	// record out; "" for a record that is used.
	leftOut, why string
}

// encode turns a record into a row exactly as a file's records are.
func (o *opened) encode(r record) (encoded, error) {
	schema := o.release.Schema
	row, notes, err := o.encoder.Encode(r.fields)
	if err != nil {
		if e, ok := errors.AsType[*data.Error](err); ok && drops(schema, e) {
			return encoded{leftOut: e.Column, why: e.Problem}, nil
		}
		return encoded{}, o.refused(err)
	}
	y, err := schema.EncodeLabel(r.label)
	if err != nil {
		if e, ok := errors.AsType[*data.Error](err); ok && e.Kind == data.MissingValue &&
			schema.Label.Missing.Action == data.Drop {
			return encoded{leftOut: e.Column, why: e.Problem}, nil
		}
		return encoded{}, o.refused(err)
	}
	if note, moved := movedLabel(&schema.Label, r.label); moved {
		notes = append(notes, note)
	}
	return encoded{row: row, y: y, notes: notes}, nil
}

// drops reports whether the schema leaves out records with this fault.
func drops(schema *data.Schema, e *data.Error) bool {
	for i := range schema.Features {
		if f := &schema.Features[i]; f.Name == e.Column {
			return e.Kind == data.MissingValue && f.Missing.Action == data.Drop ||
				e.Kind == data.UnknownValue && f.Unknown.Action == data.Drop
		}
	}
	return false
}

// movedLabel says so if a numeric label counts as the nearer bound.
func movedLabel(label *data.Label, text string) (data.Note, bool) {
	if label.Type != data.NumericLabel {
		return data.Note{}, false
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil && x < label.Min:
		return data.Note{
			Feature: label.Name,
			Text: privacy.Quote(text) + " is below the lower bound and counts as " +
				privacy.Number(label.Min),
		}, true
	case err == nil && x > label.Max:
		return data.Note{
			Feature: label.Name,
			Text: privacy.Quote(text) + " is above the upper bound and counts as " +
				privacy.Number(label.Max),
		}, true
	}
	return data.Note{}, false
}
