package data

// pieces makes a parser hand rows over as it goes, in place of keeping them all. A piece has
// rows of one block alone.
type pieces struct {
	most  int // rows in a piece
	take  func(before int, piece *Dataset) error
	dense bool // the form of all pieces
	piece *Dataset
	empty [][]float64 // blocks of a dense piece that was handed over

	rows    int     // of all pieces but the one at hand
	entries int     // likewise; of sparse pieces alone
	first   []int32 // entries of each of the first BlockRows rows
	bounds  blockBounds
	starts  []BlockStart
	last    int64 // where the last record begins
	failed  error // of take
}

// BlockStart is where a block begins, and how much is before it.
type BlockStart struct {
	At      int64 `json:"at"` // byte
	Line    int   `json:"line"`
	Rows    int   `json:"rows"`
	Entries int   `json:"entries"`
}

// record looks whether a block begins at the record at hand.
func (s *pieces) record(p *Parser) {
	at := p.feed.scanner.at
	s.last = at
	s.bounds.record(at, p.kept())
	if len(s.starts) > len(s.bounds.ends) {
		return
	}
	s.flush()
	for len(s.starts) <= len(s.bounds.ends) {
		s.starts = append(s.starts, BlockStart{at, p.feed.scanner.line, s.rows, s.entries})
	}
}

// keep takes the row of a record.
func (s *pieces) keep(p *Parser, line int, row Row, label float64) *Error {
	s.add(row, label)
	kept := p.kept()
	if kept > p.most {
		return p.tooLarge(line, "there are more than "+count(p.most, "record"))
	}
	if len(s.first) < BlockRows {
		s.first = append(s.first, int32(len(row.Index)))
	}
	if len(s.piece.Y) == s.most {
		s.flush()
	}
	if s.failed != nil {
		return &Error{Problem: "nobody takes rows any more"}
	}
	return nil
}

// add adds a row to the piece at hand.
func (s *pieces) add(row Row, label float64) {
	x := s.piece.X
	if s.dense {
		if len(s.piece.Y)%BlockRows == 0 {
			x.Blocks = append(x.Blocks, s.block(x.Columns))
		}
		block := &x.Blocks[len(x.Blocks)-1]
		at := len(*block)
		*block = (*block)[:at+x.Columns]
		clear((*block)[at:])
		for k, j := range row.Index {
			(*block)[at+int(j)] = row.Value[k]
		}
	} else {
		x.Index = append(x.Index, row.Index...)
		x.Value = append(x.Value, row.Value...)
		x.RowStart = append(x.RowStart, len(x.Index))
	}
	s.piece.Y = append(s.piece.Y, label)
}

// block is an empty block of a dense piece, of memory that was used before if there is some.
func (s *pieces) block(columns int) []float64 {
	if last := len(s.empty) - 1; last >= 0 {
		block := s.empty[last]
		s.empty = s.empty[:last]
		return block[:0]
	}
	return make([]float64, 0, min(BlockRows, s.most)*columns)
}

// or is the error of take, if it had one.
func (s *pieces) or(err error) error {
	if s.failed != nil {
		return s.failed
	}
	return err
}

// flush hands over the rows that are there. The next piece has the same memory.
func (s *pieces) flush() {
	d := s.piece
	if len(d.Y) == 0 || s.failed != nil {
		return
	}
	s.failed = s.take(s.rows, d)
	s.rows += len(d.Y)
	s.entries += len(d.X.Index)
	d.Y = d.Y[:0]
	x := d.X
	s.empty = append(s.empty, x.Blocks...)
	x.Blocks = x.Blocks[:0]
	if !s.dense {
		x.RowStart, x.Index, x.Value = x.RowStart[:1], x.Index[:0], x.Value[:0]
	}
}

// begin has the parser hand its rows over, to pieces of the form that they say.
func (s *pieces) begin(p *Parser) {
	s.start(p.schema)
	p.pieces = s
}

// start makes the first piece.
func (s *pieces) start(schema *Schema) {
	x := &Matrix{Columns: schema.Dimension()}
	if s.dense {
		x.numbers = numbersTo(x.Columns)
	} else {
		entries := s.most * (len(schema.Features) + 1) // more only for missing numbers
		x.RowStart = make([]int, 1, s.most+1)
		x.Index, x.Value = make([]int32, 0, entries), make([]float64, 0, entries)
	}
	s.piece = &Dataset{Schema: schema, X: x, Y: make([]float64, 0, s.most)}
}
