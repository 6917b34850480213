package report

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Byte for byte what encoding/json writes: or a fingerprint that was published
// would be another one here.
func TestAppendJSON(t *testing.T) {
	tree := map[string]any{
		"numbers": []any{
			0.0,
			math.Copysign(0, -1),
			1.0,
			-1.5,
			1e-6,
			9.999e-7,
			1e-9,
			-1.25e-10,
			1e-300,
			5e-324,
			1e20,
			1e21,
			-3e22,
			math.MaxFloat64,
			0.1,
			1.0 / 3,
			123456789.0,
		},
		"texts": []any{
			"",
			"<=50K & more",
			`quote " and \`,
			"\b\f\n\r\t\x00\x1f\x7f",
			"µ, ü, 漢, 😀",
			"\u2028\u2029",
			"\xff broken \xc3",
			"\ufffd",
		},
		"names<>": map[string]any{
			"b": true,
			"a": false,
			"B": nil,
			"":  []any{},
			"ä": map[string]any{},
		},
	}
	want, err := json.Marshal(tree)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(appendJSON(nil, tree)))
	assert.Panics(t, func() { appendJSON(nil, 1) })

	release, _, _ := publishedRelease(t, 5)
	want, err = json.Marshal(release)
	require.NoError(t, err)
	whole, err := release.Tree()
	require.NoError(t, err)
	assert.Equal(t, string(want), string(appendJSON(nil, whole)))
}

func FuzzAppendJSON(f *testing.F) {
	f.Add("<\u2028\xff\x01", 1e-7)
	f.Add("ü\ufffd\"", -1e21)
	f.Fuzz(func(t *testing.T, text string, x float64) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		tree := map[string]any{text: []any{x, text}}
		want, err := json.Marshal(tree)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(appendJSON(nil, tree)))
	})
}
