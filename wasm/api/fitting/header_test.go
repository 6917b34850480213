package fitting

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/wasm/api"
)

// Whatever a file is read for, a first line that looks like a person ends it, unless
// the request says what that line is. The line is in the error apart from its text.
func TestAFirstLineThatLooksLikeAPerson(t *testing.T) {
	bare := strings.SplitAfterN(sickRows(300), "\n", 2)[1]
	named := func(names string) any {
		schema := ageSchema()
		features := schema["features"].([]any)
		for i, name := range strings.Split(names, ",")[:2] {
			features[i].(map[string]any)["name"] = name
		}
		schema["label"].(map[string]any)["name"] = strings.Split(names, ",")[2]
		return schema
	}
	for _, open := range []map[string]any{
		{"purpose": "suggest"},
		{"purpose": "dataset", "schema": named("0,B,no")},
		{"purpose": "bounds", "columns": []any{"0"}},
		{"purpose": "categories", "columns": []any{"B"}},
	} {
		e := newEdge(t)
		_, err := e.read(open, bare)
		require.NotNil(t, err, open["purpose"])
		assert.Equal(t, api.CodeHeader, err.Code)
		assert.Equal(t, 1, err.Row)
		assert.Equal(t, []any{"0", "B", "no"}, err.Tree()["line"])
		assert.NotContains(t, err.Message, `"no"`)
		open["header"] = "last"
		assert.Equal(t, "header", e.refused("read.open", open).Field)
	}

	e := newEdge(t)
	found, err := e.read(map[string]any{"purpose": "suggest", "header": "none"}, bare)
	require.Nil(t, err, "%v", err)
	assert.Equal(t, "c3", found["schema"].(map[string]any)["label"].(map[string]any)["name"])
	opened, err := e.read(
		map[string]any{"purpose": "dataset", "schema": named("c1,c2,c3"), "header": "none"}, bare,
	)
	require.Nil(t, err, "%v", err)
	assert.Equal(t, 300, opened["rows"])
	_, err = e.read(
		map[string]any{"purpose": "bounds", "columns": []any{"c1"}, "header": "none"}, bare,
	)
	require.Nil(t, err, "%v", err)
	// The names that the request gives, each for the column in its place.
	names := []any{"age", "", "sick"}
	renamed := named("age,hidden,sick").(map[string]any)
	renamed["features"] = renamed["features"].([]any)[:1]
	for _, open := range []map[string]any{
		{"purpose": "dataset", "schema": renamed},
		{"purpose": "lookalikes", "schema": renamed},
		{"purpose": "bounds", "columns": []any{"age"}},
		{"purpose": "categories", "columns": []any{"sick"}},
	} {
		open["header"], open["names"] = "none", names
		_, err = e.read(open, bare)
		require.Nil(t, err, "%v: %v", open["purpose"], err)
	}
	_, err = e.read(
		map[string]any{
			"purpose": "dataset", "schema": renamed, "header": "none", "names": []any{"age"},
		}, bare,
	)
	require.NotNil(t, err, "a column after the last name has none")
	assert.Equal(t, "names", e.refused("read.open", map[string]any{
		"purpose": "dataset", "schema": renamed, "header": "first", "names": names,
	}).Field)
	opened, err = e.read(
		map[string]any{"purpose": "dataset", "schema": named("0,B,no"), "header": "first"}, bare,
	)
	require.Nil(t, err, "%v", err)
	assert.Equal(t, 299, opened["rows"], "who says so may have it so")
}
