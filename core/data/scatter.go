package data

import (
	"io"
	"slices"
)

// Scatter hands rows of a large file over as they are read, so that whoever takes sums over them
// has them in its own memory, and nobody has all. Use it where several workers fit together; see
// [Parser.Scatter]. Workers that can read the file parse ranges of it themselves, which is quicker:
// see [NewRange]. Then only rows of ranges that cannot be joined are handed over.
type Scatter struct {
	// Own is how many blocks the parser keeps, the first ones: from 1 to Blocks−1.
	Own int

	// Begin is called once, before the first row is handed over. If it reports false, nothing is
	// handed over, and the parser keeps all rows.
	Begin func(Kept) bool

	// Take gets rows of a block, in their order; the blocks come in theirs. It must not keep the
	// piece: the next one has its memory. A dense piece has one block of memory at most.
	Take func(block int, piece *Dataset)
}

// Kept is what a parser keeps of a file that it scatters.
type Kept struct {
	Columns       int
	Dense         bool // the form of all rows
	Rows, Entries int  // of the blocks that are kept
}

// scatteredPiece is about how many bytes a piece has that is handed over.
const scatteredPiece = 1 << 20

// Scatter has the parser hand over the rows that it does not keep. Call it before Write, for one
// part whose size is known (ReadOptions.Size), and [Parser.CloseScattered] in place of Close.
// What is read, and every error, is what it is without. A file of less than [Large] bytes is not
// scattered, nor one whose form a parser does not know yet after its own blocks.
func (p *Parser) Scatter(s Scatter) {
	if s.Own < 1 || s.Own >= Blocks {
		panic("data: a parser keeps at least one block, and not all")
	}
	p.scatter, p.sums = &s, &pageSums{}
	p.builder.share = func() float64 { return min(1, p.share()*Blocks/float64(s.Own)) }
}

// handOver begins to hand rows over if all blocks that are kept are read.
func (p *Parser) handOver() {
	s, b := p.scatter, &p.builder
	if s == nil || len(p.blocks.ends) < s.Own {
		return
	}
	p.scatter, b.share = nil, p.share
	columns := p.dimension
	kept := Kept{columns, b.dense != nil, b.rows, b.entries}
	if kept.Dense {
		kept.Entries = b.rows * columns
	}
	if b.rows <= BlockRows || !s.Begin(kept) {
		p.sums = nil
		return
	}
	most := scatteredPiece / (12*(len(p.schema.Features)+1) + 16)
	if kept.Dense {
		most = min(scatteredPiece/(8*(columns+1)), BlockRows)
	}
	out := &pieces{
		most: max(1, most), dense: kept.Dense, bounds: p.blocks,
		rows: b.rows, entries: b.entries, starts: make([]BlockStart, s.Own),
	}
	out.take = func(_ int, piece *Dataset) error {
		s.Take(len(out.starts)-1, piece)
		return nil
	}
	out.begin(p)
	p.own = s.Own
}

// CloseScattered is Close for a parser that may have handed rows over. If it has, the data set has
// the rows that it kept, and the ends of their blocks; its tally and its layout are the file's. The
// stream has all blocks but these: it reads them again from file, and compares each page of it with
// what was written into the parser. If all rows are here, the stream is nil.
func (p *Parser) CloseScattered(file io.ReaderAt) (*Dataset, *Stream, error) {
	if err := p.end(); err != nil {
		return nil, nil, err
	}
	if p.own == 0 {
		return p.whole(), nil, nil
	}
	s := p.pieces
	s.flush()
	kept := p.kept()
	d, starts, ends := p.builder.dataset(), s.starts, s.bounds.ends
	for k := 1; k < p.own; k++ {
		starts[k].Rows = ends[k-1] // the rest of what is here is not read again
	}
	for len(starts) <= Blocks {
		starts = append(starts, BlockStart{At: p.feed.bytes, Rows: kept, Entries: s.entries})
	}
	d.Ends, d.Layout, d.Tally = ends[:p.own:p.own], p.feed.layout, p.tally(kept)
	scanner := &p.feed.scanner
	all := &Stream{schema: p.schema, file: file, index: StreamIndex{
		Size: p.feed.bytes, Names: scanner.names, Delimiter: scanner.delimiter,
		Layout: d.Layout, Tally: d.Tally, Dense: s.dense, Blocks: starts,
		Pages: p.sums.end(),
	}}
	return d, all, nil
}

