package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// published is a release by approximate minima of the clinic's model, with the
// noise that it was made with.
func publishedRelease(t testing.TB, seed uint64) (*learn.Release, learn.Problem, []float64) {
	t.Helper()
	problem := learntest.Clinic()
	schema := problem.Data.Schema
	guarantee := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
	event, err := calibrate.Minima(calibrate.MinimaRequest{
		Guarantee: guarantee, Loss: privacy.LossLogistic, RowNorm: schema.RowNorm(),
		Smoothness: 0.25, Dimension: schema.Dimension(),
	})
	require.NoError(t, err)
	source := randomtest.New(seed)
	o := event.Objective
	b := make([]float64, o.Dimension)
	require.NoError(t, random.Gaussian(source, b, o.Sigma))
	all := sample{y: problem.Data.Y}
	for i := range problem.Data.X.Rows() {
		x := make([]float64, o.Dimension)
		row := problem.Data.X.Row(i)
		for k, j := range row.Index {
			x[j] = row.Value[k]
		}
		all.x = append(all.x, x)
	}
	theta, err := learn.AddLatticeNoise(
		all.minimiser(t, glm.Logistic{}, o.Lipschitz, o.Lambda, b), event.SigmaOut, event.Grid,
		source,
	)
	require.NoError(t, err)
	release, err := learn.NewRelease(
		event, guarantee, objective.BoundAuto, learn.NewModel(problem, o.Lipschitz, theta),
	)
	require.NoError(t, err)
	return release, problem, b
}

func reportOf(t testing.TB, plan Plan) (*learn.Release, *Report, learn.Problem) {
	t.Helper()
	release, problem, b := publishedRelease(t, 3)
	m, err := MechanismOf(release)
	require.NoError(t, err)
	p, err := Release(m, plan, problem, b, randomtest.New(4))
	require.NoError(t, err)
	r, err := New(release, p, 0.01, Scope{People: 1})
	require.NoError(t, err)
	return release, r, problem
}

// What is written is read again, and bounds as before; a release that was written
// and read, however laid out, is the same one.
func TestJSONRoundTrip(t *testing.T) {
	for kind, plan := range map[string]Plan{
		"data-independent": {}, "data-dependent": {Gradient: 2, Hessian: 0.3},
		"adaptive":         {Gradient: 2, Hessian: 0.3, Least: 0.5},
		"data-dependent ":  {Gradient: 2, Hessian: 0.3, Scores: 0.4},
		"data-dependent  ": {Gradient: 2, Hessian: 0.3, Scores: 0.4, Rest: true},
	} {
		release, r, problem := reportOf(t, plan)
		assert.Equal(t, strings.TrimSpace(kind), r.Kind())
		text, err := r.Marshal(release)
		require.NoError(t, err)
		// The oldest version that can say it.
		oldest := "1"
		if plan.Rest {
			oldest = "3"
		} else if plan.Scores > 0 {
			oldest = "2"
		}
		assert.Contains(t, string(text), `"version":`+oldest)

		file, err := json.Marshal(release)
		require.NoError(t, err)
		var spread bytes.Buffer
		require.NoError(t, json.Indent(&spread, file, "", "  "))
		read, err := learn.ParseRelease(spread.Bytes())
		require.NoError(t, err)
		again, err := Parse(text, read)
		require.NoError(t, err)

		one, err := Open(release, r)
		require.NoError(t, err)
		two, err := Open(read, again)
		require.NoError(t, err)
		for i := range 5 {
			a, err := one.Row(problem.Data.X.Row(i), problem.Data.Y[i])
			require.NoError(t, err)
			b, err := two.Row(problem.Data.X.Row(i), problem.Data.Y[i])
			require.NoError(t, err)
			assert.Equal(t, a, b)
			assert.Positive(t, a.Largest())
			assert.Equal(t, kind == "data-independent", a.Report == 0)
			assert.Positive(t, a.Output)
		}
	}
}

// A release that was evaluated afterwards is the same one: the report stays its own.
func TestReportSurvivesEvaluation(t *testing.T) {
	release, r, _ := reportOf(t, Plan{})
	evaluated := *release
	evaluated.Assessment = &learn.Assessment{
		Adjacency: privacy.AddRemove,
		Epsilon:   1,
		Event:     privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 1},
		Cells:     [][]float64{{1}},
	}
	_, err := Open(&evaluated, r)
	require.NoError(t, err)
}

