package fitting

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// cardSchema divides what sickRows writes.
func cardSchema() map[string]any {
	return map[string]any{
		"version": 1.0,
		"attributes": []any{
			map[string]any{
				"name": "age", "type": "numeric", "min": 0.0, "max": 100.0, "cuts": []any{35.0, 65.0},
				"missing": "drop", "provenance": "public", "reason": "the ward's own groups",
			},
			map[string]any{
				"name": "ward", "type": "categorical", "unknown": "error", "provenance": "public",
				"levels": []any{
					map[string]any{"name": "surgery", "values": []any{"A"}},
					map[string]any{"name": "medicine", "values": []any{"B", "C"}},
				},
			},
		},
		"label": map[string]any{
			"name": "sick", "negative": []any{"no"}, "positive": []any{"yes"}, "provenance": "public",
		},
		"missing_values": []any{""},
	}
}

// celled counts the cells of a file.
func celled(e *edge, text string) float64 {
	e.t.Helper()
	reply, err := e.read(
		map[string]any{"purpose": "scorecard", "schema": cardSchema(), "points": 2.0}, text,
	)
	require.Nil(e.t, err, "%v", err)
	return float64(reply["dataset"].(int))
}

func TestAScorecardIsReleasedForTheEventThatWasPlanned(t *testing.T) {
	for _, mechanism := range []string{"noisy-min", "proximal-centre"} {
		session := NewSession(randomtest.New(1))
		e := &edge{t, wiretest.Hold(session.Service())}
		request := map[string]any{"adjacency": "add-remove", "epsilon": 2.0, "mechanism": mechanism}
		plan := e.ask("scorecard.plan", both(request, map[string]any{"schema": cardSchema()}))
		assert.Equal(t, []any{2.0, 5.0, 6.0, 243.0}, []any{
			plan["epsilon"], plan["levels"], plan["cells"], plan["cards"],
		})
		id := celled(e, sickRows(600))
		purchase, err := session.Purchases()["scorecard"](&api.Call{
			Fields: privacy.NewFields("", both(request, map[string]any{"dataset": id})),
		})
		require.NoError(t, err)
		assert.Equal(t, plan["event"], privacy.EncodeEvent(purchase.Event))
		assert.Equal(t, int(id), purchase.Dataset)
		_, err = session.Content(int(id))
		require.NoError(t, err)

		reply := e.ask("scorecard", both(request, map[string]any{"dataset": id}))
		release := reply["release"].(map[string]any)
		assert.Equal(t, plan["event"], release["event"])
		diagnostics := reply["diagnostics"].(map[string]any)
		assert.Equal(t, 600.0, diagnostics["records"])
		assert.Equal(t, 0.0, diagnostics["dropped"])
		text, err := json.Marshal(release)
		require.NoError(t, err)
		assert.NotContains(t, string(text), "600")

		checked := e.ask("scorecard.check", map[string]any{"release": release})
		assert.Equal(t, true, checked["holds"], "%v", checked["problems"])
		assert.GreaterOrEqual(t, checked["largest"], 1.0, "it says yes to somebody")

		rows := []any{
			map[string]any{"age": 80.0, "ward": "B", "note": nil}, []any{"12", "A"},
		}
		scores := e.ask("scorecard.score", map[string]any{"release": release, "rows": rows})["scores"].([]any)
		if mechanism == "noisy-min" {
			assert.Equal(t, true, scores[0].(map[string]any)["yes"])
			assert.Equal(t, "yes", scores[0].(map[string]any)["label"])
			assert.Equal(t, false, scores[1].(map[string]any)["yes"])
			assert.Less(t, scores[1].(map[string]any)["score"], 1.0)
		}
		wrong := e.refused("scorecard.score", map[string]any{
			"release": release, "rows": []any{rows[0], map[string]any{"age": 3.0, "ward": "X"}},
		})
		assert.Equal(t, api.CodeData, wrong.Code)
		assert.Contains(t, wrong.Message, "Row 2 of 2")

		release["guarantee"].(map[string]any)["epsilon"] = 1.0
		checked = e.ask("scorecard.check", map[string]any{"release": release})
		assert.Equal(t, false, checked["holds"])
		assert.Contains(
			t,
			checked["problems"].([]any)[0],
			"guarantee.epsilon is 1: it must be at least 2",
		)
		release["format"] = "cloister-release"
		assert.Equal(
			t,
			api.CodeRelease,
			e.refused("scorecard.check", map[string]any{"release": release}).Code,
		)

		e.ask("dataset.free", map[string]any{"dataset": id})
		lost := e.refused("scorecard", both(request, map[string]any{"dataset": id}))
		assert.Equal(t, api.CodeDatasetLost, lost.Code)
	}
}

