package fitting

import (
	"math"
	"strconv"

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
		label := release.Schema.Label.Negative[0]
		if prediction.Positive {
			label = release.Schema.Label.Positive[0]
		}
		notes := make([]any, len(prediction.Notes))
		for k, note := range prediction.Notes {
			notes[k] = map[string]any{"feature": note.Feature, "text": note.Text}
		}
		out[i] = map[string]any{
			"probability": prediction.Probability,
			"margin":      prediction.Margin,
			"positive":    prediction.Positive,
			"label":       label,
			"notes":       notes,
		}
	}
	return map[string]any{"predictions": out}, nil
}

func predictRow(release *learn.Release, row any, path string) (learn.Prediction, error) {
	record := make(map[string]string)
	switch row := row.(type) {
	case string:
		return release.PredictText(row)
	case map[string]any:
		for name, value := range row {
			text, ok := fieldText(value)
			if !ok {
				return learn.Prediction{}, badField(path + "." + name)
			}
			record[name] = text
		}
	case []any:
		features := release.Schema.Features
		if len(row) != len(features) {
			return learn.Prediction{}, &privacy.ParameterError{Field: path, Value: "a list of " + strconv.Itoa(len(row)) + " fields", Want: "a list of " + strconv.Itoa(len(features)) + ", one a feature of the model"}
		}
		for k, value := range row {
			text, ok := fieldText(value)
			if !ok {
				return learn.Prediction{}, badField(path + "[" + strconv.Itoa(k) + "]")
			}
			record[features[k].Name] = text
		}
	default:
		return learn.Prediction{}, &privacy.ParameterError{Field: path, Value: "neither an object, nor a list, nor text", Want: "a row: its fields by name, or in order, or a line of CSV"}
	}
	return release.Predict(record)
}

// fieldText is a field as a file would have it; null is a missing value.
func fieldText(value any) (string, bool) {
	switch value := value.(type) {
	case nil:
		return "", true
	case string:
		return value, true
	case float64:
		// As JavaScript writes it: plain digits where that is short.
		if math.Abs(value) < 1e21 && (math.Abs(value) >= 1e-6 || value == 0) {
			return strconv.FormatFloat(value, 'f', -1, 64), true
		}
		return strconv.FormatFloat(value, 'g', -1, 64), true
	}
	return "", false
}

func badField(path string) error {
	return &privacy.ParameterError{Field: path, Value: "of another kind", Want: "a number, text or null"}
}
