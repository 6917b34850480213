package solve

import (
	"math/big"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// denseRows makes n full rows of the given dimension, in blocks, and the same
// rows in the sparse form. A few entries are 0.
func denseRows(t testing.TB, n, d, blockRows int) (dense, sparse *Rows) {
	source := seeded(31)
	dense = &Rows{
		Columns:   d,
		BlockRows: blockRows,
		Block:     [][]float64{},
		Loss:      logistic(t),
		Norm:      []float64{1},
	}
	sparse = &Rows{Columns: d, Start: []int{0}, Loss: dense.Loss, Norm: dense.Norm}
	for i := range n {
		if i%blockRows == 0 {
			dense.Block = append(dense.Block, nil)
		}
		row := make([]float64, d)
		for j := range row {
			if row[j] = source.symmetric(); source.uniform() < 0.1 {
				row[j] = 0
			}
		}
		length := max(norm(row), 1e-9)
		label, margin := -1.0, 0.0
		for j := range row {
			row[j] /= 1.01 * length
			margin += row[j] * float64(j%5-2)
			if row[j] != 0 {
				sparse.Index, sparse.Entry = append(sparse.Index, int32(j)), append(
					sparse.Entry, row[j],
				)
			}
		}
		if source.symmetric() < margin {
			label = 1
		}
		last := &dense.Block[len(dense.Block)-1]
		*last = append(*last, row...)
		sparse.Start = append(sparse.Start, len(sparse.Index))
		dense.Label = append(dense.Label, label)
	}
	sparse.Label = dense.Label
	return dense, sparse
}

// Dense rows give what the same rows give in the sparse form: margins, gradients
// and certificates to the last bit, Hessians but for the order of sums.
func TestDenseRowsAreTheSameRows(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, batch, 3*batch + 3} {
		for _, d := range []int{1, 2, 5, 12} {
			dense, sparse := denseRows(t, n, d, 64)
			theta := perturbation(5, d, 3)
			for _, every := range []int{1, 3} {
				a, b := *dense, *sparse
				a.every, b.every = every, every
				assert.Equal(t, b.Value(theta), a.Value(theta))
				ga, gb := make([]float64, d), make([]float64, d)
				ha, hb := NewPacked(d), NewPacked(d)
				a.Derivatives(theta, ga, ha)
				b.Derivatives(theta, gb, hb)
				assert.Equal(t, gb, ga)
				assert.InDeltaSlice(t, hb.At, ha.At, 1e-13*float64(n))
				for range 2 { // without the Hessian too
					clear(ga)
					a.Derivatives(theta, ga, nil)
					assert.Equal(t, gb, ga)
				}
			}
			sa, sb := NewSum(d), NewSum(d)
			boundDense, boundSparse := dense.Certify(theta, sa), sparse.Certify(theta, sb)
			assert.Equal(t, sb.hi, sa.hi)
			assert.GreaterOrEqual(t, boundDense, boundSparse, "zeros are counted as entries")
		}
	}
}

// A batch of rows without curvature adds nothing, and rows without it are left
// out one by one.
func TestAddDenseLeavesOutWhatHasNoWeight(t *testing.T) {
	dense, _ := denseRows(t, 11, 7, 64)
	var x [][]float64
	for i := range 11 {
		x = append(x, dense.denseRow(i))
	}
	for _, w := range [][]float64{
		make([]float64, 11), {0, 1, 0, 0, 2, 3, 0, 4, 0, 5, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7},
	} {
		got, want := NewPacked(7), NewPacked(7)
		got.addDense(x, w)
		for i := range x {
			want.addOuter(w[i], []int32{0, 1, 2, 3, 4, 5, 6}, x[i])
		}
		assert.InDeltaSlice(t, want.At, got.At, 1e-15*10)
	}
}