func TestParseRefuses(t *testing.T) {
	release, r, _ := reportOf(t, Plan{Gradient: 2, Hessian: 0.3, Least: 0.5})
	text, err := r.Marshal(release)
	require.NoError(t, err)
	for field, change := range map[string]func(map[string]any){
		"format":          func(tree map[string]any) { tree["format"] = "cloister-release" },
		"version":         func(tree map[string]any) { tree["version"] = 4.0 },
		"kind":            func(tree map[string]any) { tree["kind"] = "data-independent" },
		"rho":             func(tree map[string]any) { tree["rho"] = 0.0 },
		"people":          func(tree map[string]any) { tree["people"] = -1.0 },
		"extra":           func(tree map[string]any) { tree["extra"] = 1.0 },
		"gradient":        func(tree map[string]any) { tree["gradient"].(map[string]any)["values"] = []any{1.0} },
		"hessian":         func(tree map[string]any) { tree["hessian"].(map[string]any)["values"] = []any{1.0} },
		"hessian.sigma":   func(tree map[string]any) { tree["hessian"].(map[string]any)["sigma"] = "1" },
		"least.much":      func(tree map[string]any) { tree["least"].(map[string]any)["much"] = 1.0 },
		"event":           func(tree map[string]any) { tree["least"].(map[string]any)["sigma"] = 0.1 },
		"event.mechanism": func(tree map[string]any) { tree["event"].(map[string]any)["mechanism"] = "none" },
		"release":         func(tree map[string]any) { tree["release"] = strings.Repeat("0", 64) },
		"gradient.values": func(tree map[string]any) { tree["gradient"].(map[string]any)["values"] = "none" },
		"hessian.sigma ":  func(tree map[string]any) { tree["hessian"].(map[string]any)["sigma"] = nil },
		"gradient.sigma":  func(tree map[string]any) { delete(tree["gradient"].(map[string]any), "sigma") },
		"release ":        func(tree map[string]any) { tree["release"] = "" },
		"version ":        func(tree map[string]any) { tree["version"] = 0.0 },
		"least.value":     func(tree map[string]any) { delete(tree["least"].(map[string]any), "value") },
	} {
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		change(tree)
		changed, err := json.Marshal(tree)
		require.NoError(t, err)
		_, err = Parse(changed, release)
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p, field)
		assert.Equal(t, strings.TrimSpace(field), p.Field)
	}
	_, err = Parse([]byte("{"), release)
	assert.ErrorContains(t, err, "the report")

	// A part that was not released has no numbers, not even none.
	release, r, _ = reportOf(t, Plan{})
	text, err = r.Marshal(release)
	require.NoError(t, err)
	for _, part := range []string{"gradient", "hessian", "scores"} {
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		tree["version"], tree[part] = 2.0, map[string]any{"sigma": 0.0, "values": []any{}}
		_, err = FromTree(tree, release)
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p, part)
		assert.Equal(t, part, p.Field)
	}
	release, r, _ = reportOf(t, Plan{Gradient: 2, Hessian: 0.3, Least: 0.5})
	text, err = r.Marshal(release)
	require.NoError(t, err)

	other, _, _ := publishedRelease(t, 5)
	_, err = Parse(text, other)
	assert.ErrorContains(t, err, "belongs to another")
	_, err = Open(other, r)
	assert.ErrorContains(t, err, "belongs to another")
}

// What the stated event costs is no less than what the releases do.
func TestAReportStatesNoLessThanItCosts(t *testing.T) {
	release, r, _ := reportOf(t, Plan{Gradient: 2, Hessian: 0.3, Least: 0.5})
	text, err := r.Marshal(release)
	require.NoError(t, err)
	for k := range 3 {
		for field, sign := range map[string]float64{"sensitivity": 1, "sigma": -1} {
			for by, taken := range map[float64]bool{
				0: true, 0x1p-50: true, -0x1p-50: true, 5e-10: true, -1e-13: false, -5e-10: false,
			} {
				var tree map[string]any
				require.NoError(t, json.Unmarshal(text, &tree))
				part := tree["event"].(map[string]any)["parts"].([]any)[k].(map[string]any)
				event := part["event"].(map[string]any)
				event[field] = event[field].(float64) * (1 + sign*by)
				_, err := FromTree(tree, release)
				assert.Equal(t, taken, err == nil, "%d: %s by %g: %v", k, field, by, err)
			}
		}
	}
}

