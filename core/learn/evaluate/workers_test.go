package evaluate

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		_, err := tally(ctx, f.model, d, plan)
		assert.Equal(t, context.Canceled, err)
	}
}