// Gathering puts rows together that a parser handed over, in their order.
type Gathering struct {
	x    *Matrix
	y    []float64
	ends []int // of the blocks before the last that has rows
}

// Gather begins with no rows, before the first of the blocks from that one on. rows and entries say
// how many there may be: more take more time, and memory for a while.
func Gather(block, columns int, dense bool, rows, entries int) *Gathering {
	x := &Matrix{Columns: columns}
	if dense {
		x.numbers = numbersTo(columns)
	} else {
		x.RowStart = make([]int, 1, rows+1)
		x.Index, x.Value = make([]int32, 0, entries), make([]float64, 0, entries)
	}
	return &Gathering{x: x, y: make([]float64, 0, rows), ends: make([]int, block)}
}

// GatherAfter begins with the rows of a data set that has the first blocks alone. Of dense rows
// nothing is copied: what is added goes behind them in their memory, and the data set stays what it
// is. So another gathering can begin with it where this one is given up, and not before. rows and
// entries are those of all blocks.
func GatherAfter(d *Dataset, rows, entries int) *Gathering {
	g := Gather(0, d.X.Columns, d.X.Dense(), rows, entries)
	if d.X.Dense() {
		g.x.Blocks = slices.Clone(d.X.Blocks) // Add makes the last one longer
		g.y = append(g.y, d.Y...)
	} else {
		g.Add(0, d)
	}
	g.ends = append(g.ends, d.Ends...)
	return g
}

// Add adds the next rows, which are of that block.
func (g *Gathering) Add(block int, piece *Dataset) {
	for len(g.ends) < block {
		g.ends = append(g.ends, len(g.y))
	}
	g.y = append(g.y, piece.Y...)
	x := g.x
	if !x.Dense() {
		first := len(x.Index) - piece.X.RowStart[0]
		for _, start := range piece.X.RowStart[1:] {
			x.RowStart = append(x.RowStart, first+start)
		}
		x.Index = append(x.Index, piece.X.Index...)
		x.Value = append(x.Value, piece.X.Value...)
		return
	}
	for _, rows := range piece.X.Blocks {
		for len(rows) > 0 {
			last := len(x.Blocks) - 1
			if last < 0 || len(x.Blocks[last]) == cap(x.Blocks[last]) {
				x.Blocks = append(x.Blocks, make([]float64, 0, BlockRows*x.Columns))
				last++
			}
			n := min(len(rows), cap(x.Blocks[last])-len(x.Blocks[last]))
			x.Blocks[last] = append(x.Blocks[last], rows[:n]...)
			rows = rows[n:]
		}
	}
}

// Dataset is what was added so far, in the same memory. It has the ends of all Blocks blocks: those
// of which nothing was added have no rows. Nothing may be added afterwards. It panics if there are
// not as many rows as labels: then a row may count twice, which no noise is for.
func (g *Gathering) Dataset(schema *Schema) *Dataset {
	if g.x.Rows() != len(g.y) {
		panic("data: rows and labels of a gathering do not go together")
	}
	for len(g.ends) < Blocks {
		g.ends = append(g.ends, len(g.y))
	}
	return &Dataset{Schema: schema, X: g.x, Y: g.y, Ends: g.ends}
}

// PieceOf is rows as Take gets them, of these numbers: labels, where each row begins, the columns
// and the entries; dense rows have entries alone. It returns nil if they do not go together.
func PieceOf(
	columns int, dense bool, y []float64, start []int, index []int32, value []float64,
) *Dataset {
	x := &Matrix{Columns: columns}
	if dense {
		if len(value) != len(y)*columns || len(index) > 0 || len(start) > 0 {
			return nil
		}
		x.numbers, x.Blocks = numbersTo(columns), [][]float64{value}
		return &Dataset{X: x, Y: y}
	}
	if len(start) != len(y)+1 || len(index) != len(value) || start[0] != 0 ||
		start[len(y)] != len(index) {
		return nil
	}
	for i, from := range start[:len(y)] {
		if from > start[i+1] {
			return nil
		}
	}
	for _, j := range index {
		if j < 0 || int(j) >= columns {
			return nil
		}
	}
	x.RowStart, x.Index, x.Value = start, index, value
	return &Dataset{X: x, Y: y}
}
