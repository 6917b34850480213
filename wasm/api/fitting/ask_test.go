package fitting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// edge is a session as a caller meets it: methods by name, trees in and out.
type edge struct {
	t       *testing.T
	service *wiretest.Service
}

func newEdge(t *testing.T) *edge {
	return &edge{t, wiretest.Hold(NewSession(randomtest.New(1)).Service())}
}

// ask expects a reply.
func (e *edge) ask(method string, params map[string]any) map[string]any {
	e.t.Helper()
	reply, err := e.service.Answer(method, params, nil)
	require.Nil(e.t, err, "%v", err)
	return reply
}

// refused expects an error.
func (e *edge) refused(method string, params map[string]any) *api.Error {
	e.t.Helper()
	reply, err := e.service.Answer(method, params, nil)
	require.Nil(e.t, reply)
	require.NotNil(e.t, err)
	return err
}

// failure is the error of a request, nil for none.
func (e *edge) failure(method string, params map[string]any) *api.Error {
	_, err := e.service.Answer(method, params, nil)
	return err
}

// read opens a source, pushes its parts in, and finishes; the first error ends it.
func (e *edge) read(open map[string]any, parts ...string) (map[string]any, *api.Error) {
	e.t.Helper()
	reply, err := e.service.Answer("read.open", open, nil)
	if err != nil {
		return nil, err
	}
	reading := float64(reply["reading"].(int))
	for _, part := range parts {
		if _, err := e.service.Answer("read.part", map[string]any{"reading": reading}, nil); err != nil {
			return nil, err
		}
		if _, err := e.service.Answer(
			"read.append", map[string]any{"reading": reading, "bytes": []byte(part)}, nil,
		); err != nil {
			return nil, err
		}
	}
	return e.service.Answer("read.finish", map[string]any{"reading": reading}, nil)
}

func (e *edge) open(schema any, parts ...string) (map[string]any, *api.Error) {
	e.t.Helper()
	return e.read(map[string]any{"purpose": "dataset", "schema": schema}, parts...)
}

// ageSchema predicts "sick" from "age" and "ward".
func ageSchema() map[string]any {
	return map[string]any{
		"version": 1.0,
		"features": []any{
			map[string]any{
				"name":       "age",
				"type":       "numeric",
				"min":        0.0,
				"max":        100.0,
				"provenance": "public",
			},
			map[string]any{
				"name":       "ward",
				"type":       "categorical",
				"categories": []any{"A", "B"},
				"provenance": "public",
			},
		},
		"label": map[string]any{
			"name":       "sick",
			"negative":   []any{"no"},
			"positive":   []any{"yes"},
			"provenance": "public",
		},
		"rows":      map[string]any{"norm": "unit"},
		"intercept": 1.0,
	}
}

const ageRows = "age,ward,sick\n30,A,no\n70,B,yes\n45,A,yes\n20,B,no\n"
