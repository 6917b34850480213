package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/scripts/tables"
)

func TestSplitDealsEveryRowOnce(t *testing.T) {
	all, err := load("synthetic", func(*data.Schema) {})
	require.NoError(t, err)
	require.Equal(t, 2000, all.X.Rows())
	require.Equal(t, 4, all.X.Columns)
	train, test := tables.Split(all, 1)
	assert.Equal(t, 1600, train.X.Rows())
	assert.Equal(t, 400, test.X.Rows())
	seen := map[float64]int{}
	for _, part := range []*data.Dataset{train, test} {
		for i := range part.X.Rows() {
			seen[part.X.Row(i).Value[0]]++ // the dose, which no two records share
		}
	}
	assert.Len(t, seen, 2000)
	again, _ := tables.Split(all, 1)
	assert.Equal(t, train, again)
	other, _ := tables.Split(all, 2)
	assert.NotEqual(t, train.X.Value, other.X.Value)
}
