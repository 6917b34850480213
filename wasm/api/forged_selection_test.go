package api_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/learn"
)

// A private selection costs what its score and all of its candidates cost, of which any may have
// been run. One whose event prices the score, or a candidate that was not chosen, for less than a
// record can change there is found out, though its ε is what that event costs.
func TestASelectionPaysForItsScoreAndForAllCandidates(t *testing.T) {
	part := func(event map[string]any, k int) map[string]any {
		parts := event["base"].(map[string]any)["parts"].([]any)
		return parts[k].(map[string]any)["event"].(map[string]any)
	}
	candidate := func(event map[string]any, k int) map[string]any {
		return part(event, 0)["events"].([]any)[k].(map[string]any)
	}
	// other is a candidate by objective perturbation that was not chosen.
	other := func(tree, event map[string]any) map[string]any {
		chosen := tree["model"].(map[string]any)["selected"].(map[string]any)["candidate"].(float64)
		for k := range part(event, 0)["events"].([]any) {
			one := candidate(event, k)
			if one["mechanism"] == "approximate-minima-perturbation" && k != int(chosen) {
				return one
			}
		}
		return nil
	}
	for _, name := range []string{"v6-chosen-lambda", "v6-chosen-method"} {
		text, err := os.ReadFile(filepath.Join(filesFolder, "releases", name+".json"))
		require.NoError(t, err)
		for what, change := range map[string]func(tree, event map[string]any) bool{
			"nothing": func(_, _ map[string]any) bool { return true },
			"a score that less changes": func(_, event map[string]any) bool {
				score := part(event, 1)
				score["sigma"] = score["sigma"].(float64) * 3
				if score["sensitivity"].(float64) > 1 {
					score["sensitivity"] = 1.0
				} else {
					score["mechanism"], score["sensitivity"] = "gaussian", 0.01
				}
				return true
			},
			"a candidate of nothing": func(tree, event map[string]any) bool {
				one := other(tree, event)
				if one == nil {
					return false
				}
				clear(one)
				one["mechanism"], one["parts"] = "composition", []any{}
				one["adjacency"] = event["adjacency"]
				return true
			},
			"a candidate of shorter rows": func(tree, event map[string]any) bool {
				one := other(tree, event)
				if one != nil {
					one["row_norm"], one["lipschitz"] = 0.1, 0.1
				}
				return one != nil
			},
			"a candidate of fewer columns": func(tree, event map[string]any) bool {
				one := other(tree, event)
				if one != nil {
					one["dimension"] = 1.0
				}
				return one != nil
			},
		} {
			var tree map[string]any
			require.NoError(t, json.Unmarshal(text, &tree))
			event := tree["event"].(map[string]any)
			if !change(tree, event) {
				continue
			}
			forged, err := json.Marshal(tree)
			require.NoError(t, err)
			r, err := learn.ParseRelease(forged)
			require.NoError(t, err, what)
			// The ε that it then costs, so that nothing else is amiss.
			price, bound, err := r.Price(r.Guarantee.Method, objective.BoundAuto)
			require.NoError(t, err, what)
			r.Guarantee.Bound, r.Guarantee.Theorem = bound, learn.Theorem(price.Method, bound)
			r.Guarantee.Epsilon, err = price.EpsilonUpper(r.Guarantee.Delta)
			require.NoError(t, err)
			finding, failed := r.Verify().Failed()
			assert.Equal(t, what != "nothing", failed, "%s, %s: %s", name, what, finding.Text)
			if failed {
				assert.Equal(t, "selected", finding.Claim, "%s, %s", name, what)
			}
		}
	}
}

// A file that leaves out which candidate it is, and so is held to no score, says that what it was
// chosen by is not checked.
func TestASelectionWithoutItsScoreSaysSo(t *testing.T) {
	tree := read(t, filepath.Join(filesFolder, "releases", "v6-chosen-lambda.json"))
	parts := inside(tree, "event", "base", "parts").([]any)
	parts[0].(object)["event"] = inside(parts[0], "event", "events", 0)
	parts[1].(object)["event"] = object{
		"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1e-50, "sigma": 1.0,
	}
	delete(tree["model"].(object), "selected")
	tree["version"] = 3.0
	r, err := learn.ReleaseFromTree(tree)
	require.NoError(t, err)
	var said string
	for _, f := range r.Verify() {
		if f.Claim == "selected" {
			said = f.Text
		}
	}
	assert.Contains(t, said, "Not checked: by what score")
}
