package nativetest

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// parts is how many pieces of work Linear compares with one as long as all.
const parts = 40

// Linear asks that work takes a time that grows with its size: that one piece takes less than six
// times as long as 40 pieces of a 40th, where work that grows with the square takes 40 times as
// long. prepare makes what is timed. Both are timed by turns without the collector of memory, all
// pieces in memory at once, so that caches help none. The least of each counts, and on a busy
// machine they have up to 20 turns.
func Linear(t *testing.T, what string, size int, prepare func(size int) (work func())) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	timed := func(pieces int) float64 {
		work := make([]func(), pieces)
		for i := range work {
			work[i] = prepare(size / pieces)
		}
		runtime.GC()
		start := time.Now()
		for _, one := range work {
			one()
		}
		return time.Since(start).Seconds()
	}
	one, many := math.Inf(1), math.Inf(1)
	for turn := range 20 {
		one, many = math.Min(one, timed(1)), math.Min(many, timed(parts))
		if turn >= 2 && one < 6*many {
			break
		}
	}
	t.Logf("%s: %.1f ms, and in %d parts %.1f ms", what, one*1e3, parts, many*1e3)
	if one >= 6*many {
		t.Errorf("%s: one piece takes %.1f times as long", what, one/many)
	}
}
