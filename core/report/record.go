package report

import "cloister/core/data"

// Record is Row for a record in words: its fields by the names of the schema's
// features, and its label's text. A value beyond a bound counts as the bound, as
// it would in the data; the notes say so. Errors are the *data.Error with which
// a file of this record would be refused.
func (r *Reader) Record(
	schema *data.Schema, fields map[string]string, label string,
) (Bound, []data.Note, error) {
	row, notes, err := schema.Encode(fields)
	if err != nil {
		return Bound{}, nil, err
	}
	y, err := schema.EncodeLabel(label)
	if err != nil {
		return Bound{}, nil, err
	}
	b, err := r.Row(row, y)
	return b, notes, err
}
