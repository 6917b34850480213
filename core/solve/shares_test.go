package solve

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each record is in one share, of as many as there are processors, as long as the sums are not
// large and the records not few.
func TestShares(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, c := range []struct{ records, numbers, shares int }{
		{0, 1, 1}, {5000, 1, 1}, {2 * mostAlone, 0, min(2, runtime.GOMAXPROCS(0))},
		{1 << 20, 1, runtime.GOMAXPROCS(0)},
		{1 << 20, mostSums, 1}, {1 << 20, 2 * mostSums, 1},
	} {
		var shares atomic.Int64
		seen := make([]int, c.records)
		total := Shares(c.records, c.numbers, func() *int { shares.Add(1); return new(int) },
			func(first, end int, own *int) {
				for i := first; i < end; i++ {
					seen[i]++
					*own += i
				}
			}, func(total, own *int) { *total += *own })
		assert.EqualValues(t, c.shares, shares.Load(), "%+v", c)
		assert.Equal(t, c.records*(c.records-1)/2, *total)
		for _, n := range seen {
			if n != 1 {
				assert.FailNow(t, "a record in other than one share")
			}
		}
	}
}