// What is too large is refused by public numbers, before a row is read, and says what to merge.
func TestAScorecardThatIsTooLargeIsRefusedBeforeARowIsRead(t *testing.T) {
	e := newEdge(t)
	wide := cardSchema()
	cuts := []any{}
	for i := range 31 {
		cuts = append(cuts, float64(i+1))
	}
	wide["attributes"].([]any)[0].(map[string]any)["cuts"] = cuts
	_, refused := e.read(map[string]any{"purpose": "scorecard", "schema": wide})
	require.NotNil(t, refused)
	assert.Equal(t, api.CodeSchema, refused.Code)
	assert.Contains(
		t,
		refused.Message,
		`34 levels together: it must be at most 32: merge some levels of "age", which has 32`,
	)
	// 5^27 cards are less than 2^63, 5^28 are not.
	for levels, fits := range map[int]bool{27: true, 28: false} {
		wide["attributes"].([]any)[0].(map[string]any)["cuts"] = cuts[:levels-3]
		_, err := e.service.Answer(
			"read.open", map[string]any{"purpose": "scorecard", "schema": wide, "points": 2.0}, nil,
		)
		assert.Equal(t, fits, err == nil, "%v", err)
	}
	for field, value := range map[string]any{"points": 17.0, "epsilon": 0.0, "mechanism": "opdisc", "noise": "laplace"} {
		request := map[string]any{"schema": cardSchema(), "adjacency": "add-remove", "epsilon": 1.0}
		request[field] = value
		reply, err := e.service.Answer("scorecard.plan", request, nil)
		assert.Nil(t, reply)
		require.NotNil(t, err, field)
		assert.Equal(t, field, err.Field)
	}
}

// The digest of a large file is taken by another worker, whatever the file is read for.
func TestEveryCountingCanLeaveTheDigestToAnother(t *testing.T) {
	e := newEdge(t)
	for _, open := range []map[string]any{
		{"purpose": "bounds", "columns": []any{"age"}},
		{"purpose": "categories", "columns": []any{"ward"}},
		{"purpose": "scorecard", "schema": cardSchema()},
	} {
		open["apart"] = true
		reading := map[string]any{"reading": float64(e.ask("read.open", open)["reading"].(int))}
		e.ask("read.part", reading)
		e.ask("read.append", both(reading, map[string]any{"bytes": []byte(sickRows(50))}))
		e.ask("read.finish", both(reading, map[string]any{"digest": make([]byte, 32)}))
	}
}

// A search tells how far it is, and no more than that.
func TestASearchTellsHowFarItIs(t *testing.T) {
	session := NewSession(randomtest.New(1))
	s := wiretest.Hold(session.Service())
	e := &edge{t, s}
	var told []map[string]any
	reply, err := s.Answer("scorecard", map[string]any{
		"dataset": celled(
			e,
			sickRows(300),
		), "adjacency": "add-remove", "epsilon": 1.0, "points": 2.0,
	}, func(update map[string]any) { told = append(told, update) })
	require.Nil(t, err, "%v", err)
	require.NotNil(t, reply)
	require.NotEmpty(t, told)
	last := told[len(told)-1]
	assert.Equal(t, "searching", last["phase"])
	assert.InDelta(t, 1, last["fraction"], 1e-9)
	assert.Len(t, last, 3)
	assert.Contains(t, last, "nodes")
}
