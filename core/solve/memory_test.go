package solve

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
)

// copied fills rows of another worker's with these.
func copied(t *testing.T, r *Rows) *Rows {
	out := NewRows(len(r.Label), len(r.Norm), r.Entries(), r.Columns, !r.Costly())
	out.Loss = r.Loss
	var from []byte
	for _, array := range r.Memory() {
		from = append(from, array...)
	}
	for _, array := range out.Memory() {
		require.LessOrEqual(t, len(array), len(from))
		from = from[copy(array, from):]
	}
	assert.Empty(t, from)
	out.Rebase()
	return out
}

// Copies of any rows, dense ones across blocks of memory among them, give the
// sums that these give.
func TestRowsInAnotherWorkersMemory(t *testing.T) {
	loss, err := glm.Clip(glm.Logistic{}, 0.4)
	require.NoError(t, err)
	label := []float64{1, -1, -1, 1, 1, -1, 1}
	norm := []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4}
	sparse := &Rows{
		Start: []int{0, 2, 2, 3, 5, 6, 8, 9},
		Index: []int32{0, 2, 1, 0, 1, 2, 0, 1, 2},
		Entry: []float64{0.5, 0.25, 1, 0.75, -0.5, 0.125, 3, 4, 5},
	}
	dense := &Rows{
		Block:     [][]float64{make([]float64, 9), make([]float64, 9), make([]float64, 3)},
		BlockRows: 3,
	}
	for k, block := range dense.Block {
		for i := range block {
			block[i] = 1 / float64(2+9*k+i)
		}
	}
	theta := []float64{0.3, -2, 1}
	for _, rows := range []*Rows{sparse, dense} {
		rows.Label, rows.Norm, rows.Columns, rows.Loss = label, norm, 3, loss
		for first := range label {
			for end := first; end <= len(label); end++ {
				part := rows.Between(first, end)
				again := copied(t, part)
				require.Equal(t, part.Records(), again.Records())
				var gradient [2][]float64
				var hessian [2]*Packed
				for k, r := range []*Rows{part, again} {
					gradient[k], hessian[k] = make([]float64, 3), NewPacked(3)
					r.Derivatives(theta, gradient[k], hessian[k])
				}
				require.Equal(t, gradient[0], gradient[1])
				require.Equal(t, hessian[0], hessian[1])
			}
		}
	}
}
