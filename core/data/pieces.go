package data

// pieces makes a parser hand rows over as it goes, in place of keeping them all. A piece has
// rows of one block alone.
type pieces struct {
	most  int // rows in a piece
	take  func(*Dataset) error
	dense bool // the form of all pieces

	rows    int // handed over
	entries int // of these
	first   int // entries of the first BlockRows rows
	bounds  blockBounds
	starts  []BlockStart
	failed  error // of take
}

// BlockStart is where a block begins, and how much is before it.
type BlockStart struct {
	At      int64 `json:"at"` // byte
	Line    int   `json:"line"`
	Rows    int   `json:"rows"`
	Entries int   `json:"entries"`
}

func (s *pieces) builder(schema *Schema) builder {
	b := builder{schema: schema, settled: true}
	if s.dense {
		b.dense = [][]float64{}
	}
	return b
}

// record looks whether a block begins at the record at hand.
func (s *pieces) record(p *Parser) {
	at := p.feed.scanner.at
	s.bounds.record(at, p.kept())
	if len(s.starts) > len(s.bounds.ends) {
		return
	}
	s.flush(p)
	for len(s.starts) <= len(s.bounds.ends) {
		s.starts = append(s.starts, BlockStart{at, p.feed.scanner.line, s.rows, s.entries})
	}
}

// keep takes the row that was added last.
func (s *pieces) keep(p *Parser, line int) *Error {
	kept := p.kept()
	if kept > p.most {
		return p.tooLarge(line, "there are more than "+count(p.most, "record"))
	}
	if kept == BlockRows {
		s.first = s.entries + p.builder.entries
	}
	if p.builder.rows == s.most {
		s.flush(p)
	}
	if s.failed != nil {
		return &Error{Problem: "nobody takes rows any more"}
	}
	return nil
}

// or is the error of take, if it had one.
func (s *pieces) or(err error) error {
	if s.failed != nil {
		return s.failed
	}
	return err
}

// flush hands over the rows that are there.
func (s *pieces) flush(p *Parser) {
	if p.builder.rows == 0 || s.failed != nil {
		return
	}
	s.rows += p.builder.rows
	s.entries += p.builder.entries
	d := p.builder.dataset()
	p.builder = s.builder(p.schema)
	s.failed = s.take(d)
}
