package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/wasm/api"
)

func voting(votes ...any) map[string]any {
	return map[string]any{
		"votes": votes, "changes": "vote", "adjacency": "add-remove", "epsilon": 0.5, "delta": 1e-6,
	}
}

func row(counts ...any) any { return counts }

func TestVotesBecomeLabelsAndAnEvent(t *testing.T) {
	e := newEdge(t)
	reply := e.ask("vote", voting(row(100.0, 0.0), row(0.0, 100.0)))
	assert.Equal(t, []any{0.0, 1.0}, reply["labels"], "so wide a gap is never wrong")
	event, err := privacy.DecodeEvent("event", reply["event"])
	require.NoError(t, err)
	assert.Equal(t, privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{{
		Event: privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 0.5, Delta: 1e-6},
		Count: 2,
	}}}, event)
}

// agreed are 40 queries on which 400 teachers agree.
func agreed() []any {
	votes := make([]any, 40)
	for i := range votes {
		votes[i] = row(10.0, 380.0, 10.0)
	}
	return votes
}

func TestTeachersLabelAtATestedPrice(t *testing.T) {
	e := newEdge(t)
	asked := map[string]any{
		"votes": agreed(), "adjacency": "replace-one", "epsilon": 0.5, "delta": 1e-5, "sigma": 25.0,
	}
	reply := e.ask("pate", asked)
	for _, label := range reply["labels"].([]any) {
		assert.Equal(t, 1.0, label)
	}
	test := reply["test"].(map[string]any)
	assert.Equal(t, true, test["passed"])
	assert.InDelta(t, 25, reply["sigma"], 1e-6)
	assert.Greater(t, test["fallback"], 25.0)
	assert.LessOrEqual(t, reply["epsilon"], 0.5)
	event, err := privacy.DecodeEvent("event", reply["event"])
	require.NoError(t, err)
	require.IsType(t, privacy.ProposeTestRelease{}, event)
	assert.Equal(t, privacy.ReplaceOne, event.Neighbours())

	asked["epsilon"] = 10.0 // the noise is affordable on any votes
	reply = e.ask("pate", asked)
	assert.Nil(t, reply["test"])
	assert.Equal(t, "composition", reply["event"].(map[string]any)["mechanism"])
	assert.InDelta(t, 25, reply["sigma"], 1e-6)
}

func TestVotesThatAreNoCountsAreRefused(t *testing.T) {
	e := newEdge(t)
	for _, c := range []struct {
		votes []any
		field string
	}{
		{[]any{}, "votes"},
		{[]any{7.0}, "votes[0]"},
		{[]any{row(3.0, 4.0), row(3.5, 3.5)}, "votes[1][0]"},
		{[]any{row(3.0, "4")}, "votes[0][1]"},
		{[]any{row(3.0, nil)}, "votes[0][1]"},
		{[]any{row(3.0, -4.0)}, "votes[0][1]"},
		{[]any{row(1e300, 4.0)}, "votes[0][0]"},
		{[]any{row(3.0, 4.0), row(3.0, 5.0)}, "votes[1]"},
	} {
		err := e.refused("vote", voting(c.votes...))
		assert.Equal(t, api.CodeParameter, err.Code, "%v", c.votes)
		assert.Equal(t, c.field, err.Field, "%v: %s", c.votes, err.Message)

		asked := voting(c.votes...)
		delete(asked, "changes")
		asked["sigma"] = 2.0
		err = e.refused("pate", asked)
		assert.Equal(t, api.CodeParameter, err.Code, "%v", c.votes)
		assert.Equal(t, c.field, err.Field, "%v: %s", c.votes, err.Message)
	}
	for field, value := range map[string]any{
		"changes": "hospital", "adjacency": "both", "epsilon": -1.0, "delta": 2.0,
	} {
		asked := voting(row(3.0, 4.0))
		asked[field] = value
		assert.Equal(t, field, e.refused("vote", asked).Field)
	}
	assert.Equal(t, "sigma", e.refused("pate", map[string]any{
		"votes": []any{row(3.0, 4.0)}, "adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-6,
		"sigma": 0.1,
	}).Field)
}
