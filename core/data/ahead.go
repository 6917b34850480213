package data

import (
	"bytes"
	"hash/crc32"
	"math"
	"slices"
)

// Form is what the beginning of a file says of all of it. Who reads a later range of the file needs
// it; see [NewRange].
type Form struct {
	Names     []string
	Delimiter byte
	Dense     bool // the form of all rows
}

// Form reports what is known of the file, once there are so many rows that no later one changes it.
func (p *Parser) Form() (Form, bool) {
	s := &p.feed.scanner
	if p.builder.rows <= BlockRows || p.feed.failed != nil {
		return Form{}, false
	}
	return Form{slices.Clone(s.names), s.delimiter, p.builder.dense != nil}, true
}

// SoFar is how many bytes were written, the size that was declared, and how many entries the rows
// have that are kept so far; of dense rows all count.
func (p *Parser) SoFar() (read, size int64, entries int) {
	b := &p.builder
	if entries = b.entries; b.dense != nil {
		entries = b.rows * p.dimension
	}
	return p.feed.bytes, p.size, entries
}

// mostTried is how many line ends Cut tries.
const mostTried = 100

// Cut looks for the first record that begins in a text from the middle of a file, after a line end,
// and returns where; -1 if it finds none. It takes the first place from which on the text reads as
// records of the right number of fields. In a field with line breaks this can be wrong, so
// [Parser.Join] judges it.
func (f Form) Cut(text []byte) int {
	s := scanner{delimiter: f.Delimiter, buffer: text}
	at := 0
	for range mostTried {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		if at += n + 1; s.reads(at, len(f.Names)) {
			return at
		}
	}
	return -1
}

// reads reports whether the buffer reads as records of so many fields from there on. A quote that
// closes what was opened before makes the number of quotes odd.
func (s *scanner) reads(at, width int) bool {
	seen := false
	for at < len(s.buffer) {
		end, state := s.next(at, false)
		if state == incomplete {
			break
		}
		if state != complete || len(s.fields) != width && !s.blank() ||
			bytes.Count(s.buffer[at:end], []byte(`"`))%2 > 0 {
			return false
		}
		at, seen = end, true
	}
	return seen
}

// RangeOf is a range of a file, from where a record begins to where another one does, or to the
// end: the records of some of the file's blocks.
type RangeOf struct {
	From, To, Size int64 // bytes; the size is the file's
	First, Blocks  int
}

func (r RangeOf) valid() bool {
	return r.First >= 1 && r.Blocks >= 1 && r.First <= Blocks-r.Blocks &&
		r.From >= int64(r.First)*r.Size/Blocks && r.From < r.To && r.To <= r.Size
}

// Range is what a parser found in a range of a file: all that [Parser.Join] adds up.
type Range struct {
	RangeOf
	dense         bool
	rows          int // records
	kept, entries int
	lines         int
	quoted        bool
	tally         []FeatureTally
	missing       int // labels
	clamped       int
	classes       []int
	starts        []BlockStart // of its blocks up to the last that has a record; counted from 0
	pages         []uint32     // checksums of its share of each page
}

// NewRange returns a parser for a range of a file, which another parser reads from the beginning.
// Use it where several workers read a file at once: each reads a range, and the other parser
// [Parser.Join]s it in place of reading it. End with [Parser.CloseRange].
func NewRange(schema *Schema, options ReadOptions, form Form, of RangeOf) (*Parser, error) {
	options.Delimiter, options.Header, options.Names = form.Delimiter, HeaderJudged, nil
	options.Size = of.To - of.From
	p, err := NewParser(schema, options)
	if err != nil {
		return nil, err
	}
	if !of.valid() {
		return nil, ErrChanged
	}
	return p, p.feed.fail(p.beginRange(form, of))
}

func (p *Parser) beginRange(form Form, of RangeOf) *Error {
	p.ahead = &Range{RangeOf: of, dense: form.Dense}
	p.blocks = blockBounds{size: of.Size, ends: make([]int, of.First)}
	p.sums = &pageSums{size: int(of.From % page)}
	p.builder.formed = true
	if form.Dense {
		p.builder.dense = [][]float64{}
	}
	return p.resume(form.Names, BlockStart{At: of.From, Line: 1})
}

