package data

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// people are n records of an age, a sex, a day and an outcome, ended as given.
func people(n int, end string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(
			strconv.Itoa(20+i*37%60) + "," + []string{"Male", "Female", "Female"}[i%3] + ",2013-0" +
				strconv.Itoa(1+i%9) + "-14," + []string{"F", "M"}[i%2] + end,
		)
	}
	return b.String()
}

// A table as some are distributed, with a byte order mark, lines that end in CR and
// no header: nothing of its first person becomes a name, unless somebody says so.
func TestAFileWithoutAHeaderIsNotPublished(t *testing.T) {
	text := "\xef\xbb\xbf" + people(200, "\r")
	for what, read := range map[string]func() error{
		"a suggestion": func() error {
			_, err := Suggest(strings.NewReader(text), SuggestOptions{})
			return err
		},
		"a data set": func() error {
			_, err := Read(strings.NewReader(text), smallSchema(t), ReadOptions{})
			return err
		},
		"counts": func() error {
			c, err := NewCounter([]string{"20"}, Binning{Bins: 1, Bin: func(float64) int {
				return 0
			}}, nil, ReadOptions{})
			require.NoError(t, err)
			if err := c.Write([]byte(text)); err != nil {
				return err
			}
			_, err = c.Close()
			return err
		},
		"texts": func() error {
			c, err := NewTextCounter([]string{"Male"}, nil, ReadOptions{})
			require.NoError(t, err)
			if err := c.Counter.Write([]byte(text)); err != nil {
				return err
			}
			_, err = c.Close()
			return err
		},
	} {
		var refused *Error
		require.ErrorAs(t, read(), &refused, what)
		assert.Equal(t, NoHeader, refused.Kind, what)
		assert.Equal(t, 1, refused.Row, what)
		assert.Equal(t, []string{"20", "Male", "2013-01-14", "F"}, refused.Line, what)
		assert.NotContains(t, refused.Error(), "Male", what)
		assert.NotContains(t, refused.Error(), "2013", what)
	}
}

// The same file without a header and with c1, c2, … for one is read to the same
// rows, whatever its line ends, and nothing of the first person is lost.
func TestReadWithoutAHeader(t *testing.T) {
	plain, err := Suggest(strings.NewReader("c1,c2,c3,c4\n"+people(200, "\n")), SuggestOptions{})
	require.NoError(t, err)
	want, err := Read(
		strings.NewReader("c1,c2,c3,c4\n"+people(200, "\n")), plain.Schema, ReadOptions{},
	)
	require.NoError(t, err)
	require.Equal(t, 200, want.Tally.Rows)
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, mark := range []string{"", "\xef\xbb\xbf"} {
			text := mark + people(200, end)
			found, err := Suggest(strings.NewReader(text), SuggestOptions{Header: HeaderNone})
			require.NoError(t, err)
			require.Equal(t, Layout{Delimiter: ',', Columns: 4}, found.Layout)
			require.Equal(t, plain.Schema, found.Schema)
			require.Equal(t, plain.LeftOut, found.LeftOut)
			got, err := ReadParts(
				[]Part{{"one", strings.NewReader(text)}}, found.Schema,
				ReadOptions{Header: HeaderNone},
			)
			require.NoError(t, err)
			require.Equal(t, want.X, got.X)
			require.Equal(t, want.Y, got.Y)
			require.Equal(t, want.Tally.Rows, got.Tally.Rows)

			// Two parts of it are one table.
			both, err := ReadParts(
				[]Part{{"one", strings.NewReader(text)}, {"two", strings.NewReader(text)}},
				found.Schema, ReadOptions{Header: HeaderNone},
			)
			require.NoError(t, err)
			require.Equal(t, 400, both.Tally.Rows)
		}
	}

	// Names that the holder gives go to the columns in their order; one without is not used.
	named, err := Suggest(
		strings.NewReader("age,sex,day,sick\n"+people(200, "\n")), SuggestOptions{},
	)
	require.NoError(t, err)
	called := func(names ...string) (*Dataset, error) {
		return Read(
			strings.NewReader(people(200, "\r")), named.Schema,
			ReadOptions{Header: HeaderNone, Names: names},
		)
	}
	got, err := called("age", "sex", "day", "sick")
	require.NoError(t, err)
	assert.Equal(t, want.X, got.X)
	assert.Equal(t, want.Y, got.Y)
	assert.False(t, got.Layout.Header)
	_, err = called("age", "sex", "day")
	require.ErrorContains(t, err, `"sick"`, "a column after the last name has none")
	require.ErrorContains(t, err, "The file has no header: say where in it this column stands")
	_, err = called("age", "sick", "day", "sick")
	require.ErrorContains(t, err, "two columns of the file have this name")
	_, err = called("age", "sex", "day", "sick", "more")
	var refused *Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, NoColumn, refused.Kind, "a name beyond the last column")
	require.ErrorContains(t, err, `column "more": the file has 4 columns, and 5 are named`)
	got, err = called("age", "sex", "day", "sick", "")
	require.NoError(t, err, "nothing is named beyond it")
	assert.Equal(t, want.Y, got.Y)
	named.Schema.Features = named.Schema.Features[:2]
	got, err = called("age", "sex", "", "sick")
	require.NoError(t, err)
	assert.Equal(t, want.Y, got.Y)

	c, err := NewTextCounter([]string{"c2"}, nil, ReadOptions{Header: HeaderNone})
	require.NoError(t, err)
	require.NoError(t, c.Counter.Write([]byte(people(3, "\r"))))
	counts, err := c.Close()
	require.NoError(t, err)
	assert.Equal(t, map[string]int64{"Male": 1, "Female": 2}, counts.Counts[0])

	_, err = Suggest(strings.NewReader("1,2\n3\n"), SuggestOptions{Header: HeaderNone})
	assert.EqualError(
		t, err,
		"row 2: the record has 1 field, the first line has 2. Give every record as many fields as the first line; a field that holds the delimiter or a line break stands in double quotes.",
	)
}