// Results are the same to the last bit on any number of processors, and close to
// those of one uncut sum.
func TestShardsAddUpTheSameOnAnyProcessors(t *testing.T) {
	r, _ := denseRows(t, 70_000, 12, 4096)
	require.Equal(t, 3, r.shards())
	end := 0
	for k := range 3 {
		first, next := r.shard(k, 3)
		assert.Equal(t, end, first)
		assert.Zero(t, first%batch)
		end = next
	}
	assert.Equal(t, 70_000, end)

	o := NewObjective(0.5, perturbation(3, 12, 30), r)
	theta := perturbation(4, 12, 2)
	type results struct {
		value       float64
		gradient    []float64
		hessian     *Packed
		certificate Certificate
		minimum     []float64
	}
	run := func(processors int) results {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		out := results{
			value:       o.Value(theta),
			gradient:    make([]float64, 12),
			hessian:     NewPacked(12),
			certificate: o.Certify(theta),
		}
		o.Derivatives(theta, out.gradient, out.hessian)
		result, err := Newton(t.Context(), o, Options{Tolerance: 1e-6})
		require.NoError(t, err)
		out.minimum = result.Theta
		return out
	}
	one := run(1)
	for _, processors := range []int{2, 5} {
		assert.Equal(t, one, run(processors), "%d processors", processors)
	}
	whole, hessian := make([]float64, 12), NewPacked(12)
	r.derivatives(0, 70_000, theta, whole, hessian)
	axpy(o.Lambda, theta, whole)
	axpy(1, o.Linear, whole)
	hessian.AddDiagonal(o.Lambda)
	assert.InDeltaSlice(t, whole, one.gradient, 1e-9)
	assert.InDeltaSlice(t, hessian.At, one.hessian.At, 1e-9)
	sum := NewSum(12)
	bound := r.certify(0, 70_000, theta, sum)
	assert.InEpsilon(t, bound, one.certificate.RoundingBound, 1e-5)

	_, sparse := denseRows(t, 70_000, 12, 4096)
	require.Equal(t, 2, sparse.shards())
	o = NewObjective(0.5, perturbation(3, 12, 30), sparse)
	one = run(1)
	assert.Equal(t, one, run(2))
}

func TestShardsOfNothing(t *testing.T) {
	r := &Rows{Start: []int{0}, Columns: 3, Loss: logistic(t), Norm: []float64{1}}
	assert.Equal(t, 1, r.shards())
	wide := &Rows{
		Columns:   4096,
		BlockRows: 1 << 20,
		Block:     [][]float64{nil},
		Label:     make([]float64, 1<<20),
	}
	assert.Equal(t, 1, wide.shards(), "a Hessian of 67 MB for each would be too many")
	assert.Equal(t, []float64{0, 0, 0}, func() []float64 {
		g := make([]float64, 3)
		r.Derivatives(g, g, NewPacked(3))
		return g
	}())
}

func TestSumOfSumsKeepsTheirBounds(t *testing.T) {
	d := seeded(9)
	total := NewSum(1)
	exact := precise(0)
	for range 5 {
		part := NewSum(1)
		for range 3000 {
			x := d.symmetric() * 1e20
			part.Add(0, x)
			exact.Add(exact, precise(x))
			part.Add(0, -x*(1+0x1p-50))
			exact.Sub(exact, precise(x*(1+0x1p-50)))
		}
		before := total.ErrorBound()
		total.AddSum(part)
		assert.Greater(t, total.ErrorBound(), before+part.ErrorBound())
	}
	total.AddSum(NewSum(1))
	distance := preciseDistance([]*big.Float{exact}, total)
	assert.LessOrEqual(t, distance, total.ErrorBound())
}

// Hessians of an eighth of many dense rows do as well as those of all, which are
// computed only where the eighth misleads.
func TestSketchedHessians(t *testing.T) {
	r, sparse := denseRows(t, 30_000, 10, 4096)
	o := NewObjective(0.5, perturbation(3, 10, 20), r)
	require.NotNil(t, o.sketch())
	assert.Equal(t, 3750, o.sketch().Parts[0].(*Rows).Records())
	assert.Nil(t, NewObjective(0.5, nil, sparse).sketch())
	few, _ := denseRows(t, 1000, 10, 4096)
	assert.Nil(t, NewObjective(0.5, nil, few).sketch())

	reference, err := Solvers["L-BFGS"](t.Context(), o, Options{Tolerance: 1e-7})
	require.NoError(t, err)
	result, err := Newton(t.Context(), o, Options{Tolerance: 1e-7})
	require.NoError(t, err)
	assert.InDeltaSlice(t, reference.Theta, result.Theta, 2e-7/0.5)
	assert.Zero(t, result.Hessians)
	assert.Less(t, result.Iterations, 12)

	// Rows that are looked at are all the same, so that the sketch has no
	// curvature along most directions.
	for i := 0; i < 30_000; i += 8 {
		copy(r.denseRow(i), r.denseRow(0))
		r.Label[i] = 1
	}
	reference, err = Solvers["L-BFGS"](t.Context(), o, Options{Tolerance: 1e-7})
	require.NoError(t, err)
	result, err = Newton(t.Context(), o, Options{Tolerance: 1e-7})
	require.NoError(t, err)
	assert.InDeltaSlice(t, reference.Theta, result.Theta, 2e-7/0.5)
	assert.Less(t, result.Iterations, 60)
	t.Logf("misled: %d gradients, %d Hessians", result.Iterations, result.Hessians)
}
