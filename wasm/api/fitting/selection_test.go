package fitting

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/wasm/api"
)

// A fit whose setting the records choose costs what was planned, says so in its release, and
// is checked for it.
func TestAFitChoosesASettingByTheRecords(t *testing.T) {
	e := newEdge(t)
	for name, more := range map[string]map[string]any{
		"chooseLambda":       {"chooseLambda": []any{}},
		"chooseLambda, told": {"chooseLambda": []any{3.0, 30.0}},
		"chooseMethod":       {"chooseMethod": []any{}, "records": 300.0},
		"chooseMethod, told": {"chooseMethod": []any{"amp", "outpert"}, "records": 300.0},
	} {
		if testing.Short() && strings.HasSuffix(name, "told") {
			continue // all of them natively
		}
		plan := without(by(0, more, map[string]any{"schema": ageSchema()}), "dataset")
		planned := e.ask("plan", plan)
		assert.Less(t, planned["each"], 0.6, "of ε = 1")
		assert.Greater(t, planned["each"], 0.2)
		ask := by(opened(e, sickRows(300)), more)
		reply, failed := e.service.Answer("fit", ask, nil)
		for failed != nil && strings.Contains(failed.Message, "drew no run") { // 0.7 % each
			assert.Equal(t, api.CodeRefused, failed.Code)
			reply, failed = e.service.Answer("fit", ask, nil)
		}
		require.Nil(t, failed, name)
		release := reply["release"].(map[string]any)
		promised := planned["guarantee"].(map[string]any)
		for field, value := range promised {
			assert.Equal(t, value, release["guarantee"].(map[string]any)[field], name+": "+field)
		}
		assert.Equal(t, planned["event"], release["event"], name)
		assert.Equal(t, "private-selection", release["choice"], name)
		assert.Equal(t, 6.0, release["version"], name)
		selected := release["model"].(map[string]any)["selected"].(map[string]any)
		assert.Contains(t, []float64{0, 1, 2}, selected["candidate"], name)
		repriced := e.ask("reprice", map[string]any{"release": release})
		require.Equal(t, true, repriced["holds"], name)
	}
}

func TestAPrivateChoiceThatCannotBeIsRefused(t *testing.T) {
	e := newEdge(t)
	for field, more := range map[string]map[string]any{
		"chooseMethod":           {"chooseLambda": []any{}, "chooseMethod": []any{}},
		"method":                 {"method": "amp", "chooseMethod": []any{}},
		"lambda":                 {"lambda": 3.0, "chooseLambda": []any{}},
		"chooseLambda":           {"chooseLambda": []any{3.0}},
		"chooseLambda[1].lambda": {"chooseLambda": []any{3.0, 1e-9}},
		"records":                {"chooseMethod": []any{"amp", "steps"}},
	} {
		err := e.refused(
			"plan", without(by(0, more, map[string]any{"schema": ageSchema()}), "dataset"),
		)
		assert.Equal(t, api.CodeParameter, err.Code, field)
		assert.Equal(t, field, err.Field)
	}
}

// What a choice is expected to give comes from made-up records, like that of any other fit.
// Where ε is small λ by default is better, as each fit of the choice has a third of ε: at 0.3 by
// 0.048 over these trials, at 0.5 by 0.0095.
func TestAnExpectationOfAPrivateChoice(t *testing.T) {
	nativetest.Only(t)
	e := newEdge(t)
	mean := func(more map[string]any) (low, high float64) {
		const trials = 30
		for trial := range trials {
			asked := with(expecting(), "trial", float64(trial+1))
			asked["records"], asked["epsilons"] = 150.0, []any{0.3, 8.0}
			for name, value := range more {
				asked[name] = value
			}
			private := e.ask("expect", asked)["private"].([]any)
			low, high = low+private[0].(float64)/trials, high+private[1].(float64)/trials
		}
		return low, high
	}
	usual, most := mean(map[string]any{"method": "amp"})
	for field, among := range map[string][]any{
		"chooseLambda": {}, "chooseMethod": {"amp", "outpert"},
	} {
		low, high := mean(map[string]any{field: among})
		t.Logf("%s: %.3f and %.3f, by default %.3f and %.3f", field, low, high, usual, most)
		if field == "chooseLambda" {
			assert.Less(t, low, usual-0.01)
		}
		assert.Greater(t, high, low, field)
		assert.InDelta(t, most, high, 0.03, field)
	}
	asked := with(expecting(), "chooseLambda", []any{})
	assert.Equal(t, e.ask("expect", asked), newEdge(t).ask("expect", asked), "it is always the same")
	assert.NotEqual(
		t, e.ask("expect", asked)["private"],
		e.ask("expect", with(expecting(), "chooseLambda", []any{30.0, 300.0}))["private"],
	)
	assert.Equal(
		t, "chooseLambda", e.refused("expect", with(expecting(), "chooseLambda", []any{3.0})).Field,
	)
}

// Several classes, too: of a choice that is asked for again the noise is not chosen anew, and a
// softmax has two ways to choose from, where one fit a class has one.
func TestAPrivateChoiceOfSeveralClasses(t *testing.T) {
	nativetest.Only(t)
	e := newEdge(t)
	schema := statesSchema()
	for _, more := range []map[string]any{
		{"chooseLambda": []any{}}, {"chooseMethod": []any{}, "records": 600.0},
		{"chooseLambda": []any{30.0, 90.0}, "loss": "logistic"},
	} {
		asked := by(0, more, map[string]any{"schema": schema})
		planned := e.ask("plan", without(asked, "dataset"))
		assert.Less(t, planned["each"], 0.6, "of ε = 1")
		assert.Greater(t, planned["each"], 0.15)
		assert.Equal(t, planned, e.ask("plan", without(asked, "dataset")))
		assert.Equal(t, planned, newEdge(t).ask("plan", without(asked, "dataset")))

		asking := with(with(expecting(), "schema", schema), "records", 600.0)
		asking["epsilons"] = []any{0.3, 1.0, 6.0}
		for name, value := range more {
			asking[name] = value
		}
		private := e.ask("expect", asking)["private"].([]any)
		require.Len(t, private, 3)
		assert.Less(t, private[0], private[2])
	}
	err := e.refused("plan", without(by(0, map[string]any{
		"chooseMethod": []any{}, "records": 600.0, "loss": "logistic",
	}, map[string]any{"schema": schema}), "dataset"))
	assert.Equal(t, "chooseMethod[1].loss", err.Field)
}
