package fitting

import (
	"cloister/core/data"
	"cloister/core/privacy"
)

// suggestion is a reading that ends in a schema.
type suggestion struct{ suggester *data.Suggester }

func openSuggestion(f *privacy.Fields, size int64) (reading, error) {
	options := data.SuggestOptions{
		Delimiter: readDelimiter(f),
		Header:    readHeader(f),
		Size:      size,
		MaxBytes:  MaxBytes,
		Label:     f.TextOr("label", ""),
	}
	switch kind := f.TextOr("labelType", ""); kind {
	case "", string(data.SeveralClasses), string(data.NumericLabel):
		options.LabelType = data.LabelType(kind)
	default:
		f.Bad("labelType", `"classes" or "numeric", or left out for two classes`)
	}
	if f.Has("positive") {
		options.Positive = f.Texts("positive")
	}
	suggester, err := data.NewSuggester(options)
	if err != nil {
		return nil, err
	}
	return &suggestion{suggester}, nil
}

func (s *suggestion) begin(part string) error  { return s.suggester.Begin(part) }
func (s *suggestion) write(chunk []byte) error { return s.suggester.Write(chunk) }
func (s *suggestion) rows() int                { return s.suggester.RowsSoFar() }

func (s *suggestion) finish(id int) (map[string]any, error) {
	found, err := s.suggester.Close()
	if err != nil {
		return nil, err
	}
	schema, err := found.Schema.Tree()
	if err != nil {
		return nil, err
	}
	leftOut := make([]any, len(found.LeftOut))
	for i, column := range found.LeftOut {
		leftOut[i] = map[string]any{"column": column.Column, "reason": column.Reason}
	}
	sentinels := make([]any, len(found.Sentinels))
	for i, s := range found.Sentinels {
		spellings := make([]any, len(s.Spellings))
		for k, text := range s.Spellings {
			spellings[k] = text
		}
		sentinels[i] = map[string]any{
			"column":    s.Column,
			"value":     s.Value,
			"spellings": spellings,
			"share":     s.Share,
			"min":       s.Min,
			"max":       s.Max,
		}
	}
	missing := make([]any, len(found.Missing))
	for i, m := range found.Missing {
		missing[i] = map[string]any{"column": m.Column, "records": m.Records, "of": m.Of}
	}
	return map[string]any{
		"schema": schema, "leftOut": leftOut, "sentinels": sentinels, "missing": missing,
		"layout": layout(found.Layout), "content": id,
	}, nil
}
