package data

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A record gives the same row alone as in a file.
func TestEncodeIsWhatReadingDoes(t *testing.T) {
	schema := fixture(t, "adult")
	d, err := ReadParts(adult(t), schema, ReadOptions{})
	require.NoError(t, err)
	e, err := NewEncoder(schema)
	require.NoError(t, err)

	lines := strings.Split(string(published(t, "adult.train.csv")), "\n")
	at := 0
	for _, line := range lines[1:500] {
		if strings.Contains(line, "?") {
			continue
		}
		for _, text := range []string{
			line, lines[0] + "\n" + line, line[:strings.LastIndex(line, ",")],
		} {
			row, notes, err := e.EncodeText(text)
			require.NoError(t, err)
			require.Empty(t, notes)
			require.Equal(t, d.X.Row(at), row)
		}
		at++
	}
}

func TestEncodeNotes(t *testing.T) {
	schema := smallSchema(
		t,
		`"max":10`,
		`"max":10,"missing":4`,
		`["a","b"]`,
		`["a","b"],"missing":{"category":"b"},"unknown":"zero"`,
	)
	for _, c := range []struct {
		x, c  string
		index []int32
		notes []Note
	}{
		{" 3 ", "a\t", []int32{0, 1, 3}, nil},
		{"11", "a", []int32{0, 1, 3}, []Note{{"x", `"11" is above the upper bound and counts as 10`}}},
		{"-1e9", "a", []int32{1, 3}, []Note{{"x", `"-1e9" is below the lower bound and counts as 0`}}},
		{"", "", []int32{0, 2, 3}, []Note{{"x", `The missing value counts as 4`}, {"c", `The missing value counts as "b"`}}},
		{"1", "d", []int32{0, 3}, []Note{{"c", `"d" is not one of the categories and counts as none of them`}}},
	} {
		row, notes, err := schema.Encode(
			map[string]string{"x": c.x, "c": c.c, "y": "no", "other": ""},
		)
		require.NoError(t, err)
		require.Equal(t, c.index, row.Index)
		require.Equal(t, c.notes, notes)
	}
}

func TestEncodeErrors(t *testing.T) {
	schema := smallSchema(
		t,
		`"max":10`,
		`"max":10,"missing":"drop"`,
		`["a","b"]`,
		`["a","b"],"missing":"drop","unknown":"drop"`,
	)
	for _, c := range []struct {
		kind    Kind
		record  map[string]string
		message string
	}{
		{NoColumn, map[string]string{"x": "1"}, `column "c": the record has no value of this name. Give one for every feature of the model; an empty one if it is missing.`},
		{MissingValue, map[string]string{"x": "", "c": "a"}, `column "x": the value is missing, and the model was made without such records. Fill in a value that the model knows.`},
		{UnknownValue, map[string]string{"x": "1", "c": "d"}, `column "c": "d" is not one of the categories listed ("a" and "b"), and the model was made without such records. Fill in a value that the model knows.`},
		{NotNumber, map[string]string{"x": "1.000,5", "c": "a"}, `column "x": "1.000,5" is not a number. Write it with a decimal point and without separators between the thousands, such as 1234.5.`},
		{NotFinite, map[string]string{"x": "inf", "c": "a"}, `column "x": "inf" is not a finite number. Write a number from 0 to 10, or list "inf" under missing_values in the schema if it means that there is none.`},
	} {
		_, _, err := schema.Encode(c.record)
		require.EqualError(t, err, c.message)
		typed := &Error{}
		require.ErrorAs(t, err, &typed)
		require.Equal(t, c.kind, typed.Kind)
	}
	_, _, err := (&Schema{}).Encode(nil)
	require.IsType(t, &SchemaError{}, err)
}

func TestEncodeText(t *testing.T) {
	schema := smallSchema(t)
	want, _, err := schema.Encode(map[string]string{"x": "3", "c": "a"})
	require.NoError(t, err)
	e, err := NewEncoder(schema)
	require.NoError(t, err)
	for _, text := range []string{"3,a", "3;a;no\n", " 3\t\"a\"", "c|z|x\r\na||3\r\n", "x,c,y\n3,a,", "3,a,whatever"} {
		row, _, err := e.EncodeText(text)
		require.NoError(t, err, text)
		require.Equal(t, want, row, text)
	}
	for _, text := range []string{"", "3", "3,a,no,1", "x,c\n3,a\n3,a", "x,z\n3,a"} {
		_, _, err := e.EncodeText(text)
		require.Error(t, err, text)
	}
	_, _, err = e.EncodeText("3,a,no,4")
	require.EqualError(
		t,
		err,
		`this is not one record of this model. Paste the 2 values of "x" and "c" in this order, or a header line and a record below it.`,
	)
	_, _, err = e.EncodeText("3,\"a")
	require.ErrorContains(t, err, "never closed")
	_, _, err = e.EncodeText("3,d")
	require.ErrorContains(t, err, `"d" is not one of the categories listed`)
}
