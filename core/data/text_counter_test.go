package data

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func texts(parts []string, missing []string, columns ...string) (*TextCounts, error) {
	c, err := NewTextCounter(columns, missing, ReadOptions{})
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if err := c.Counter.Begin("part.csv"); err != nil {
			return nil, err
		}
		for i := range len(part) { // the smallest pieces there are
			if err := c.Counter.Write([]byte{part[i]}); err != nil {
				return nil, err
			}
		}
	}
	return c.Close()
}

func TestTextsAreCountedOnceARecord(t *testing.T) {
	for name, c := range map[string]struct {
		parts   []string
		missing []string
		columns []string
		want    []map[string]int64
	}{
		"one column":      {[]string{"a,b\nx,1\n y ,2\nx,3\n"}, nil, []string{"a"}, []map[string]int64{{"x": 2, "y": 1}}},
		"quoted":          {[]string{"a;b\n\"x;\"\"z\";1\nx;NA\n"}, nil, []string{"b", "a"}, []map[string]int64{{"1": 1}, {`x;"z`: 1, "x": 1}}},
		"parts":           {[]string{"a,b\nx,1\n", "b,a\r\n1,x\r\n"}, nil, []string{"a", "b"}, []map[string]int64{{"x": 2}, {"1": 2}}},
		"missing":         {[]string{"a,b\n?,1\n,2\nNA,3\nx,4\n"}, nil, []string{"a"}, []map[string]int64{{"x": 1}}},
		"own missing":     {[]string{"a,b\n?,1\n-,2\n"}, []string{"-"}, []string{"a"}, []map[string]int64{{"?": 1}}},
		"empty, but kept": {[]string{"a,b\n,1\nx,2\n"}, []string{}, []string{"a"}, []map[string]int64{{"x": 1}}},
		"no record":       {[]string{"a,b\n"}, nil, []string{"a"}, []map[string]int64{{}}},
	} {
		got, err := texts(c.parts, c.missing, c.columns...)
		require.NoError(t, err, name)
		assert.Equal(t, c.columns, got.Columns, name)
		assert.Equal(t, c.want, got.Counts, name)
	}
}

func TestTextsThatAreNotCounted(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		columns []string
		says    string
	}{
		"none":      {"a\nx\n", nil, "columns has 0 names"},
		"twice":     {"a\nx\n", []string{"a", "a"}, `columns[1] is "a"`},
		"not there": {"a\nx\n", []string{"b"}, "no column of this name"},
		"not UTF-8": {"a\nx\n\xff\n", []string{"a"}, `part.csv, row 3, column "a"`},
		"ragged":    {"a,b\nx\n", []string{"a"}, "row 2"},
	} {
		_, err := texts([]string{c.text}, nil, c.columns...)
		assert.ErrorContains(t, err, c.says, name)
	}
	var many strings.Builder
	many.WriteString("a\n")
	for i := range maxTexts + 1 {
		fmt.Fprintln(&many, i)
	}
	c, err := NewTextCounter([]string{"a"}, nil, ReadOptions{})
	require.NoError(t, err)
	_ = c.Counter.Write([]byte(many.String())) // of the last record it hears at the end
	_, err = c.Close()
	require.ErrorContains(t, err, "more than 131072 different values")
}
