package learn

import (
	"encoding/json"
	"fmt"
	"strconv"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// Tree is the release as a plain tree: what MarshalJSON writes.
//
//	format, version     "cloister-release", 1
//	library             version of the library that made it
//	schema              the public schema (package data)
//	event               the mechanism and its parameters (package privacy)
//	guarantee           adjacency, epsilon, delta, bound, theorem, covers, caveats
//	model.loss          "logistic"
//	model.columns       names of the design matrix' columns, the intercept last
//	model.coefficients  θ, one a column
//	model.intercept     what the intercept's column adds to every margin
//	model.original      the coefficients in the units of the file; see Model.Originals
//	model.original_constant
//
// It is an error only if the schema is not valid.
func (r *Release) Tree() (map[string]any, error) {
	schema, err := r.Schema.Tree()
	if err != nil {
		return nil, err
	}
	originals, constant := r.Model.Originals()
	list := make([]any, len(originals))
	for i, o := range originals {
		entry := map[string]any{"feature": o.Feature, "coefficient": o.Coefficient, "unit": o.Unit}
		if o.Category != "" {
			entry["category"] = o.Category
		}
		if o.Unit != "1" && o.Unit != "category" {
			entry["offset"] = o.Offset
		}
		list[i] = entry
	}
	names := make([]any, len(r.Model.Columns))
	coefficients := make([]any, len(r.Model.Columns))
	for j, column := range r.Model.Columns {
		names[j] = column.Name
		coefficients[j] = r.Model.Coefficients[j]
	}
	caveats := make([]any, len(r.Guarantee.Caveats))
	for i, text := range r.Guarantee.Caveats {
		caveats[i] = text
	}
	return map[string]any{
		"format":  ReleaseFormat,
		"version": float64(ReleaseVersion),
		"library": r.Library,
		"schema":  schema,
		"event":   privacy.EncodeEvent(r.Event),
		"guarantee": map[string]any{
			"adjacency": r.Guarantee.Adjacency.String(),
			"epsilon":   r.Guarantee.Epsilon,
			"delta":     r.Guarantee.Delta,
			"bound":     string(r.Guarantee.Bound),
			"theorem":   r.Guarantee.Theorem,
			"covers":    r.Guarantee.Covers,
			"caveats":   caveats,
		},
		"model": map[string]any{
			"loss":              string(r.Model.Loss.Class()),
			"columns":           names,
			"coefficients":      coefficients,
			"intercept":         r.Model.Intercept(),
			"original":          list,
			"original_constant": constant,
		},
	}, nil
}

// MarshalJSON implements json.Marshaler.
func (r *Release) MarshalJSON() ([]byte, error) {
	tree, err := r.Tree()
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// ParseRelease reads a release from JSON text. It refuses fields that it does
// not know, other formats, newer versions, and derived fields that do not
// follow from the rest. Whether its guarantee holds is for Verify to say.
func ParseRelease(text []byte) (*Release, error) {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, fmt.Errorf("the release is not valid JSON, perhaps cut short: %w", err)
	}
	return ReleaseFromTree(tree)
}

// ReleaseFromTree is ParseRelease for a decoded document.
func ReleaseFromTree(tree any) (*Release, error) {
	f := privacy.NewFields("", tree)
	if format := f.Text("format"); format != ReleaseFormat {
		f.Bad("format", strconv.Quote(ReleaseFormat)+", as in every release of this library")
	}
	if version := f.Int("version"); version != ReleaseVersion {
		f.Bad("version", "1; a newer release needs a newer version of this page or library")
	}
	r := &Release{Library: f.Text("library")}
	schemaTree, eventTree := f.Any("schema"), f.Any("event")
	guarantee := privacy.NewFields("guarantee", f.Any("guarantee"))
	model := privacy.NewFields("model", f.Any("model"))
	if err := f.Done(); err != nil {
		return nil, err
	}
	var err error
	if r.Schema, err = data.SchemaFromTree("schema", schemaTree); err != nil {
		return nil, err
	}
	if r.Event, err = privacy.DecodeEvent("event", eventTree); err != nil {
		return nil, err
	}
	if r.Guarantee, err = readStatement(guarantee); err != nil {
		return nil, err
	}
	if r.Model, err = readModel(model, r.Schema); err != nil {
		return nil, err
	}
	if objective, _, ok := objectiveOf(r.Event); ok {
		r.Model.Clip = objective.Lipschitz
	}
	again, err := r.Tree()
	if err != nil {
		return nil, err
	}
	if err := sameDerived(again["model"].(map[string]any), tree.(map[string]any)["model"].(map[string]any)); err != nil {
		return nil, err
	}
	return r, nil
}

func readStatement(f *privacy.Fields) (Statement, error) {
	s := Statement{
		Guarantee: privacy.Guarantee{
			Adjacency: f.Adjacency(),
			Epsilon:   f.Number("epsilon"),
			Delta:     f.Number("delta"),
		},
		Bound:   account.Bound(f.Text("bound")),
		Theorem: f.Text("theorem"),
		Covers:  f.Bool("covers"),
	}
	for i, caveat := range f.List("caveats") {
		text, ok := caveat.(string)
		if !ok {
			f.Bad("caveats", "a list of texts, and entry "+strconv.Itoa(i)+" is none")
			break
		}
		s.Caveats = append(s.Caveats, text)
	}
	if err := f.Done(); err != nil {
		return s, err
	}
	if err := s.Guarantee.Validate(); err != nil {
		return s, privacy.Within("guarantee", err)
	}
	if _, err := account.ParseBound(string(s.Bound)); err != nil || s.Bound == "" || s.Bound == account.BoundAuto {
		f.Bad("bound", "the name of one bound")
		return s, f.Done()
	}
	return s, nil
}

func readModel(f *privacy.Fields, schema *data.Schema) (Model, error) {
	m := Model{
		Schema:       schema,
		Loss:         glm.Logistic{},
		Columns:      schema.Columns(),
		Coefficients: f.Numbers("coefficients"),
	}
	if f.Text("loss") != string(privacy.LossLogistic) {
		f.Bad("loss", `"logistic"`)
	}
	names := f.List("columns")
	if len(names) != len(m.Columns) || len(m.Coefficients) != len(m.Columns) {
		f.Fail(&privacy.ParameterError{
			Field: "model.coefficients", Value: strconv.Itoa(len(m.Coefficients)) + " numbers for " + strconv.Itoa(len(names)) + " columns",
			Want: strconv.Itoa(len(m.Columns)) + " of each, the columns of the schema",
		})
		return m, f.Done()
	}
	for j, column := range m.Columns {
		if names[j] != column.Name {
			f.Bad("columns", "the columns of the schema, in its order")
			break
		}
	}
	// Derived; compared as a whole afterwards.
	f.Number("intercept")
	f.List("original")
	f.Number("original_constant")
	return m, f.Done()
}

// sameDerived compares the derived fields of a model with what they must be.
func sameDerived(want, got map[string]any) error {
	for _, field := range []string{"intercept", "original", "original_constant"} {
		if !same(want[field], got[field]) {
			return &privacy.ParameterError{
				Field: "model." + field, Value: "not what the coefficients and the schema make it",
				Want: "computed from them; the file was changed, or made by something else",
			}
		}
	}
	return nil
}

// same compares plain trees.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, member := range a {
			other, ok := b[name]
			if !ok || !same(member, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	switch a.(type) {
	case string, float64, bool:
		return a == b
	}
	return a == nil && b == nil
}
