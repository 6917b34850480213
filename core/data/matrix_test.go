package data

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// numericText is n records of k numbers from 0 to 9, of which one in every is 0.
func numericText(n, k, every int) (string, *Schema) {
	s := &Schema{
		Label: Label{
			Name:       "y",
			Negative:   []string{"0"},
			Positive:   []string{"1"},
			Provenance: Public,
		},
		Rows:      Rows{Norm: Clip},
		Intercept: 0.5,
	}
	var b strings.Builder
	for j := range k {
		name := fmt.Sprintf("x%d", j)
		s.Features = append(
			s.Features, Feature{Name: name, Type: Numeric, Max: 9, Provenance: Public},
		)
		b.WriteString(name + ",")
	}
	b.WriteString("y\n")
	state := uint64(1)
	for i := range n {
		for range k {
			state = state*6364136223846793005 + 1442695040888963407
			digit := 1 + state>>33%9
			if state>>45%uint64(every) == 0 {
				digit = 0
			}
			fmt.Fprintf(&b, "%d,", digit)
		}
		fmt.Fprintf(&b, "%d\n", i%2)
	}
	return b.String(), s
}

// Full rows are stored densely, others sparsely; either way each row is what
// encoding its record alone gives.
func TestMatrixOfManyFullRowsIsDense(t *testing.T) {
	for _, c := range []struct {
		rows, every int
		dense       bool
	}{
		{BlockRows, 20, false}, {BlockRows + 1, 20, true}, {2 * BlockRows, 20, true}, {2*BlockRows + 777, 20, true},
		{BlockRows + 1, 2, false},
	} {
		text, schema := numericText(c.rows, 5, c.every)
		d, err := Read(strings.NewReader(text), schema, ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, c.dense, d.X.Dense(), "%d rows", c.rows)
		require.Equal(t, c.rows, d.X.Rows())
		require.Len(t, d.Y, c.rows)
		lines := strings.Split(text, "\n")
		theta := []float64{0.5, -1, 2, 0.25, -3, 1}
		for i := 0; i < c.rows; i += 97 {
			alone, _, err := schema.Encode(
				zip(strings.Split(lines[0], ","), strings.Split(lines[i+1], ",")),
			)
			require.NoError(t, err)
			want := make([]float64, 6)
			for k, j := range alone.Index {
				want[j] = alone.Value[k]
			}
			got := make([]float64, 6)
			row := d.X.Row(i)
			for k, j := range row.Index {
				got[j] = row.Value[k]
			}
			require.Equal(t, want, got)
			require.Equal(t, alone.Dot(theta), row.Dot(theta))
			require.Equal(t, float64(2*(i%2)-1), d.Y[i])
		}
		pick := []int{c.rows - 1, 0, 0, 5}
		picked := d.Select(pick)
		require.Equal(t, c.dense, picked.X.Dense())
		require.Equal(t, 4, picked.X.Rows())
		for k, i := range pick {
			require.Equal(t, d.X.Row(i), picked.X.Row(k))
		}
		require.Zero(t, d.Select(nil).X.Rows())
		all := make([]int, c.rows)
		for i := range all {
			all[i] = i
		}
		require.Equal(t, c.rows, d.Select(all).X.Rows())
	}
}

func TestNewDenseRefusesOddBlocks(t *testing.T) {
	full := make([]float64, 2*BlockRows)
	require.Equal(t, BlockRows+1, NewDense(2, full, []float64{1, 2}).Rows())
	require.Zero(t, NewDense(2).Rows())
	for name, make := range map[string]func(){
		"no column":         func() { NewDense(0) },
		"part of a row":     func() { NewDense(2, []float64{1}) },
		"an empty block":    func() { NewDense(2, nil) },
		"a short first one": func() { NewDense(2, []float64{1, 2}, []float64{1, 2}) },
		"a long last one":   func() { NewDense(2, append(full, 1, 2)) },
	} {
		require.Panics(t, make, name)
	}
}
