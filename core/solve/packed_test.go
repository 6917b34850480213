package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// The factorisation against gonum's.
func TestFactorizeSolves(t *testing.T) {
	d := seeded(6)
	for _, n := range []int{1, 2, 3, 5, 17, 105} {
		p := NewPacked(n)
		for range n + 3 {
			x := make([]float64, n)
			for j := range x {
				x[j] = d.symmetric()
			}
			for i := range n {
				axpy(x[i], x[:i+1], p.Row(i))
			}
		}
		p.AddDiagonal(0.01)
		dense := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				dense.SetSym(i, j, p.Row(i)[j])
			}
		}
		x := perturbation(uint64(n), n, 1)
		var cholesky mat.Cholesky
		require.True(t, cholesky.Factorize(dense))
		var want mat.VecDense
		require.NoError(
			t, cholesky.SolveVecTo(&want, mat.NewVecDense(n, append([]float64(nil), x...))),
		)

		copied := NewPacked(n)
		copied.Set(p)
		require.True(t, copied.Factorize())
		copied.SolveFactorized(x)
		assert.InDeltaSlice(t, want.RawVector().Data, x, 1e-9)
	}
}

func TestFactorizeRefuses(t *testing.T) {
	for _, at := range [][]float64{{0}, {-1}, {math.NaN()}, {math.Inf(1)}} {
		assert.False(t, (&Packed{N: 1, At: at}).Factorize())
	}
	assert.False(t, (&Packed{N: 2, At: []float64{1, 2, 1}}).Factorize(), "indefinite")
	assert.False(t, (&Packed{N: 2, At: []float64{1, math.NaN(), 1}}).Factorize())
}

func TestNormAtTheEdges(t *testing.T) {
	assert.Equal(t, 5.0, norm([]float64{3, -4}))
	assert.InEpsilon(t, 5e200, norm([]float64{3e200, -4e200}), 1e-15)
	assert.InEpsilon(t, 5e-200, norm([]float64{3e-200, -4e-200}), 1e-15)
	assert.Zero(t, norm(nil))
	assert.True(t, math.IsInf(norm([]float64{1, math.Inf(-1)}), 1))
	assert.True(t, math.IsNaN(norm([]float64{1, math.NaN(), 2})))
}
