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
	alone := Block{b.Rows, &sums{blocks: 1}, &ahead{}}
	b.ahead.start(b.own, alone, b.shards(), theta, next)
}

// Start implements [Starter] as Block's does.
func (b ScoreBlock) Start(theta []float64, next Sums) {
	alone := ScoreBlock{b.Scores, &sums{blocks: 1}, &ahead{}}
	b.ahead.start(b.own, alone, b.Rows.shards(), theta, next)
}

func (a *ahead) start(own *sums, alone Apart, shards int, theta []float64, next Sums) {
	a.numbers = nil
	room := own.blocks * (1 + shards) * alone.Count(next)
	if runtime.GOMAXPROCS(0) == 1 || own.blocks == 1 || room > mostSums {
		return
	}
	if own.slots == nil {
		own.slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	}
	numbers, slots, point := make(chan []float64, 1), own.slots, slices.Clone(theta)
	*a = ahead{point, next, numbers}
	go func() {
		slots <- struct{}{}
		numbers <- alone.Numbers(point, next)
		<-slots
	}()
}

// taken returns the numbers of the sums that the block was started with, once; nil if it was not,
// or with others.
func (a *ahead) taken(theta []float64, next Sums) []float64 {
	numbers := a.numbers
	a.numbers = nil
	if numbers == nil || a.next != next || !slices.Equal(a.theta, theta) {
		return nil
	}
	return <-numbers
}
