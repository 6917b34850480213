package data

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// SchemaVersion is the newest version of the schema's JSON form that this
// library reads and writes. A schema is written in the oldest version that can
// say it, so that older readers can read it: version 1, unless the label has a
// type (2), or bounds were bought (3), or categories were (4), or it says why something
// is public (5), or missing values have a column of their own (6), or rows are scaled (7).
const SchemaVersion = 7

// ParseSchema reads a schema from JSON. It returns a *SchemaError, naming the
// field, for anything that is not exactly right: another version, a field
// that is unknown, missing, given twice or out of range, text after the end.
//
// The form:
//
//	version         1, or 2 if the label has a type, or 3 if bounds were bought, or 4 if
//	                categories were, or 5 if a reason is given, or 6 if a missing value has
//	                an indicator, or 7 if rows are scaled
//	features        list, in the order of the model's columns; each:
//	  name          the column's name in the file's header, spaces at its ends trimmed
//	  type          "numeric" or "categorical"
//	  provenance    "public": known without looking at the file.
//	                "suggested": read off the file; a release says that its
//	                guarantee does not cover it.
//	                "bought" (from version 3 on; categories from version 4 on): bounds or
//	                categories that a differentially private release of its own gave.
//	                No default.
//	  purchase      "bought" only:
//	    charge        name of the charge in the ledger of the data
//	    epsilon       ε of the whole charge, above 0
//	    delta         (from version 4 on) its δ; 0 if left out
//	  reason        (from version 5 on) "public" only: why it is, in a line of at most 300 bytes,
//	                for people to read; it may be left out, and nothing depends on it
//	  missing       what a missing value becomes; "error" if left out
//	    "error"       reading stops and names the row
//	    "drop"        the record is left out
//	    "indicator"   (version 6) one more column after the feature's, "NAME is missing", is 1
//	                  if the value is missing, else 0. A number then counts as the middle of
//	                  its bounds, on the scale of its column; of a category the others are 0.
//	    a number      (numeric) that value, in the file's units, min ≤ value ≤ max
//	    "zero"        (categorical) all of the feature's columns are 0
//	    {"category": c} (categorical) as if the file said c
//	  numeric only:
//	    min, max    public bounds, min < max; values outside are moved to the
//	                nearer one, then scaled to (x − min)/(max − min)
//	    log         true: scaled to log1p(x − min)/log1p(max − min) instead;
//	                false if left out
//	  categorical only:
//	    categories  list of distinct texts; one column each, none left out as reference
//	    unknown     what any other text becomes: "error" (if left out), "drop",
//	                "zero" or {"category": c}, as above
//	label           the column to predict:
//	  name          its name in the header; not that of a feature
//	  type          (version 2) "classes" or "numeric"; left out for two classes
//	  two classes only:
//	    negative    list of the spellings of the class −1
//	    positive    list of the spellings of the class +1; none is on both lists
//	  "classes" only:
//	    classes     list of 3 to 256 lists, each the spellings of one class, the
//	                first of which names it; none is on two lists
//	  "numeric" only:
//	    min, max    public bounds, min < max; values outside are moved to the nearer one
//	  missing       "error" (if left out) or "drop"
//	  provenance    as for features, with purchase and reason; "bought" for a numeric
//	                label only
//	rows
//	  norm          "clip": rows of features longer than 1 are scaled to length 1.
//	                "unit": all rows are; a row of zeros stays.
//	                "scale" (version 7): all are divided by the length of the longest row
//	                that is possible: the root of the number of features, a numeric one with
//	                an indicator counting 5/4.
//	intercept       κ, 0 to 1e6: value of a constant last column; 0 for none, 0.5 is usual
//	missing_values  list of the spellings of a missing value, spaces trimmed;
//	                ["", "?", "NA"] if left out. A text cannot be on it and be a
//	                category or a label too.
//	                Spellings times categorical features are 1,048,576 at most, also
//	                inside a release: each such feature has a table of them.
//
// The two rules that may be left out stand for "error", so a decision about
// missing or unknown values is in the schema whenever a file calls for one:
// until then reading such a file stops, and says so. [Schema.MarshalJSON]
// writes every field that applies, so that no reader has to know a default.
//
// Note that "error" makes the fact that a model was fitted at all depend on
// the records, and so does the refusal of files without a record, with labels
// of one class only, or too large. That is seen by the data holder only; whoever
// lets others see it (that there is a release shows that both classes occur)
// tells them something that no guarantee covers.
func ParseSchema(text []byte) (*Schema, error) {
	tree, err := parseTree(text)
	if err != nil {
		return nil, err
	}
	return SchemaFromTree("", tree)
}

