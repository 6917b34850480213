package learn_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

const schemaText = `{"version": 1,
 "features": [
  {"name": "age", "type": "numeric", "min": 20, "max": 70, "missing": "error", "provenance": "public"},
  {"name": "dose", "type": "numeric", "min": 0, "max": 100, "log": true, "missing": "error", "provenance": "PROVENANCE"},
  {"name": "ward", "type": "categorical", "categories": ["A", "B"], "missing": "error", "unknown": "zero", "provenance": "public"}],
 "label": {"name": "ill", "negative": ["no"], "positive": ["yes"], "missing": "error", "provenance": "public"},
 "rows": {"norm": "clip"}, "intercept": 1}`

func schema(t testing.TB, provenance string) *data.Schema {
	t.Helper()
	s, err := data.ParseSchema([]byte(strings.Replace(schemaText, "PROVENANCE", provenance, 1)))
	require.NoError(t, err)
	return s
}

var guarantee = privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}

func release(t *testing.T, provenance string) *learn.Release {
	t.Helper()
	s := schema(t, provenance)
	event, err := calibrate.Minima(calibrate.MinimaRequest{
		Guarantee: guarantee, Loss: privacy.LossLogistic,
		RowNorm: s.RowNorm(), Lipschitz: s.RowNorm(), Smoothness: 0.25, Dimension: s.Dimension(),
	})
	require.NoError(t, err)
	problem := learn.Problem{Data: &data.Dataset{Schema: s}, Loss: glm.Logistic{}}
	theta := make([]float64, s.Dimension())
	for j := range theta {
		theta[j] = event.Grid * math.Round((float64(j)-1.7)/event.Grid)
	}
	r, err := learn.NewRelease(
		event, guarantee, objective.BoundAuto,
		learn.NewModel(problem, event.Objective.Lipschitz, theta),
	)
	require.NoError(t, err)
	return r
}

func TestReleaseSurvivesJSON(t *testing.T) {
	want := release(t, "public")
	text, err := json.MarshalIndent(want, "", " ")
	require.NoError(t, err)
	got, err := learn.ParseRelease(text)
	require.NoError(t, err)
	assert.Equal(t, want.Event, got.Event)
	assert.Equal(t, want.Model, got.Model)
	assert.Equal(t, want.Guarantee.Guarantee, got.Guarantee.Guarantee)
	assert.Equal(
		t, objective.BoundControl, got.Guarantee.Bound,
		"auto is resolved: a reader sees which theorem was used",
	)
	_, failed := got.Verify().Failed()
	assert.False(t, failed)
}

// A release has these fields and no others: nothing that theory §7 calls
// private can slip in unnoticed.
func TestReleaseHoldsNothingElse(t *testing.T) {
	tree, err := release(t, "public").Tree()
	require.NoError(t, err)
	keys := func(m any) []string {
		var list []string
		for k := range m.(map[string]any) {
			list = append(list, k)
		}
		return list
	}
	assert.ElementsMatch(
		t, []string{"format", "version", "library", "schema", "event", "guarantee", "model"},
		keys(tree),
	)
	assert.ElementsMatch(
		t, []string{"adjacency", "epsilon", "delta", "bound", "theorem", "covers", "caveats"},
		keys(tree["guarantee"]),
	)
	assert.ElementsMatch(
		t,
		[]string{"loss", "columns", "coefficients", "intercept", "original", "original_constant"},
		keys(tree["model"]),
	)
	assert.ElementsMatch(
		t,
		[]string{
			"mechanism",
			"adjacency",
			"loss",
			"row_norm",
			"lipschitz",
			"smoothness",
			"lambda",
			"sigma",
			"dimension",
			"tau",
			"sigma_out",
			"grid",
		},
		keys(tree["event"]),
	)
}

