package suffstats

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn/learntest"
)

// The sums do not depend on the number of processors, to the last step of the lattice; and there
// are none once the context has ended.
func TestTheSumsAreTheSameOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 1)
	rows := make([]int, 35_001)
	for i := range rows {
		rows[i] = i * i % p.Data.X.Rows()
	}
	d := p.Data.Select(rows)
	var want []int64
	for _, n := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(n)
		have, err := plan.sum(t.Context(), d)
		require.NoError(t, err)
		if want == nil {
			want = have.at
		}
		require.Equal(t, want, have.at, "%d processors", n)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := plan.sum(ctx, d)
	assert.Equal(t, context.Canceled, err)
}
