//go:build !js

package solve

import "runtime"

// mostAlone is how many records are not worth a second goroutine.
const mostAlone = 1 << 12

// Shares calls do with the records from first to end−1, in shares of all n records, on all
// processors, each with sums of its own, which are so many numbers. It adds these up and returns
// them. The shares depend on the number of processors. So use it only where that cannot be seen:
// for sums of integers, and for what is written to a place of each record's own.
func Shares[S any](
	n, numbers int, zero func() S, do func(first, end int, own S), add func(total, own S),
) S {
	shares := max(1, min(runtime.GOMAXPROCS(0), n/mostAlone, mostSums/max(1, numbers)))
	all := make([]S, shares)
	each(shares, func(k int) {
		all[k] = zero()
		do(k*n/shares, (k+1)*n/shares, all[k])
	})
	for _, own := range all[1:] {
		add(all[0], own)
	}
	return all[0]
}