// Without names to go by, the delimiter is the one that cuts all lines into as many
// fields.
func TestDelimitersWithoutAHeader(t *testing.T) {
	schema, err := Suggest(
		strings.NewReader("c1;c2\n1,5;no\n2,25;yes\n"), SuggestOptions{Label: "c2", Delimiter: ';'},
	)
	require.Error(t, err, "numbers with a comma are no feature")
	require.Nil(t, schema)
	found, err := Suggest(
		strings.NewReader("1;a,b;no\n2;c;yes\n3;c;no\n"), SuggestOptions{Header: HeaderNone},
	)
	require.NoError(t, err)
	d, err := Read(
		strings.NewReader("1;a,b;no\n2;c;yes\n3;c;no\n"), found.Schema,
		ReadOptions{Header: HeaderNone},
	)
	require.NoError(t, err)
	assert.Equal(t, 3, d.X.Rows())
}

// What is said goes before what it looks like: a header of numbers can be read.
func TestASaidHeaderIsTaken(t *testing.T) {
	text := "2010,2015,2019,sick\n1900,2400,2100,no\n1800,2100,2000,yes\n2100,2000,1900,no\n"
	_, err := Suggest(strings.NewReader(text), SuggestOptions{})
	var refused *Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, NoHeader, refused.Kind)
	found, err := Suggest(strings.NewReader(text), SuggestOptions{Header: HeaderFirst})
	require.NoError(t, err)
	assert.Equal(t, "2010", found.Schema.Features[0].Name)
	d, err := Read(strings.NewReader(text), found.Schema, ReadOptions{Header: HeaderFirst})
	require.NoError(t, err)
	assert.Equal(t, 3, d.X.Rows())
}

// The judgement does not depend on the pieces in which the file comes.
func TestTheFirstLineInPieces(t *testing.T) {
	for _, text := range []string{people(4000, "\r"), "age,sex,day,sick\r" + people(4000, "\r")} {
		want := looksLikeRecord(t, text)
		for _, piece := range []int{1, 7, 4096, window - 1, window + 1} {
			s := scanner{sink: ignored{}, judge: true}
			s.begin()
			var err *Error
			for rest := text; rest != "" && err == nil; rest = rest[min(piece, len(rest)):] {
				err = s.write([]byte(rest[:min(piece, len(rest))]))
			}
			require.Equal(t, want, err != nil, "%d", piece)
		}
	}
}

// Without a header only its place says which column is which. Parts of other widths, or more
// names than columns, show that the places are not what they are taken for.
func TestPlacesWithoutAHeaderAreHeldAgainstTheFile(t *testing.T) {
	schema := &Schema{
		Features: []Feature{{Name: "a", Type: Numeric, Max: 1, Provenance: Public}},
		Label: Label{
			Name: "b", Type: NumericLabel, Max: 10, Provenance: Public,
		},
		Rows: Rows{Norm: Clip},
	}
	read := func(names []string, texts ...string) error {
		var parts []Part
		for _, text := range texts {
			parts = append(parts, Part{Reader: strings.NewReader(text)})
		}
		_, err := ReadParts(parts, schema, ReadOptions{Header: HeaderNone, Names: names})
		return err
	}
	const two, three = "0.1,2\n0.3,4\n", "1,0.1,2\n2,0.3,4\n"
	require.NoError(t, read([]string{"a", "b"}, two, two))
	require.NoError(t, read([]string{"a", "b", ""}, two), "one without a name is of no column")
	require.ErrorContains(t, read([]string{"a", "b"}, two, three), "the part before have 2")
	require.ErrorContains(t, read([]string{"", "a", "b"}, three, two), "the part before have 3")
	require.ErrorContains(t, read([]string{"a", "b", "id"}, two), `"id": the file has 2 columns`)
}
