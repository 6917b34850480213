package evaluate

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// What is counted does not depend on the number of processors, to the last unit; and nothing is
// counted once the context has ended.
func TestTheCountsAreTheSameOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, f := range fixtures(t) {
		d := f.records(35_001, randomtest.New(9))
		plan := Plan{Epsilon: 1}.withDefaults(f.model)
		var want []int64
		for _, n := range []int{1, 2, 3, 8} {
			runtime.GOMAXPROCS(n)
			have := numbersOf(t, f.model, d, plan)
			if want == nil {
				want = have
			}
			require.Equal(t, want, have, "%s: %d processors", f.name, n)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		_, err := tally(ctx, f.model, d, 0, d.X.Rows(), plan)
		assert.Equal(t, context.Canceled, err)
	}
}

// Records in blocks give what they give in one, whoever counts which: what is released to the last
// unit, and the exact figures of blocks to the last bit.
func TestBlocksThatOthersCountGiveTheSame(t *testing.T) {
	for _, f := range fixtures(t) {
		d := f.records(3000, randomtest.New(9))
		blocks := *d
		blocks.Ends = []int{0, 700, 701, 2500, 2500, 3000}
		plan := Plan{Adjacency: privacy.AddRemove, Epsilon: 1}
		want, err := Run(t.Context(), f.model, d, plan, randomtest.New(1))
		require.NoError(t, err)
		exact, err := Exactly(f.model, &blocks)
		require.NoError(t, err)
		var counted, sums [][]float64
		first := 0
		for _, end := range blocks.Ends {
			var rows []int
			for i := first; i < end; i++ {
				rows = append(rows, i)
			}
			own := d.Select(rows)
			more, err := Tally(t.Context(), f.model, own, plan)
			require.NoError(t, err)
			counted = append(counted, more...)
			more, err = ExactSums(f.model, own)
			require.NoError(t, err)
			sums = append(sums, more...)
			first = end
		}
		require.Len(t, counted, len(blocks.Ends))
		have, err := Tallied(f.model, counted, plan, randomtest.New(1))
		require.NoError(t, err)
		assert.Equal(t, want, have, f.name)
		assert.Equal(t, figuresOf(exact), figuresOf(ExactOf(f.model, sums)), f.name)

		once, err := Exactly(f.model, d)
		require.NoError(t, err)
		for i, x := range figuresOf(once) {
			assert.InEpsilon(t, 1+x, 1+figuresOf(exact)[i], 1e-12, f.name)
		}
		assert.Equal(t, once.Confusion, exact.Confusion)
		assert.PanicsWithValue(t, "evaluate: numbers of another model or plan", func() {
			_, _ = Tallied(f.model, [][]float64{counted[0][1:]}, plan, randomtest.New(1))
		})
	}
}

// figuresOf are all of them; those that there are none of are left out.
func figuresOf(e *Exact) (out []float64) {
	for _, x := range []float64{
		float64(e.Rows), e.Accuracy(), e.Baseline(), e.LogLoss, e.MeanSquaredError, e.Variance,
	} {
		if !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}
