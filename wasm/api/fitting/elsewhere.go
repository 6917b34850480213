package fitting

import (
	"slices"

	"cloister/core/data"
	"cloister/core/solve"
)

// Others are workers that take sums for this one (see shard.go). Nothing that
// they answer has noise in it, and nothing is released.
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
	blocks int                   // that it has
	reply  func() map[string]any // of what it was asked last; nil: it has come

	// The sums that it was asked for last; numbers: once they have come.
	theta   []float64
	every   int
	next    solve.Sums
	numbers []float64
}

func (h *helper) ask(method string, params map[string]any) {
	h.settle()
	if h.failed {
		return
	}
	wait := h.others.Ask(h.number, method, params)
	h.reply = func() map[string]any {
		reply, err := wait()
		h.failed = h.failed || err != nil
		return reply
	}
}

// settle waits for the reply, if one is to come.
func (h *helper) settle() {
	if h.reply == nil {
		return
	}
	bytes, _ := h.reply()["numbers"].([]byte)
	h.reply, h.numbers = nil, solve.Floats(bytes)
}

// piece is how many bytes of rows are sent at a time: so few that copies on
// their way take no memory to speak of.
const piece = 1 << 20

// pays reports whether the sums over so large a matrix are worth asking other
// workers for: those over all blocks, with Hessians, are little beside it.
func pays(d *data.Dataset) bool {
	x := d.X
	entries := len(x.Value)
	if x.Blocks != nil {
		entries = x.Rows() * x.Columns
	}
	return d.Ends != nil && 8*len(d.Ends)*solve.Hessians.Numbers(x.Columns) <= entries
}

// spread returns what gives workers of these numbers an equal share of the
// blocks each, the last ones, and returns all of them as parts: learn.Problem's
// Spread.
func (s *Session) spread(workers []float64) func(*solve.Rows, []int) []solve.Part {
	return func(rows *solve.Rows, ends []int) []solve.Part {
		blocks := solve.NewBlocks(rows, ends)
		parts := make([]solve.Part, len(blocks))
		for k, block := range blocks {
			parts[k] = block
		}
		n := len(workers) + 1
		for w, number := range workers {
			first, end := (w+1)*len(blocks)/n, (w+2)*len(blocks)/n
			h := &helper{others: s.others, number: int(number), blocks: end - first}
			for k := first; k < end; k++ {
				parts[k] = &part{blocks[k], h, k - first, 1}
			}
			share := rows.Between(ends[first-1], ends[end-1])
			h.ask("shard.open", shardOf(share, blocks[first:end]))
			for _, array := range share.Memory() {
				for len(array) > 0 {
					n := min(len(array), piece)
					h.ask("shard.fill", map[string]any{"bytes": array[:n]})
					array = array[n:]
				}
			}
		}
		return parts
	}
}

// part is a block whose sums a helper takes.
type part struct {
	solve.Block
	*helper
	k    int // of the helper's blocks
	thin int
}

// Thin is that of Block.
func (p *part) Thin(every int) solve.Part {
	return &part{p.Block.Thin(every).(solve.Block), p.helper, p.k, p.thin * every}
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
	h, n := p.helper, next.Numbers(p.Columns)
	h.settle()
	if h.failed || len(h.numbers) != n*h.blocks || h.next != next || h.every != p.thin ||
		!slices.Equal(h.theta, theta) {
		return nil
	}
	return h.numbers[p.k*n : (p.k+1)*n]
}

// Derivatives adds those of the block.
func (p *part) Derivatives(theta, gradient []float64, hessian *solve.Packed) {
	next := solve.Gradients
	if hessian != nil {
		next = solve.Hessians
	}
	own := p.of(theta, next)
	if own == nil {
		p.Block.Derivatives(theta, gradient, hessian)
		return
	}
	next.Add(own, gradient, hessian)
}

// Certify adds the sum of the block.
func (p *part) Certify(theta []float64, sum *solve.Sum) float64 {
	own := p.of(theta, solve.Certified)
	if own == nil {
		return p.Block.Certify(theta, sum)
	}
	sum.AddState(own[1:])
	return own[0]
}
