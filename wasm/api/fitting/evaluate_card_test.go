package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// A card is bought, then measured on other rows: what is charged is what the release says, the
// figures follow from the release alone, and a reader finds the same ones.
func TestACardIsEvaluatedOnOtherRows(t *testing.T) {
	for _, adjacency := range []string{"add-remove", "replace-one"} {
		session := NewSession(randomtest.New(1))
		e := &edge{t, wiretest.Hold(session.Service())}
		card := e.ask("scorecard", map[string]any{
			"dataset": celled(e, sickRows(600)), "adjacency": "add-remove", "epsilon": 2.0,
		})["release"]
		asked := map[string]any{
			"release": card, "dataset": celled(e, sickRows(3000)), "adjacency": adjacency,
			"epsilon": 1.0,
		}
		purchase, err := session.Purchases()["scorecard.evaluate"](
			&api.Call{Fields: privacy.NewFields("", asked)},
		)
		require.NoError(t, err)
		reply := e.ask("scorecard.evaluate", asked)
		assert.Len(t, reply, 2, "and nothing for the holder's eyes")
		release := reply["release"].(map[string]any)
		evaluation := release["evaluation"].(map[string]any)
		assert.Equal(t, privacy.EncodeEvent(purchase.Event), evaluation["event"])
		assert.Equal(t, adjacency, evaluation["adjacency"])
		assert.Equal(t, 2.0, release["version"])
		figures := reply["figures"].(map[string]any)
		assert.InDelta(t, 3000, figures["records"].(map[string]any)["estimate"], 60)
		accuracy := figures["accuracy"].(map[string]any)
		assert.Greater(t, accuracy["estimate"], 0.8)
		assert.Less(t, accuracy["low"], accuracy["estimate"])

		checked := e.ask("scorecard.check", map[string]any{"release": release})
		assert.Equal(t, true, checked["holds"], "%v", checked["problems"])
		assert.Equal(t, figures, checked["figures"])
		assert.Len(t, checked["findings"], 11, "seven of the card, four of the evaluation")

		// Another evaluation takes its place.
		again := e.ask("scorecard.evaluate", both(asked, map[string]any{"release": release}))
		other := again["release"].(map[string]any)
		assert.NotEqual(t, evaluation["cells"], other["evaluation"].(map[string]any)["cells"])

		evaluation["epsilon"] = 0.5
		checked = e.ask("scorecard.check", map[string]any{"release": release})
		assert.Equal(t, false, checked["holds"])
		assert.NotContains(t, checked, "figures")
		refused := e.refused("scorecard.evaluate", both(asked, map[string]any{"release": release}))
		assert.Equal(t, api.CodeRelease, refused.Code)
		assert.Contains(t, refused.Message, "so it is not evaluated")
	}
}

// What would be refused whatever the rows are is refused before it can be charged.
func TestAnEvaluationOfACardIsRefusedBeforeItIsCharged(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	id := celled(e, sickRows(300))
	bought := map[string]any{"dataset": id, "adjacency": "add-remove", "epsilon": 2.0}
	card := e.ask("scorecard", bought)["release"]
	asked := map[string]any{
		"release": card, "dataset": id, "adjacency": "add-remove", "epsilon": 1.0,
	}
	other := cardSchema()
	other["attributes"] = other["attributes"].([]any)[:1]
	reply, failed := e.read(
		map[string]any{"purpose": "scorecard", "schema": other}, sickRows(300),
	)
	require.Nil(t, failed)
	for field, value := range map[string]any{
		"epsilon": 0.0, "adjacency": "both", "dataset": 99.0,
		"schema": float64(reply["dataset"].(int)),
	} {
		request := both(asked, nil)
		if field == "schema" {
			request["dataset"] = value
		} else {
			request[field] = value
		}
		purchase, err := session.Purchases()["scorecard.evaluate"](
			&api.Call{Fields: privacy.NewFields("", request)},
		)
		assert.Nil(t, purchase)
		require.Error(t, err)
		assert.Equal(t, field, e.refused("scorecard.evaluate", request).Field)
	}
}
