package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

const good = "x,c,y\n1,a,no\n2,b,yes\n"

func read(schema *Schema, text string) (*Dataset, error) {
	return Read(strings.NewReader(text), schema, ReadOptions{})
}

func TestFileErrors(t *testing.T) {
	for _, c := range []struct {
		kind          Kind
		text, message string
	}{
		{NoRows, "", `the file is empty. Choose a CSV file with a header row and at least one record.`},
		{NoRows, "\xef\xbb\xbf\n\n", `the file is empty. Choose a CSV file with a header row and at least one record.`},
		{NoRows, "x,c,y\n", `there is a header but no record. Choose a file with at least one record below the header.`},
		{NoRows, "x,c,y\n\n\n", `there is a header but no record. Choose a file with at least one record below the header.`},
		{OneClass, "x,c,y\n1,a,no\n", `column "y": every record is of the negative class. A model needs records of both; look whether the positive spellings in the schema are those of the file.`},
		{OneClass, "x,c,y\n1,a,yes\n1,a,yes\n", `column "y": every record is of the positive class. A model needs records of both; look whether the negative spellings in the schema are those of the file.`},
		{UnknownLabel, good + "3,a,maybe\n", `row 4, column "y": "maybe" is neither a negative label ("no") nor a positive one ("yes"). A label has two values; correct this one, or add it to the spellings of the class that it means.`},
		{UnknownLabel, good + "3,a,YES\n", `row 4, column "y": "YES" is neither a negative label ("no") nor a positive one ("yes") ("yes" is: capitals and spaces count). A label has two values; correct this one, or add it to the spellings of the class that it means.`},
		{MissingValue, good + "3,a,\n", `row 4, column "y": the label is missing. Fill it in, or let the schema's label have missing: "drop", which leaves the record out.`},
		{MissingValue, good + "3,?,no\n", `row 4, column "c": the value is missing ("?"). Fill it in, or say in the schema what a missing value becomes: "drop" leaves the record out, "zero" counts it as none of the categories, {"category": "…"} as one of them.`},
		{MissingValue, good + "NA,a,no\n", `row 4, column "x": the value is missing ("NA"). Fill it in, or say in the schema what a missing value becomes: "drop" leaves the record out, a number takes its place.`},
		{UnknownValue, good + "3,d,no\n", `row 4, column "c": "d" is not one of the categories listed ("a" and "b"). Correct it, add it to the categories, or say in the schema what an unknown value becomes ("drop", "zero" or {"category": "…"}).`},
		{NotUTF8, good + "3,caf\xe9,no\n", `row 4, column "c": "caf\xe9" is not UTF-8 text. Save the file as "CSV UTF-8".`},
		{NotNumber, good + "three,a,no\n", `row 4, column "x": "three" is not a number. Write it in digits, such as 39 or 3.5, or list "three" under missing_values in the schema if it means that there is none.`},
		{NotNumber, good + "\"1,5\",a,no\n", `row 4, column "x": "1,5" is not a number. Write it with a decimal point and without separators between the thousands, such as 1234.5.`},
		{NotNumber, good + "0x10,a,no\n", `row 4, column "x": "0x10" is not a number. Write it in digits, such as 39 or 3.5, or list "0x10" under missing_values in the schema if it means that there is none.`},
		{NotFinite, good + "NaN,a,no\n", `row 4, column "x": "NaN" is not a finite number. Write a number from 0 to 10, or list "NaN" under missing_values in the schema if it means that there is none.`},
		{NotFinite, good + "-Inf,a,no\n", `row 4, column "x": "-Inf" is not a finite number. Write a number from 0 to 10, or list "-Inf" under missing_values in the schema if it means that there is none.`},
		{NotFinite, good + "1e400,a,no\n", `row 4, column "x": "1e400" is too large for a number (the largest is 1.8e308). Write a number from 0 to 10, or list "1e400" under missing_values in the schema if it means that there is none.`},
		{NotNumber, good + strings.Repeat("ü", 50) + ",a,no\n", `row 4, column "x": "` + strings.Repeat("ü", 40) + `…" is not a number. Write it in digits, such as 39 or 3.5, or list "` + strings.Repeat("ü", 40) + `…" under missing_values in the schema if it means that there is none.`},
		{Ragged, good + "3,a\n", `row 4: the record has 2 fields, the first line has 3. Give every record as many fields as the first line; a field that holds the delimiter or a line break stands in double quotes.`},
		{Ragged, good + "\n\n3,a,no,4\n", `row 6: the record has 4 fields, the first line has 3. Give every record as many fields as the first line; a field that holds the delimiter or a line break stands in double quotes.`},
		{Ragged, good + "3\n", `row 4: the record has 1 field, the first line has 3. Give every record as many fields as the first line; a field that holds the delimiter or a line break stands in double quotes.`},
		{NoColumn, "x,y\n1,no\n", `row 1, column "c": the file has no column of this name; it has "x" and "y". The first row must name the columns as the schema does, letter for letter.`},
		{NoColumn, "x,C,y\n1,a,no\n", `row 1, column "c": the file has no column of this name; it has "x", "C" and "y". It has "C": capital and small letters must be the same as in the schema.`},
		{NoColumn, "x,c,z\n1,a,no\n", `row 1, column "y": the file has no column of this name; it has "x", "c" and "z". The first row must name the columns as the schema does, letter for letter.`},
		{NoColumn, "x:c:y\n1:a:no\n", `row 1, column "x": the file has no column of this name; it has "x:c:y". It seems to have one column only: the fields of a record must be separated by a comma, a semicolon, a tab, a bar or spaces.`},
		{NoColumn, "x,\xe9,y\n1,a,no\n", `row 1, column "c": the file has no column of this name; it has "x", "\xe9" and "y". The text is not UTF-8: save the file as "CSV UTF-8".`},
		{NoColumn, strings.Repeat("a,", 12) + "b\n", `row 1, column "x": the file has no column of this name; it has "a", "a", "a", "a", "a", "a", "a", "a", "a", "a" and 3 more. The first row must name the columns as the schema does, letter for letter.`},
		{DuplicateName, "\nx,c,y,c\n1,a,no,b\n", `row 2, column "c": two columns of the file have this name. Rename or remove one of them.`},
		{BadQuote, good + "3,\"a,no\n", `row 4, column "c": a quote (") is opened in field 2 of the record that begins here, and never closed. Close it; a quote inside a quoted field is written twice ("").`},
		{NotCSV, "PK\x03\x04\x14\x00", `this is not a CSV file: it is a zip file, such as an Excel workbook (.xlsx). Open it in the program that made it and save it as CSV (UTF-8).`},
		{NotCSV, "\xd0\xcf\x11\xe0\xa1\xb1", `this is not a CSV file: it is an old Office document, such as an Excel workbook (.xls). Open it in the program that made it and save it as CSV (UTF-8).`},
		{NotCSV, "<!DOCTYPE html>\n<p>", `this is not a CSV file: it is a web page. Open it in the program that made it and save it as CSV (UTF-8).`},
		{NotCSV, " [\n {\"x\": 1}]", `this is not a CSV file: it looks like JSON. Open it in the program that made it and save it as CSV (UTF-8).`},
		{NotCSV, small, `this is not a CSV file: it looks like JSON. Open it in the program that made it and save it as CSV (UTF-8).`},
		{NotCSV, "x,c,y\n1\x00,a,no\n", `this is not a CSV file: it holds binary data. Choose a text file with one record a line and a header row.`},
		{NotCSV, "\x7fELF\x02\x01\x01\x00\x00", `this is not a CSV file: it holds binary data. Choose a text file with one record a line and a header row.`},
		{NotUTF8, wideText(good, binary.LittleEndian, true), `this file is UTF-16 text (what Excel calls "Unicode text"). Save it as "CSV UTF-8".`},
		{NotUTF8, wideText(good, binary.BigEndian, true), `this file is UTF-16 text (what Excel calls "Unicode text"). Save it as "CSV UTF-8".`},
		{NotUTF8, wideText(good, binary.LittleEndian, false), `this file is UTF-16 text (what Excel calls "Unicode text"). Save it as "CSV UTF-8".`},
		{NotUTF8, wideText(good, binary.BigEndian, false), `this file is UTF-16 text (what Excel calls "Unicode text"). Save it as "CSV UTF-8".`},
	} {
		d, err := read(smallSchema(t), c.text)
		require.Nil(t, d)
		require.EqualError(t, err, c.message, "%q", c.text)
		typed := &Error{}
		require.True(t, errors.As(err, &typed))
		require.Equal(t, c.kind, typed.Kind, "%q", c.text)
	}
}

