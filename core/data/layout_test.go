package data

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever separates fields, the same table is read, and what separates them is said.
func TestLayouts(t *testing.T) {
	schema := smallSchema(t)
	for text, want := range map[string]Layout{
		"x,c,y\n1,a,no\n2,b,yes\n":                    {',', false, 3, true},
		"x;c;y\n1;a;no\n2;b;yes\n":                    {';', false, 3, true},
		"x|c|y\n1|a|no\n2|b|yes\n":                    {'|', false, 3, true},
		"x\tc\ty\n1\ta\tno\n2\tb\tyes\n":              {'\t', false, 3, true},
		"x c y\n1 a no\n2 b yes\n":                    {' ', false, 3, true},
		" x   c\ty  \r\n 1  a no\r\n\t2 b\t yes \r\n": {' ', false, 3, true},
		"x,\"c\",y\n1,a,no\n2,b,yes\n":                {',', true, 3, true},
		"x;c;y;z\n1;a;no;1,5\n2;b;yes;\"\"\n":         {';', true, 4, true},
		"sep=:\nx:c:y\n1:a:no\n2:b:yes\n":             {':', false, 3, true},
		// As R's write.table has it: the name of the first column, the row's, is left out.
		"\"x\" \"c\" \"y\"\n\"1\" 1 \"a\" \"no\"\n\"2\" 2 \"b\" \"yes\"\n": {' ', true, 4, true},
		"x\tc\ty\nfirst\t1\ta\tno\nsecond\t2\tb\tyes\n":                    {'\t', false, 4, true},
	} {
		d, err := Read(strings.NewReader(text), schema, ReadOptions{})
		require.NoError(t, err, "%q", text)
		assert.Equal(t, want, d.Layout, "%q", text)
		assert.Equal(t, []float64{-1, 1}, d.Y)
		assert.Equal(t, 2, d.X.Rows())
		found, err := Suggest(
			strings.NewReader(text+strings.SplitAfterN(text, "\n", 2)[1]), SuggestOptions{Label: "y"},
		)
		if len(d.Layout.separators()) == 1 && text[:4] != "sep=" {
			require.NoError(t, err, "%q", text)
			assert.Equal(t, want, found.Layout, "%q", text)
			assert.Equal(t, "x", found.Schema.Features[0].Name)
		}
	}
}

// separators are the bytes that separate fields.
func (l Layout) separators() string {
	if l.Delimiter == spaces {
		return " \t"[:1]
	}
	return string(l.Delimiter)
}

// Spaces in texts separate nothing where anything else does.
func TestSpacesAreTheLastThought(t *testing.T) {
	for _, text := range []string{
		"first name,hours per week,y\nAnna Maria,40,no\nJan Piet,35,yes\n",
		"hours per week;y z\n40 h;no no\n35 h;yes yes\n",
		// One column more in a line: the error is about commas, not about words.
		"a b,c d\n1 2,3 4\n1 2,3 4,5\n",
	} {
		s := scanner{sink: &collector{scanner: &scanner{}}, buffer: []byte(text)}
		_, ok := s.detect(0, true)
		require.True(t, ok)
		assert.Contains(t, ",;", string(s.delimiter), "%q", text)
	}
	// Prose is one column.
	_, err := Suggest(
		strings.NewReader("what he said\nnot a word\nwell, two words or so\n"), SuggestOptions{},
	)
	require.Error(t, err)
	_, err = Read(strings.NewReader("u v w\n1 a no\n"), smallSchema(t), ReadOptions{})
	require.ErrorContains(t, err, `it has "u v w"`)
}

func TestSpacesAsTheyAreGiven(t *testing.T) {
	schema := smallSchema(t)
	d, err := Read(
		strings.NewReader("\n  \n x\tc y \n1 a\tno\n\n \t \n  2 \"b\"  yes"), schema,
		ReadOptions{Delimiter: ' '},
	)
	require.NoError(t, err)
	assert.Equal(t, []float64{-1, 1}, d.Y)
	_, err = Read(
		strings.NewReader("x c y\n1 a no\n2 yes\n"), schema, ReadOptions{Delimiter: ' '},
	)
	require.ErrorContains(t, err, "row 3: the record has 2 fields, the first line has 3")
	_, err = Read(
		strings.NewReader("x c y\n1 \"a\"b no\n"), schema, ReadOptions{Delimiter: ' '},
	)
	require.ErrorContains(t, err, "text follows the closing quote")
	// An empty field stands in quotes.
	missing := smallSchema(t, `"max":10`, `"max":10,"missing":5`)
	d, err = Read(
		strings.NewReader("x c y\n\"\" a no\n? b yes\n"), missing, ReadOptions{Delimiter: ' '},
	)
	require.NoError(t, err)
	assert.Equal(t, 2, d.Tally.Features[0].Missing)
	// A record of its own, even the first, is no header that lacks a name.
	plain, err := Suggest(
		strings.NewReader("1 no\n1 2 no\n3 4 yes\n"), SuggestOptions{Header: HeaderNone},
	)
	require.Error(t, err)
	require.Nil(t, plain)
}

// compareWithFields holds what spaces cut against strings.Fields.
func compareWithFields(t *testing.T, text string) {
	if strings.ContainsAny(text, "\"\x00\v\f") || strings.Contains(text, "sep=") ||
		!ascii(text) || sniff([]byte(text)) != nil {
		return
	}
	ours, err := scanText(text, spaces, window, len(text)+1)
	var want [][]string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if fields := strings.Fields(line); len(fields) > 0 {
			want = append(want, fields)
		}
	}
	if len(want) == 0 {
		require.NotNil(t, err)
		return
	}
	require.Nil(t, err, "%q", text)
	require.Len(t, ours, len(want), "%q", text)
	for i := range want {
		require.Equal(t, want[i], ours[i].fields, "%q", text)
	}
}

func ascii(text string) bool {
	return bytes.IndexFunc([]byte(text), func(r rune) bool { return r >= 0x80 }) < 0
}