func TestUnconfirmedSchemaShowsInTheGuarantee(t *testing.T) {
	r := release(t, "suggested")
	assert.False(t, r.Guarantee.Covers)
	require.NotEmpty(t, r.Guarantee.Caveats)
	assert.Contains(t, strings.Join(r.Guarantee.Caveats, " "), "dose")
	assert.True(t, release(t, "public").Guarantee.Covers)

	// It says that names are published. One of before does not, and is as honest; one
	// that leaves out a caveat is not.
	covered := func() bool {
		for _, finding := range r.Verify() {
			if finding.Claim == "coverage" {
				return finding.True
			}
		}
		return false
	}
	// Who checks it is told all the same: a file of today can be made to look like one of before.
	unsaid := func() string {
		for _, finding := range r.Verify() {
			if finding.Claim == "unsaid" {
				_, text, _ := strings.Cut(finding.Text, ": ")
				return text
			}
		}
		return ""
	}
	assert.Empty(t, unsaid())
	last := len(r.Guarantee.Caveats) - 1
	assert.Contains(t, r.Guarantee.Caveats[last], "The names of the columns are published too")
	assert.True(t, covered())
	all := r.Guarantee.Caveats
	earlier := r.Schema.EarlierCaveats()
	r.Guarantee.Caveats = earlier[:len(earlier)-1]
	assert.True(t, covered())
	assert.Equal(t, all[1]+" "+all[last], unsaid())
	r.Guarantee.Caveats = nil
	assert.False(t, covered())

	// Nor did one of before say that the logarithmic scale was read off the file.
	assert.Contains(t, all[1], `The logarithmic scales of "dose" were read off`)
	r.Guarantee.Caveats = earlier
	assert.True(t, covered())
	r.Guarantee.Caveats = all[:last]
	assert.False(t, covered(), "who says so is of now, and says that names are published")
	r.Guarantee.Caveats = all[:1]
	require.NoError(t, r.State(learn.AllPublished))
	assert.Equal(t, earlier, r.Guarantee.Caveats, "names are said all the same")
	assert.True(t, covered())
	r.Guarantee.Caveats = all[1:]
	assert.False(t, covered())
}

// A release whose bounds were bought says so, and by which charge, and what both
// cost together.
func TestBoughtBoundsShowInTheFindings(t *testing.T) {
	said := func(r *learn.Release) string {
		for _, finding := range r.Verify() {
			if finding.Claim == "bounds" {
				assert.True(t, finding.True)
				return finding.Text
			}
		}
		return ""
	}
	r := release(t, "public")
	assert.Empty(t, said(r))
	r.Schema.Features[1].Provenance, r.Schema.Features[1].Purchase = data.Bought, data.Purchase{
		Charge:  "7f3a",
		Epsilon: 0.25,
	}
	_, failed := r.Verify().Failed()
	require.False(t, failed, "bought bounds are covered")
	assert.Contains(t, said(r), `"dose"`)
	assert.Contains(t, said(r), `charge "7f3a" at ε = 0.25`)
	assert.Contains(t, said(r), "ε = 1.25")
	assert.Contains(t, said(r), "Not checked", "a file cannot show what they cost")
	r.Schema.Features[1].Purchase.Epsilon = 0.2500001
	assert.Contains(t, said(r), "ε = 1.25001", "never less than it is")
	r.Schema.Features[1].Purchase.Epsilon = 0x1p-60
	assert.Contains(t, said(r), "ε = 1.00001", "nor by what a sum rounds off")
	r.Schema.Features[1].Purchase.Epsilon = 0.25
	text, err := json.Marshal(r)
	require.NoError(t, err)
	again, err := learn.ParseRelease(text)
	require.NoError(t, err)
	assert.Equal(t, said(r), said(again))
	assert.True(t, again.Guarantee.Covers)
}

func textOf(r *learn.Release, claim string) string {
	f, _ := finding(r, claim)
	return f.Text
}

