package reading

import (
	"context"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/report"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// stays is a file of 400 made-up records with its schema: a number, a logarithmic
// one, a category, and rules of every kind.
func stays() (*data.Schema, string) {
	schema := &data.Schema{
		Features: []data.Feature{
			{Name: "age", Type: data.Numeric, Min: 18, Max: 98, Provenance: data.Public},
			{
				Name:       "dose",
				Type:       data.Numeric,
				Min:        0,
				Max:        2.5,
				Log:        true,
				Missing:    data.Rule{Action: data.UseValue, Value: 1},
				Provenance: data.Public,
			},
			{
				Name:       "ward",
				Type:       data.Categorical,
				Categories: []string{"A", "B", "C"},
				Missing:    data.Rule{Action: data.Drop},
				Provenance: data.Public,
			},
		},
		Label: data.Label{
			Name:       "back",
			Negative:   []string{"no"},
			Positive:   []string{"yes", "y"},
			Missing:    data.Rule{Action: data.Drop},
			Provenance: data.Public,
		},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: 0.5,
	}
	source := randomtest.New(7)
	draw := func(n uint64) uint64 { u, _ := source.Uint64(); return u % n }
	var csv strings.Builder
	csv.WriteString("age,dose,ward,back\n")
	for range 400 {
		age, dose, ward := 18+draw(81), draw(26), draw(3)
		label := "no"
		if age+10*ward+draw(40) > 80 {
			label = "yes"
		}
		csv.WriteString(
			strconv.FormatUint(age, 10) + "," + strconv.FormatFloat(float64(dose)/10, 'f', -1, 64) +
				"," + string(rune('A'+ward)) + "," + label + "\n",
		)
	}
	return schema, csv.String()
}

type publication struct {
	release *learn.Release
	free    *report.Report // data-independent, for one person
	paid    *report.Report // adaptive, for everybody
}

// published is a real fit with two of its reports.
var published = sync.OnceValues(func() (*publication, error) {
	schema, csv := stays()
	dataset, err := data.Read(strings.NewReader(csv), schema, data.ReadOptions{})
	if err != nil {
		return nil, err
	}
	problem := learn.Problem{Data: dataset, Loss: glm.Logistic{}}
	guarantee := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
	event, err := calibrate.Minima(amp.Request(schema, guarantee, objective.BoundAuto))
	if err != nil {
		return nil, err
	}
	var b []float64
	source := randomtest.New(8)
	model, _, err := amp.Fit(
		context.Background(), problem, event, source, nil,
		amp.Noise(func(noise []float64) { b = append(b, noise...) }),
	)
	if err != nil {
		return nil, err
	}
	out := &publication{}
	if out.release, err = learn.NewRelease(
		event, guarantee, objective.BoundAuto, model,
	); err != nil {
		return nil, err
	}
	m, err := report.MechanismOf(out.release)
	if err != nil {
		return nil, err
	}
	plan, err := report.Calibrate(m, guarantee, report.Shares{Gradient: 6, Hessian: 1, Least: 1})
	if err != nil {
		return nil, err
	}
	p, err := report.Release(m, plan, problem, b, source)
	if err != nil {
		return nil, err
	}
	if out.free, err = report.New(
		out.release, report.Published{}, 0.05, report.Scope{People: 1},
	); err != nil {
		return nil, err
	}
	out.paid, err = report.New(out.release, p, 0.01, report.Scope{Everybody: true})
	return out, err
})

type edge struct {
	*testing.T
	service *wiretest.Service
}

func newEdge(t *testing.T) edge { return edge{t, wiretest.Hold(NewDesk().Service())} }

func (e edge) ask(method string, params map[string]any) map[string]any {
	e.Helper()
	reply, failed := e.service.Answer(method, params, nil)
	if failed != nil {
		require.Fail(e, string(failed.Code), failed.Message)
	}
	return reply
}

func (e edge) refuses(method string, params map[string]any) *api.Error {
	e.Helper()
	_, failed := e.service.Answer(method, params, nil)
	require.NotNil(e, failed)
	return failed
}

// trees are the two documents as a page has them.
func trees(
	t *testing.T, release *learn.Release, r *report.Report,
) (map[string]any, map[string]any) {
	t.Helper()
	first, err := release.Tree()
	require.NoError(t, err)
	m, err := report.MechanismOf(release)
	require.NoError(t, err)
	second, err := r.Tree(m)
	require.NoError(t, err)
	return first, second
}

func (e edge) open(release *learn.Release, r *report.Report) map[string]any {
	e.Helper()
	first, second := trees(e.T, release, r)
	return e.ask("open", map[string]any{"release": first, "report": second})
}

var someone = map[string]any{"age": 71.0, "dose": "0.4", "ward": "B"}

// The answer is core/report's own, to the last bit, for both kinds of report, and
// for another probability and another scope than the one proposed.
func TestARowHasTheBoundOfTheReport(t *testing.T) {
	made, err := published()
	require.NoError(t, err)
	e := newEdge(t)
	for _, r := range []*report.Report{made.free, made.paid} {
		opened := e.open(made.release, r)
		assert.Equal(t, r.Kind(), opened["kind"])
		assert.Empty(t, opened["problems"])
		m, err := report.MechanismOf(made.release)
		require.NoError(t, err)
		for _, proposed := range []struct {
			fields map[string]any
			rho    float64
			scope  report.Scope
		}{
			{nil, r.Rho, r.Scope},
			{map[string]any{"rho": 1e-4}, 1e-4, r.Scope},
			{map[string]any{"people": 0.0}, r.Rho, report.Scope{Everybody: true}},
			{map[string]any{"rho": 0.2, "people": 50.0}, 0.2, report.Scope{People: 50}},
		} {
			reader, err := report.NewReader(m, r.Published, proposed.rho, proposed.scope)
			require.NoError(t, err)
			for _, who := range []struct{ age, dose, ward, label string }{
				{"71", "0.4", "B", "no"}, {"18", "0", "A", "yes"}, {"98", "2.5", "C", "y"}, {"140", "", "C", "no"},
			} {
				want, notes, err := reader.Record(
					made.release.Schema,
					map[string]string{"age": who.age, "dose": who.dose, "ward": who.ward},
					who.label,
				)
				require.NoError(t, err)
				question := map[string]any{
					"reader": opened["reader"],
					"row":    map[string]any{"age": who.age, "dose": who.dose, "ward": who.ward},
					"label":  who.label,
				}
				for name, value := range proposed.fields {
					question[name] = value
				}
				got := e.ask("row", question)
				assert.Equal(t, map[string]any{"low": want.In.Low, "high": want.In.High}, got["in"])
				assert.Equal(
					t, map[string]any{"low": want.Out.Low, "high": want.Out.High}, got["out"],
				)
				assert.Equal(
					t,
					[]any{want.Largest(), want.Leverage, want.Surprise, want.Output, want.Report},
					[]any{
						got["largest"],
						got["leverage"],
						got["surprise"],
						got["output"],
						got["report"],
					},
				)
				assert.Equal(t, proposed.rho, got["rho"])
				assert.Len(t, got["notes"], len(notes))
				assert.NotContains(t, got, "leftOut")
				assert.LessOrEqual(t, want.Largest(), want.Leverage+want.Surprise+want.Output+1e-15)
			}
		}
	}
}

// What was promised to everyone is the release's; a release that promises what is
// not so is read, and that is said.
func TestTheWorstCaseIsThatOfTheRelease(t *testing.T) {
	made, err := published()
	require.NoError(t, err)
	e := newEdge(t)
	opened := e.open(made.release, made.free)
	worst := opened["worst"].(map[string]any)
	assert.Equal(
		t, []any{1.0, 1e-5, "add-remove", true},
		[]any{worst["epsilon"], worst["delta"], worst["adjacency"], worst["covers"]},
	)
	assert.NotContains(t, opened, "cost")
	assert.Equal(t, []any{0.05, 1.0}, []any{opened["rho"], opened["people"]})

	paid := e.open(made.release, made.paid)
	cost := paid["cost"].(map[string]any)
	assert.InDelta(t, 1, cost["epsilon"], 1e-3) // calibrated to that
	assert.Greater(t, cost["total"], 1.3)       // two that cost 1 each
	assert.Less(t, cost["total"], 2.0)          // composition is better than adding up
	assert.Equal(t, 0.0, paid["people"])

	liar := *made.release
	liar.Guarantee.Epsilon = 0.1
	boast, err := report.New(&liar, report.Published{}, 0.05, report.Scope{People: 1})
	require.NoError(t, err)
	assert.NotEmpty(t, e.open(&liar, boast)["problems"])
}

// What a release holds besides its model, and cost somebody too, is in no bound: that is said.
func TestWhatNoBoundCountsIsSaid(t *testing.T) {
	for name, says := range map[string]string{
		"v1-amp":                   "",
		"v1-amp-bought-bounds":     "bounds of .* were bought .* at ε = ",
		"v1-amp-bought-categories": "categories of .* were bought .* at ε = ",
		"v2-amp-evaluated": "measured at ε = [0-9.]+ for the people in the records that it was " +
			"measured on.* does not say whether they are those that the model was fitted to",
	} {
		text, err := os.ReadFile("../testdata/files/releases/" + name + ".json")
		require.NoError(t, err)
		release, err := learn.ParseRelease(text)
		require.NoError(t, err)
		free, err := report.New(release, report.Published{}, 0.05, report.Scope{People: 1})
		require.NoError(t, err)
		besides := newEdge(t).open(release, free)["besides"].([]any)
		if says == "" {
			assert.Empty(t, besides, name)
			continue
		}
		require.Len(t, besides, 1, name)
		assert.Regexp(t, says, besides[0], name)
	}
}

// A release that is made to look like one of an earlier version does not say that names are
// published; whoever asks what it told of them is told all that its guarantee leaves out.
func TestWhatAReleaseLeavesUnsaidIsSaid(t *testing.T) {
	text, err := os.ReadFile("../testdata/files/releases/v1-amp-suggested.json")
	require.NoError(t, err)
	release, err := learn.ParseRelease(text)
	require.NoError(t, err)
	all := release.Schema.Caveats()
	require.Greater(t, len(all), 1)
	release.Choice, release.Guarantee.Caveats = learn.NotStated, all[:len(all)-1]
	free, err := report.New(release, report.Published{}, 0.05, report.Scope{People: 1})
	require.NoError(t, err)
	opened := newEdge(t).open(release, free)
	assert.Empty(t, opened["problems"])
	worst := opened["worst"].(map[string]any)
	assert.Equal(t, false, worst["covers"])
	assert.Equal(t, api.List(all), worst["caveats"])
}

// A record that reading a file leaves out is in no sum: the release did not depend
// on it.
func TestARecordThatIsLeftOutLosesNothing(t *testing.T) {
	made, err := published()
	require.NoError(t, err)
	e := newEdge(t)
	opened := e.open(made.release, made.free)
	for column, question := range map[string]map[string]any{
		"ward": {"row": map[string]any{"age": 30.0, "dose": 1.0, "ward": nil}, "label": "no"},
		"back": {"row": someone, "label": nil},
	} {
		question["reader"] = opened["reader"]
		got := e.ask("row", question)
		assert.Equal(t, column, got["leftOut"].(map[string]any)["column"])
		assert.Equal(t, []any{0.0, 0.0}, []any{got["largest"], got["report"]})
		assert.Empty(t, e.ask("moves", question)["moves"])
	}
}

// Values beyond a bound count as the bound, and that is said; what no file of the
// schema could hold is refused, in words for the person.
func TestRowsOutsideTheSchema(t *testing.T) {
	made, err := published()
	require.NoError(t, err)
	e := newEdge(t)
	id := e.open(made.release, made.free)["reader"]
	ask := func(age any, label any) map[string]any {
		return map[string]any{
			"reader": id,
			"row":    map[string]any{"age": age, "dose": 1.0, "ward": "A"},
			"label":  label,
		}
	}
	beyond, at := e.ask("row", ask(140.0, "no")), e.ask("row", ask(98.0, "no"))
	assert.Equal(t, at["largest"], beyond["largest"])
	assert.Equal(
		t,
		map[string]any{"feature": "age", "text": `"140" is above the upper bound and counts as 98`},
		beyond["notes"].([]any)[0],
	)
	assert.Empty(t, at["notes"])

	for _, refused := range []struct {
		question     map[string]any
		column, says string
	}{
		{ask("old", "no"), "age", "not a number"},
		{ask("", "no"), "age", "Fill it in"},
		{ask("1e999", "no"), "age", "too large"},
		{ask(30.0, "perhaps"), "back", "Choose one"},
		{map[string]any{"reader": id, "row": map[string]any{"age": 30.0, "dose": 1.0, "ward": "D"}, "label": "no"}, "ward", "Choose one"},
		{map[string]any{"reader": id, "row": map[string]any{"age": 30.0, "dose": 1.0}, "label": "no"}, "ward", "Fill it in"},
	} {
		failed := e.refuses("row", refused.question)
		assert.Equal(t, api.CodeData, failed.Code)
		assert.Equal(t, refused.column, failed.Column)
		assert.Contains(t, failed.Message, refused.says)
		assert.NotContains(t, failed.Message, "schema")
	}
	assert.Equal(t, "rho", e.refuses("row", with(ask(30.0, "no"), "rho", 0.9)).Field)
	assert.Equal(t, "people", e.refuses("row", with(ask(30.0, "no"), "people", -1.0)).Field)
	assert.Equal(t, api.CodeParameter, e.refuses("row", with(ask(30.0, "no"), "more", 1.0)).Code)
	assert.Equal(
		t, api.CodeParameter, e.refuses("row", with(ask(30.0, "no"), "row", "30,1,A")).Code,
	)
	e.ask("close", map[string]any{"reader": id})
	assert.Equal(t, api.CodeDatasetLost, e.refuses("row", ask(30.0, "no")).Code)
}

func with(tree map[string]any, name string, value any) map[string]any {
	out := make(map[string]any)
	for n, v := range tree {
		out[n] = v
	}
	out[name] = value
	return out
}

// Each end of what a column does is the bound of a record that can be asked for.
func TestMovesAreBoundsOfRecords(t *testing.T) {
	made, err := published()
	require.NoError(t, err)
	e := newEdge(t)
	id := e.open(made.release, made.paid)["reader"]
	question := map[string]any{"reader": id, "row": someone, "label": "no"}
	own := e.ask("row", question)["largest"].(float64)
	moves := e.ask("moves", question)["moves"].([]any)
	require.Len(t, moves, 4)
	for i, name := range []string{"age", "dose", "ward", "back"} {
		move := moves[i].(map[string]any)
		assert.Equal(t, name, move["name"])
		assert.Equal(t, i == 3, move["label"])
		assert.Equal(t, []float64{9, 9, 3, 2}[i], move["tried"])
		least, most := move["least"].(map[string]any), move["most"].(map[string]any)
		assert.LessOrEqual(t, least["bound"], own)
		assert.GreaterOrEqual(t, most["bound"], own)
		for _, end := range []map[string]any{least, most} {
			other := with(question, "row", with(someone, name, end["value"]))
			if i == 3 {
				other = with(question, "label", end["value"])
			}
			assert.Equal(t, end["bound"], e.ask("row", other)["largest"])
		}
	}
	assert.Equal(
		t, []string{"18", "28", "38", "48", "58", "68", "78", "88", "98"}, between(18, 98, false),
	)
	assert.Equal(
		t, []string{"0", "0.1695", "0.3678", "0.5997", "0.8708", "1.188", "1.559", "1.993", "2.5"},
		between(0, 2.5, true),
	)
}

// What does not fit together is refused in words that say which.
func TestDocumentsThatDoNotFit(t *testing.T) {
	made, err := published()
	require.NoError(t, err)
	e := newEdge(t)
	release, free := trees(t, made.release, made.free)
	open := func(release, report any) map[string]any {
		return map[string]any{"release": release, "report": report}
	}
	other := *made.release
	other.Model.Coefficients = append([]float64{}, other.Model.Coefficients...)
	other.Model.Coefficients[0] += other.Event.(privacy.ApproximateMinima).Grid
	another, _ := trees(t, &other, made.free)
	for _, c := range []struct {
		params map[string]any
		code   api.Code
		says   string
	}{
		{open(another, free), api.CodeReport, "belongs to another release"},
		{open(release, with(free, "version", float64(report.Version+1))), api.CodeReport, "newer version"},
		{open(with(release, "version", float64(learn.ReleaseVersion+1)), free), api.CodeRelease, "newer version"},
		{open(release, release), api.CodeReport, "no privacy report"},
		{open(free, free), api.CodeRelease, "no release"},
		{open(nil, free), api.CodeRelease, "no release"},
		{open(release, nil), api.CodeReport, "no privacy report"},
		{open(release, with(free, "rho", 0.9)), api.CodeReport, "rho"},
		{open(release, with(free, "surplus", 1.0)), api.CodeReport, "surplus"},
		{open(with(release, "guarantee", nil), free), api.CodeRelease, "guarantee"},
	} {
		failed := e.refuses("open", c.params)
		assert.Equal(t, c.code, failed.Code, failed.Message)
		assert.Contains(t, failed.Message, c.says)
	}
	replaced := made.release.Event.(privacy.ApproximateMinima)
	replaced.Objective.Adjacency = privacy.ReplaceOne
	for says, event := range map[string]privacy.Event{
		"one person in another's place": replaced,
		"not made by objective":         privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1},
	} {
		_, err = report.NewMechanism(event, glm.Logistic{}, made.release.Model.Coefficients)
		require.Error(t, err)
		assert.Contains(t, noReport(err).Error(), "there can be no privacy report: it ")
		assert.Contains(t, noReport(err).Error(), says)
	}
}
