package learntest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/random/randomtest"
)

// Flipped are two files that differ by one record, the last of the second, and are stored sparsely
// and densely: the first has data.BlockRows records, three quarters of whose entries and more are
// not 0, and the second one more.
func Flipped(t testing.TB) (sparse, dense *data.Dataset) {
	schema := Schema(6, 0.5)
	source := randomtest.New(12)
	var text strings.Builder
	for _, f := range schema.Features {
		text.WriteString(f.Name + ",")
	}
	text.WriteString("y\n")
	record := func() {
		for range schema.Features {
			v := max(0, 1.1*Uniform(source)-0.1) // one in eleven is 0
			text.WriteString(strconv.FormatFloat(v, 'g', -1, 64) + ",")
		}
		text.WriteString([]string{"no\n", "yes\n"}[int(2*Uniform(source))])
	}
	for range data.BlockRows {
		record()
	}
	read := func() *data.Dataset {
		d, err := data.Read(strings.NewReader(text.String()), schema, data.ReadOptions{})
		require.NoError(t, err)
		return d
	}
	sparse = read()
	record()
	dense = read()
	require.False(t, sparse.X.Dense())
	require.True(t, dense.X.Dense())
	return sparse, dense
}

// Sparse is the same data set with its matrix stored sparsely.
func Sparse(d *data.Dataset) *data.Dataset {
	m := &data.Matrix{RowStart: []int{0}, Columns: d.X.Columns}
	for i := range d.X.Rows() {
		row := d.X.Row(i)
		for k, v := range row.Value {
			if v != 0 {
				m.Index, m.Value = append(m.Index, row.Index[k]), append(m.Value, v)
			}
		}
		m.RowStart = append(m.RowStart, len(m.Index))
	}
	return &data.Dataset{Schema: d.Schema, X: m, Y: d.Y}
}
