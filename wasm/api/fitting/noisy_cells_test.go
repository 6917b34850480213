package fitting

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// One purchase, as planned; then a card of it by search, one by hand, one on fewer
// attributes, all of them cards that verify, and none of them asks for the data.
func TestNoisyCellsAreBoughtOnceAndSearchedForNothing(t *testing.T) {
	for _, adjacency := range []string{"add-remove", "replace-one"} {
		session := NewSession(randomtest.New(1))
		e := &edge{t, wiretest.Hold(session.Service())}
		request := map[string]any{"adjacency": adjacency, "epsilon": 2.0}
		plan := e.ask("cells.plan", both(request, map[string]any{"schema": cardSchema()}))
		assert.Equal(t, []any{2.0, 6.0}, []any{plan["epsilon"], plan["cells"]})
		id := celled(e, sickRows(600))
		purchase, err := session.Purchases()["cells"](&api.Call{
			Fields: privacy.NewFields("", both(request, map[string]any{"dataset": id})),
		})
		require.NoError(t, err)
		assert.Equal(t, plan["event"], privacy.EncodeEvent(purchase.Event))
		assert.Equal(t, int(id), purchase.Dataset)

		reply := e.ask("cells", both(request, map[string]any{"dataset": id}))
		assert.Len(t, reply, 1, "the release, and nothing for the holder's eyes")
		cells := reply["release"].(map[string]any)
		assert.Equal(t, plan["event"], cells["event"])
		checked := e.ask("cells.check", map[string]any{"release": cells})
		assert.Equal(t, true, checked["holds"], "%v", checked["problems"])
		e.ask("dataset.free", map[string]any{"dataset": id})

		best := e.ask("cells.card", map[string]any{"release": cells, "points": 2.0})
		assert.Equal(t, plan["deviation"], best["deviation"])
		assert.InDelta(t, 600, best["records"], 7*math.Sqrt2*best["deviation"].(float64))
		card := best["release"].(map[string]any)
		assert.Equal(t, true, card["from_counts"])
		checked = e.ask("scorecard.check", map[string]any{"release": card})
		assert.Equal(t, true, checked["holds"], "%v", checked["problems"])

		byHand := e.ask("cells.card", map[string]any{
			"release": cells, "points": 2.0,
			"card": []any{[]any{-2.0, 0.0, 2.0}, []any{0.0, 1.0}},
		})
		assert.GreaterOrEqual(t, byHand["wrong"], best["wrong"])
		one := e.ask("cells.card", map[string]any{
			"release": cells, "attributes": []any{"ward"}, "card": []any{[]any{0.0, 1.0}},
		})
		assert.Equal(t, best["records"], one["records"])
		assert.Len(t, one["release"].(map[string]any)["schema"].(map[string]any)["attributes"], 1)

		for field, more := range map[string]map[string]any{
			"attributes[0]":   {"attributes": []any{"height"}},
			"attributes":      {"attributes": []any{"ward", "ward"}},
			"points":          {"points": 17.0},
			"card[1]":         {"card": []any{[]any{0.0, 0.0, 0.0}, []any{0.5, 0.0}}},
			"card[0]":         {"card": []any{"x", []any{0.0, 0.0}}},
			"card.attributes": {"card": []any{[]any{0.0, 0.0, 0.0}}},
		} {
			refused := e.refused("cells.card", both(more, map[string]any{"release": cells}))
			assert.Equal(t, field, refused.Field)
		}

		var forged map[string]any
		text, err := json.Marshal(cells)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &forged))
		forged["guarantee"].(map[string]any)["epsilon"] = 1.0
		checked = e.ask("cells.check", map[string]any{"release": forged})
		assert.Equal(t, false, checked["holds"])
		forged["counts"].(map[string]any)["positives"] = []any{1.0}
		refused := e.refused("cells.check", map[string]any{"release": forged})
		assert.Equal(t, api.CodeRelease, refused.Code)
		assert.Equal(t, "counts.positives", refused.Field)
	}
}

// What would be refused whatever the rows are is refused before it can be charged.
func TestNoisyCellsAreRefusedBeforeTheyAreCharged(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	id := celled(e, sickRows(60))
	for field, value := range map[string]any{"epsilon": 0.0, "adjacency": "both"} {
		request := map[string]any{"dataset": id, "adjacency": "add-remove", "epsilon": 1.0}
		request[field] = value
		purchase, err := session.Purchases()["cells"](
			&api.Call{Fields: privacy.NewFields("", request)},
		)
		assert.Nil(t, purchase)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, field, parameter.Field)
		delete(request, "dataset")
		request["schema"] = cardSchema()
		assert.Equal(t, field, e.refused("cells.plan", request).Field)
	}
	lost := e.refused(
		"cells", map[string]any{"dataset": 77.0, "adjacency": "add-remove", "epsilon": 1.0},
	)
	assert.Equal(t, api.CodeDatasetLost, lost.Code)
}
