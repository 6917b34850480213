package fitting

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// agesAndDoses are n records of ages from 17 to 90 and doses up to 400, some
// missing.
func agesAndDoses(n int) string {
	var b strings.Builder
	b.WriteString("age,dose,ward\n")
	for i := range n {
		b.WriteString(strconv.Itoa(17+i%74) + "," + []string{"", "50", "400"}[i%3] + ",A\n")
	}
	return b.String()
}

func counted(e *edge, text string, columns ...any) float64 {
	e.t.Helper()
	reply, err := e.read(map[string]any{"purpose": "bounds", "columns": columns}, text)
	require.Nil(e.t, err, "%v", err)
	return float64(reply["dataset"].(int))
}

func TestBoundsAreReleasedForTheEventThatWasPlanned(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	text := agesAndDoses(6000)
	id := counted(e, text, "dose", "age")
	plan := e.ask(
		"bounds.plan", map[string]any{"columns": 2.0, "adjacency": "add-remove", "epsilon": 0.5},
	)
	assert.Equal(t, 0.5, plan["epsilon"])
	assert.Equal(t, 0.02, plan["failure"])

	request := map[string]any{"dataset": id, "adjacency": "add-remove", "epsilon": 0.5}
	purchase, err := session.Purchases()["bounds"](
		&api.Call{Fields: privacy.NewFields("", request)},
	)
	require.NoError(t, err)
	assert.Equal(t, plan["event"], privacy.EncodeEvent(purchase.Event))
	assert.Equal(t, int(id), purchase.Dataset)
	reply, err := purchase.Run()
	require.NoError(t, err)
	release := reply["release"].(map[string]any)
	assert.Equal(t, plan["event"], release["event"])
	assert.Equal(t, []any{
		map[string]any{"name": "dose", "min": 40.0, "max": 400.0},
		map[string]any{"name": "age", "min": 15.0, "max": 100.0},
	}, release["columns"])
	for name := range release {
		assert.Contains(
			t,
			strings.Fields("format version library adjacency epsilon share event columns"),
			name,
			"a release has these fields and no others",
		)
	}
	assert.Len(t, reply, 1)

	// The account is that of the file, whatever it was read for.
	opened, failed := e.read(
		map[string]any{"purpose": "suggest", "label": "dose", "labelType": "numeric"}, text,
	)
	require.Nil(t, failed)
	data, failed := e.open(opened["schema"], text)
	require.Nil(t, failed, "%v", failed)
	ours, err := session.Content(int(id))
	require.NoError(t, err)
	theirs, err := session.Content(data["dataset"].(int))
	require.NoError(t, err)
	assert.Equal(t, theirs, ours)

	e.ask("dataset.free", map[string]any{"dataset": id})
	assert.Equal(t, api.CodeDatasetLost, e.refused("bounds", request).Code)
}

func TestBoundsOfNothingAreNotFound(t *testing.T) {
	e := newEdge(t)
	id := counted(e, "age,dose\n", "age")
	reply := e.ask(
		"bounds", map[string]any{"dataset": id, "adjacency": "replace-one", "epsilon": 1.0},
	)
	assert.Equal(
		t, []any{map[string]any{"name": "age"}}, reply["release"].(map[string]any)["columns"],
	)
}

func TestBoundsThatCannotBeBought(t *testing.T) {
	e := newEdge(t)
	for name, c := range map[string]struct {
		open map[string]any
		text string
		code api.Code
		says string
	}{
		"no column":   {map[string]any{"columns": []any{}}, "", api.CodeSchema, "columns"},
		"no list":     {map[string]any{}, "", api.CodeParameter, "columns"},
		"not there":   {map[string]any{"columns": []any{"weight"}}, "age\n1\n", api.CodeData, "no column of this name"},
		"a text":      {map[string]any{"columns": []any{"age"}}, "age\nold\n", api.CodeData, "is not a number"},
		"not missing": {map[string]any{"columns": []any{"age"}, "missingValues": []any{"-"}}, "age\nNA\n", api.CodeData, "is not a number"},
		"too large":   {map[string]any{"columns": []any{"age"}, "size": 1e12}, "", api.CodeTooLarge, "limit"},
	} {
		c.open["purpose"] = "bounds"
		_, err := e.read(c.open, c.text)
		require.NotNil(t, err, name)
		assert.Equal(t, c.code, err.Code, name)
		assert.Contains(t, err.Message+err.Field, c.says, name)
	}
	id := counted(e, "age\n1\n", "age")
	for field, value := range map[string]any{"epsilon": 0.0, "adjacency": "", "share": 1.0, "more": 1.0} {
		request := map[string]any{"dataset": id, "adjacency": "add-remove", "epsilon": 1.0}
		request[field] = value
		err := e.refused("bounds", request)
		assert.Equal(t, api.CodeParameter, err.Code)
		assert.Equal(t, field, err.Field)
		delete(request, "dataset")
		request["columns"] = 1.0
		assert.Equal(t, field, e.refused("bounds.plan", request).Field)
	}
	assert.Equal(
		t,
		"columns",
		e.refused(
			"bounds.plan",
			map[string]any{"columns": 0.0, "adjacency": "add-remove", "epsilon": 1.0},
		).Field,
	)
	assert.Equal(
		t,
		api.CodeDatasetLost,
		e.refused(
			"bounds", map[string]any{"dataset": 99.0, "adjacency": "add-remove", "epsilon": 1.0},
		).Code,
	)
	// A data set that was read for fitting has no counts.
	fitted, err := e.open(ageSchema(), ageRows)
	require.Nil(t, err)
	assert.Equal(
		t,
		api.CodeDatasetLost,
		e.refused(
			"bounds",
			map[string]any{
				"dataset":   float64(fitted["dataset"].(int)),
				"adjacency": "add-remove",
				"epsilon":   1.0,
			},
		).Code,
	)
}
