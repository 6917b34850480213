package data

// Tree returns the schema as a plain tree (map[string]any, []any, string,
// float64, bool), the form that SchemaFromTree reads, that MarshalJSON writes
// and that crosses the WebAssembly edge, where encoding/json would cost a tenth
// of the binary. An invalid schema is a *SchemaError.
func (s *Schema) Tree() (map[string]any, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	features := make([]any, len(s.Features))
	for i := range s.Features {
		features[i] = s.Features[i].tree()
	}
	return map[string]any{
		"version":        float64(s.version()),
		"features":       features,
		"label":          s.Label.tree(),
		"rows":           map[string]any{"norm": string(s.Rows.Norm)},
		"intercept":      s.Intercept,
		"missing_values": plainTexts(s.missingValues()),
	}, nil
}

func (l *Label) tree() map[string]any {
	out := map[string]any{
		"name":       l.Name,
		"missing":    l.Missing.tree(),
		"provenance": string(l.Provenance),
	}
	l.Purchase.write(out)
	if l.Reason != "" {
		out["reason"] = l.Reason
	}
	switch l.Type {
	case SeveralClasses:
		classes := make([]any, len(l.Classes))
		for k, spellings := range l.Classes {
			classes[k] = plainTexts(spellings)
		}
		out["classes"] = classes
	case NumericLabel:
		out["min"], out["max"] = l.Min, l.Max
	default:
		out["negative"], out["positive"] = plainTexts(l.Negative), plainTexts(l.Positive)
		return out
	}
	out["type"] = string(l.Type)
	return out
}

func (f *Feature) tree() map[string]any {
	out := map[string]any{
		"name":       f.Name,
		"type":       string(f.Type),
		"missing":    f.Missing.tree(),
		"provenance": string(f.Provenance),
	}
	f.Purchase.write(out)
	if f.Reason != "" {
		out["reason"] = f.Reason
	}
	if f.Type == Numeric {
		out["min"], out["max"], out["log"] = f.Min, f.Max, f.Log
	} else {
		out["categories"], out["unknown"] = plainTexts(f.Categories), f.Unknown.tree()
	}
	return out
}

// write adds a purchase, if there is one, to what it is of.
func (p Purchase) write(out map[string]any) {
	if p != (Purchase{}) {
		purchase := map[string]any{"charge": p.Charge, "epsilon": p.Epsilon}
		if p.Delta > 0 {
			purchase["delta"] = p.Delta
		}
		out["purchase"] = purchase
	}
}

func plainTexts(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}
