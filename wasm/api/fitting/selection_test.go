package fitting

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		plan := without(by(0, more, map[string]any{"schema": ageSchema()}), "dataset")
		planned := e.ask("plan", plan)
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
