package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Names, categories, spellings and what is read off a file to become one of them are what
// they look like, or are refused; the error has the character as its number.
func TestNamesAreWhatTheyLookLike(t *testing.T) {
	schema := func(name, category, spelling string) string {
		var texts [3][]byte
		for i, text := range []string{name, category, spelling} {
			var err error
			texts[i], err = json.Marshal(text)
			require.NoError(t, err)
		}
		return fmt.Sprintf(`{"version":1,"features":[{"name":%s,"type":"categorical",
			"categories":[%s,"b"],"provenance":"public"}],"label":{"name":"y","negative":["0"],
			"positive":[%s],"provenance":"public"},"rows":{"norm":"clip"},"intercept":0.5}`,
			texts[0], texts[1], texts[2])
	}
	_, err := ParseSchema([]byte(schema("a\tb\u200d\u200f", "é\r\nb", "ja")))
	require.NoError(t, err, "tabs, ends of lines, joiners and marks turn nothing")
	for _, sign := range []string{
		"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069",
		"\u2028", "\u2029", "\x00", "\x01", "\x1b", "\x7f", "\u0085", "\u009f",
	} {
		odd := "ab" + sign + "cd"
		number := strings.Trim(strconv.QuoteToASCII(sign), `"`)
		for i, text := range []string{
			schema(odd, "a", "1"), schema("n", odd, "1"), schema("n", "a", odd),
		} {
			_, err := ParseSchema([]byte(text))
			var schemaError *SchemaError
			require.ErrorAs(t, err, &schemaError, "%d: %q", i, odd)
			assert.Contains(t, err.Error(), number)
			assert.NotContains(t, err.Error(), sign)
		}
		if sign == "\x00" {
			continue // a file with it is refused as no CSV
		}
		refused := func(err error) {
			t.Helper()
			var refusal *Error
			require.True(t, errors.As(err, &refusal), "%q", odd)
			assert.Equal(t, NotShowable, refusal.Kind)
			assert.Contains(t, err.Error(), number)
			assert.NotContains(t, err.Error(), sign)
		}
		_, err := Suggest(strings.NewReader("x,"+odd+"\n1,a\n2,b\n"), SuggestOptions{})
		refused(err)
		_, err = Suggest(strings.NewReader("x,y\n1,"+odd+"\n2,b\n"), SuggestOptions{Label: "y"})
		refused(err)
		found, err := Suggest(
			strings.NewReader("x,z,y\n1,"+odd+",0\n2,b,1\n"), SuggestOptions{Label: "y"},
		)
		require.NoError(t, err)
		require.Len(t, found.LeftOut, 1)
		assert.Contains(t, found.LeftOut[0].Reason, number)
		require.NoError(t, found.Schema.Validate())

		c, err := NewTextCounter([]string{"z"}, nil, ReadOptions{})
		require.NoError(t, err)
		err = c.Counter.Write([]byte("z\nb\n" + odd + "\n"))
		if err == nil {
			_, err = c.Close()
		}
		refused(err)
	}
}