// Every claim that was changed by hand is found, and named.
func TestVerifyFindsWhatWasChanged(t *testing.T) {
	for claim, spoil := range map[string]func(*learn.Release){
		"guarantee": func(r *learn.Release) { r.Guarantee.Epsilon /= 2 },
		"adjacency": func(r *learn.Release) { r.Guarantee.Adjacency = privacy.ReplaceOne },
		"theorem":   func(r *learn.Release) { r.Guarantee.Theorem = "trust me" },
		"row_norm":  func(r *learn.Release) { r.Schema.Intercept = 2 },
		"model":     func(r *learn.Release) { r.Model.Coefficients = r.Model.Coefficients[1:] },
		"grid":      func(r *learn.Release) { r.Model.Coefficients[0] += 1e-13 },
		"coverage":  func(r *learn.Release) { r.Schema.Features[0].Provenance = data.Suggested },
		"event": func(r *learn.Release) {
			e := r.Event.(privacy.ApproximateMinima)
			e.Objective.Sigma = -1
			r.Event = e
		},
	} {
		r := release(t, "public")
		spoil(r)
		finding, failed := r.Verify().Failed()
		require.True(t, failed, claim)
		assert.Equal(t, claim, finding.Claim)
		assert.NotEmpty(t, finding.Text)
	}
	// A true price of something else.
	for name, event := range map[string]privacy.Event{
		"another mechanism": privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1e-9, Sigma: 1},
		"nothing":           privacy.Composition{Adjacency: privacy.AddRemove},
		"real arithmetic":   release(t, "public").Event.(privacy.ApproximateMinima).Objective,
	} {
		r := release(t, "public")
		r.Event = event
		finding, failed := r.Verify().Failed()
		require.True(t, failed, name)
		assert.Equal(t, "mechanism", finding.Claim, name)
	}
	r := release(t, "public")
	e := r.Event.(privacy.ApproximateMinima)
	e.Grid = 0
	r.Event = e
	finding, _ := r.Verify().Failed()
	assert.Equal(t, "mechanism", finding.Claim)

	// What an earlier version rounded up by less is not called untrue; any more is.
	for _, c := range []struct {
		below float64
		holds bool
	}{{0x1p-42, true}, {0x1p-38, false}} {
		r := release(t, "public")
		delta, err := r.DeltaUpper()
		require.NoError(t, err)
		r.Guarantee.Delta = delta * (1 - c.below)
		_, failed := r.Verify().Failed()
		assert.Equal(t, !c.holds, failed, c.below)
		if c.holds {
			assert.Contains(t, textOf(r, "guarantee"), "δ at most "+privacy.Number(delta))
		}
	}

	// Less noise than the guarantee needs.
	r = release(t, "public")
	e = r.Event.(privacy.ApproximateMinima)
	e.Objective.Sigma *= 0.99
	r.Event = e
	finding, _ = r.Verify().Failed()
	assert.Equal(t, "guarantee", finding.Claim)
}

