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

// wards are n records of three wards, one record of a fourth, and a number each.
func wards(n int) string {
	var b strings.Builder
	b.WriteString("ward,id,sex\nIsolation,0,f\n")
	for i := range n {
		b.WriteString(
			[]string{"A", "?", "B", "C d"}[i%4] + "," + strconv.Itoa(i+1) + "," +
				[]string{"m", "f"}[i%2] + "\n",
		)
	}
	return b.String()
}

func listed(e *edge, text string, columns ...any) float64 {
	e.t.Helper()
	reply, err := e.read(map[string]any{"purpose": "categories", "columns": columns}, text)
	require.Nil(e.t, err, "%v", err)
	return float64(reply["dataset"].(int))
}

func TestCategoriesAreReleasedForTheEventThatWasPlanned(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	id := listed(e, wards(2000), "sex", "id", "ward")
	plan := e.ask(
		"categories.plan",
		map[string]any{"columns": 3.0, "adjacency": "add-remove", "epsilon": 0.9, "delta": 3e-7},
	)
	// As core/learn/categories has it, from the closed form.
	assert.Equal(t, []any{48, 96}, []any{plan["even"], plan["sure"]})

	request := map[string]any{
		"dataset":   id,
		"adjacency": "add-remove",
		"epsilon":   0.9,
		"delta":     3e-7,
	}
	purchase, err := session.Purchases()["categories"](
		&api.Call{Fields: privacy.NewFields("", request)},
	)
	require.NoError(t, err)
	assert.Equal(t, plan["event"], privacy.EncodeEvent(purchase.Event))
	reply, err := purchase.Run()
	require.NoError(t, err)
	release := reply["release"].(map[string]any)
	assert.Equal(t, plan["event"], release["event"])
	assert.Equal(t, []any{
		map[string]any{"name": "sex", "categories": []any{"f", "m"}},
		map[string]any{"name": "id", "categories": []any{}},
		map[string]any{"name": "ward", "categories": []any{"A", "B", "C d"}},
	}, release["columns"])
	assert.Len(t, reply, 1)

	// What it was counted for is what can be bought of it.
	assert.Equal(
		t,
		api.CodeDatasetLost,
		e.refused(
			"bounds", map[string]any{"dataset": id, "adjacency": "add-remove", "epsilon": 1.0},
		).Code,
	)
	e.ask("dataset.free", map[string]any{"dataset": id})
	assert.Equal(t, api.CodeDatasetLost, e.refused("categories", request).Code)
}

func TestCategoriesThatCannotBeBought(t *testing.T) {
	e := newEdge(t)
	_, failed := e.read(map[string]any{"purpose": "categories", "columns": []any{"none"}}, wards(3))
	require.NotNil(t, failed)
	assert.Equal(t, api.CodeData, failed.Code)
	id := listed(e, wards(3), "ward")
	for field, value := range map[string]any{"epsilon": 0.0, "adjacency": "", "delta": 0.0, "more": 1.0} {
		request := map[string]any{
			"dataset":   id,
			"adjacency": "add-remove",
			"epsilon":   1.0,
			"delta":     1e-7,
		}
		request[field] = value
		assert.Equal(t, field, e.refused("categories", request).Field)
		delete(request, "dataset")
		request["columns"] = 1.0
		assert.Equal(t, field, e.refused("categories.plan", request).Field)
	}
}
