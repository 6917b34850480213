package scorecard

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn/evaluate"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// fittedRelease is a release of the clear cells, by one of the requests.
func fittedRelease(t *testing.T, r Request) *Release {
	t.Helper()
	plan, err := r.Plan()
	require.NoError(t, err)
	release, _, err := Fit(context.Background(), clear, plan, randomtest.New(1), free, nil)
	require.NoError(t, err)
	return release
}

func document(t *testing.T, r *Release) string {
	t.Helper()
	tree, err := r.Tree()
	require.NoError(t, err)
	text, err := json.Marshal(tree)
	require.NoError(t, err)
	return string(text)
}

// released are releases of every kind.
func released(t *testing.T) (all []*Release) {
	for _, r := range requests() {
		all = append(all, fittedRelease(t, r))
	}
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		counts, err := Buy(clear, 2, adjacency, randomtest.New(3), free)
		require.NoError(t, err)
		best, _, err := counts.Best(context.Background(), 1, nil)
		require.NoError(t, err)
		all = append(all, best)
	}
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		evaluated := fittedRelease(t, requests()[0])
		plan := evaluate.Plan{Adjacency: adjacency, Epsilon: 0.5}
		require.NoError(t, evaluated.Evaluate(heldOut, plan, randomtest.New(4)))
		all = append(all, evaluated)
	}
	return all
}

func TestAReleaseIsReadAsItWasWritten(t *testing.T) {
	for _, r := range released(t) {
		text := document(t, r)
		again, err := ParseRelease([]byte(text))
		require.NoError(t, err, text)
		assert.JSONEq(t, text, document(t, again))
		assert.Equal(t, r.Points, again.Points)
		assert.Equal(t, r.Event, again.Event)
		assert.Equal(t, r.Guarantee, again.Guarantee)
		assert.Equal(t, r.FromCounts, again.FromCounts)
		assert.Equal(t, r.Assessment, again.Assessment)
		for _, f := range again.Verify() {
			assert.True(t, f.True, "%s: %s", f.Claim, f.Text)
			assert.NotEmpty(t, f.Text)
		}
	}
}

// Whatever is changed in a file is either not read or found out.
func TestForgeriesAreRefused(t *testing.T) {
	const level = `"name":"below 40","points":`
	for _, c := range []struct {
		from, to string // in the text of a release
		field    string // of the error of reading
		claim    string // or the claim that fails
	}{
		{`"epsilon":1,"mechanism"`, `"epsilon":2,"mechanism"`, "", "guarantee"},
		{`"delta":0,"epsilon":1`, `"delta":0,"epsilon":0.5`, "", "guarantee"},
		{`"delta":0`, `"delta":1e-9`, "", "guarantee"},
		{`"guarantee":{"adjacency":"add-remove"`, `"guarantee":{"adjacency":"replace-one"`, "", "adjacency"},
		{`"span":1`, `"span":2`, "event.span", ""},
		{`"denominator":64`, `"denominator":63`, "event.denominator", ""},
		{`"noise":"geometric"`, `"noise":"laplace"`, "event.noise", ""},
		{`"bound":1`, `"bound":0`, "", "card_size"},
		{`"bound":1`, `"bound":17`, "", "card_size"},
		{level, level + `2`, "", "card"}, // −1 or 0 or 1 becomes 2…, see below
		{`"covers":true`, `"covers":false`, "", "coverage"},
		{`"caveats":[]`, `"caveats":["All is well."]`, "", "coverage"},
		{`"covers":true`, `"covers":true,"from_counts":true`, "guarantee.from_counts", ""},
		{`"format":"cloister-scorecard"`, `"format":"cloister-scorecard","from_counts":true`, "", "mechanism"},
		{`"version":1}`, `"version":2}`, "", ""},
		{`"format":"cloister-scorecard"`, `"format":"cloister-release"`, "format", ""},
		{`"threshold":1`, `"threshold":2`, "card.threshold", ""},
		{`"name":"below 40"`, `"name":"below 41"`, "card.attributes[0].levels[0].name", ""},
		{`"cuts":[40]`, `"cuts":[41]`, "card.attributes[0].levels[0].name", ""},
		{`"cuts":[40]`, `"cuts":[140]`, "schema.attributes[0].cuts[0]", ""},
		{`"values":["no","quit"]},{"name":"yes","values":["yes"]}`, `"values":["yes"]},{"name":"yes","values":["no","quit"]}`, "schema.attributes[1].levels[0].name", ""},
		{`"provenance":"public"`, `"provenance":"suggested"`, "", "coverage"},
		{`"format":`, `"loss":3,"format":`, "loss", ""},
		{`"threshold":1`, `"threshold":1,"loss":3`, "card.loss", ""},
	} {
		text := document(t, fittedRelease(t, requests()[0]))
		require.Contains(t, text, c.from)
		forged := strings.Replace(text, c.from, c.to, 1)
		if c.from == level {
			at := strings.Index(text, level) + len(level)
			end := at + strings.IndexAny(text[at:], ",}")
			forged = text[:at] + "2" + text[end:]
		}
		r, err := ParseRelease([]byte(forged))
		if c.claim == "" {
			require.Error(t, err, c.to)
			assert.Contains(t, err.Error(), c.field)
			continue
		}
		require.NoError(t, err, c.to)
		failed, found := r.Verify().Failed()
		require.True(t, found, c.to)
		assert.Equal(t, c.claim, failed.Claim, failed.Text)
	}
}

