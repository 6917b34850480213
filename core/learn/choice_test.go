package learn_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// choiceFinding is what is found of a release's choice.
func choiceFinding(t *testing.T, r *learn.Release) learn.Finding {
	t.Helper()
	for _, finding := range r.Verify() {
		if finding.Claim == "choice" {
			return finding
		}
	}
	require.Fail(t, "nothing is said of the choice")
	return learn.Finding{}
}

func TestAReleaseSaysHowItsModelWasChosen(t *testing.T) {
	for _, choice := range learn.Choices {
		if choice == learn.PrivateSelection {
			continue
		}
		r := release(t, "public")
		require.NoError(t, r.State(choice), choice)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		assert.Contains(t, string(text), `"choice":"`+string(choice)+`"`)
		assert.Contains(t, string(text), `"version":3`)
		again, err := learn.ParseRelease(text)
		require.NoError(t, err)
		assert.Equal(t, choice, again.Choice)
		assert.Equal(t, r.Model, again.Model)
		finding := choiceFinding(t, again)
		assert.True(t, finding.True, choice)
		assert.Contains(t, finding.Text, "word of whoever published it", "a file cannot show it")
	}
}

// What was written before releases said it is read as it was, and says that it
// does not say.
func TestAReleaseThatStatesNoChoiceStaysAsItWas(t *testing.T) {
	r := release(t, "public")
	text, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"version":1`)
	assert.NotContains(t, string(text), "choice")
	again, err := learn.ParseRelease(text)
	require.NoError(t, err)
	assert.Equal(t, learn.NotStated, again.Choice)
	finding := choiceFinding(t, again)
	assert.True(t, finding.True)
	assert.Contains(t, finding.Text, "does not state how its model was chosen")
	// What was stated can be taken back.
	require.NoError(t, again.State(learn.OnlyModel))
	require.NoError(t, again.State(learn.NotStated))
	same, err := json.Marshal(again)
	require.NoError(t, err)
	assert.JSONEq(t, string(text), string(same))
}

// Only a selection that the event pays for is a private one, and a selection from
// several is not the only model.
func TestAChoiceThatTheEventContradictsIsFoundOut(t *testing.T) {
	r := release(t, "public")
	var claim *learn.ClaimError
	require.ErrorAs(t, r.State(learn.PrivateSelection), &claim)
	assert.Equal(t, "choice", claim.Finding.Claim)
	assert.Equal(t, learn.NotStated, r.Choice, "nothing was stated")
	require.ErrorAs(t, r.State("by its looks"), &claim)

	score := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 50}
	r.Event = privacy.PoissonSelection{
		Mean: 3,
		Base: privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: r.Event, Count: 1}, {Event: score, Count: 1}},
		},
	}
	assert.True(t, choiceFinding(t, r).True)
	assert.Contains(
		t, choiceFinding(t, r).Text, "private selection",
		"the event says it where the file does not",
	)
	require.NoError(t, r.State(learn.PrivateSelection))
	require.ErrorAs(t, r.State(learn.OnlyModel), &claim)
}

func TestAChoiceThatNobodyKnowsIsRefused(t *testing.T) {
	r := release(t, "public")
	require.NoError(t, r.State(learn.AllPublished))
	text, err := json.Marshal(r)
	require.NoError(t, err)
	_, err = learn.ParseRelease(
		[]byte(strings.Replace(string(text), "all-published", "the-best", 1)),
	)
	assert.ErrorContains(t, err, `choice is "the-best": it must be "only-model"`)
}

// Files of versions 1 and 2 may leave out that the names of columns are published, which
// nobody said then. What newer ones alone can hold shows that a file is no older one.
func TestANewReleaseLeavesOutNoCaveat(t *testing.T) {
	for kind, old := range map[string]bool{"gradient descent": true, "moments": false} {
		r := named(t, kind)
		schema := *r.Schema
		schema.Label.Provenance = data.Suggested
		r.Schema, r.Model.Schema, r.Choice = &schema, &schema, learn.NotStated
		caveats := schema.Caveats()
		require.Len(t, caveats, 2)
		r.Guarantee.Covers, r.Guarantee.Caveats = false, caveats
		one, _ := finding(r, "coverage")
		assert.True(t, one.True, kind)
		r.Guarantee.Caveats = caveats[:1]
		one, _ = finding(r, "coverage")
		assert.Equal(t, old, one.True, kind)
	}
}
