package data

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// halves is a binning for tests: below 0, from 0 on.
var halves = Binning{Bins: 2, Bin: func(x float64) int {
	if x < 0 {
		return 0
	}
	return 1
}}

func counted(parts []string, missing []string, columns ...string) (*Histogram, error) {
	c, err := NewCounter(columns, halves, missing, ReadOptions{})
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if err := c.Begin("part.csv"); err != nil {
			return nil, err
		}
		for i := range len(part) { // the smallest pieces there are
			if err := c.Write([]byte{part[i]}); err != nil {
				return nil, err
			}
		}
	}
	return c.Close()
}

func TestAHistogramCountsEachRecordOnce(t *testing.T) {
	for name, c := range map[string]struct {
		parts   []string
		missing []string
		columns []string
		want    [][]int64
	}{
		"one column of several":  {[]string{"a;b;c\n1;x;-1\n;;2\n?;\"y;\"\"z\";-3\n"}, nil, []string{"c"}, [][]int64{{2, 1}}},
		"two, in another order":  {[]string{"a,b\n1,-1\n-2,NA\n"}, nil, []string{"b", "a"}, [][]int64{{1, 0}, {1, 1}}},
		"parts in another order": {[]string{"a,b\n1,-1\n", "b,a\r\n5,-5\r\n"}, nil, []string{"a", "b"}, [][]int64{{1, 1}, {1, 1}}},
		"own missing values":     {[]string{"a,b\n-9,1\n,2\n3,4\n"}, []string{"-9", ""}, []string{"a"}, [][]int64{{0, 1}}},
		"no record":              {[]string{"a,b\n"}, nil, []string{"a"}, [][]int64{{0, 0}}},
	} {
		got, err := counted(c.parts, c.missing, c.columns...)
		require.NoError(t, err, name)
		assert.Equal(t, c.columns, got.Columns, name)
		assert.Equal(t, c.want, got.Counts, name)
	}
}

func TestFilesThatAreNotCounted(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		columns []string
		kind    Kind
		column  string
		row     int
	}{
		"a text":        {"a,b\n1,2\nold,2\n", []string{"a"}, NotNumber, "a", 3},
		"not finite":    {"a,b\nNaN,2\n", []string{"a"}, NotFinite, "a", 2},
		"too large":     {"a,b\n1e400,2\n", []string{"a"}, NotFinite, "a", 2},
		"no column":     {"a,b\n1,2\n", []string{"a", "c"}, NoColumn, "c", 1},
		"named twice":   {"a,a\n1,2\n", []string{"a"}, DuplicateName, "a", 1},
		"ragged":        {"a,b\n1\n", []string{"a"}, Ragged, "", 2},
		"nothing":       {"", []string{"a"}, NoRows, "", 0},
		"a comma in it": {"a;b\n1,5;2\n", []string{"a"}, NotNumber, "a", 2},
	} {
		_, err := counted([]string{c.text}, nil, c.columns...)
		var wrong *Error
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(
			t, []any{c.kind, c.column, c.row}, []any{wrong.Kind, wrong.Column, wrong.Row}, "%s: %v",
			name, err,
		)
		if name != "nothing" {
			assert.Equal(t, "part.csv", wrong.File)
		}
	}
	for _, columns := range [][]string{
		nil, {}, {""}, {"a", "a"}, {" a"}, make([]string, maxCounted+1),
	} {
		_, err := NewCounter(columns, halves, nil, ReadOptions{})
		var wrong *SchemaError
		require.ErrorAs(t, err, &wrong)
	}
	_, err := NewCounter([]string{"a"}, halves, nil, ReadOptions{Size: math.MaxInt64})
	var wrong *Error
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, TooLarge, wrong.Kind)
}