// An event that another mechanism made, or one for another card, is not believed.
func TestAnEventOfAnotherMechanismIsRefused(t *testing.T) {
	r := *fittedRelease(t, requests()[2])
	good := r.Event.(privacy.ProximalCentre)
	spoilt := good
	spoilt.Dimension++
	bounded := good
	bounded.Bound++
	for _, event := range []privacy.Event{
		spoilt, bounded,
		privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.5},
		privacy.DiscreteLaplace{Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: 2},
	} {
		r.Event = event
		failed, found := r.Verify().Failed()
		require.True(t, found)
		assert.Equal(t, "mechanism", failed.Claim)
	}
	// Noise of counts, but for another ε than what is stated.
	counted := *released(t)[len(requests())]
	counted.Guarantee.Epsilon = 1
	failed, found := counted.Verify().Failed()
	require.True(t, found)
	assert.Equal(t, "mechanism", failed.Claim)
}

// A card with points or levels that the schema does not have is not read.
func TestACardIsThatOfItsSchema(t *testing.T) {
	text := document(t, fittedRelease(t, requests()[0]))
	for _, spoil := range []func(attributes []any) []any{
		func(a []any) []any { return a[:1] },
		func(a []any) []any { return append(a, a[1]) },
		func(a []any) []any { return []any{a[1], a[0]} },
		func(a []any) []any {
			levels := a[0].(map[string]any)["levels"].([]any)
			a[0].(map[string]any)["levels"] = levels[:1]
			return a
		},
		func(a []any) []any {
			levels := a[0].(map[string]any)["levels"].([]any)
			levels[0].(map[string]any)["points"] = 0.5
			return a
		},
	} {
		var tree map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &tree))
		card := tree["card"].(map[string]any)
		card["attributes"] = spoil(card["attributes"].([]any))
		_, err := ReleaseFromTree(tree)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong)
		assert.Contains(t, wrong.Field, "card.attributes")
	}
}

func TestARecordIsScoredByItsValues(t *testing.T) {
	r := &Release{Schema: schema(), Points: [][]int{{-1, 1}, {0, 2}}, Bound: 2}
	for _, c := range []struct {
		age, smoker string
		score       int
		yes         bool
	}{
		{"39.9", "no", -1, false}, {"40", "no", 1, true}, {" 12 ", "yes", 1, true},
		{"1e3", "yes", 3, true}, {"-4", "quit", -1, false},
	} {
		score, yes, err := r.ScoreRecord(
			map[string]string{"age": c.age, "smoker": c.smoker, "ill": "?"},
		)
		require.NoError(t, err)
		assert.Equal(t, c.score, score)
		assert.Equal(t, c.yes, yes)
	}
	least, largest := r.Range()
	assert.Equal(t, [2]int{-1, 3}, [2]int{least, largest})
	for _, record := range []map[string]string{
		{"age": "40"}, {"age": "", "smoker": "no"}, {"age": "old", "smoker": "no"},
		{"age": "inf", "smoker": "no"}, {"age": "3", "smoker": "maybe"},
	} {
		_, _, err := r.ScoreRecord(record)
		var wrong *data.Error
		require.ErrorAs(t, err, &wrong)
	}
}

// The proved bound on the error holds on the real mechanism: of 2,000 cards at β = 0.05
// more than 145 beyond it have a probability below 1e-5.
func TestExcessIsABound(t *testing.T) {
	for _, r := range requests() {
		r.Epsilon = 0.3
		plan, err := r.Plan()
		require.NoError(t, err)
		bound, ok := plan.Excess(0.05)
		if r.Mechanism == Centre {
			assert.False(t, ok)
			assert.Equal(t, math.Inf(1), bound)
			continue
		}
		assert.InEpsilon(
			t, (4*math.Log(3)+math.Log(20))*float64(privacy.SpanOf(r.Adjacency))/0.3, bound, 1e-12,
		)
		beyond, src := 0, randomtest.New(2)
		for range 2000 {
			_, d, err := Fit(context.Background(), clear, plan, src, free, nil)
			require.NoError(t, err)
			if float64(d.Loss-28) > bound {
				beyond++
			}
		}
		assert.LessOrEqual(t, beyond, 145)
	}
}
