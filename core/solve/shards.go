package solve

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	shardEntries = 1 << 18 // a shard of fewer is not worth a goroutine
	mostShards   = 16
	mostSums     = 1 << 23 // numbers in the Hessians of all shards: 64 MB
)

// shards returns how many shards the rows are cut into: a matter of their
// number and size alone.
func (r *Rows) shards() int { return shardsOf(r.entries(), r.Columns) }

func shardsOf(entries, columns int) int {
	n := min(entries/shardEntries, mostShards, mostSums/(columns*(columns+1)/2+1))
	return max(1, n)
}

// shard returns the first record of shard k of n, and that of the next: whole
// batches, but at the end.
func (r *Rows) shard(k, n int) (first, end int) { return shardOf(r.Records(), k, n) }

func shardOf(records, k, n int) (first, end int) {
	batches := (records + batch - 1) / batch
	return min(records, k*batches/n*batch), min(records, (k+1)*batches/n*batch)
}

// each calls do for 0 … n−1, on all processors.
func each(n int, do func(k int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers == 1 {
		for k := range n {
			do(k)
		}
		return
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= n {
					return
				}
				do(k)
			}
		})
	}
	group.Wait()
}

// inOrder calls do for 0 … n−1, on all processors, each with sums of its own,
// and then add with the sums in the order of their numbers. On one processor the
// same sums are used again, so do must begin by clearing them.
func inOrder[S any](n int, zero func() S, do func(k int, s S), add func(s S)) {
	if runtime.GOMAXPROCS(0) == 1 {
		s := zero()
		for k := range n {
			do(k, s)
			add(s)
		}
		return
	}
	all := make([]S, n)
	each(n, func(k int) {
		all[k] = zero()
		do(k, all[k])
	})
	for _, s := range all {
		add(s)
	}
}
