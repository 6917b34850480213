package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"cloister/core/random"
	"cloister/core/random/randomtest"
)

func gaussianMatrix(t testing.TB, d int, seed uint64) *Packed {
	t.Helper()
	a := NewPacked(d)
	require.NoError(t, random.Gaussian(randomtest.New(seed), a.At, 1))
	return a
}

// Against gonum's tridiagonal QR, and put together again.
func TestDecompose(t *testing.T) {
	for _, d := range []int{1, 2, 3, 10, 60} {
		a := gaussianMatrix(t, d, uint64(d))
		for i := range d { // a wide spectrum
			for j := range a.Row(i) {
				a.Row(i)[j] *= math.Exp(-float64(i+j) / 8)
			}
		}
		dense, size := mat.NewSymDense(d, nil), 0.0
		for i := range d {
			for j, v := range a.Row(i) {
				dense.SetSym(i, j, v)
				size += 2 * v * v
			}
		}
		size = math.Sqrt(size)
		e, err := Decompose(a)
		require.NoError(t, err)
		var other mat.EigenSym
		require.True(t, other.Factorize(dense, false))
		for k, want := range other.Values(nil) {
			assert.InDelta(t, want, e.Values[k], 1e-13*size)
		}
		for i := range d {
			for j := range a.Row(i) {
				sum, product := 0.0, 0.0
				for k := range d {
					sum += e.Values[k] * e.Vectors[k][i] * e.Vectors[k][j]
					product += e.Vectors[i][k] * e.Vectors[j][k]
				}
				assert.InDelta(t, a.Row(i)[j], sum, 1e-13*size)
				assert.InDelta(t, map[bool]float64{true: 1}[i == j], product, 1e-13)
			}
		}
	}
}

func TestDecomposeRefusesWhatIsNotFinite(t *testing.T) {
	a := NewPacked(2)
	a.Row(1)[0] = math.NaN()
	_, err := Decompose(a)
	assert.ErrorIs(t, err, ErrEigen)
}

// The sweeps allowed are enough at the largest order, for clustered eigenvalues
// too.
func TestDecomposeOrder200(t *testing.T) {
	a := gaussianMatrix(t, 200, 7)
	for i := range 200 {
		a.Row(i)[i] += 1e6 // one cluster
	}
	e, err := Decompose(a)
	require.NoError(t, err)
	trace, sum := 0.0, 0.0
	for i := range 200 {
		trace, sum = trace+a.Row(i)[i], sum+e.Values[i]
	}
	assert.InEpsilon(t, trace, sum, 1e-13)
}