func TestParseReleaseRefuses(t *testing.T) {
	text, err := json.Marshal(release(t, "public"))
	require.NoError(t, err)
	good := string(text)
	edit := func(change func(map[string]any)) string {
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		change(tree)
		out, err := json.Marshal(tree)
		require.NoError(t, err)
		return string(out)
	}
	for _, c := range []struct{ name, text, message string }{
		{"cut short", good[:len(good)/2], "the release is not JSON (it ends too early, at line 1, column"},
		{"a claim made twice", strings.Replace(good, `"delta":`, `"delta":1e-12,"delta":`, 1), "guarantee.delta is given twice: it must be given once"},
		{"a newer thing in an old version", edit(func(m map[string]any) { m["evaluation"] = map[string]any{} }), "evaluation is not known here"},
		{"a choice in an old version", edit(func(m map[string]any) { m["choice"] = "only-model" }), "choice is not known here"},
		{"a new version without what it is for", edit(func(m map[string]any) { m["version"] = 3 }), "choice is missing"},
		{"version 5 without what it is for", edit(func(m map[string]any) {
			m["version"] = 5
			m["guarantee"].(map[string]any)["method"] = "closed"
		}), "told is missing"},
		{"another mechanism in version 1", edit(func(m map[string]any) {
			m["event"] = map[string]any{"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 10}
		}), `event.mechanism is "gaussian": it must be "approximate-minima-perturbation" in version 1`},
		{"another file", `{"format": "recipe"}`, "format is"},
		{"from the future", edit(func(m map[string]any) { m["version"] = 7 }), "version is 7: it must be 1, 2, 3, 4, 5 or 6; a newer release needs a newer version"},
		{"an extra field", edit(func(m map[string]any) { m["rows"] = 45222 }), "rows is not known here"},
		{"a lost coefficient", edit(func(m map[string]any) {
			model := m["model"].(map[string]any)
			model["coefficients"] = model["coefficients"].([]any)[1:]
		}), "model.coefficients is 4 numbers for 5 columns"},
		{"another intercept", edit(func(m map[string]any) { m["model"].(map[string]any)["intercept"] = 9.5 }), "model.intercept is not what the coefficients and the schema make it"},
		{"a clip that a program would not know", edit(func(m map[string]any) {
			m["version"], m["guarantee"].(map[string]any)["method"] = 2, "closed"
			m["model"].(map[string]any)["clip"] = "inf"
		}), `model.clip is "inf": it must be a finite number above 0; left out where nothing is clipped`},
		{"no adjacency", edit(func(m map[string]any) { delete(m["guarantee"].(map[string]any), "adjacency") }), "guarantee.adjacency is missing"},
	} {
		_, err := learn.ParseRelease([]byte(c.text))
		require.Error(t, err, c.name)
		assert.Contains(t, err.Error(), c.message, c.name)
	}
}

// The coefficients in the units of the file give the same margin as the row of
// the design matrix.
func TestOriginalsGiveTheMargin(t *testing.T) {
	r := release(t, "public")
	originals, constant := r.Model.Originals(0)
	for _, c := range []struct {
		record    map[string]string
		age, dose float64
		a, b      float64
	}{
		{map[string]string{"age": "30", "dose": "0", "ward": "C"}, 30, 0, 0, 0},
		{map[string]string{"age": "70", "dose": "100", "ward": "B"}, 70, 100, 0, 1},
	} {
		values := map[string]float64{"age": c.age, "dose": math.Log1p(c.dose), "A": c.a, "B": c.b}
		sum := constant
		for _, o := range originals {
			name := o.Feature
			if o.Category != "" {
				name = o.Category
			}
			sum += o.Coefficient * values[name]
		}
		scaled := []float64{(c.age - 20) / 50, math.Log1p(c.dose) / math.Log1p(100), c.a, c.b}
		square := 0.0
		for _, x := range scaled {
			square += x * x
		}
		want := sum/math.Max(1, math.Sqrt(square)) + r.Model.Intercept(0)

		prediction, err := r.Predict(c.record)
		require.NoError(t, err)
		assert.InDelta(t, want, prediction.Margins[0], 1e-12)
		assert.InDelta(t, 1/(1+math.Exp(-want)), prediction.Probability(), 1e-12)
		assert.Equal(t, want >= 0, prediction.Positive())
	}
}

func TestPrivateNumbersHaveNoJSON(t *testing.T) {
	for _, private := range []any{&learn.Diagnostics{Rows: 7}, learn.Evaluation{Rows: 7}} {
		_, err := json.Marshal(private)
		assert.ErrorContains(t, err, "for the data holder alone")
	}
}

// A release says why its schema is public. No claim is checked by that: another reason,
// or none, is as true, and a release of before reads as it did.
func TestReasonsAreOfNoClaim(t *testing.T) {
	r := release(t, "public")
	bare, err := json.Marshal(r)
	require.NoError(t, err)
	assert.NotContains(t, string(bare), "reason")
	r.Schema.Features[0].Reason, r.Schema.Label.Reason = "code book, page 3", "protocol"
	text, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"reason":"code book, page 3"`)
	for _, text := range [][]byte{text, bare} {
		got, err := learn.ParseRelease(text)
		require.NoError(t, err)
		assert.Equal(t, r.Guarantee, got.Guarantee)
		finding, failed := got.Verify().Failed()
		assert.False(t, failed, "%v", finding)
	}
}
