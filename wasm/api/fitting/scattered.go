package fitting

import (
	"context"
	"io"
	"math"
	"sync"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// scattered is the data set of a large file, of which other workers keep a part of the rows each,
// so that all of them together have every row once:
//
//	reading    the file's first blocks stay here; rows of the others go to their keepers as they
//	           are parsed
//	scattered  fits that need sums alone ask the keepers for those of their blocks
//	whole      all rows are here, and the keepers are gone
//
//	reading → scattered   at the end
//	reading → whole       at the end, where nothing was handed over: see begin
//	scattered → whole     when something needs all rows, such as an evaluation: what the keepers
//	                      have is read again from the file
//
// In each state a keeper may fail or die. It is asked no more, and its blocks are read again from
// the file once their sums are wanted. Rows that are read again are the same to the last bit, and
// so are their sums.
type scattered struct {
	schema  *data.Schema
	here    *data.Dataset // the rows of the first blocks
	all     *data.Stream
	keepers []*keeper
	own     int // blocks that are here
	wrong   error
	counts  classCounts
	before  int    // rows before the piece at hand
	bytes   []byte // of it

	busy   sync.Mutex // a fit, or the way to whole
	again  [data.Blocks]*data.Dataset
	whole  *data.Dataset // nil before
	failed error         // of the file, in the fit at hand
	cancel func()        // the fit at hand
}

// keeper is a worker that keeps blocks, from the first on.
type keeper struct {
	helper
	first int
}

// end lets the keepers go, which answer nothing.
func (c *scattered) end() {
	for _, k := range c.keepers {
		k.others.Ask(k.number, "worker.end", map[string]any{})
		k.failed = true
	}
}

// scatter has workers of these numbers keep an equal share of the blocks each, the last ones.
func (s *Session) scatter(parser *data.Parser, schema *data.Schema, workers []float64) *scattered {
	c := &scattered{schema: schema, counts: newClassCounts(&schema.Label)}
	n := len(workers) + 1
	c.own = data.Blocks / n
	for w, number := range workers {
		first, end := (w+1)*data.Blocks/n, (w+2)*data.Blocks/n
		c.keepers = append(
			c.keepers,
			&keeper{helper{others: s.others, number: int(number), blocks: end - first}, first},
		)
	}
	parser.Scatter(data.Scatter{Own: c.own, Begin: c.begin, Take: c.take})
	return c
}

// begin has the keepers make room. Where sums are many beside the rows all stay here: see pays.
func (c *scattered) begin(kept data.Kept) bool {
	if 8*data.Blocks*solve.Hessians.Numbers(kept.Columns) > kept.Entries/c.own*data.Blocks {
		return false
	}
	c.before = kept.Rows
	for _, k := range c.keepers {
		// A little more than the first blocks have: too little would be made anew, and copied.
		likely := func(n int) float64 {
			return float64(n/c.own*k.blocks + n/c.own*k.blocks/32 + data.BlockRows)
		}
		k.ask("shard.keep", map[string]any{
			"first": float64(k.first), "blocks": float64(k.blocks),
			"columns": float64(kept.Columns), "sparse": !kept.Dense,
			"rows": likely(kept.Rows), "entries": likely(kept.Entries),
		})
	}
	return true
}

// take sends rows to their keeper.
func (c *scattered) take(block int, piece *data.Dataset) {
	if err := c.check(piece, c.before); err != nil && c.wrong == nil {
		c.wrong = err
	}
	c.before += len(piece.Y)
	c.counts.add(piece.Y)
	k := c.keepers[0]
	for _, other := range c.keepers {
		if other.first <= block {
			k = other
		}
	}
	c.bytes = append(c.bytes[:0], solve.Bytes(piece.Y)...)
	if x := piece.X; x.Dense() {
		c.bytes = append(c.bytes, solve.Bytes(x.Blocks[0])...)
	} else {
		c.bytes = append(c.bytes, solve.Bytes(x.RowStart)...)
		c.bytes = append(c.bytes, solve.Bytes(x.Value)...)
		c.bytes = append(c.bytes, solve.Bytes(x.Index)...)
	}
	k.ask("shard.rows", map[string]any{
		"block": float64(block), "rows": float64(len(piece.Y)), "bytes": c.bytes,
	})
}

// check is learn.CheckRowsOf for a piece with so many rows before it.
func (c *scattered) check(piece *data.Dataset, before int) error {
	err := learn.CheckRowsOf(piece, c.schema.RowNorm())
	if row, ok := err.(*learn.RowError); ok {
		return &learn.RowError{Row: before + row.Row, Problem: row.Problem}
	}
	return err
}

// close ends the reading. The data set is nil if other workers keep a part of it.
func (c *scattered) close(parser *data.Parser, file io.ReaderAt) (*data.Dataset, error) {
	here, all, err := parser.CloseScattered(file)
	if err != nil {
		return nil, err
	}
	if all == nil {
		c.end()
		return here, nil
	}
	c.here, c.all, c.bytes = here, all, nil
	c.counts.add(here.Y)
	for _, k := range c.keepers {
		k.settle(0)
	}
	if err := learn.CheckRowsOf(here, c.schema.RowNorm()); err != nil {
		return nil, err
	}
	return nil, c.wrong
}

// read reads a block again, or returns what was read before.
func (c *scattered) read(block int) (*data.Dataset, error) {
	if c.again[block] != nil {
		return c.again[block], nil
	}
	rows, entries := c.all.Block(block)
	g := data.Gather(0, c.here.X.Columns, c.here.X.Dense(), rows, entries)
	if err := c.readInto(g, block); err != nil {
		return nil, err
	}
	c.again[block] = g.Dataset(c.schema)
	return c.again[block], nil
}

// readInto adds the rows of a block, from the file.
func (c *scattered) readInto(g *data.Gathering, block int) error {
	before := c.all.Index().Blocks[block].Rows
	err := c.all.ReadFile(block, data.BlockRows, func(piece *data.Dataset) error {
		g.Add(block, piece)
		before += len(piece.Y)
		return c.check(piece, before-len(piece.Y))
	})
	if err == nil {
		return nil
	}
	return &api.Error{
		Code:    api.CodeDatasetLost,
		Field:   "dataset",
		Message: "A part of the file was needed again, and could not be read: " + api.Sentence(err.Error()) + " It may have been moved or changed: open it again.",
		Cause:   err,
	}
}

// gather brings all rows here. The keepers are let go once the first block could be read again:
// where the file cannot be read they can still take sums, and where it can, their memory is free
// before all rows are here.
func (c *scattered) gather() (*data.Dataset, error) {
	c.busy.Lock()
	defer c.busy.Unlock()
	if c.whole != nil {
		return c.whole, nil
	}
	if _, err := c.read(c.own); err != nil {
		return nil, err
	}
	c.end()
	entries := len(c.here.X.Index)
	for k := c.own; k < data.Blocks; k++ {
		_, n := c.all.Block(k)
		entries += n
	}
	g := data.GatherAfter(c.here, c.all.Rows(), entries)
	for k := c.own; k < data.Blocks; k++ {
		if rows := c.again[k]; rows != nil {
			g.Add(k, rows)
			c.again[k] = nil
		} else if err := c.readInto(g, k); err != nil {
			return nil, err
		}
	}
	c.whole = g.Dataset(c.schema)
	c.whole.Tally, c.whole.Layout = c.here.Tally, c.here.Layout
	c.here = nil
	return c.whole, nil
}

// problem is that of a fit which needs sums alone.
func (c *scattered) problem(loss glm.Loss) learn.Problem {
	return learn.Problem{Data: &data.Dataset{Schema: c.schema}, Loss: loss, Elsewhere: c}
}

// fitting is to be called before a fit, and what it returns after it: that returns the fit's error,
// or says that the file could not be read. Then what the fit came to is no model of the file.
func (c *scattered) fitting() (context.Context, func(error) error) {
	c.busy.Lock()
	ctx, cancel := context.WithCancel(context.Background())
	c.failed, c.cancel = nil, cancel
	return ctx, func(err error) error {
		defer c.busy.Unlock()
		cancel()
		if c.failed != nil {
			return c.failed
		}
		return err
	}
}

// Rows implements learn.Elsewhere.
func (c *scattered) Rows() int { return c.all.Rows() }

// Parts implements learn.Elsewhere.
func (c *scattered) Parts(loss glm.Clipped, rowNorm float64) []solve.Part {
	here := c.here
	if c.whole != nil {
		here = c.whole
	}
	var parts []solve.Part
	for _, block := range learn.BlocksOf(learn.RowsOf(here, loss, rowNorm), 0, here.Ends) {
		parts = append(parts, block)
	}
	if c.whole != nil {
		return parts
	}
	for _, k := range c.keepers {
		apply := lossOf(loss)
		apply["rowNorm"] = rowNorm
		k.ask("shard.apply", apply)
		for i := range k.blocks {
			block := &readAgain{
				scattered: c, block: k.first + i, loss: loss, rowNorm: rowNorm, every: 1,
			}
			parts = append(parts, &part{block, &k.helper, i, 1})
		}
	}
	return parts
}

// readAgain is a block that is not here: its rows are read again when a sum of it is wanted here.
type readAgain struct {
	*scattered
	block   int
	loss    glm.Clipped
	rowNorm float64
	every   int
	rows    solve.Apart // nil before
}

// sums is the block with its rows; nil, and the fit is over, if they cannot be read.
func (b *readAgain) sums() solve.Apart {
	if b.rows == nil && b.failed == nil {
		d, err := b.read(b.block)
		if err != nil {
			b.failed = err
			b.cancel()
			return nil
		}
		rows := learn.RowsOf(d, b.loss, b.rowNorm)
		b.rows = learn.BlocksOf(rows, 0, []int{len(d.Y)})[0].Thin(b.every).(solve.Apart)
	}
	return b.rows
}

// Dim implements solve.Part.
func (b *readAgain) Dim() int { return b.schema.Dimension() }

// Records implements solve.Thinner.
func (b *readAgain) Records() int {
	rows, _ := b.all.Block(b.block)
	return (rows + b.every - 1) / b.every
}

// Costly implements solve.Thinner.
func (b *readAgain) Costly() bool { return b.here.X.Dense() }

// Thin implements solve.Thinner.
func (b *readAgain) Thin(every int) solve.Part {
	thin := *b
	thin.every, thin.rows = b.every*every, nil
	return &thin
}

// Count implements solve.Apart.
func (b *readAgain) Count(next solve.Sums) int { return next.Numbers(b.Dim()) }

// Numbers implements solve.Apart.
func (b *readAgain) Numbers(theta []float64, next solve.Sums) []float64 {
	if own := b.sums(); own != nil {
		return own.Numbers(theta, next)
	}
	return make([]float64, b.Count(next))
}

// Derivatives implements solve.Part.
func (b *readAgain) Derivatives(theta, gradient []float64, hessian *solve.Packed) {
	if own := b.sums(); own != nil {
		own.Derivatives(theta, gradient, hessian)
	}
}

// Certify implements solve.Part. It proves nothing where the rows are lost.
func (b *readAgain) Certify(theta []float64, sum *solve.Sum) float64 {
	if own := b.sums(); own != nil {
		return own.Certify(theta, sum)
	}
	return math.Inf(1)
}

// Value implements solve.Part.
func (b *readAgain) Value(theta []float64) float64 {
	if own := b.sums(); own != nil {
		return own.Value(theta)
	}
	return math.Inf(1)
}

// file is one that the worker's script reads, under a number as other workers have them.
type file struct {
	others Others
	number int
}

// ReadAt implements io.ReaderAt.
func (f file) ReadAt(to []byte, at int64) (int, error) {
	reply, err := f.others.Ask(f.number, "file.bytes", map[string]any{
		"from": float64(at), "to": float64(at + int64(len(to))),
	})()
	if err != nil {
		return 0, err
	}
	bytes, _ := reply["bytes"].([]byte)
	n := copy(to, bytes)
	if n < len(to) {
		return n, io.EOF
	}
	return n, nil
}
