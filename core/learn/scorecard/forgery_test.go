package scorecard

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
)

// What one change of a file may leave standing: the publisher's own word (names, values, rules,
// the card's points within their bound, the library), a promise that is weaker than the event's,
// and an event that is more private than the promise.
var ownWord = regexp.MustCompile(`^(library|schema\.label\.(name|missing|negative.*|positive.*)` +
	`|schema\.missing_values.*|schema\.attributes\.\d\.(min|max|missing|unknown)` +
	`|schema\.attributes\.1\.levels\.\d\.values.*|card\.attributes\.\d\.levels\.\d\.points` +
	`|card\.bound|event\.denominator|event\.epsilon|guarantee\.epsilon|guarantee\.delta` +
	`|evaluation\.(epsilon|cells\.\d\.\d|event\.parts\.0\.event\.scale))$`)

// Every field of a file is changed to each of these, left out, and joined by another.
func TestOneChangeOfAFileIsFoundOut(t *testing.T) {
	nativetest.Only(t)
	gone := new(int)
	values := []any{
		gone, nil, true, false, "", "x", "drop", "replace-one", "gumbel", "suggested", "inf", "no",
		"\u202e", -1.0, 0.0, math.Copysign(0, -1), 0.5, 1.0, 2.0, 16.0, 1e308, 5e-324,
		math.Inf(1), math.NaN(), []any{}, []any{"x"}, map[string]any{},
	}
	all := released(t)
	for _, i := range []int{0, 2, 3, 6, 7, 8, 9} {
		text := []byte(document(t, all[i]))
		fresh := func() (tree any) {
			require.NoError(t, json.Unmarshal(text, &tree))
			return tree
		}
		accepted := 0
		try := func(path string, set func(tree, value any)) {
			for _, value := range values {
				tree := fresh()
				set(tree, value)
				r, err := ReleaseFromTree(tree)
				if err != nil {
					continue
				}
				if _, failed := r.Verify().Failed(); failed {
					continue
				}
				if document(t, r) == string(text) {
					continue // what stood there, or its default
				}
				accepted++
				assert.Regexp(t, ownWord, path, "%v is believed", value)
				assert.GreaterOrEqual(t, r.Guarantee.Epsilon, all[i].Guarantee.Epsilon)
				assert.Zero(t, r.Guarantee.Delta)
				assert.NoError(t, r.withinBound())
				assert.Equal(t, all[i].Guarantee.Adjacency, r.Event.Neighbours())
				assert.Equal(t, all[i].Covers, r.Covers)
			}
		}
		var each func(at any, path string, find func(tree any) any)
		each = func(at any, path string, find func(tree any) any) {
			member := func(name string, of any) {
				to := path + name
				try(to, func(tree, value any) {
					switch in := find(tree).(type) {
					case map[string]any:
						if in[name] = value; value == any(gone) {
							delete(in, name)
						}
					case []any:
						k, _ := strconv.Atoi(name)
						in[k] = value
					}
				})
				each(of, to+".", func(tree any) any {
					switch in := find(tree).(type) {
					case map[string]any:
						return in[name]
					case []any:
						k, _ := strconv.Atoi(name)
						return in[k]
					}
					return nil
				})
			}
			switch at := at.(type) {
			case map[string]any:
				for name, of := range at {
					member(name, of)
				}
				try(path+"new", func(tree, value any) { find(tree).(map[string]any)["new"] = value })
			case []any:
				for k, of := range at {
					member(strconv.Itoa(k), of)
				}
			}
		}
		each(fresh(), "", func(tree any) any { return tree })
		assert.Greater(t, accepted, 50, "a promise may be weaker, a name another")
	}
}
