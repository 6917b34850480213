package data

import (
	"strconv"
	"strings"
)

// CellSchemaVersion is the version of the form that [ParseCellSchema] reads.
const CellSchemaVersion = 1

// ParseCellSchema reads a card's schema from JSON. It returns a *SchemaError, naming the
// field, for anything that is not exactly right: another version, a field that is
// unknown, missing, given twice or out of range, text after the end.
//
// The form:
//
//	version         1
//	attributes      list, in the order of the card; each:
//	  name          the column's name in the file's header, spaces at its ends trimmed
//	  type          "numeric" or "categorical"
//	  provenance    "public" (known without looking at the file) or "suggested" (read
//	                off it: a release says that its guarantee does not cover it). No default.
//	  reason        "public" only: why it is, in a line of at most 300 bytes; may be left out
//	  missing       a record without a value: "error" (if left out) or "drop"
//	  numeric only:
//	    min, max    public bounds, min < max; a value outside is in the first or last level
//	    cuts        list of cut points between the bounds, growing. A level goes from
//	                one cut up to, and not with, the next
//	  categorical only:
//	    levels      list of at least two, each {"name": …, "values": [texts of the column]}
//	    unknown     any other text: "error" (if left out) or "drop"
//	label           as in a schema of features ([ParseSchema]), of two classes; the
//	                card says yes for the positive one
//	missing_values  list of the spellings of a missing value; ["", "?", "NA"] if left out. A
//	                text that is a level's value cannot be on it.
func ParseCellSchema(text []byte) (*CellSchema, error) {
	tree, err := parseTree(text)
	if err != nil {
		return nil, err
	}
	return CellSchemaFromTree("", tree)
}

// CellSchemaFromTree reads a card's schema from a plain tree of the same form as its JSON.
// path prefixes the field names in errors, and may be empty.
func CellSchemaFromTree(path string, tree any) (*CellSchema, error) {
	s, err := cellSchemaFromTree(tree)
	if err == nil {
		err = s.validate()
	}
	if err != nil {
		if path != "" {
			err.Field = path + "." + err.Field
		}
		return nil, err
	}
	return s, nil
}

func cellSchemaFromTree(tree any) (*CellSchema, *SchemaError) {
	f := readFields("", tree)
	if f.err != nil {
		return nil, f.err
	}
	if version, ok := asNumber(f.get("version")); !ok || version != CellSchemaVersion {
		f.bad("version", "1, the version of the form of a card's schema that this library reads")
		return nil, f.err
	}
	s := &CellSchema{MissingValues: append([]string{}, DefaultMissingValues...)}
	for g, item := range f.list("attributes", "a list of attributes") {
		attribute, err := attributeFromTree("attributes["+strconv.Itoa(g)+"]", item)
		if err != nil {
			return nil, err
		}
		s.Attributes = append(s.Attributes, attribute)
	}
	if f.err != nil {
		return nil, f.err
	}
	var err *SchemaError
	if s.Label, err = labelFromTree(f.get("label"), SchemaVersion); err != nil {
		return nil, err
	}
	if f.has("missing_values") {
		s.MissingValues = f.texts("missing_values", "a list of spellings")
	}
	return s, f.done(" in a card's schema")
}

func attributeFromTree(path string, tree any) (Attribute, *SchemaError) {
	f := readFields(path, tree)
	out := Attribute{
		Name:       f.text("name", "the name of a column"),
		Provenance: Provenance(f.text("provenance", wantCellProvenance)),
		Reason:     readReason(f, SchemaVersion),
		Missing:    f.rule("missing", `"error" or "drop"`),
	}
	switch Type(f.text("type", `"numeric" or "categorical"`)) {
	case Numeric:
		out.Min = f.number("min", "a number, the public lower bound")
		out.Max = f.number("max", "a number, the public upper bound")
		for i, item := range f.list("cuts", "a list of numbers") {
			cut, ok := asNumber(item)
			if !ok {
				at := f.at("cuts[" + strconv.Itoa(i) + "]")
				f.fail(&SchemaError{at, describe(item), "a number"})
			}
			out.Cuts = append(out.Cuts, cut)
		}
		return out, f.done(" for a numeric attribute")
	case Categorical:
		out.Levels = []Level{}
		for i, item := range f.list("levels", "a list of levels") {
			inner := readFields(f.at("levels["+strconv.Itoa(i)+"]"), item)
			out.Levels = append(out.Levels, Level{
				Name:   inner.text("name", "a public name for the level"),
				Values: inner.texts("values", "a list of texts of the column"),
			})
			if err := inner.done(" for a level"); err != nil {
				return out, err
			}
		}
		out.Unknown = f.rule("unknown", `"error" or "drop"`)
		return out, f.done(" for a categorical attribute")
	}
	f.bad("type", `"numeric" or "categorical"`)
	return out, f.err
}

const wantCellProvenance = `"public" (known without looking at this file) or "suggested" (read off this file); it has no default`

// Tree returns the schema as a plain tree, the form that CellSchemaFromTree reads, with
// every default spelt out. An invalid schema is a *SchemaError.
func (s *CellSchema) Tree() (map[string]any, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	attributes := make([]any, len(s.Attributes))
	for g := range s.Attributes {
		attributes[g] = s.Attributes[g].tree()
	}
	return map[string]any{
		"version":        float64(CellSchemaVersion),
		"attributes":     attributes,
		"label":          s.Label.tree(),
		"missing_values": plainTexts(s.columns().missingValues()),
	}, nil
}

func (a *Attribute) tree() map[string]any {
	out := map[string]any{
		"name":       a.Name,
		"type":       string(Numeric),
		"provenance": string(a.Provenance),
		"missing":    a.Missing.tree(),
	}
	if a.Reason != "" {
		out["reason"] = a.Reason
	}
	if a.Numeric() {
		cuts := make([]any, len(a.Cuts))
		for i, cut := range a.Cuts {
			cuts[i] = cut
		}
		out["min"], out["max"], out["cuts"] = a.Min, a.Max, cuts
		return out
	}
	levels := make([]any, len(a.Levels))
	for l, level := range a.Levels {
		levels[l] = map[string]any{"name": level.Name, "values": plainTexts(level.Values)}
	}
	out["type"], out["levels"], out["unknown"] = string(Categorical), levels, a.Unknown.tree()
	return out
}

// LevelsOf are the levels of a record, given by the names of the attributes, one of each;
// other names are not looked at. It returns an *Error for a missing attribute, and
// for anything that a CellCounter would refuse or leave out.
func (s *CellSchema) LevelsOf(record map[string]string) ([]int, error) {
	columns := s.columns()
	e := newEncoder(columns)
	e.start()
	levels := make([]int, len(s.Attributes))
	for g := range s.Attributes {
		a := &s.Attributes[g]
		text, given := record[a.Name]
		if !given {
			return nil, &Error{
				Kind:    NoColumn,
				Column:  a.Name,
				Problem: "the record has no value of this name",
				Want:    "Give one for every attribute of the card",
			}
		}
		text = strings.Trim(text, " \t")
		switch result := e.feature(g, []byte(text)); {
		case result.refused():
			return nil, columns.refusal(g, result, text)
		case result == missingDropped || result == unknownDropped:
			return nil, columns.dropped(&columns.Features[g], result, text)
		}
		if a.Numeric() {
			x, _ := parseNumber([]byte(text))
			levels[g] = a.level(x)
			continue
		}
		value := int(e.column[g] - e.features[g].first)
		for value >= len(a.Levels[levels[g]].Values) {
			value -= len(a.Levels[levels[g]].Values)
			levels[g]++
		}
	}
	return levels, nil
}