// SchemaFromTree reads a schema from a plain tree (map[string]any, []any,
// string, float64, bool) of the same form as its JSON. path prefixes the field
// names in errors, and may be empty.
func SchemaFromTree(path string, tree any) (*Schema, error) {
	s, err := schemaFromTree(tree)
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

func schemaFromTree(tree any) (*Schema, *SchemaError) {
	f := readFields("", tree)
	if f.err != nil {
		return nil, f.err
	}
	// Before anything else: another version may have other fields.
	version, ok := asNumber(f.get("version"))
	if !ok || version != math.Trunc(version) || version < 1 || version > SchemaVersion {
		f.bad(
			"version",
			"1, 2, 3, 4, 5, 6 or "+strconv.Itoa(SchemaVersion)+
				", the versions of the schema format that this library reads",
		)
		return nil, f.err
	}
	s := &Schema{MissingValues: append([]string{}, DefaultMissingValues...)}
	for i, item := range f.list("features", "a list of features") {
		feature, err := featureFromTree("features["+strconv.Itoa(i)+"]", item, version)
		if err != nil {
			return nil, err
		}
		s.Features = append(s.Features, feature)
	}
	label, err := labelFromTree(f.get("label"), version)
	if err != nil {
		return nil, err
	}
	s.Label = label
	rows := readFields("rows", f.get("rows"))
	s.Rows.Norm = Norm(rows.text("norm", `"clip", "unit" or, from version 7 on, "scale"`))
	if s.Rows.Norm == Scale && version < 7 {
		rows.bad("norm", `"clip" or "unit" in a schema of this version`)
	}
	if err := rows.done(" for rows"); err != nil {
		return nil, err
	}
	s.Intercept = f.number("intercept", "a number from 0 (no intercept) to 1e6; 0.5 is usual")
	if f.has("missing_values") {
		s.MissingValues = f.texts("missing_values", "a list of spellings")
	}
	return s, f.done(" in a schema")
}

func featureFromTree(path string, tree any, version float64) (Feature, *SchemaError) {
	f := readFields(path, tree)
	out := Feature{
		Name:       f.text("name", "the name of a column"),
		Type:       Type(f.text("type", `"numeric" or "categorical"`)),
		Provenance: readProvenance(f),
	}
	out.Purchase = readPurchase(f, version, out.Provenance)
	out.Reason = readReason(f, version)
	switch out.Type {
	case Numeric:
		out.Min = f.number("min", "a number, the public lower bound")
		out.Max = f.number("max", "a number, the public upper bound")
		out.Log = f.truth("log")
		out.Missing = f.rule("missing", wantNumericRule)
		readIndicator(f, version, out.Missing)
		return out, f.done(" for a numeric feature")
	case Categorical:
		if out.Provenance == Bought && version < 4 {
			f.bad("provenance", `"public" or "suggested" in a schema of this version`)
		}
		out.Categories = f.texts("categories", "a list of categories")
		out.Missing = f.rule("missing", wantMissingRule)
		readIndicator(f, version, out.Missing)
		out.Unknown = f.rule("unknown", wantUnknownRule)
		return out, f.done(" for a categorical feature")
	}
	f.bad("type", `"numeric" or "categorical"`)
	return out, f.err
}

func labelFromTree(tree any, version float64) (Label, *SchemaError) {
	f := readFields("label", tree)
	out := Label{
		Name:       f.text("name", "the name of a column"),
		Missing:    f.rule("missing", `"error" or "drop"`),
		Provenance: readProvenance(f),
	}
	out.Purchase = readPurchase(f, version, out.Provenance)
	out.Reason = readReason(f, version)
	if version >= 2 && f.has("type") {
		out.Type = LabelType(f.text("type", wantLabelType))
		if out.Type == TwoClasses { // written by leaving it out, which is how others read it
			f.bad("type", wantLabelType)
		}
	}
	switch out.Type {
	case TwoClasses:
		out.Negative = f.texts("negative", "a list of spellings")
		out.Positive = f.texts("positive", "a list of spellings")
		return out, f.done(" for a label")
	case SeveralClasses:
		for k, item := range f.list("classes", "a list of classes, each a list of spellings") {
			spellings, ok := item.([]any)
			at := "classes[" + strconv.Itoa(k) + "]"
			if !ok {
				f.fail(&SchemaError{f.at(at), describe(item), "a list of spellings"})
				break
			}
			out.Classes = append(out.Classes, f.textsOf(at, spellings))
		}
		return out, f.done(" for a label of several classes")
	case NumericLabel:
		out.Min = f.number("min", "a number, the public lower bound")
		out.Max = f.number("max", "a number, the public upper bound")
		return out, f.done(" for a numeric label")
	}
	f.bad("type", wantLabelType)
	return out, f.err
}

const wantLabelType = `"classes" or "numeric", or left out for two classes`

func readProvenance(f *fields) Provenance {
	return Provenance(f.text("provenance", wantProvenance))
}

const wantProvenance = `"public" (known without looking at this file), "suggested" (read off this file) or, from version 3 on, "bought" (a private release of its own); it has no default`

// readPurchase reads what goes with bounds or categories that were bought.
func readPurchase(f *fields, version float64, provenance Provenance) Purchase {
	if provenance != Bought {
		return Purchase{}
	}
	if version < 3 {
		f.bad("provenance", `"public" or "suggested" in a schema of this version`)
		return Purchase{}
	}
	inner := readFields(f.at("purchase"), f.get("purchase"))
	out := Purchase{
		Charge:  inner.text("charge", "the name of a charge"),
		Epsilon: inner.number("epsilon", "a finite number above 0"),
	}
	if version >= 4 && inner.has("delta") {
		out.Delta = inner.number("delta", "above 0 and below 1, or left out")
	}
	if err := inner.done(" for a purchase"); err != nil {
		f.fail(err)
	}
	return out
}

// readReason reads why something is public, if that is said.
func readReason(f *fields, version float64) string {
	if version < 5 || !f.has("reason") {
		return ""
	}
	return f.text("reason", wantReason)
}

func (p Purchase) json() *purchaseJSON {
	if p == (Purchase{}) {
		return nil
	}
	return &purchaseJSON{p.Charge, p.Epsilon, p.Delta}
}

type purchaseJSON struct {
	Charge  string  `json:"charge"`
	Epsilon float64 `json:"epsilon"`
	Delta   float64 `json:"delta,omitempty"`
}

type schemaJSON struct {
	Version       int           `json:"version"`
	Features      []featureJSON `json:"features"`
	Label         labelJSON     `json:"label"`
	Rows          rowsJSON      `json:"rows"`
	Intercept     float64       `json:"intercept"`
	MissingValues []string      `json:"missing_values"`
}

type featureJSON struct {
	Name       string     `json:"name"`
	Type       Type       `json:"type"`
	Min        *float64   `json:"min,omitempty"`
	Max        *float64   `json:"max,omitempty"`
	Log        *bool      `json:"log,omitempty"`
	Categories []string   `json:"categories,omitempty"`
	Missing    any        `json:"missing"`
	Unknown    any        `json:"unknown,omitempty"`
	Provenance Provenance `json:"provenance"`

	Purchase *purchaseJSON `json:"purchase,omitempty"`
	Reason   string        `json:"reason,omitempty"`
}

type labelJSON struct {
	Name       string     `json:"name"`
	Type       LabelType  `json:"type,omitempty"`
	Negative   []string   `json:"negative,omitempty"`
	Positive   []string   `json:"positive,omitempty"`
	Classes    [][]string `json:"classes,omitempty"`
	Min        *float64   `json:"min,omitempty"`
	Max        *float64   `json:"max,omitempty"`
	Missing    any        `json:"missing"`
	Provenance Provenance `json:"provenance"`

	Purchase *purchaseJSON `json:"purchase,omitempty"`
	Reason   string        `json:"reason,omitempty"`
}

type rowsJSON struct {
	Norm Norm `json:"norm"`
}

// MarshalJSON writes the form that ParseSchema reads, with every default
// spelt out and the fields in a fixed order. An invalid schema is a
// *SchemaError.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	out := schemaJSON{
		Version: s.version(),
		Label: labelJSON{
			Name: s.Label.Name, Type: s.Label.Type,
			Negative: s.Label.Negative, Positive: s.Label.Positive, Classes: s.Label.Classes,
			Missing: s.Label.Missing.tree(), Provenance: s.Label.Provenance,
			Purchase: s.Label.Purchase.json(),
			Reason:   s.Label.Reason,
		},
		Rows:          rowsJSON{s.Rows.Norm},
		Intercept:     s.Intercept,
		MissingValues: s.missingValues(),
	}
	if s.Label.Type == NumericLabel {
		out.Label.Min, out.Label.Max = &s.Label.Min, &s.Label.Max
	}
	for i := range s.Features {
		f := &s.Features[i]
		entry := featureJSON{
			Name:       f.Name,
			Type:       f.Type,
			Missing:    f.Missing.tree(),
			Provenance: f.Provenance,
			Purchase:   f.Purchase.json(),
			Reason:     f.Reason,
		}
		if f.Type == Numeric {
			entry.Min, entry.Max, entry.Log = &f.Min, &f.Max, &f.Log
		} else {
			entry.Categories, entry.Unknown = f.Categories, f.Unknown.tree()
		}
		out.Features = append(out.Features, entry)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // "<=50K" stays legible
	if err := encoder.Encode(out); err != nil {
		return nil, err
	}
	return bytes.TrimRight(text.Bytes(), "\n"), nil
}

// version is the oldest version that can say the schema.
func (s *Schema) version() int {
	_, categories := s.BoughtColumns()
	newest := len(categories) > 0
	for _, p := range s.Purchases() {
		newest = newest || p.Delta > 0
	}
	switch {
	case s.Rows.Norm == Scale:
		return 7
	case s.hasIndicator():
		return 6
	case s.hasReason():
		return 5
	case newest:
		return 4
	case len(s.Purchases()) > 0:
		return 3
	case s.Label.Type != TwoClasses:
		return 2
	}
	return 1
}

// UnmarshalJSON is ParseSchema.
func (s *Schema) UnmarshalJSON(text []byte) error {
	parsed, err := ParseSchema(text)
	if err != nil {
		return err
	}
	*s = *parsed
	return nil
}
