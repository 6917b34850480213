package fitting

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// release is one that was put together without a fit: calibrated noise, and
// coefficients on its lattice.
func release(t *testing.T) map[string]any {
	t.Helper()
	made, err := unfitted()
	require.NoError(t, err)
	tree, err := made.Tree()
	require.NoError(t, err)
	return tree
}

var unfitted = sync.OnceValues(func() (*learn.Release, error) {
	schema, err := data.SchemaFromTree("", ageSchema())
	if err != nil {
		return nil, err
	}
	guarantee := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	event, err := calibrate.Minima(calibrate.MinimaRequest{
		Guarantee: guarantee, Loss: privacy.LossLogistic,
		RowNorm: schema.RowNorm(), Lipschitz: schema.RowNorm(), Smoothness: 0.25,
		Dimension: schema.Dimension(),
	})
	if err != nil {
		return nil, err
	}
	problem := learn.Problem{Data: &data.Dataset{Schema: schema}, Loss: glm.Logistic{}}
	model := learn.NewModel(problem, event.Objective.Lipschitz, []float64{4, 1, -1, -2})
	return learn.NewRelease(event, guarantee, objective.BoundAuto, model)
})

func TestAReleaseIsPricedFromItsText(t *testing.T) {
	e := newEdge(t)
	reply := e.ask("reprice", map[string]any{"release": release(t)})
	assert.Equal(t, true, reply["holds"])
	assert.Empty(t, reply["problems"])
	assert.NotEmpty(t, reply["findings"])
	assert.LessOrEqual(t, reply["delta"], 1e-5)
	assert.LessOrEqual(t, reply["epsilon"], 1.0)
	assert.InDelta(t, 1, reply["epsilon"], 1e-6)
	assert.Equal(t, "control", reply["best"].(map[string]any)["bound"])
	assert.Equal(t, 1e-5, reply["claimed"].(map[string]any)["delta"])
}

// changed is the release with one thing written over.
func changed(t *testing.T, value any, path ...string) map[string]any {
	t.Helper()
	tree := release(t)
	at := tree
	for _, name := range path[:len(path)-1] {
		at = at[name].(map[string]any)
	}
	at[path[len(path)-1]] = value
	return tree
}

func TestAReleaseThatClaimsTooMuchIsFoundOut(t *testing.T) {
	e := newEdge(t)
	shorter := changed(t, 1.0, "event", "row_norm")
	shorter["event"].(map[string]any)["lipschitz"] = 1.0
	for name, tree := range map[string]map[string]any{
		"a smaller epsilon": changed(t, 0.5, "guarantee", "epsilon"),
		"less noise":        changed(t, 2.0, "event", "sigma"),
		"another theorem":   changed(t, "trust me", "guarantee", "theorem"),
		"shorter rows":      shorter,
	} {
		reply := e.ask("reprice", map[string]any{"release": tree})
		assert.Equal(t, false, reply["holds"], name)
		assert.NotEmpty(t, reply["problems"], name)
	}
}

func TestADocumentThatIsNoReleaseIsRefused(t *testing.T) {
	e := newEdge(t)
	for name, c := range map[string]struct {
		tree  any
		field string
	}{
		"not an object":    {"{", "the description"},
		"another format":   {changed(t, "recipe", "format"), "format"},
		"a newer version":  {changed(t, float64(learn.ReleaseVersion+1), "version"), "version"},
		"an unknown field": {changed(t, 45222.0, "n"), "n"},
		"a bad schema":     {changed(t, -1.0, "schema", "intercept"), "schema.intercept"},
		"a bad event":      {changed(t, -1.0, "event", "sigma"), "event.sigma"},
		"a changed model":  {changed(t, 9.0, "model", "original_constant"), "model.original_constant"},
	} {
		for _, method := range []string{"reprice", "predict"} {
			params := map[string]any{"release": c.tree}
			if method == "predict" {
				params["rows"] = []any{}
			}
			err := e.refused(method, params)
			assert.Equal(t, api.CodeRelease, err.Code, name)
			assert.Equal(t, c.field, err.Field, "%s: %s", name, err.Message)
		}
	}
	assert.Equal(t, "release", e.refused("reprice", map[string]any{}).Field)
}

func TestRowsOfAnyFormGiveTheSamePrediction(t *testing.T) {
	e := newEdge(t)
	made := release(t)
	reply := e.ask("predict", map[string]any{"release": made, "rows": []any{
		map[string]any{"age": 50.0, "ward": "A"},
		map[string]any{"age": "50", "ward": "A", "sick": "yes"},
		[]any{50.0, "A"},
		"50,A",
		"ward,age\nA,50",
	}})
	predictions := reply["predictions"].([]any)
	require.Len(t, predictions, 5)
	first := predictions[0].(map[string]any)
	// Features (0.5, 1, 0) of norm √1.25, the intercept 1: (4·0.5 + 1)/√1.25 − 2.
	assert.InDelta(t, 3/1.118033988749895-2, first["margin"], 1e-9)
	assert.Equal(t, "yes", first["label"])
	assert.Equal(t, true, first["positive"])
	for _, p := range predictions {
		assert.Equal(t, first, p)
	}

	reply = e.ask("predict", map[string]any{"release": made, "rows": []any{[]any{500.0, "B"}}})
	notes := reply["predictions"].([]any)[0].(map[string]any)["notes"].([]any)
	require.Len(t, notes, 1)
	assert.Equal(t, "age", notes[0].(map[string]any)["feature"])
}

func TestRowsThatCannotBePredicted(t *testing.T) {
	e := newEdge(t)
	made := release(t)
	for name, c := range map[string]struct {
		row    any
		code   api.Code
		field  string
		column string
	}{
		"a missing feature":   {map[string]any{"age": 1.0}, api.CodeData, "", "ward"},
		"an unknown category": {[]any{1.0, "Z"}, api.CodeData, "", "ward"},
		"a missing value":     {[]any{nil, "A"}, api.CodeData, "", "age"},
		"text for a number":   {"old,A", api.CodeData, "", "age"},
		"too few fields":      {[]any{1.0}, api.CodeParameter, "rows[0]", ""},
		"a list in a field":   {map[string]any{"age": []any{}, "ward": "A"}, api.CodeParameter, "rows[0].age", ""},
		"a number as a row":   {7.0, api.CodeParameter, "rows[0]", ""},
	} {
		err := e.refused("predict", map[string]any{"release": made, "rows": []any{c.row}})
		assert.Equal(t, c.code, err.Code, name)
		assert.Equal(t, c.field, err.Field, name)
		assert.Equal(t, c.column, err.Column, name)
	}
}
