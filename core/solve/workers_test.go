//go:build !js

package solve

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onProcessors has Go use so many until the test ends.
func onProcessors(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// blocksOf is the rows in twelve blocks, some of them empty, as parts of an objective.
func blocksOf(rows *Rows) *Objective {
	n := len(rows.Label)
	ends := []int{0, n / 9, n / 9}
	for k := range 9 {
		ends = append(ends, n/9+(k+1)*(n-n/9)/9)
	}
	var parts []Part
	for _, block := range NewBlocks(rows, ends) {
		parts = append(parts, block)
	}
	return NewObjective(3, perturbation(2, rows.Columns, 5), parts...)
}

// A fit to blocks is the same to the last bit on any number of processors: blocks of one shard
// and of several, sparse and dense, thinned on the way, with and without clipping.
func TestAFitIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	dense, _ := denseRows(t, 150_000, 40, 4096)
	clipped := census(t, 30_000, clip(t, logistic(t).Loss(), 0.5))
	clipped.Norm = make([]float64, len(clipped.Label))
	clipped.Norms(clipped.Norm)
	for name, rows := range map[string]*Rows{
		"few": census(t, 40, logistic(t)), "sparse": census(t, 60_000, logistic(t)),
		"several shards": census(t, 400_000, logistic(t)), "clipped": clipped, "dense": dense,
	} {
		if testing.Short() && len(rows.Label) > 60_000 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var want *Result
			for _, n := range []int{1, 2, 3, 8} {
				onProcessors(t, n)
				have, err := Newton(t.Context(), blocksOf(rows), Options{Tolerance: 1e-6})
				require.NoError(t, err)
				if want == nil {
					want = have
				}
				require.Equal(t, want, have, "%d processors", n)
			}
		})
	}
}

// Of a softmax too, solved by whole Hessians and by blocks on the diagonal; and what blocks send as
// numbers is what they add.
func TestAFitOfClassesIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	for _, dense := range []bool{false, true} {
		scores := scoresOf(9000, 6, 3, dense)
		ends := []int{0, 700, 700, 4000, 6000, 9000}
		for _, solver := range []Solver{Newton, Blockwise} {
			var want *Result
			for _, n := range []int{1, 2, 3, 8} {
				onProcessors(t, n)
				var parts []Part
				for _, block := range NewScoreBlocks(scores, ends) {
					parts = append(parts, block)
				}
				o := NewObjective(3, perturbation(2, 18, 5), parts...)
				have, err := solver(t.Context(), o, Options{Tolerance: 1e-6})
				require.NoError(t, err)
				if want == nil {
					want = have
				}
				require.Equal(t, want, have, "%d processors", n)
			}
		}
		block, theta := NewScoreBlocks(scores, ends)[1], someTheta(18, 1)
		gradient, hessian := make([]float64, 18), NewPacked(18)
		block.Derivatives(theta, gradient, hessian)
		numbers := block.Numbers(theta, Hessians)
		assert.Equal(t, gradient, numbers[:18])
		assert.Equal(t, hessian.At, numbers[18:])
		for _, next := range []Sums{Gradients, Hessians, Certified, Diagonals, Moments} {
			if next != Moments {
				assert.Len(t, block.Numbers(theta, next), block.Count(next))
			}
		}
		clear(gradient)
		again := make([]float64, 18)
		want := block.DiagonalBlocks(theta, gradient)
		assert.Equal(t, want, block.Diagonals(block.Numbers(theta, Diagonals), again))
		assert.Equal(t, gradient, again)
	}
}

// Moments of sparse and dense rows are the same whole numbers, in as many places as are counted.
func TestMomentsOfRows(t *testing.T) {
	for d := range 600 {
		require.Equal(t, d, columnsOfMoments(Moments.Numbers(d)))
	}
	sparse, dense := scoresOf(500, 5, 3, false).Rows, scoresOf(500, 5, 3, true).Rows
	step := []float64{0x1p-30}
	whole := Integers(NewBlocks(sparse, []int{500})[0].Numbers(step, Moments))
	sum := make([]int64, len(whole))
	for _, block := range NewBlocks(dense, []int{0, 123, 500}) {
		for k, n := range Integers(block.Numbers(step, Moments)) {
			sum[k] += n
		}
	}
	assert.Equal(t, whole, sum)
	square := 0.0
	for _, y := range sparse.Label {
		square += y * y
	}
	assert.Equal(t, square, float64(whole[len(whole)-1])*step[0])
	product := 0.0
	for i := range sparse.Label {
		product += dense.denseRow(i)[3] * dense.denseRow(i)[1]
	}
	assert.InDelta(t, product, float64(whole[3*4/2+1])*step[0], 500*step[0])
}

// Sums that a block did not begin with are its own all the same: at another point, of another kind,
// asked for twice, or begun and never asked for. Blocks whose Hessians are too large begin with
// none.
func TestABlockThatWasStartedWithOtherSums(t *testing.T) {
	onProcessors(t, 4)
	rows := census(t, 3000, logistic(t))
	here, there := perturbation(1, 105, 1), perturbation(2, 105, 1)
	blocks, alone := NewBlocks(rows, []int{1000, 3000}), NewBlocks(rows, []int{1000, 3000})
	gradient := func(b Block, theta []float64) []float64 {
		g := make([]float64, 105)
		b.Derivatives(theta, g, nil)
		return g
	}
	for range 3 {
		for k, b := range blocks {
			want := gradient(alone[k], here)
			b.Start(here, Gradients)
			assert.Equal(t, want, gradient(b, here))
			assert.Equal(t, want, gradient(b, here), "twice")
			b.Start(there, Gradients)
			assert.Equal(t, want, gradient(b, here), "at another point")
			b.Start(here, Hessians)
			assert.Equal(t, want, gradient(b, here), "another kind")
			b.Start(here, Certified)
		}
	}
	wide := &Rows{Columns: 1 << 12, Start: make([]int, 3), Label: []float64{1, 1}, Loss: rows.Loss}
	for _, b := range NewBlocks(wide, []int{1, 2}) {
		b.Start(make([]float64, wide.Columns), Hessians)
		assert.Nil(t, b.ahead.numbers)
	}
}

// BenchmarkBlocks says how much faster a pass over blocks of one shard each is on all processors
// than on one: the quickest of each, by turns.
func BenchmarkBlocks(b *testing.B) {
	o := blocksOf(census(b, 120_000, logistic(b)))
	theta, gradient, hessian := perturbation(1, 105, 1), make([]float64, 105), NewPacked(105)
	all := runtime.GOMAXPROCS(0)
	onProcessors(b, all)
	quickest := map[int]time.Duration{1: time.Hour, all: time.Hour}
	for b.Loop() {
		for n := range quickest {
			runtime.GOMAXPROCS(n)
			start := time.Now()
			o.Derivatives(theta, gradient, hessian)
			quickest[n] = min(quickest[n], time.Since(start))
		}
	}
	b.ReportMetric(quickest[1].Seconds()/quickest[all].Seconds(), "one/all")
}
