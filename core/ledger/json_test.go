package ledger

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// library is what encoding/json makes of a text, if it takes it.
func library(text []byte) (any, error) {
	var tree any
	err := json.Unmarshal(text, &tree)
	return tree, err
}

func TestJSONOfNumbersAndTexts(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -1.5: "-1.5", 1e-5: "0.00001", 1e-6: "0.000001",
		1e-7: "1e-7", 1.25e-12: "1.25e-12",
		1e20: "100000000000000000000", 1e21: "1e+21", 1.7976931348623157e308: "1.7976931348623157e+308", 5e-324: "5e-324", 1.0 / 3: "0.3333333333333333",
	} {
		got, err := appendJSON(nil, x)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	got, err := appendJSON(nil, "a\"\\/\b\f\n\r\t\x01\x7f<>&ü🙂\u2028\xff")
	require.NoError(t, err)
	assert.Equal(t, `"a\"\\/\b\f\n\r\t\u0001`+"\x7f<>&ü🙂\u2028\uFFFD\"", string(got))
	got, err = appendJSON(
		nil, map[string]any{"b": []any{}, "a": map[string]any{}, "c": []any{nil, true, 1, "x"}},
	)
	require.NoError(t, err)
	assert.Equal(t, `{"a":{},"b":[],"c":[null,true,1,"x"]}`, string(got))
	for _, bad := range []any{
		math.NaN(), math.Inf(1), struct{}{}, []any{math.Inf(-1)}, map[string]any{"x": math.NaN()},
	} {
		_, err := appendJSON(nil, bad)
		assert.Error(t, err)
	}
}

func TestJSONThatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "too early",
		"{":                       "too early",
		`{"a`:                     "too early",
		`{"a":`:                   "too early",
		`{"a":tr`:                 "too early",
		`[1,`:                     "too early",
		`-`:                       "too early",
		`1.`:                      "too early",
		`1e+`:                     "too early",
		`"\u12`:                   "too early",
		`"\`:                      "too early",
		`{"a":1,}`:                "a name is missing at byte 8",
		`{"a":1,"a":2}`:           "a name that was there already",
		`[1 2]`:                   "a comma is missing at byte 4",
		`{"a" 1}`:                 "a colon is missing",
		`01`:                      "something follows its end at byte 2",
		`1.x`:                     "a digit is missing",
		`1e999`:                   "too large",
		"\"\n\"":                  "a control character",
		`"\x"`:                    "an unknown escape",
		`"\u12g4"`:                "an unknown escape",
		`"\ud800"`:                "half of a character",
		`"\ud800\u0041"`:          "half of a character",
		`"\ude42\ud83d"`:          "half of a character",
		`"\ud83d`:                 "too early",
		"\"a\xff\"":               "not UTF-8",
		`nul `:                    "an unexpected character",
		`{} x`:                    "something follows",
		strings.Repeat("[", 1000): "nested too deep",
	} {
		_, err := parseJSON([]byte(text))
		assert.ErrorContains(t, err, want, "%q", text)
	}
}

// The reader takes what encoding/json takes, and makes the same of it, but for
// names given twice, for depth and for what is no Unicode text; and what is written reads back.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e-7,0.1,1e400,"ü\ud83d\ude42\n\/"],"b":{"c":null,"d":[true,false]},"a":1}`, `"\uDE42\uD83D\u0041"`, " [ ] ", `{"":{}}`, "\"\xff\"", "nullx", "-0", `[[1],{"x":"]"}]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want, refused := library(text)
		got, err := parseJSON(text)
		if err != nil {
			strict := slices.ContainsFunc(
				[]string{"was there already", "nested too deep", "half of a character", "not UTF-8"},
				func(why string) bool { return strings.Contains(err.Error(), why) },
			)
			if refused == nil && !strict {
				t.Fatalf("%q is refused: %v", text, err)
			}
			return
		}
		require.NoError(t, refused, "%q", text)
		require.Equal(t, want, got)
		flat, err := appendJSON(nil, got)
		require.NoError(t, err)
		back, err := library(flat)
		require.NoError(t, err)
		// −0 is written 0, as JavaScript does.
		require.JSONEq(t, string(flat), string(text))
		again, err := appendJSON(nil, back)
		require.NoError(t, err)
		require.Equal(t, string(flat), string(again))

		spread, err := indentJSON(got)
		require.NoError(t, err)
		var tight bytes.Buffer
		require.NoError(t, json.Compact(&tight, spread))
		require.Equal(t, string(flat), tight.String())
		var pretty bytes.Buffer
		require.NoError(t, json.Indent(&pretty, flat, "", "  "))
		require.Equal(t, pretty.String()+"\n", string(spread))
	})
}
