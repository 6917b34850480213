package learn

import (
	"encoding/json"
	"math"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/sharpest"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// Tree is the release as a plain tree: what MarshalJSON writes.
//
//	format, version     "cloister-release", 2 (or 1: see below)
//	library             version of the library that made it
//	schema              the public schema (package data)
//	event               the mechanism and its parameters (package privacy)
//	guarantee           adjacency, epsilon, delta, method, bound, theorem, covers, caveats
//	  method            how the event is priced: "closed", "pld" or "rdp" (package sharpest)
//	  bound             of objective perturbation; left out where there is none
//	model
//	  loss              "logistic", "huber" or "squared"
//	  huber_width       the Huber loss's half-width; for "huber" only
//	  clip              norm to which each record's gradient was clipped; left out for none
//	  lambda            λ of the regulariser where the event does not have it; else left out
//	  columns           names of the design matrix' columns, the intercept last
//	  coefficients      θ, one a column
//	  intercept         what the intercept's column adds to every margin
//	  original          the coefficients in the units of the file; see Model.Originals
//	  original_constant
//	  classes           in place of the last four, for a label of several classes: a list, in the
//	                    order of the schema's, of objects with those four and the name, "class"
//	evaluation          left out for none; see Assessment
//	  adjacency, epsilon, event, loss_bound, cells, sums
//
// A numeric label's margin m stands for the value Min + (m + 1)/2·(Max − Min),
// moved to the nearer bound.
//
// A release is written in the oldest version that can say it, so that older
// readers can read it. Version 1 has logistic models of two classes by
// approximate minima, priced in closed form: no method, no clip (it is the
// event's lipschitz), no evaluation.
//
// It is an error only if the schema is not valid.
func (r *Release) Tree() (map[string]any, error) {
	schema, err := r.Schema.Tree()
	if err != nil {
		return nil, err
	}
	caveats := make([]any, len(r.Guarantee.Caveats))
	for i, text := range r.Guarantee.Caveats {
		caveats[i] = text
	}
	guarantee := map[string]any{
		"adjacency": r.Guarantee.Adjacency.String(),
		"epsilon":   r.Guarantee.Epsilon,
		"delta":     r.Guarantee.Delta,
		"theorem":   r.Guarantee.Theorem,
		"covers":    r.Guarantee.Covers,
		"caveats":   caveats,
	}
	if r.Guarantee.Bound != "" {
		guarantee["bound"] = string(r.Guarantee.Bound)
	}
	version := r.version()
	model := r.Model.tree()
	if version == 1 {
		delete(model, "clip")
	} else {
		guarantee["method"] = string(r.Guarantee.Method)
	}
	tree := map[string]any{
		"format":    ReleaseFormat,
		"version":   float64(version),
		"library":   r.Library,
		"schema":    schema,
		"event":     privacy.EncodeEvent(r.Event),
		"guarantee": guarantee,
		"model":     model,
	}
	if r.Assessment != nil {
		tree["evaluation"] = r.Assessment.tree()
	}
	return tree, nil
}

// version is the oldest version that can say the release.
func (r *Release) version() int {
	minima, ok := r.Event.(privacy.ApproximateMinima)
	if ok && r.Schema.Label.Type == data.TwoClasses && lossName(r.Model.Loss) == LogisticLoss &&
		r.Model.Clip == minima.Objective.Lipschitz && r.Model.Lambda == 0 &&
		r.Guarantee.Method == sharpest.Closed && r.Assessment == nil {
		return 1
	}
	return ReleaseVersion
}

func (m Model) tree() map[string]any {
	names := make([]any, len(m.Columns))
	for j, column := range m.Columns {
		names[j] = column.Name
	}
	tree := map[string]any{"loss": lossName(m.Loss), "columns": names}
	if huber, ok := m.Loss.(glm.Huber); ok {
		tree["huber_width"] = huber.Width()
	}
	if !math.IsInf(m.Clip, 1) {
		tree["clip"] = m.Clip
	}
	if m.Lambda != 0 {
		tree["lambda"] = m.Lambda
	}
	if m.Schema.Label.Type != data.SeveralClasses {
		m.vectorTree(tree, 0)
		return tree
	}
	classes := make([]any, m.Vectors())
	for k, name := range m.Schema.Label.ClassNames() {
		class := map[string]any{"class": name}
		m.vectorTree(class, k)
		classes[k] = class
	}
	tree["classes"] = classes
	return tree
}

// vectorTree writes what is said of vector k.
func (m Model) vectorTree(tree map[string]any, k int) {
	originals, constant := m.Originals(k)
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
	tree["coefficients"] = plainNumbers(m.Vector(k))
	tree["intercept"] = m.Intercept(k)
	tree["original"] = list
	tree["original_constant"] = constant
}

func plainNumbers(x []float64) []any {
	out := make([]any, len(x))
	for i, v := range x {
		out[i] = v
	}
	return out
}

func (a *Assessment) tree() map[string]any {
	cells := make([]any, len(a.Cells))
	for i, row := range a.Cells {
		cells[i] = plainNumbers(row)
	}
	tree := map[string]any{
		"adjacency": a.Adjacency.String(),
		"epsilon":   a.Epsilon,
		"event":     privacy.EncodeEvent(a.Event),
		"cells":     cells,
		"sums":      plainNumbers(a.Sums),
	}
	if a.LossBound != 0 {
		tree["loss_bound"] = a.LossBound
	}
	return tree
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
// not know or that are given twice, other formats, newer versions, and derived
// fields that do not follow from the rest. Whether its guarantee holds is for
// Verify to say.
func ParseRelease(text []byte) (*Release, error) {
	tree, err := data.ParseJSON("the release", text)
	if err != nil {
		return nil, err
	}
	return ReleaseFromTree(tree)
}

// ReleaseFromTree is ParseRelease for a decoded document.
func ReleaseFromTree(tree any) (*Release, error) {
	f := privacy.NewFields("", tree)
	if format := f.Text("format"); format != ReleaseFormat {
		f.Bad("format", strconv.Quote(ReleaseFormat)+", as in every release of this library")
	}
	version := f.Int("version")
	if version < 1 || version > ReleaseVersion {
		f.Bad("version", "1 or 2; a newer release needs a newer version of this page or library")
	}
	r := &Release{Library: f.Text("library")}
	schemaTree, eventTree := f.Any("schema"), f.Any("event")
	guarantee := privacy.NewFields("guarantee", f.Any("guarantee"))
	model := privacy.NewFields("model", f.Any("model"))
	var evaluation *privacy.Fields
	if version > 1 && f.Has("evaluation") {
		evaluation = privacy.NewFields("evaluation", f.Any("evaluation"))
	}
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
	if r.Guarantee, err = readStatement(guarantee, version); err != nil {
		return nil, err
	}
	if r.Model, err = readModel(model, r.Schema, version); err != nil {
		return nil, err
	}
	if version == 1 {
		minima, ok := r.Event.(privacy.ApproximateMinima)
		if !ok {
			return nil, &privacy.ParameterError{Field: "event.mechanism", Value: strconv.Quote(r.Event.Mechanism()), Want: `"approximate-minima-perturbation" in version 1`}
		}
		r.Model.Clip = minima.Objective.Lipschitz
	}
	if evaluation != nil {
		if r.Assessment, err = readAssessment(evaluation, r.Model); err != nil {
			return nil, err
		}
	}
	if err := sameDerived(r.Model.tree(), tree.(map[string]any)["model"].(map[string]any)); err != nil {
		return nil, err
	}
	return r, nil
}

func readStatement(f *privacy.Fields, version int) (Statement, error) {
	s := Statement{
		Guarantee: privacy.Guarantee{
			Adjacency: f.Adjacency(),
			Epsilon:   f.Number("epsilon"),
			Delta:     f.Number("delta"),
		},
		Method:  sharpest.Closed,
		Bound:   account.Bound(f.TextOr("bound", "")),
		Theorem: f.Text("theorem"),
		Covers:  f.Bool("covers"),
	}
	if version > 1 {
		method, err := sharpest.ParseMethod(f.Text("method"))
		if s.Method = method; err != nil || method == sharpest.Auto {
			f.Bad("method", `"closed", "pld" or "rdp"`)
		}
	}
	for i, caveat := range f.List("caveats") {
		text, ok := caveat.(string)
		if !ok {
			f.Bad("caveats", "a list of texts, and entry "+strconv.Itoa(i)+" is none")
			break
		}
		s.Caveats = append(s.Caveats, text)
	}
	if _, err := account.ParseBound(string(s.Bound)); err != nil || s.Bound == account.BoundAuto || s.Bound == "" && (version == 1 || f.Has("bound")) {
		f.Bad("bound", "the name of one bound")
	}
	if err := f.Done(); err != nil {
		return s, err
	}
	if err := s.Guarantee.Validate(); err != nil {
		return s, privacy.Within("guarantee", err)
	}
	return s, nil
}

func readModel(f *privacy.Fields, schema *data.Schema, version int) (Model, error) {
	m := Model{Schema: schema, Clip: math.Inf(1), Columns: schema.Columns()}
	name, width := f.Text("loss"), 0.0
	if version == 1 {
		if name != LogisticLoss {
			f.Bad("loss", `"logistic" in version 1`)
		}
		if schema.Label.Type != data.TwoClasses {
			f.Fail(&privacy.ParameterError{Field: "schema.label.type", Value: strconv.Quote(string(schema.Label.Type)), Want: "left out in a release of version 1"})
		}
	} else {
		m.Clip = f.NumberOr("clip", m.Clip)
		m.Lambda = f.NumberOr("lambda", 0)
		if name == HuberLoss {
			width = f.Number("huber_width")
		}
	}
	names := f.List("columns")
	if len(names) != len(m.Columns) {
		f.Bad("columns", "the columns of the schema, in its order")
	} else {
		for j, column := range m.Columns {
			if names[j] != column.Name {
				f.Bad("columns", "the columns of the schema, in its order")
				break
			}
		}
	}
	if schema.Label.Type == data.SeveralClasses {
		m.readClasses(f)
	} else {
		m.readVector(f)
	}
	if err := f.Done(); err != nil {
		return m, err
	}
	loss, err := ParseLoss(name, width)
	if err == nil {
		m.Loss = loss
		err = m.check()
	}
	return m, privacy.Within("model", err)
}

func (m *Model) readClasses(f *privacy.Fields) {
	want := m.Schema.Label.ClassNames()
	classes := f.List("classes")
	if len(classes) != len(want) {
		f.Fail(&privacy.ParameterError{Field: "model.classes", Value: "a list of " + strconv.Itoa(len(classes)), Want: "a list of " + strconv.Itoa(len(want)) + ", the schema's classes"})
		return
	}
	for k, tree := range classes {
		class := privacy.NewFields("model.classes["+strconv.Itoa(k)+"]", tree)
		if class.Text("class") != want[k] {
			class.Bad("class", strconv.Quote(want[k])+", as the schema has it")
		}
		m.readVector(class)
		if err := class.Done(); err != nil {
			f.Fail(err)
			return
		}
	}
}

// readVector appends one vector θ.
func (m *Model) readVector(f *privacy.Fields) {
	theta := f.Numbers("coefficients")
	if len(theta) != len(m.Columns) {
		f.Fail(&privacy.ParameterError{
			Field: f.Path("coefficients"), Value: strconv.Itoa(len(theta)) + " numbers for " + strconv.Itoa(len(m.Columns)) + " columns",
			Want: strconv.Itoa(len(m.Columns)) + ", one a column",
		})
	}
	m.Coefficients = append(m.Coefficients, theta...)
	// Derived; compared as a whole afterwards.
	f.Number("intercept")
	f.List("original")
	f.Number("original_constant")
}

func readAssessment(f *privacy.Fields, m Model) (*Assessment, error) {
	a := &Assessment{
		Adjacency: f.Adjacency(),
		Epsilon:   f.Number("epsilon"),
		Event:     f.Event("event"),
		LossBound: f.NumberOr("loss_bound", 0),
		Sums:      f.Numbers("sums"),
	}
	for i, tree := range f.List("cells") {
		// Fields reads members of objects only.
		row := privacy.NewFields("evaluation", map[string]any{"cells[" + strconv.Itoa(i) + "]": tree})
		a.Cells = append(a.Cells, row.Numbers("cells["+strconv.Itoa(i)+"]"))
		if err := row.Done(); err != nil {
			f.Fail(err)
		}
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	return a, privacy.Within("evaluation", a.check(m))
}

// sameDerived compares the derived fields of a model with what they must be.
func sameDerived(want, got map[string]any) error {
	if classes, several := want["classes"].([]any); several {
		for k, class := range classes {
			err := sameVector("model.classes["+strconv.Itoa(k)+"].", class.(map[string]any), got["classes"].([]any)[k].(map[string]any))
			if err != nil {
				return err
			}
		}
		return nil
	}
	return sameVector("model.", want, got)
}

func sameVector(path string, want, got map[string]any) error {
	for _, field := range []string{"intercept", "original", "original_constant"} {
		if !same(want[field], got[field]) {
			return &privacy.ParameterError{
				Field: path + field, Value: "not what the coefficients and the schema make it",
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
