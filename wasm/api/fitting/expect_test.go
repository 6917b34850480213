package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func expecting() map[string]any {
	return map[string]any{
		"schema": ageSchema(), "records": 300.0, "signal": "medium", "trial": 4.0,
		"adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-5, "epsilons": []any{0.1, 1.0, 8.0},
	}
}

func with(params map[string]any, name string, value any) map[string]any {
	params[name] = value
	return params
}

// What is expected depends on the schema and what is asked, and on no row: with
// two files of opposite labels open it is the same to the last bit, and so it is
// with none.
func TestAnExpectationIsOfNoFile(t *testing.T) {
	want := newEdge(t).ask("expect", expecting())
	for _, rows := range []string{ageRows, "age,ward,sick\n99,B,no\n1,A,yes\n2,A,yes\n"} {
		e := newEdge(t)
		_, err := e.open(ageSchema(), rows)
		require.Nil(t, err)
		assert.Equal(t, want, e.ask("expect", expecting()))
		assert.Equal(
			t, "dataset", e.refused("expect", with(expecting(), "dataset", 1.0)).Field,
			"a file cannot be named",
		)
	}
	private := want["private"].([]any)
	require.Len(t, private, 3)
	assert.Less(t, private[0], private[1])
	assert.Less(t, private[1], want["plain"].(float64)+0.01)
	assert.NotEqual(t, want, newEdge(t).ask("expect", with(expecting(), "trial", 2.0)))
	assert.InDelta(t, 0.5, want["known"], 0.1, "about as many of either class")
	rare := newEdge(t).ask("expect", with(expecting(), "rarer", 0.05))
	assert.InDelta(t, 0.95, rare["known"], 1e-9)
}

func TestAnExpectationRefuses(t *testing.T) {
	for name, value := range map[string]any{
		"records": 3.0, "trial": 0.0, "signal": "loud", "epsilons": []any{-1.0}, "epsilon": 0.0, "adjacency": "both", "loss": "exponential",
		"rarer": 0.6,
	} {
		assert.Equal(
			t, "parameter",
			string(newEdge(t).refused("expect", with(expecting(), name, value)).Code), name,
		)
	}
	many := make([]any, 33)
	for i := range many {
		many[i] = 1.0
	}
	assert.Equal(
		t, "epsilons", newEdge(t).refused("expect", with(expecting(), "epsilons", many)).Field,
	)
	assert.Equal(
		t, "schema",
		string(newEdge(t).refused("expect", with(expecting(), "schema", map[string]any{})).Code),
	)
}

// A published bound that no noise satisfies at one ε leaves that one out.
func TestAnExpectationLeavesOutWhatCannotBe(t *testing.T) {
	reply := newEdge(t).ask("expect", with(with(expecting(), "bound", "kifer"), "lambda", 1.0))
	private := reply["private"].([]any)
	assert.Nil(t, private[0], "λ = 1 is too small for ε = 0.1 by Kifer et al.")
	assert.NotNil(t, private[2])
}

// Of several classes the noise at ε itself is the calibrated one, and elsewhere an
// estimate.
func TestAnExpectationOfSeveralClasses(t *testing.T) {
	private := newEdge(t).ask("expect", with(expecting(), "schema", statesSchema()))["private"].([]any)
	require.Len(t, private, 3)
	assert.Less(t, private[0], private[2])
}

// statesSchema is ageSchema with a label of three classes.
func statesSchema() map[string]any {
	schema := ageSchema()
	schema["version"] = 2.0
	schema["label"] = map[string]any{
		"name":       "state",
		"type":       "classes",
		"classes":    []any{[]any{"a"}, []any{"b"}, []any{"c"}},
		"provenance": "public",
	}
	return schema
}

// What was asked before changes nothing: two schemas of as many columns have centrings of their
// own, which the steps of a fit take.
func TestAnExpectationDoesNotDependOnWhatWasAskedBefore(t *testing.T) {
	numbers := []any{}
	for _, name := range []string{"u", "v", "w"} {
		numbers = append(numbers, map[string]any{
			"name": name, "type": "numeric", "min": 0.0, "max": 1.0, "provenance": "public",
		})
	}
	other := ageSchema()
	other["features"] = numbers
	require.Len(t, ageSchema()["features"], 2, "a number and two categories")
	asked := func(schema map[string]any) map[string]any {
		return with(with(expecting(), "schema", schema), "method", "steps")
	}
	want := newEdge(t).ask("expect", asked(ageSchema()))
	e := newEdge(t)
	e.ask("expect", asked(other))
	assert.Equal(t, want, e.ask("expect", asked(ageSchema())))
}
