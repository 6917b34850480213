//go:build js && wasm

package bridge

import (
	"math"
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTreesSurviveTheWayThereAndBack(t *testing.T) {
	tree := map[string]any{
		"number":   0.1,
		"infinite": math.Inf(1),
		"text":     "naïve – “quotes” 🙂",
		"yes":      true,
		"null":     nil,
		"list":     []any{1.0, "two", []any{}, map[string]any{"three": 3.0}},
		"bytes":    []byte{0, 1, 255},
		"floats":   []float64{0, -1.5, math.Inf(-1), math.SmallestNonzeroFloat64, math.MaxFloat64},
		"empty":    map[string]any{},
		"none":     []float64{},
	}
	back, err := fromJS(toJS(tree))
	require.NoError(t, err)
	assert.Equal(t, tree, back)
}

func TestPartsOfABufferAreReadAtTheirOffset(t *testing.T) {
	whole := toJS([]float64{1, 2, 3, 4})
	part, err := fromJS(whole.Call("subarray", 1, 3))
	require.NoError(t, err)
	assert.Equal(t, []float64{2, 3}, part)
}

func TestUndefinedMembersAreLeftOut(t *testing.T) {
	object := objectType.New()
	object.Set("absent", js.Undefined())
	object.Set("null", js.Null())
	tree, err := fromJS(object)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"null": nil}, tree)
}

func TestCyclesAndFunctionsAreRefused(t *testing.T) {
	cycle := objectType.New()
	cycle.Set("self", cycle)
	_, err := fromJS(cycle)
	require.ErrorIs(t, err, errDepth)

	_, err = fromJS(objectType)
	require.ErrorIs(t, err, errKind)

	request := objectType.New()
	request.Set("delta", js.Global().Get("BigInt").Invoke(10))
	_, err = fromJS(request)
	require.ErrorIs(t, err, errKind)
}

// A list of events that would take minutes to copy is refused at the first too many.
func TestSoManyEventsAreRefused(t *testing.T) {
	event := map[string]any{"mechanism": "laplace", "scale": 1.0}
	events := make([]any, maxEvents)
	for i := range events {
		events[i] = event
	}
	back, err := fromJS(toJS(map[string]any{"parts": events}))
	require.NoError(t, err)
	assert.Len(t, back.(map[string]any)["parts"], maxEvents)
	_, err = fromJS(toJS([]any{events, event}))
	require.ErrorIs(t, err, errEvents)
	others := make([]any, maxEvents+1)
	for i := range others {
		others[i] = map[string]any{"name": "a column"}
	}
	_, err = fromJS(toJS(others))
	require.NoError(t, err, "other lists may be as long as they are")
}

func TestMembersAreInAlphabeticalOrder(t *testing.T) {
	object := toJS(map[string]any{"c": 1, "a": 2, "b": 3})
	assert.Equal(
		t,
		`{"a":2,"b":3,"c":1}`,
		js.Global().Get("JSON").Call("stringify", object).String(),
	)
}

func TestNoReplyHoldsNaN(t *testing.T) {
	assert.Panics(t, func() { toJS(math.NaN()) })
	assert.Panics(t, func() { toJS([]any{math.NaN()}) })
	assert.Panics(t, func() { toJS([]float64{math.NaN()}) })
	assert.Panics(t, func() { toJS(struct{}{}) })
}

// Half of a surrogate pair is no Unicode text: it would be another text in Go than in JavaScript.
func TestTextThatIsNoUnicodeIsRefused(t *testing.T) {
	parse := func(text string) js.Value { return js.Global().Get("JSON").Call("parse", text) }
	tree, err := fromJS(parse(`{"\ufffd": "\ud83d\ude00", "b": 2, "__proto__": 3, "constructor": 4}`))
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"\ufffd": "\U0001f600", "b": 2.0, "__proto__": 3.0, "constructor": 4.0,
	}, tree)
	for _, text := range []string{
		`{"a\ud800": 1}`, `{"a\ud800": 1, "a\ufffd": 2}`, `["\udc00"]`, `{"a": "\ude00\ud83d"}`,
	} {
		_, err = fromJS(parse(text))
		require.ErrorIs(t, err, errHalf, text)
	}
}
