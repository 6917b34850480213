package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/wasm/api"
)

func TestAReplyOrAnErrorNeverBoth(t *testing.T) {
	var told []any
	service := &api.Service{Handlers: map[string]api.Handler{
		"double": func(call *api.Call) (map[string]any, error) {
			x := call.Fields.Number("x")
			if err := call.Fields.Done(); err != nil {
				return nil, err
			}
			call.Progress(map[string]any{"at": x})
			return map[string]any{"x": 2 * x}, nil
		},
		"silent": func(*api.Call) (map[string]any, error) { return nil, nil },
		"both": func(*api.Call) (map[string]any, error) {
			return map[string]any{"secret": 1.0}, errors.New("no")
		},
	}}
	reply, err := service.Answer(
		"double", map[string]any{"x": 2.0}, func(u map[string]any) { told = append(told, u["at"]) },
	)
	require.Nil(t, err)
	assert.Equal(t, map[string]any{"x": 4.0}, reply)
	assert.Equal(t, []any{2.0}, told)

	reply, err = service.Answer("silent", map[string]any{}, nil)
	require.Nil(t, err)
	assert.Equal(t, map[string]any{}, reply)

	for name, params := range map[string]any{
		"double":  map[string]any{"x": 1.0, "y": 1.0}, // an unknown field
		"silent":  map[string]any{"x": 1.0},           // a field that the handler did not read
		"both":    map[string]any{},
		"nothing": map[string]any{},
	} {
		reply, err := service.Answer(name, params, nil)
		assert.Nil(t, reply, name)
		assert.NotNil(t, err, name)
	}
	_, err = service.Answer("double", []any{}, nil)
	assert.Equal(t, api.CodeParameter, err.Code)
}

func TestErrorsKeepTheirCodeAndPlace(t *testing.T) {
	own := &api.Error{Code: api.CodeData, Message: "Wrong.", Row: 3, Column: "age"}
	other := errors.New("something else")
	fail := func(err error) *api.Service {
		return &api.Service{
			Handlers: map[string]api.Handler{
				"fail": func(*api.Call) (map[string]any, error) { return nil, err },
			},
		}
	}
	answer := func(s *api.Service) *api.Error {
		_, err := s.Answer("fail", map[string]any{}, nil)
		require.NotNil(t, err)
		return err
	}
	assert.Equal(
		t, map[string]any{"code": "data", "message": "Wrong.", "row": 3.0, "column": "age"},
		answer(fail(fmt.Errorf("around: %w", own))).Tree(),
	)
	assert.Equal(
		t,
		map[string]any{
			"code":    "parameter",
			"message": "epsilon is 0: it must be a finite number above 0.",
			"field":   "epsilon",
		},
		answer(fail(fmt.Errorf("around: %w", privacy.CheckEpsilon(0)))).Tree(),
	)
	unknown := answer(fail(other))
	assert.Equal(t, api.CodeInternal, unknown.Code)
	assert.ErrorIs(t, unknown, other)

	// A service explains its own errors first, also beside others.
	explained := fail(other)
	explained.Explain = func(err error) *api.Error {
		if errors.Is(err, other) {
			return &api.Error{Code: api.CodeRefused, Message: "Explained."}
		}
		return nil
	}
	assert.Equal(t, api.CodeRefused, answer(explained).Code)
	assert.Equal(t, api.CodeRefused, answer(api.Merge(&api.Service{}, explained)).Code)
	assert.Panics(t, func() { api.Merge(explained, explained) })
}

func TestTheVersionIsThePackages(t *testing.T) {
	text, err := os.ReadFile("../../site/package.json")
	require.NoError(t, err)
	var manifest struct{ Version string }
	require.NoError(t, json.Unmarshal(text, &manifest))
	assert.Equal(t, privacy.LibraryVersion, manifest.Version)
}
