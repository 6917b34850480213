package fitting

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/derived"
	"cloister/core/learn"
	"cloister/core/report"
	"cloister/wasm/api"
)

// moments is a release by suffstats: outcome from age, its logarithm, and ward.
func moments(e *edge) map[string]any {
	e.t.Helper()
	schema := numberSchema()
	schema["features"] = append(schema["features"].([]any), map[string]any{
		"name": "visits", "type": "numeric", "min": 0.0, "max": 9.0, "log": true,
		"provenance": "public",
	})
	text := "age,ward,visits,outcome\n"
	for i := range 600 {
		age := i * 37 % 101
		text += api.FieldNumber(float64(age)) + "," + []string{"A", "B"}[i%2] + "," +
			api.FieldNumber(float64(i*7%10)) + "," + days(age) + "\n"
	}
	dataset := e.opens(schema, text)["dataset"]
	return e.ask("fit", map[string]any{
		"dataset": dataset, "adjacency": "add-remove", "epsilon": 4.0, "delta": 1e-5,
		"method": "suffstats", "loss": "squared",
	})["release"].(map[string]any)
}

// One release answers many questions, each with a document that its release makes again.
func TestOnePurchaseGivesManyModels(t *testing.T) {
	e := newEdge(t)
	made := moments(e)
	read, err := learn.ReleaseFromTree(made)
	require.NoError(t, err)
	fingerprint, err := report.Fingerprint(read)
	require.NoError(t, err)
	for name, q := range map[string]map[string]any{
		"the fit's own":         {},
		"the label by its name": {"target": "outcome"},
		"fewer columns":         {"columns": []any{"age"}, "ridge": 2.0},
		"another target":        {"target": "age", "columns": []any{"ward", "visits"}},
		"a logarithm":           {"target": "visits", "intercept": true},
		"a category":            {"target": "ward=A"},
		"without an intercept":  {"intercept": false},
	} {
		params := map[string]any{"release": made}
		for field, value := range q {
			params[field] = value
		}
		tree := e.ask("regress", params)["derived"].(map[string]any)
		assert.Equal(t, fingerprint, tree["release"], name)
		if ridge, asked := q["ridge"]; asked {
			assert.Equal(t, ridge, tree["ridge"])
		}
		// As a file, and back.
		text, err := json.Marshal(tree)
		require.NoError(t, err)
		_, err = derived.Check(read, text)
		require.NoError(t, err, name)
		again := e.ask("regress.check", map[string]any{"release": made, "derived": tree})
		assert.Equal(t, tree, again["derived"], name)
	}
	own := e.ask("regress", map[string]any{"release": made})["derived"].(map[string]any)
	assert.InDeltaSlice(t, read.Model.Coefficients, own["coefficients"], 1e-9)
}

func TestQuestionsThatMomentsDoNotAnswer(t *testing.T) {
	e := newEdge(t)
	made := moments(e)
	for field, q := range map[string]map[string]any{
		"target":  {"target": "agee"},
		"columns": {"columns": []any{"agee"}},
		"ridge":   {"ridge": 0.0},
	} {
		q["release"] = made
		failed := e.refused("regress", q)
		assert.Equal(t, field, failed.Field)
		if field != "ridge" {
			assert.Contains(t, failed.Message, `"age"`, "it says what there is")
		}
	}
	tiny := e.refused("regress", map[string]any{"release": made, "ridge": 1e-250})
	assert.Equal(t, "ridge", tiny.Field)
	none := e.refused("regress", map[string]any{"release": release(t)})
	assert.Equal(t, "release", none.Field)
	assert.Contains(t, none.Message, "suffstats")

	tree := e.ask("regress", map[string]any{"release": made})["derived"].(map[string]any)
	checked := func(release any, derived any) *api.Error {
		return e.refused("regress.check", map[string]any{"release": release, "derived": derived})
	}
	other := checked(moments(e), tree)
	assert.Contains(t, other.Message, "another release")
	tree["ridge"] = tree["ridge"].(float64) * 2
	lie := checked(made, tree)
	assert.Equal(t, api.CodeRelease, lie.Code)
	assert.Equal(t, "derived.coefficients", lie.Field)
	assert.Equal(t, "derived", checked(made, "{").Field)
	made["guarantee"].(map[string]any)["epsilon"] = 2.0
	forged := e.refused("regress", map[string]any{"release": made})
	assert.Equal(t, api.CodeRelease, forged.Code)
	assert.Contains(t, forged.Message, "This release does not hold")
}
