package fitting

import (
	"slices"

	"cloister/core/learn"
	"cloister/core/solve"
)

// Others are workers that take sums for this one, or the losses of records (see shard.go). Sums
// have no noise in them, losses are for the holder of the data alone, and neither is released.
type Others interface {
	// Ask sends a request to a worker and returns at once; it keeps nothing of
	// params. What it returns waits for the reply, and is called once.
	Ask(worker int, method string, params map[string]any) func() (map[string]any, error)
}

// SetOthers names what asks other workers; without it there are none.
func (s *Session) SetOthers(others Others) { s.others = others }

// helper is another worker, for one fit. One that fails, or dies, is asked no
// more: its sums are taken here, which is slower and gives the same.
type helper struct {
	others Others
	number int
	failed bool
	blocks int                     // that it has
	wait   []func() map[string]any // for the replies that have not come yet, in order

	// The sums that it was asked for last; numbers: once they have come.
	theta   []float64
	every   int
	next    solve.Sums
	numbers []float64
}

func (h *helper) ask(method string, params map[string]any) {
	h.settle(ahead - 1)
	if h.failed {
		return
	}
	wait := h.others.Ask(h.number, method, params)
	h.wait = append(h.wait, func() map[string]any {
		reply, err := wait()
		h.failed = h.failed || err != nil
		return reply
	})
}

// settle waits for replies until no more than so many are to come.
func (h *helper) settle(most int) {
	for len(h.wait) > most {
		bytes, _ := h.wait[0]()["numbers"].([]byte)
		h.wait, h.numbers = h.wait[1:], solve.Floats(bytes)
	}
}

// Rows are sent in pieces of so many bytes, so many of them before the first is answered. One
// alone would be on its way for longer than its copies take; and they take no memory to speak of.
const (
	piece = 1 << 20
	ahead = 4
)

// pays reports whether the sums over so large a matrix are worth asking other
// workers for: those over all blocks, with Hessians, are little beside it. Of a softmax the
// Hessian's blocks count: one of many classes is solved by these.
func pays(rows *solve.Rows, classes, blocks int) bool {
	numbers := solve.Hessians.Numbers(rows.Columns) * max(1, classes)
	return 8*blocks*numbers <= rows.Entries()
}

// spreading is a fit whose sums other workers take.
type spreading struct {
	helpers []*helper
	last    *solve.Rows // whose entries the helpers have; nil: none yet
	ends    []int
}

// spread returns what gives workers of these numbers an equal share of the
// blocks each, the last ones, and returns all of them as parts: learn.Problem's
// Spread. Of rows that were spread before, with other labels as the fit of each class has them,
// only what is new is sent.
func (s *Session) spread(workers []float64) func(*solve.Rows, int, []int) []solve.Apart {
	fit := s.spreading(workers)
	return func(rows *solve.Rows, classes int, ends []int) []solve.Apart {
		if !pays(rows, classes, len(ends)) {
			return nil
		}
		return fit.spread(rows, classes, ends)
	}
}

func (s *Session) spreading(workers []float64) *spreading {
	fit := &spreading{}
	for _, number := range workers {
		fit.helpers = append(fit.helpers, &helper{others: s.others, number: int(number)})
	}
	return fit
}

func (s *spreading) spread(rows *solve.Rows, classes int, ends []int) []solve.Apart {
	parts := learn.BlocksOf(rows, classes, ends)
	there := s.last != nil && rows.Same(s.last) && slices.Equal(ends, s.ends)
	s.last, s.ends = rows, ends
	n, from := len(s.helpers)+1, append([]int{0}, ends...)
	memory := make([][][]byte, len(s.helpers))
	for w, h := range s.helpers {
		first, end := (w+1)*len(parts)/n, (w+2)*len(parts)/n
		h.blocks = end - first
		for k := first; k < end; k++ {
			parts[k] = &part{parts[k], h, k - first, 1}
		}
		share := rows.Between(from[first], from[end])
		own := make([]int, h.blocks)
		for k := range own {
			own[k] = ends[first+k] - from[first]
		}
		method := "shard.open"
		memory[w] = share.Memory()
		if there {
			method, memory[w] = "shard.pose", share.Posed()
		}
		h.ask(method, shardOf(share, classes, own, there))
	}
	// Each gets a piece in turn, so that all are busy with them at once.
	for left := true; left; {
		left = false
		for w, h := range s.helpers {
			for len(memory[w]) > 0 && len(memory[w][0]) == 0 {
				memory[w] = memory[w][1:]
			}
			if len(memory[w]) == 0 || h.failed {
				continue
			}
			left = true
			n := min(len(memory[w][0]), piece)
			h.ask("shard.fill", map[string]any{"bytes": memory[w][0][:n]})
			memory[w][0] = memory[w][0][n:]
		}
	}
	return parts
}

// part is a block whose sums a helper takes.
type part struct {
	solve.Apart
	*helper
	k    int // of the helper's blocks
	thin int
}

// Thin is that of the block.
func (p *part) Thin(every int) solve.Part {
	return &part{p.Apart.Thin(every).(solve.Apart), p.helper, p.k, p.thin * every}
}

// Start has the helper begin, for all its blocks.
func (p *part) Start(theta []float64, next solve.Sums) {
	if p.k > 0 {
		return
	}
	h := p.helper
	h.theta, h.every, h.next = append(h.theta[:0], theta...), p.thin, next
	h.ask(
		"shard.sums",
		map[string]any{
			"theta": solve.Bytes(theta),
			"every": float64(p.thin),
			"next":  float64(next),
		},
	)
}

// of waits for the block's numbers; nil where the helper has none, or was asked
// for others.
func (p *part) of(theta []float64, next solve.Sums) []float64 {
	h, n := p.helper, p.Count(next)
	h.settle(0)
	if h.failed || len(h.numbers) != n*h.blocks || h.next != next || h.every != p.thin ||
		!slices.Equal(h.theta, theta) {
		return nil
	}
	return h.numbers[p.k*n : (p.k+1)*n]
}

// Derivatives adds those of the block.
func (p *part) Derivatives(theta, gradient []float64, hessian *solve.Packed) {
	next := solve.DerivativesOf(hessian)
	own := p.of(theta, next)
	if own == nil {
		p.Apart.Derivatives(theta, gradient, hessian)
		return
	}
	next.Add(own, gradient, hessian)
}

// Certify adds the sum of the block.
func (p *part) Certify(theta []float64, sum *solve.Sum) float64 {
	own := p.of(theta, solve.Certified)
	if own == nil {
		return p.Apart.Certify(theta, sum)
	}
	sum.AddState(own[1:])
	return own[0]
}

// Numbers are those of the block.
func (p *part) Numbers(theta []float64, next solve.Sums) []float64 {
	if own := p.of(theta, next); own != nil {
		return own
	}
	return p.Apart.Numbers(theta, next)
}

// scoreBlock is what a block of a softmax has besides.
type scoreBlock interface {
	Shape() (classes, columns int)
	DiagonalBlocks(theta, gradient []float64) []*solve.Packed
	Diagonals(numbers, gradient []float64) []*solve.Packed
}

// Shape is that of the block, one of a softmax.
func (p *part) Shape() (classes, columns int) { return p.Apart.(scoreBlock).Shape() }

// DiagonalBlocks adds the gradient and returns the blocks of the block, one of a softmax.
func (p *part) DiagonalBlocks(theta, gradient []float64) []*solve.Packed {
	block := p.Apart.(scoreBlock)
	own := p.of(theta, solve.Diagonals)
	if own == nil {
		return block.DiagonalBlocks(theta, gradient)
	}
	return block.Diagonals(own, gradient)
}
