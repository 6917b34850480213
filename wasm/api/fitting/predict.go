package fitting

import (
	"strconv"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// predict answers {release, rows}: each row an object of fields by feature, a
// list of fields in the schema's order, or a line of CSV.
func predict(call *api.Call) (map[string]any, error) {
	f := call.Fields
	release, err := readRelease(f)
	if err != nil {
		return nil, err
	}
	rows := f.List("rows")
	if err := f.Done(); err != nil {
		return nil, err
	}
	out := make([]any, len(rows))
	for i, row := range rows {
		prediction, err := predictRow(release, row, "rows["+strconv.Itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		out[i] = predictionTree(release, prediction)
	}
	return map[string]any{"predictions": out}, nil
}

// predictionTree is a prediction: of two classes {margin, positive, label,
// probability?}, of several {margins, label, probabilities?} in the order of the
// schema's classes, of a number {margin, value}; and notes.
func predictionTree(release *learn.Release, p learn.Prediction) map[string]any {
	notes := make([]any, len(p.Notes))
	for k, note := range p.Notes {
		notes[k] = map[string]any{"feature": note.Feature, "text": note.Text}
	}
	out := map[string]any{"notes": notes}
	label := &release.Schema.Label
	if label.Type != data.NumericLabel {
		out["label"] = label.ClassNames()[p.Class]
	}
	switch label.Type {
	case data.SeveralClasses:
		out["margins"] = api.List(p.Margins)
		if p.Probabilities != nil {
			out["probabilities"] = api.List(p.Probabilities)
		}
		return out
	case data.NumericLabel:
		out["value"] = p.Value
	default:
		out["positive"] = p.Positive()
		if p.Probabilities != nil {
			out["probability"] = p.Probability()
		}
	}
	out["margin"] = p.Margins[0]
	return out
}

func predictRow(release *learn.Release, row any, path string) (learn.Prediction, error) {
	if text, ok := row.(string); ok {
		return release.PredictText(text)
	}
	names := make([]string, len(release.Schema.Features))
	for k := range names {
		names[k] = release.Schema.Features[k].Name
	}
	record, err := readRow(row, path, names)
	if err != nil {
		return learn.Prediction{}, err
	}
	return release.Predict(record)
}

// readRow reads a row: an object of fields by name, or a list of them in the order of the
// names.
func readRow(row any, path string, names []string) (map[string]string, error) {
	record := make(map[string]string)
	switch row := row.(type) {
	case map[string]any:
		for name, value := range row {
			text, err := api.FieldText(value, path+"."+name)
			if err != nil {
				return nil, err
			}
			record[name] = text
		}
	case []any:
		if len(row) != len(names) {
			return nil, &privacy.ParameterError{
				Field: path, Value: "a list of " + strconv.Itoa(len(row)) + " fields",
				Want: "a list of " + strconv.Itoa(len(names)) + ", one a feature of the model",
			}
		}
		for k, value := range row {
			text, err := api.FieldText(value, path+"["+strconv.Itoa(k)+"]")
			if err != nil {
				return nil, err
			}
			record[names[k]] = text
		}
	default:
		return nil, &privacy.ParameterError{Field: path, Value: "neither an object, nor a list, nor text", Want: "a row: its fields by name, or in order, or a line of CSV"}
	}
	return record, nil
}