// record looks whether a block begins at the record at hand.
func (r *Range) record(p *Parser) {
	for r.First+len(r.starts) <= len(p.blocks.ends) {
		r.starts = append(r.starts, BlockStart{
			p.feed.scanner.at, p.feed.scanner.line, p.builder.rows, p.builder.sparseEntries(),
		})
	}
}

// settle cuts all records that are complete from what was written, and reports whether nothing is
// left: then what follows begins a record.
func (p *Parser) settle() (bool, error) {
	s := &p.feed.scanner
	if p.feed.failed == nil && s.failed == nil {
		s.failed = s.scan(false)
	}
	return len(s.buffer) == 0, p.feed.fail(s.failed)
}

// CloseRange ends a parser of NewRange. The data set has the rows of the range, and the ends of all
// blocks. The error is [ErrChanged] if the range does not end between two records; whatever it is,
// the parser that reads from the beginning has to read the range, and says what is wrong.
func (p *Parser) CloseRange() (*Dataset, *Range, error) {
	r, s := p.ahead, &p.feed.scanner
	whole, err := p.settle()
	if err == nil && r.To == r.Size {
		whole, err = true, p.feed.close()
	}
	if err == nil && (!whole || p.feed.bytes != r.To-r.From || len(r.starts) > r.Blocks) {
		err = ErrChanged
	}
	if err != nil {
		return nil, nil, err
	}
	r.rows, r.kept, r.entries = p.rows, p.builder.rows, p.builder.sparseEntries()
	r.lines, r.quoted, r.tally = s.line-1, s.quotes, p.encoder.tally
	r.missing, r.clamped, r.classes = p.labels.missing, p.labels.clamped, p.labels.numbers
	r.pages = p.sums.end()
	d := p.builder.dataset()
	d.Ends = p.blocks.whole(len(d.Y))
	return d, r, nil
}

// Join has a parser that scatters its rows take over what another one found in the range that comes
// next, in place of reading it, and reports whether it has. If not, the range has to be written to
// it. What comes of the file is the same to the last bit.
//
// That is so because a parser's state between two records is the place, numbers that add up, and
// the file's form. So the range is taken only if the parser is between two records where the range
// begins, if the range's blocks are those that come next, and if all numbers together are within
// the limits, at each record of the range. All that is wrong in a file is thus found by the parser
// that reads from the beginning. The error is what it found before the range.
func (p *Parser) Join(r *Range) (bool, error) {
	between, err := p.settle()
	if err != nil || !between || !p.joins(r) {
		return false, err
	}
	if p.pieces == nil {
		for len(p.blocks.ends) < r.First {
			p.blocks.ends = append(p.blocks.ends, p.builder.rows)
		}
		if p.handOver(); p.pieces == nil {
			return false, nil // all rows stay here
		}
	}
	s, out := &p.feed.scanner, p.pieces
	out.flush()
	for i, start := range r.starts {
		start.Line += s.line - 1
		start.Rows, start.Entries = start.Rows+out.rows, start.Entries+out.entries
		for len(out.starts) <= r.First+i {
			out.starts = append(out.starts, start)
		}
		for len(out.bounds.ends) < r.First+i {
			out.bounds.ends = append(out.bounds.ends, start.Rows)
		}
	}
	length := r.To - r.From
	p.rows, p.feed.bytes = p.rows+r.rows, p.feed.bytes+length
	out.rows, out.entries = out.rows+r.kept, out.entries+r.entries
	s.line, s.position, s.taken = s.line+r.lines, r.To, s.taken+length
	s.quotes = s.quotes || r.quoted
	for k, t := range r.tally {
		own := &p.encoder.tally[k]
		own.Missing, own.Unknown, own.Clamped = own.Missing+t.Missing, own.Unknown+t.Unknown,
			own.Clamped+t.Clamped
	}
	p.labels.missing, p.labels.clamped = p.labels.missing+r.missing, p.labels.clamped+r.clamped
	for k, n := range r.classes {
		p.labels.numbers[k] += n
	}
	p.sums.join(r.pages, length)
	return true, nil
}

