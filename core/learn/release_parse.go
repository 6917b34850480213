package learn

import (
	"math"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/privacy"
)

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
		f.Bad("version", "1, 2, 3, 4, 5 or 6; a newer release needs a newer version of this page or library")
	}
	r := &Release{Library: f.Version("library")}
	schemaTree, eventTree := f.Any("schema"), f.Any("event")
	guarantee := privacy.NewFields("guarantee", f.Any("guarantee"))
	model := privacy.NewFields("model", f.Any("model"))
	var evaluation *privacy.Fields
	if version > 1 && f.Has("evaluation") {
		evaluation = privacy.NewFields("evaluation", f.Any("evaluation"))
	}
	if version == 3 || version > 3 && f.Has("choice") {
		var err error
		if r.Choice, err = ParseChoice(f.Text("choice")); err != nil {
			f.Fail(err)
		}
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
			return nil, &privacy.ParameterError{
				Field: "event.mechanism",
				Value: strconv.Quote(r.Event.Mechanism()),
				Want:  `"approximate-minima-perturbation" in version 1`,
			}
		}
		r.Model.Clip = minima.Objective.Lipschitz
	}
	if evaluation != nil {
		if r.Assessment, err = ReadAssessment(evaluation, r.Model); err != nil {
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
		Method:  account.Closed,
		Bound:   objective.Bound(f.TextOr("bound", "")),
		Theorem: f.Text("theorem"),
		Covers:  f.Bool("covers"),
	}
	if version > 1 {
		method, err := account.ParseMethod(f.Text("method"))
		if s.Method = method; err != nil || method == account.Auto {
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
	if _, err := objective.ParseBound(string(s.Bound)); err != nil ||
		s.Bound == objective.BoundAuto ||
		s.Bound == "" && (version == 1 || f.Has("bound")) {
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
			f.Fail(
				&privacy.ParameterError{
					Field: "schema.label.type",
					Value: strconv.Quote(string(schema.Label.Type)),
					Want:  "left out in a release of version 1",
				},
			)
		}
	} else {
		if f.Has("clip") {
			if m.Clip = f.Number("clip"); math.IsInf(m.Clip, 1) { // written by leaving it out
				f.Bad("clip", "a finite number above 0; left out where nothing is clipped")
			}
		}
		m.Lambda = f.NumberOr("lambda", 0)
		if version > 3 && f.Has("moments") {
			var err error
			moments := privacy.NewFields(f.Path("moments"), f.Any("moments"))
			if m.Moments, err = readMoments(moments, schema); err != nil {
				f.Fail(err)
			}
		}
		if version > 5 {
			var err error
			selected := privacy.NewFields(f.Path("selected"), f.Any("selected"))
			if m.Selected, err = readSelected(selected); err != nil {
				f.Fail(err)
			}
		}
		if version == 5 || version > 5 && f.Has("told") {
			var err error
			if m.Told, err = readTold(privacy.NewFields(f.Path("told"), f.Any("told"))); err != nil {
				f.Fail(err)
			}
		}
		switch name {
		case HuberLoss:
			width = f.Number("huber_width")
		case ShiftedLoss, HingeLoss:
			width = f.Number("shift")
		case WeightedLoss:
			width = f.Number("positive_weight")
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
		f.Fail(
			&privacy.ParameterError{
				Field: "model.classes",
				Value: "a list of " + strconv.Itoa(len(classes)),
				Want:  "a list of " + strconv.Itoa(len(want)) + ", the schema's classes",
			},
		)
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
			Field: f.Path(
				"coefficients",
			), Value: strconv.Itoa(len(theta)) + " numbers for " + strconv.Itoa(len(m.Columns)) + " columns",
			Want: strconv.Itoa(len(m.Columns)) + ", one a column",
		})
	}
	m.Coefficients = append(m.Coefficients, theta...)
	// Derived; compared as a whole afterwards.
	f.Number("intercept")
	f.List("original")
	f.Number("original_constant")
}

// ReadAssessment reads an assessment of the model from its tree. An error is a
// *privacy.ParameterError.
func ReadAssessment(f *privacy.Fields, m Model) (*Assessment, error) {
	a := &Assessment{
		Adjacency: f.Adjacency(),
		Epsilon:   f.Number("epsilon"),
		Event:     f.Event("event"),
		LossBound: f.NumberOr("loss_bound", 0),
		Sums:      f.Numbers("sums"),
	}
	for i, tree := range f.List("cells") {
		// Fields reads members of objects only.
		row := privacy.NewFields(
			"evaluation", map[string]any{"cells[" + strconv.Itoa(i) + "]": tree},
		)
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
			err := sameVector(
				"model.classes["+strconv.Itoa(k)+"].", class.(map[string]any),
				got["classes"].([]any)[k].(map[string]any),
			)
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
		if !privacy.SameTree(want[field], got[field]) {
			return &privacy.ParameterError{
				Field: path + field, Value: "not what the coefficients and the schema make it",
				Want: "computed from them; the file was changed, or made by something else",
			}
		}
	}
	return nil
}
