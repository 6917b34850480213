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