// joins reports whether the range is the next, and within the limits.
func (p *Parser) joins(r *Range) bool {
	dense, begun, entries := p.builder.dense != nil, len(p.blocks.ends), p.builder.entries
	if p.pieces != nil {
		dense, begun = p.pieces.dense, len(p.pieces.starts)-1
		entries = p.pieces.entries + len(p.pieces.piece.X.Index)
	} else if p.scatter == nil || p.scatter.Own != r.First || p.builder.rows <= BlockRows {
		return false
	}
	if p.sums == nil || p.feed.scanner.position != r.From || p.size != r.Size ||
		begun >= r.First || dense != r.dense || len(r.tally) != len(p.encoder.tally) ||
		len(r.classes) != len(p.labels.numbers) || p.kept()+r.kept > p.most {
		return false
	}
	ends := append(slices.Clone(r.starts), BlockStart{Rows: r.kept, Entries: r.entries})
	for i, end := range ends[1:] {
		// As keep has it at a record, whose share is more than that of the blocks before.
		bytes := matrixBytes(p.kept()+end.Rows, entries+end.Entries, p.dimension, dense)
		share := float64(r.First+i) / Blocks
		if bytes > p.limit || float64(bytes)/share > 1.5*float64(p.limit) {
			return false
		}
	}
	return true
}

// join adds checksums of the next bytes, so many, which were taken apart.
func (s *pageSums) join(sums []uint32, length int64) {
	for _, sum := range sums {
		n := int(min(length, int64(page-s.size)))
		if s.size > 0 {
			// A checksum of A and B is that of A and as many zeros, with what B changes.
			zeros := make([]byte, n)
			sum ^= crc32.Update(s.sum, castagnoli, zeros) ^ crc32.Checksum(zeros, castagnoli)
		}
		s.sum, s.size, length = sum, s.size+n, length-int64(n)
		if s.size == page {
			s.end()
		}
	}
}

// Classes are how many rows each class has; nil where the label is a number.
func (r *Range) Classes() []int { return r.classes }

// Rows are how many rows there are.
func (r *Range) Rows() int { return r.kept }

// Numbers is the range as another worker can be sent it; see RangeFrom.
func (r *Range) Numbers() []float64 {
	flag := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	out := []float64{
		float64(r.From), float64(r.To), float64(r.Size), float64(r.First), float64(r.Blocks),
		flag(r.dense), float64(r.rows), float64(r.kept), float64(r.entries), float64(r.lines),
		flag(r.quoted), float64(r.missing), float64(r.clamped),
		float64(len(r.tally)), float64(len(r.classes)), float64(len(r.starts)),
	}
	for _, t := range r.tally {
		out = append(out, float64(t.Missing), float64(t.Unknown), float64(t.Clamped))
	}
	for _, n := range r.classes {
		out = append(out, float64(n))
	}
	for _, b := range r.starts {
		out = append(out, float64(b.At), float64(b.Line), float64(b.Rows), float64(b.Entries))
	}
	for _, sum := range r.pages {
		out = append(out, float64(sum))
	}
	return out
}

// RangeFrom is the range that the numbers were made of; nil if they were made of none.
func RangeFrom(numbers []float64) *Range {
	const head = 16
	if len(numbers) < head {
		return nil
	}
	for _, x := range numbers {
		if !(x >= 0 && x <= 1<<53 && x == math.Trunc(x)) {
			return nil
		}
	}
	next := func() int {
		x := numbers[0]
		numbers = numbers[1:]
		return int(x)
	}
	r := &Range{RangeOf: RangeOf{
		int64(next()), int64(next()), int64(next()), next(), next(),
	}}
	r.dense = next() == 1
	r.rows, r.kept, r.entries, r.lines, r.quoted = next(), next(), next(), next(), next() == 1
	r.missing, r.clamped = next(), next()
	features, classes, starts := next(), next(), next()
	most := len(numbers)
	if !r.valid() || features > most || classes > most || starts > r.Blocks {
		return nil
	}
	pages := most - 3*features - classes - 4*starts
	if int64(pages) != (r.To-1)/page-r.From/page+1 {
		return nil
	}
	for range features {
		r.tally = append(r.tally, FeatureTally{next(), next(), next()})
	}
	for range classes {
		r.classes = append(r.classes, next())
	}
	for range starts {
		r.starts = append(r.starts, BlockStart{int64(next()), next(), next(), next()})
	}
	for range pages {
		r.pages = append(r.pages, uint32(next()))
	}
	return r
}
