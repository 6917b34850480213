package data

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzParser: whatever the text, the parser does not panic, cuts it as
// encoding/csv does where both accept it, gives the same result in pieces as
// in one, names places that exist, and reads what it suggests.
func FuzzParser(f *testing.F) {
	for _, text := range []string{
		good,
		"\xef\xbb\xbf x , c,\"y\"\r\n1,\"a\",no\r\n\"2\", b ,\"yes\"\r\n",
		"sep=;\nx;c;y\n1,5;a;no\n",
		"x\tc\ty\n1\ta\tno\n?\t\tyes",
		"x,c,y\n1,\"a\n\r\n\"\"b\",no\n\n\n2,b\n",
		"x,c,y\r1,a,no\r2,b,yes\r",
		"y|x|c|x\nno|1e400|a|nan\n",
		"id,v,w,label\n1,0.5,a,0\n2,-3,b,1\n3,1e300,a,1\n",
		"a\x00b",
		"x,c,y\n1,caf\xe9,no\n",
		"x  c\ty \n 1 \"a b\" no\n2\tb\"  yes\n\n \n",
		"\"x\" \"c\" \"y\"\n\"1\" 1 \"a\" \"no\"\n\"2\" 2 \"b\" \"yes\"\n",
		"x\tc\ty\nfirst\t1\ta\tno\nsecond\t2\tb\tyes\n",
	} {
		f.Add(text, uint8(1), uint8(0))
	}
	schema := smallSchema(f)
	lenient := smallSchema(
		f,
		`"max":10`,
		`"max":10,"log":true,"missing":1`,
		`["a","b"]`,
		`["a","b"],"missing":"drop","unknown":"zero"`,
		`"positive":["yes"]`,
		`"positive":["yes"],"missing":"drop"`,
		`"clip"`,
		`"unit"`,
	)
	indicated := smallSchema(
		f,
		`"version":1`,
		`"version":6`,
		`"max":10`,
		`"max":10,"missing":"indicator"`,
		`["a","b"]`,
		`["a","b"],"missing":"indicator","unknown":"zero"`,
	)
	classes, number := parsed(f, several), parsed(f, numeric)
	f.Add("x,c,y\n1,a,no\n2,b,-3.5e2\n3,a,perhaps\n", uint8(3), uint8(0))
	f.Fuzz(func(t *testing.T, text string, piece, which uint8) {
		compareWithStandard(t, text, delimiters[int(which)%len(delimiters)])
		samePieces(t, text, delimiters[int(which)%len(delimiters)], int(piece)+1)
		samePieces(t, text, spaces, int(piece)+1)
		compareWithFields(t, text)
		for _, s := range []*Schema{schema, lenient, indicated, classes, number} {
			d, err := read(s, text)
			checkPlace(t, text, err)
			if err == nil {
				checkRows(t, d)
			}
		}
		suggestion, err := Suggest(strings.NewReader(text), SuggestOptions{Delimiter: ','})
		checkPlace(t, text, err)
		if err != nil {
			return
		}
		require.NoError(t, suggestion.Schema.Validate())
		d, err := Read(strings.NewReader(text), suggestion.Schema, ReadOptions{Delimiter: ','})
		if typed := (&Error{}); errors.As(err, &typed) {
			// All that can be wrong is what dropping records leaves.
			require.Contains(t, []Kind{NoRows, OneClass}, typed.Kind, "%v", err)
			return
		}
		require.NoError(t, err)
		checkRows(t, d)
	})
}

// samePieces compares a text read in one with the text read in pieces, through
// a window so small that most records cross its end.
func samePieces(t *testing.T, text string, delimiter byte, piece int) {
	if strings.Contains(text, "\x00") || strings.Contains(strings.ToLower(text), "sep=") {
		return // looked for in the first window only
	}
	whole, err := scanText(text, delimiter, window, len(text)+1)
	pieces, again := scanText(text, delimiter, 32, piece)
	if sniffed(err) || sniffed(again) {
		return // as above
	}
	require.Equal(t, err, again)
	require.Equal(t, whole, pieces)
}

// checkPlace looks whether an error of reading a text is typed, legible, and
// about a line that exists.
func checkPlace(t *testing.T, text string, err error) {
	if err == nil {
		return
	}
	typed := &Error{}
	require.True(t, errors.As(err, &typed), "%v", err)
	require.NotEmpty(t, typed.Kind)
	require.NotEmpty(t, typed.Problem)
	require.NotEmpty(t, typed.Want)
	require.GreaterOrEqual(t, typed.Row, 0)
	ends := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	require.LessOrEqual(t, typed.Row, strings.Count(ends, "\n")+1)
	require.True(t, utf8.ValidString(typed.Error()), "%q", typed.Error())
	require.Less(t, len(typed.Error()), 10000)
}

func checkRows(t *testing.T, d *Dataset) {
	require.Positive(t, d.X.Rows())
	require.Len(t, d.Y, d.X.Rows())
	require.Equal(t, d.Schema.Dimension(), d.X.Columns)
	for _, y := range d.Y {
		switch d.Schema.Label.Type {
		case TwoClasses:
			require.True(t, y == 1 || y == -1)
		case SeveralClasses:
			require.Contains(t, []float64{0, 1, 2}, y)
		default:
			require.True(t, y >= -1 && y <= 1)
		}
	}
	limit := exactSquare(d.Schema.RowNorm())
	for i := range d.X.Rows() {
		row := d.X.Row(i)
		require.True(t, increasing(row.Index))
		for k, v := range row.Value {
			require.True(t, v > 0 && finite(v))
			require.Less(t, int(row.Index[k]), d.X.Columns)
		}
		if i < 10 {
			require.LessOrEqual(t, exactSumOfSquares(row.Value).Cmp(limit), 0)
		}
	}
}

// FuzzSchema: a text that is read as a schema is valid, and writing and
// reading it gives the same schema, as JSON and as a tree; another gives a
// *SchemaError.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(small))
	f.Add(
		[]byte(
			strings.NewReplacer(`"max":10`, `"max":1e300,"log":true,"missing":0.1`, `["a","b"]`, `["a","b"],"unknown":{"category":"a"},"missing":"zero"`,
				`"intercept":1`, `"intercept":0,"missing_values":[]`).
				Replace(small),
		),
	)
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte(several))
	f.Add([]byte(numeric))
	f.Add([]byte(`[[[[`))
	f.Add([]byte("\xef\xbb\xbf{\"version\":1,\"version\":1}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		schema, err := ParseSchema(text)
		if err != nil {
			typed := &SchemaError{}
			require.True(t, errors.As(err, &typed), "%v", err)
			return
		}
		require.NoError(t, schema.Validate())
		written, err := schema.MarshalJSON()
		require.NoError(t, err)
		again, err := ParseSchema(written)
		require.NoError(t, err)
		require.Equal(t, schema, again)
		rewritten, err := again.MarshalJSON()
		require.NoError(t, err)
		require.True(t, bytes.Equal(written, rewritten))
		tree, err := schema.Tree()
		require.NoError(t, err)
		again, err = SchemaFromTree("", tree)
		require.NoError(t, err)
		require.Equal(t, schema, again)
		require.Len(t, schema.Columns(), schema.Dimension())
		require.GreaterOrEqual(t, schema.RowNorm(), 1.0)
		_, err = NewParser(schema, ReadOptions{})
		require.NoError(t, err)
	})
}
