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
//	reading    the file's first blocks are parsed here; meanwhile each keeper reads and parses the
//	           range of the file with its own, and this worker joins what it found: see ahead. A
//	           range that cannot be joined is parsed here, and its rows go to their keeper
//	scattered  fits, evaluations and reports ask the keepers for the sums of their blocks
//	whole      all rows are here, and the keepers are gone
//
//	reading → scattered   at the end
//	reading → whole       at the end, where nothing was handed over: see begin
//	scattered → whole     when something needs all rows, such as noisy steps: what the keepers have
//	                      is read again from the file
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

	room      func(*keeper) // has it make room for rows
	tried     bool          // to have ranges read ahead
	ranges    []readAhead   // that are read ahead, and are not joined yet
	cr, marks bool          // the file's beginning has CR; has a byte order mark

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
	rows  bool // it was told to make room for rows that it is sent
}

// readAhead is a range that a keeper reads.
type readAhead struct {
	*keeper
	wait func() (map[string]any, error)
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
		c.keepers = append(c.keepers, &keeper{first: first, helper: helper{
			others: s.others, number: int(number), blocks: end - first,
		}})
	}
	parser.Scatter(data.Scatter{Own: c.own, Begin: c.begin, Take: c.take})
	return c
}

// begin looks whether handing rows over pays. Where sums are many beside the rows all stay here.
func (c *scattered) begin(kept data.Kept) bool {
	if !c.scatters(kept.Columns, kept.Entries/c.own*data.Blocks) {
		return false
	}
	c.before = kept.Rows
	columns, sparse := float64(kept.Columns), !kept.Dense
	// A little more than the first blocks have: too little would be made anew, and copied.
	likely := func(k *keeper, n int) float64 {
		return float64(n/c.own*k.blocks + n/c.own*k.blocks/32 + data.BlockRows)
	}
	c.room = func(k *keeper) {
		k.rows = true
		k.ask("shard.keep", map[string]any{
			"first": float64(k.first), "blocks": float64(k.blocks),
			"columns": columns, "sparse": sparse,
			"rows": likely(k, kept.Rows), "entries": likely(k, kept.Entries),
		})
	}
	return true
}

// scatters reports whether a matrix of so many entries is worth handing over: see pays.
func (c *scattered) scatters(columns, entries int) bool {
	classes := max(1, len(c.schema.Label.Classes))
	return 8*data.Blocks*solve.Hessians.Numbers(columns)*classes <= entries
}

// The place where a range begins is looked for in so many bytes. Ranges are read ahead if the first
// begins so many bytes or more after what was written: the worker's script has fetched as much
// already (CHUNK in worker.ts).
const (
	cutWindow = 64 << 10
	fetched   = 2 << 20
)

// ahead has the keepers read and parse the ranges of the file that have their blocks, at once. It
// returns where they begin: there the worker's script asks to join them. It does so once, when the
// form of the rows is known, if what is read then makes it likely that handing over pays, and the
// first range is far enough off. What is wrong in a range, or where it begins, shows when it is
// joined.
func (c *scattered) ahead(parser *data.Parser, file file, room float64) []float64 {
	form, known := parser.Form()
	if c.tried || !known {
		return nil
	}
	c.tried = true
	read, size, entries := parser.SoFar()
	if !c.scatters(c.schema.Dimension(), int(float64(entries)/float64(read)*float64(size))) {
		return nil
	}
	schema, err := c.schema.Tree()
	if err != nil {
		return nil
	}
	var cuts []float64
	window := make([]byte, cutWindow)
	for _, k := range c.keepers {
		from := int64(k.first)*size/data.Blocks - 1
		n, err := file.ReadAt(window, from)
		cut := form.Cut(window[:n])
		if cut < 0 || err != nil && err != io.EOF || from < read+fetched {
			return nil
		}
		cuts = append(cuts, float64(from+int64(cut)))
	}
	names := make([]any, len(form.Names))
	for i, name := range form.Names {
		names[i] = name
	}
	for i, k := range c.keepers {
		to := float64(size)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		c.ranges = append(c.ranges, readAhead{k, k.others.Ask(k.number, "shard.read", map[string]any{
			"schema": schema, "names": names, "delimiter": string(rune(form.Delimiter)),
			"dense": form.Dense, "room": roomOf(room, k.blocks), "file": float64(file.number),
			"from": cuts[i], "to": to, "size": float64(size),
			"first": float64(k.first), "blocks": float64(k.blocks),
			"cr": c.cr, "mark": c.marks,
		})})
	}
	return cuts
}

// roomOf is the room, of all, that the rows of so many blocks may take: twice their share, as rows
// take more memory in one range than in another. Who has a range that takes more says so, and the
// range is read here.
func roomOf(all float64, blocks int) float64 {
	return min(all, 2*all*float64(blocks)/data.Blocks)
}

