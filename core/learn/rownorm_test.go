package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
)

func rows(x [][]float64, y ...float64) *data.Dataset {
	m := &data.Matrix{RowStart: []int{0}}
	for _, row := range x {
		m.Columns = len(row)
		for j, v := range row {
			if v != 0 {
				m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, v)
			}
		}
		m.RowStart = append(m.RowStart, len(m.Index))
	}
	return &data.Dataset{X: m, Y: y}
}

// The bound is kept to the last bit: floats alone could not tell these apart.
func TestCheckRowsIsExact(t *testing.T) {
	third := 1.0 / 3
	for _, c := range []struct {
		row   []float64
		bound float64
		ok    bool
	}{
		{[]float64{0.6, 0.8}, 1, false}, // the floats nearest 0.6 and 0.8 are a little long: 1 + 2.2e-17
		{[]float64{0.6, math.Nextafter(0.8, 0)}, 1, true},
		{[]float64{3, 4}, 5, true},
		{[]float64{3, 4}, math.Nextafter(5, 0), false},
		{[]float64{1, 0x1p-60}, 1, false},
		{[]float64{1, 0x1p-600}, 1, false}, // its square underflows to nothing near 1
		{[]float64{1e-200, 1e-200}, 1.4142135623730952e-200, true},
		{[]float64{1e-200, 1e-200}, 1.414213562373095e-200, false},
		{[]float64{third, third, third}, math.Sqrt(third), false},
		{[]float64{third, third, third}, math.Nextafter(math.Sqrt(third), 1), true},
		{[]float64{5e-324}, 5e-324, true},
		{[]float64{1e300, 1e300}, 1e301, false}, // squares overflow: nothing is known
		{[]float64{1, 2}, math.Inf(1), true},
		{[]float64{0, 0}, 0, true},
		{[]float64{math.NaN()}, 10, false},
		{[]float64{math.Inf(1)}, math.Inf(1), false},
		{[]float64{1}, math.NaN(), false},
		{[]float64{0, 0}, -1, false},
	} {
		err := learn.CheckRows(rows([][]float64{c.row}, 1), c.bound)
		assert.Equal(t, c.ok, err == nil, "%v within %v: %v", c.row, c.bound, err)
	}
}

func TestCheckRowsNamesTheRow(t *testing.T) {
	d := rows([][]float64{{0.5, 0.5}, {3, 4}, {0, 0}}, 1, -1, 1)
	require.NoError(t, learn.CheckRows(d, 5))
	var bad *learn.RowError
	require.ErrorAs(t, learn.CheckRows(d, 4), &bad)
	assert.Equal(t, 1, bad.Row)
	assert.Equal(
		t, "row 2 of the data set has norm 5.000000000000005, which is not within the bound 4",
		bad.Error(),
	)
	d.Y[2] = 0
	require.ErrorAs(t, learn.CheckRows(d, 5), &bad)
	assert.Equal(t, 2, bad.Row)
	assert.Contains(t, bad.Error(), "label")
	require.NoError(t, learn.CheckRows(&data.Dataset{X: &data.Matrix{Columns: 2}}, 1))
}
