//go:build !js

package solve

import (
	"runtime"
	"slices"
)

// ahead is the sums that a block was started with, and takes by itself.
type ahead struct {
	theta   []float64
	next    Sums
	numbers chan []float64 // one; nil: it was not started
}

// Start implements [Starter]: on several processors, the block begins with its sums. They are
// the same wherever they are taken, and are added when they are asked for. So what is added, and
// in which order, does not depend on the number of processors.
//
// Where the sums of all blocks and their shards would take more memory than those of one block
// may, blocks take theirs one after the other, each on all processors. So they do under js/wasm,
// which has one.
func (b Block) Start(theta []float64, next Sums) {
	b.ahead.numbers = nil
	room := b.own.blocks * (1 + b.shards()) * next.Numbers(b.Columns)
	if runtime.GOMAXPROCS(0) == 1 || b.own.blocks == 1 || room > mostSums {
		return
	}
	if b.own.slots == nil {
		b.own.slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	}
	numbers, slots := make(chan []float64, 1), b.own.slots
	*b.ahead = ahead{slices.Clone(theta), next, numbers}
	go func(alone Block, theta []float64) {
		slots <- struct{}{}
		numbers <- alone.Numbers(theta, next)
		<-slots
	}(Block{b.Rows, &sums{blocks: 1}, nil}, b.ahead.theta)
}

// taken returns the numbers of the sums that the block was started with, once; nil if it was not,
// or with others.
func (b Block) taken(theta []float64, next Sums) []float64 {
	numbers := b.ahead.numbers
	b.ahead.numbers = nil
	if numbers == nil || b.ahead.next != next || !slices.Equal(b.ahead.theta, theta) {
		return nil
	}
	return <-numbers
}