// join takes over the range that was read ahead and comes next, and returns what the keeper's
// script found of the digest; nil if the range has to be read here. at is how many bytes of the
// content are before it, as the worker's script has counted them: the keeper's blocks of the digest
// begin there only if it took the same number.
func (c *scattered) join(parser *data.Parser, at float64) (map[string]any, error) {
	if len(c.ranges) == 0 {
		return nil, nil
	}
	r := c.ranges[0]
	c.ranges = c.ranges[1:]
	reply, err := r.wait()
	if err != nil {
		return nil, nil // something is wrong in the range, or the keeper is gone
	}
	bytes, _ := reply["found"].([]byte)
	found := data.RangeFrom(solve.Floats(bytes))
	if found == nil || reply["at"] != at {
		return nil, nil
	}
	joined, err := parser.Join(found)
	if !joined {
		return nil, err
	}
	r.rows = true // no others come
	c.before += found.Rows()
	for k, n := range found.Classes() {
		c.counts.numbers[k] += n
	}
	delete(reply, "found")
	delete(reply, "at")
	return reply, nil
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
	if !k.rows {
		c.room(k)
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
		if !k.rows {
			c.room(k) // in the place of a range that was not joined
		}
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
	return c.parts(sought{loss: loss, rowNorm: rowNorm, class: noClass})
}

// ScoreParts implements learn.ElsewhereOfClasses.
func (c *scattered) ScoreParts() []solve.Part {
	return c.parts(sought{classes: len(c.schema.Label.Classes), class: noClass})
}

// AgainstRest implements learn.ElsewhereOfClasses.
func (c *scattered) AgainstRest(class int) learn.Elsewhere { return againstRest{c, class} }

// againstRest is the data set with the labels of one class.
type againstRest struct {
	*scattered
	class int
}

// Parts implements learn.Elsewhere.
func (c againstRest) Parts(loss glm.Clipped, rowNorm float64) []solve.Part {
	return c.parts(sought{loss: loss, rowNorm: rowNorm, class: c.class})
}

func (c *scattered) parts(what sought) []solve.Part {
	here := c.here
	if c.whole != nil {
		here = c.whole
	}
	var parts []solve.Part
	for _, block := range what.blocks(here, here.Ends) {
		parts = append(parts, block)
	}
	if c.whole != nil {
		return parts
	}
	none := solve.NewRows(0, 0, 0, c.schema.Dimension(), !c.here.X.Dense())
	shape := learn.BlocksOf(none, what.classes, []int{0})[0]
	for _, k := range c.keepers {
		k.ask("shard.apply", what.request())
		for i := range k.blocks {
			block := &readAgain{
				Apart: shape, scattered: c, block: k.first + i, what: what, every: 1,
			}
			parts = append(parts, &part{block, &k.helper, i, 1})
		}
	}
	return parts
}

// readAgain is a block that is not here: its rows are read again when a sum of it is wanted here.
// Before, it is a block of the same shape without rows.
type readAgain struct {
	solve.Apart // the one without rows
	*scattered
	block int
	what  sought
	every int
	rows  solve.Apart // nil before
}

// sums is the block with its rows; the one without, and the fit is over, if they cannot be read.
func (b *readAgain) sums() solve.Apart {
	if b.rows == nil && b.failed == nil {
		d, err := b.read(b.block)
		if err != nil {
			b.failed = err
			b.cancel()
			return b.Apart
		}
		b.rows = b.what.blocks(d, []int{len(d.Y)})[0].Thin(b.every).(solve.Apart)
	}
	if b.rows == nil {
		return b.Apart
	}
	return b.rows
}

// Records implements solve.Thinner.
func (b *readAgain) Records() int {
	rows, _ := b.all.Block(b.block)
	return (rows + b.every - 1) / b.every
}

// Thin implements solve.Thinner.
func (b *readAgain) Thin(every int) solve.Part {
	thin := *b
	thin.every, thin.rows = b.every*every, nil
	return &thin
}

// Numbers implements solve.Apart.
func (b *readAgain) Numbers(theta []float64, next solve.Sums) []float64 {
	return b.sums().Numbers(theta, next)
}

// Derivatives implements solve.Part.
func (b *readAgain) Derivatives(theta, gradient []float64, hessian *solve.Packed) {
	b.sums().Derivatives(theta, gradient, hessian)
}

// Certify implements solve.Part. It proves nothing where the rows are lost.
func (b *readAgain) Certify(theta []float64, sum *solve.Sum) float64 {
	bound := b.sums().Certify(theta, sum)
	if b.failed != nil {
		return math.Inf(1)
	}
	return bound
}

// Value implements solve.Part.
func (b *readAgain) Value(theta []float64) float64 {
	value := b.sums().Value(theta)
	if b.failed != nil {
		return math.Inf(1)
	}
	return value
}

// Shape is that of the block, one of a softmax.
func (b *readAgain) Shape() (classes, columns int) { return b.Apart.(scoreBlock).Shape() }

// Diagonals are those of the block, one of a softmax.
func (b *readAgain) Diagonals(numbers, gradient []float64) []*solve.Packed {
	return b.Apart.(scoreBlock).Diagonals(numbers, gradient)
}

// DiagonalBlocks are those of the block, one of a softmax.
func (b *readAgain) DiagonalBlocks(theta, gradient []float64) []*solve.Packed {
	return b.sums().(scoreBlock).DiagonalBlocks(theta, gradient)
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