// A record that no data set of the schema has is refused, by name.
func TestRowsOutsideTheSchema(t *testing.T) {
	release, r, problem := reportOf(t, Plan{})
	reader, err := Open(release, r)
	require.NoError(t, err)
	row := problem.Data.X.Row(0)
	for _, c := range []struct {
		x     []float64
		y     float64
		field string
	}{{[]float64{5, 0, 0.5}, 1, "row"}, {[]float64{0.1, 0, 0, 0.5}, 1, "row"},
		{[]float64{0.1, 0, 0.5}, 0, "label"}} {
		_, err := reader.Row(rowOf(c.x), c.y)
		var e *RowError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, c.field, e.Field)
	}
	_, err = reader.Row(row, problem.Data.Y[0])
	require.NoError(t, err)
}

func TestMechanismRefuses(t *testing.T) {
	event := trials(t)[0].event(5).(privacy.ObjectivePerturbation)
	theta := make([]float64, 5)
	for field, change := range map[string]func(*privacy.ObjectivePerturbation) privacy.Event{
		"event": func(o *privacy.ObjectivePerturbation) privacy.Event {
			return privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1}
		},
		"event.adjacency": func(o *privacy.ObjectivePerturbation) privacy.Event {
			o.Adjacency = privacy.ReplaceOne
			return *o
		},
		"event.dimension": func(o *privacy.ObjectivePerturbation) privacy.Event { o.Dimension = 4; return *o },
		"event.loss": func(o *privacy.ObjectivePerturbation) privacy.Event {
			o.Loss, o.Smoothness = privacy.LossSigned, 0.2
			return *o
		},
		"sigma": func(o *privacy.ObjectivePerturbation) privacy.Event { o.Sigma = 0; return *o },
	} {
		o := event
		_, err := NewMechanism(change(&o), glm.Logistic{}, theta)
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p, field)
		assert.Equal(t, field, p.Field)
	}
	_, err := NewMechanism(nil, glm.Logistic{}, theta)
	assert.ErrorContains(t, err, "missing")
}

// Of each event it is decided whether there are reports: a new one has to be put here. The
// softmax has none: its loss is of K scores, where a report's is of one.
func TestEveryEventHasReportsOrHasNone(t *testing.T) {
	for _, event := range privacytest.Events() {
		_, err := NewMechanism(event, glm.Logistic{}, make([]float64, 3))
		objective, _ := event.(privacy.ObjectivePerturbation)
		if e, ok := event.(privacy.ApproximateMinima); ok {
			objective = e.Objective
		}
		switch event.(type) {
		case privacy.ObjectivePerturbation, privacy.ApproximateMinima:
			if objective.Loss == privacy.LossSoftmax {
				assert.ErrorContains(t, err, "the class of the model's loss", event.Mechanism())
				continue
			}
			assert.NoError(t, err, event.Mechanism())
		default:
			assert.ErrorContains(t, err, "of other mechanisms there is no report", event.Mechanism())
		}
	}
}

func TestRecordInWords(t *testing.T) {
	release, r, _ := reportOf(t, Plan{})
	reader, err := Open(release, r)
	require.NoError(t, err)
	fields := map[string]string{"x1": "0.3", "x2": "0.2"}
	b, notes, err := reader.Record(release.Schema, fields, "yes")
	require.NoError(t, err)
	assert.Empty(t, notes)
	same, err := reader.Row(rowOf([]float64{0.3, 0.2, 0.5}), 1)
	require.NoError(t, err)
	assert.Equal(t, same, b)

	fields["x1"] = "7"
	_, notes, err = reader.Record(release.Schema, fields, "no")
	require.NoError(t, err)
	require.Len(t, notes, 1)
	assert.Contains(t, notes[0].Text, "above the upper bound")
	for _, c := range []struct {
		fields map[string]string
		label  string
		says   string
	}{{map[string]string{"x1": "1"}, "yes", "x2"}, {fields, "perhaps", "perhaps"},
		{map[string]string{"x1": "a", "x2": "1"}, "yes", "x1"}} {
		_, _, err := reader.Record(release.Schema, c.fields, c.label)
		assert.ErrorContains(t, err, c.says)
	}
}
