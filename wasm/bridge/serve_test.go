//go:build js && wasm

package bridge

import (
	"errors"
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/wasm/api"
)

func service() *api.Service {
	return &api.Service{Handlers: map[string]api.Handler{
		"echo": func(call *api.Call) (map[string]any, error) {
			x := call.Fields.Number("x")
			call.Progress(map[string]any{"half": x / 2})
			return map[string]any{"x": x}, nil
		},
		"fail": func(*api.Call) (map[string]any, error) {
			return nil, &privacy.ParameterError{Field: "epsilon", Value: "-1", Want: "above 0"}
		},
		"panic": func(*api.Call) (map[string]any, error) {
			var none []int
			return map[string]any{"x": none[0]}, nil
		},
		"wrong": func(*api.Call) (map[string]any, error) {
			return map[string]any{"x": errors.New("not a tree")}, nil
		},
	}}
}

func ask(
	t *testing.T, method string, params any, broken *bool,
) (result, failure map[string]any, progress []any) {
	t.Helper()
	listen := js.FuncOf(func(_ js.Value, args []js.Value) any {
		update, err := fromJS(args[0])
		require.NoError(t, err)
		progress = append(progress, update)
		return nil
	})
	defer listen.Release()
	out, bad := answer(service(), method, toJS(params), listen.Value, broken)
	tree := func(v any) map[string]any {
		read, err := fromJS(v.(js.Value))
		require.NoError(t, err)
		if read == nil {
			return nil
		}
		return read.(map[string]any)
	}
	return tree(out), tree(bad), progress
}

func TestAnswerIsAReplyOrAnError(t *testing.T) {
	var broken bool
	result, failure, progress := ask(t, "echo", map[string]any{"x": 3.0}, &broken)
	assert.Equal(t, map[string]any{"x": 3.0}, result)
	assert.Nil(t, failure)
	assert.Equal(t, []any{map[string]any{"half": 1.5}}, progress)

	result, failure, _ = ask(t, "fail", map[string]any{}, &broken)
	assert.Nil(t, result)
	assert.Equal(
		t,
		map[string]any{
			"code":    "parameter",
			"field":   "epsilon",
			"message": "epsilon is -1: it must be above 0.",
		},
		failure,
	)

	_, failure, _ = ask(t, "echo", map[string]any{"x": 1.0, "y": 2.0}, &broken)
	assert.Equal(t, "y", failure["field"])
	_, failure, _ = ask(t, "nothing", map[string]any{}, &broken)
	assert.Equal(t, "parameter", failure["code"])
	_, failure, _ = ask(t, "echo", "text", &broken)
	assert.Equal(t, "parameter", failure["code"])
	assert.False(t, broken)
}

func TestAPanicBreaksTheInstanceAndStillAnswers(t *testing.T) {
	for _, method := range []string{"panic", "wrong"} {
		var broken bool
		result, failure, _ := ask(t, method, map[string]any{}, &broken)
		assert.Nil(t, result)
		assert.Equal(t, "internal", failure["code"])
		assert.Equal(t, true, failure["broken"])
		assert.True(t, broken)
	}
}
