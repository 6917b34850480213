package accounting

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// places lists the paths of all members of a plain tree that are neither objects
// nor lists, with a function that returns the tree with another value there.
func places(
	tree any, path string, around func(any) any,
	visit func(path string, value any, with func(any) any),
) {
	switch tree := tree.(type) {
	case map[string]any:
		for name := range tree {
			places(tree[name], path+"."+name, func(value any) any {
				copied := with(tree, name, value)
				return around(copied)
			}, visit)
		}
	case []any:
		for i := range tree {
			places(tree[i], path+"["+strconv.Itoa(i)+"]", func(value any) any {
				copied := append([]any(nil), tree...)
				copied[i] = value
				return around(copied)
			}, visit)
		}
	default:
		visit(path, tree, around)
	}
}

// Every field of every event, with a value that it cannot have, is an error of
// every method that names it by its path.
func TestEveryFieldOfEveryEventIsNamed(t *testing.T) {
	optional := map[string]bool{"dimension": true, "grid": true, "count": true}
	looked := 0
	for _, c := range citedEvents {
		tree := any(privacy.EncodeEvent(c.event))
		places(
			tree,
			"event",
			func(x any) any { return x },
			func(path string, value any, with func(any) any) {
				name := path[strings.LastIndex(path, ".")+1:]
				spoilt := []any{true, map[string]any{}, "none of these"}
				if _, number := value.(float64); number {
					spoilt = append(spoilt, math.NaN(), math.Inf(1), -1.0, -1e300)
				}
				if !optional[name] && !strings.HasSuffix(path, "]") {
					spoilt = append(spoilt, nil)
				}
				for _, bad := range spoilt {
					event := with(bad)
					for method, params := range map[string]map[string]any{
						"account": {"event": event, "delta": 1e-5},
						"check":   {"event": event, "epsilon": 1.0},
						"afford":  {"budget": map[string]any{"adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-5}, "charged": []any{map[string]any{"event": event}}},
					} {
						reply, err := wiretest.Hold(Service(), Odometers()).
							Answer(method, params, nil)
						require.Nil(t, reply, "%s with %s = %v", method, path, bad)
						require.Equal(t, api.CodeParameter, err.Code, err.Message)
						field := strings.TrimPrefix(err.Field, "charged[0].")
						// An adjacency inside another event is wrong beside that one's.
						if name == "adjacency" || name == "mechanism" {
							assert.Contains(
								t, field, name, "%s with %s = %v: %s", method, path, bad,
								err.Message,
							)
						} else {
							assert.Equal(t, path, field, "%s with %s = %v: %s", method, path, bad, err.Message)
						}
						looked++
					}
				}
			},
		)
		extra := with(tree.(map[string]any), "colour", "red")
		err := refused(t, "account", map[string]any{"event": extra, "delta": 1e-5})
		assert.Equal(t, "event.colour", err.Field)
	}
	assert.Greater(t, looked, 1000)
}