func wideText(text string, order binary.AppendByteOrder, mark bool) string {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

func TestErrorsNameThePart(t *testing.T) {
	_, err := ReadParts(
		[]Part{
			{"first.csv", strings.NewReader(good)},
			{"second.csv", strings.NewReader("y,x,c\nno,1,a\nno,x,a\n")},
		},
		smallSchema(t),
		ReadOptions{},
	)
	require.ErrorContains(t, err, `second.csv, row 3, column "x": "x" is not a number`)
}

func TestErrorsStay(t *testing.T) {
	p, err := NewParser(smallSchema(t), ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, p.Begin("a.csv"))
	require.NoError(t, p.Write([]byte(good+"1\n")))
	first := p.Begin("b.csv")
	require.ErrorContains(t, first, "a.csv, row 4")
	require.Equal(t, first, p.Write([]byte(good)))
	d, err := p.Close()
	require.Nil(t, d)
	require.Equal(t, first, err)
	require.Panics(t, func() { _ = p.Write(nil) })
	require.Panics(t, func() { _ = p.Begin("") })
	require.Panics(t, func() { _, _ = p.Close() })
}

func TestReaderErrorsComeBack(t *testing.T) {
	_, err := Read(
		io.MultiReader(strings.NewReader(good), failing{}), smallSchema(t), ReadOptions{},
	)
	require.Equal(t, io.ErrUnexpectedEOF, err)
	_, err = Suggest(failing{}, SuggestOptions{})
	require.Equal(t, io.ErrUnexpectedEOF, err)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestLimits(t *testing.T) {
	schema := smallSchema(t)
	_, err := NewParser(schema, ReadOptions{Size: 2 << 30})
	require.EqualError(
		t, err,
		"the file has 2 GiB, more than the limit of 512 MiB. Use a smaller file, such as one without the columns that the model does not use.",
	)
	_, err = NewSuggester(SuggestOptions{Size: 2 << 30})
	require.EqualError(
		t, err,
		"the file has 2 GiB, more than the limit of 512 MiB. Use a smaller file, such as one without the columns that the model does not use.",
	)

	// The declared size is not trusted.
	_, err = Read(
		strings.NewReader(good+strings.Repeat("1,a,no\n", 1000)), schema,
		ReadOptions{Size: 10, MaxBytes: 4096},
	)
	require.ErrorContains(t, err, "more than the limit of 4 KiB")
	typed := &Error{}
	require.ErrorAs(t, err, &typed)
	require.Equal(t, TooLarge, typed.Kind)

	_, err = Read(
		strings.NewReader(good+strings.Repeat("1,a,no\n", 1000)), schema,
		ReadOptions{MaxMatrixBytes: 10000},
	)
	require.EqualError(
		t, err,
		"row 194: the design matrix of the records so far takes more than 9.77 KiB. Take a random sample of its records, or leave out columns that the model does not need.",
	)

	_, err = Read(
		strings.NewReader(good), schema,
		ReadOptions{Size: int64(len(good)), MaxBytes: int64(len(good))},
	)
	require.NoError(t, err)
}

func TestValues(t *testing.T) {
	schema := smallSchema(t, `"max":10`, `"max":10,"missing":4`,
		`["a","b"]`, `["a","b"],"missing":{"category":"b"},"unknown":"zero"`,
		`"no"`, `"no","NO."`, `"positive":["yes"]`, `"positive":["yes"],"missing":"drop"`,
		`"intercept":1`, `"intercept":0.5,"missing_values":["","-9"]`)
	d, err := read(
		schema,
		"ignored,y, c ,x\n\xff,no,a,0.6\n,NO.,\"a\",-9\n,yes,,5\n,yes,other,11\n,-9,a,1\n,no,a,-0.1\n,no,b,1e1\n",
	)
	require.NoError(t, err)
	require.Equal(t, []float64{-1, -1, 1, 1, -1, -1}, d.Y)
	require.Equal(t, Tally{
		Bytes: 90, Rows: 7, Kept: 6, Dropped: 1, LabelMissing: 1,
		Features: []FeatureTally{{Missing: 1, Clamped: 2}, {Missing: 1, Unknown: 1}},
	}, d.Tally)
	require.Equal(t, []int{0, 3, 6, 9, 11, 13, 16}, d.X.RowStart)
	require.Equal(t, []int32{0, 1, 3, 0, 1, 3, 0, 2, 3, 0, 3, 1, 3, 0, 2, 3}, d.X.Index)
	require.Equal(t, 4, d.X.Columns)
	row := d.X.Row(0) // (0.06, 1) is longer than 1
	require.InDelta(t, 0.06/1.0017983829094554, row.Value[0], 1e-14)
	require.InDelta(t, 1/1.0017983829094554, row.Value[1], 1e-14)
	require.Equal(t, 0.5, row.Value[2])
	require.InDelta(
		t, 0.4/1.0770329614269007, d.X.Row(1).Value[0], 1e-14, "a missing value counts as 4",
	)
	require.Equal(t, []float64{1, 0.5}, d.X.Row(3).Value, "clamped, and no category")
	require.Equal(t, []float64{1, 0.5}, d.X.Row(4).Value, "clamped to 0")

	picked := d.Select([]int{4, 0, 0})
	require.Equal(t, []float64{-1, -1, -1}, picked.Y)
	require.Equal(t, d.X.Row(4), picked.X.Row(0))
	require.Equal(t, d.X.Row(0), picked.X.Row(2))
	require.Equal(t, 3, picked.X.Rows())
	require.Zero(t, (&Matrix{}).Rows())
	require.InDelta(t, 0.5*4+row.Value[0], row.Dot([]float64{1, 0, 3, 4}), 1e-14)
}

func TestDrop(t *testing.T) {
	schema := smallSchema(
		t,
		`"max":10`,
		`"max":10,"missing":"drop"`,
		`["a","b"]`,
		`["a","b"],"missing":"drop","unknown":"drop"`,
	)
	d, err := read(schema, good+"?,a,no\n1,?,no\n1,d,no\n?,?,no\n")
	require.NoError(t, err)
	require.Equal(t, 2, d.X.Rows())
	require.Equal(
		t,
		Tally{
			Bytes:    49,
			Rows:     6,
			Kept:     2,
			Dropped:  4,
			Features: []FeatureTally{{Missing: 2}, {Missing: 2, Unknown: 1}},
		},
		d.Tally,
	)

	_, err = read(schema, "x,c,y\n?,a,no\n")
	require.EqualError(
		t,
		err,
		`every record is left out by the schema's "drop" rules. Let missing or unknown values become something else, or leave out the column that lacks them.`,
	)

	// What is wrong is wrong in a record that is left out too, whichever
	// column comes first.
	for _, header := range []string{"x,c,y\n?,a,maybe\n", "y,c,x\nmaybe,a,?\n"} {
		_, err = read(schema, header)
		require.ErrorContains(t, err, `"maybe" is neither`)
	}
}

// Parts may differ in delimiter and order of columns.
func TestParts(t *testing.T) {
	parts := []Part{
		{"1", strings.NewReader(good)},
		{"2", strings.NewReader("\xef\xbb\xbfy;z;c;x\r\nno;;a;1\r\nyes;;b;2")},
	}
	d, err := ReadParts(parts, smallSchema(t), ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 4, d.X.Rows())
	require.Equal(t, d.X.Row(0), d.X.Row(2))
	require.Equal(t, d.X.Row(1), d.X.Row(3))
	require.Equal(t, []float64{-1, 1, -1, 1}, d.Y)
}

// Blocks of every size give the same matrix, and little is allocated.
func TestManyRows(t *testing.T) {
	schema := smallSchema(t)
	var text bytes.Buffer
	text.WriteString("c,y,x\n")
	const rows = 50000
	for i := range rows {
		text.WriteString([]string{"a,no,", "b,yes,"}[i%2] + strconv.Itoa(i%11) + "\n")
	}
	var d *Dataset
	allocations := testing.AllocsPerRun(1, func() {
		var err error
		d, err = Read(bytes.NewReader(text.Bytes()), schema, ReadOptions{})
		require.NoError(t, err)
	})
	require.Less(t, allocations, 300.0, "none a row")
	require.Equal(t, rows, d.X.Rows())
	require.Len(t, d.X.RowStart, rows+1)
	for i := range rows {
		row := d.X.Row(i)
		require.Equal(t, float64(2*(i%2)-1), d.Y[i])
		x, category := float64(i%11)/10, int32(1+i%2)
		if x == 0 {
			require.Equal(t, Row{[]int32{category, 3}, []float64{1, 1}}, row)
			continue
		}
		if row.Index[0] != 0 || row.Index[1] != category || row.Index[2] != 3 || row.Value[2] != 1 {
			t.Fatalf("row %d is %v", i, row)
		}
		if ratio := row.Value[0] / row.Value[1]; ratio < x*(1-1e-15) || ratio > x*(1+1e-15) {
			t.Fatalf("row %d is %v", i, row)
		}
	}
}
