package data

import (
	"errors"
	"hash/crc32"
	"io"
)

// Stream is a CSV file whose rows do not fit into memory. They are read again, piece by piece, at
// each pass. Use it natively for a file beyond the limits of a [Parser]; a smaller one is quicker
// as a [Dataset].
//
// The rows, their blocks and their form are those of the data set that a Parser would make of the
// whole file, to the last bit. All of a stream is private, as a data set is.
type Stream struct {
	schema *Schema
	file   io.ReaderAt
	index  StreamIndex
}

// StreamIndex is what the first pass over a file found, which takes as long as any other. Keep its
// JSON form to open the stream again without that pass; keep it as secret as the file.
type StreamIndex struct {
	Size      int64    `json:"size"` // bytes
	Names     []string `json:"names"`
	Delimiter byte     `json:"delimiter"`
	Layout    Layout   `json:"layout"`
	Tally     Tally    `json:"tally"`
	Dense     bool     `json:"dense"`  // the form of the rows
	Blocks    []start  `json:"blocks"` // one more: the end of the last
	Pages     []uint32 `json:"pages"`  // CRC-32C of each page of the file
}

// page is how much of a file is read at once. Each page is compared with what it was in the first
// pass, so that a file that changes meanwhile is noticed.
const page = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrChanged says that a file is not what it was in the first pass.
var ErrChanged = errors.New("data: the file has changed since it was read first")

// OpenStream reads a file of at least [Large] bytes once, hands its rows to check in pieces of
// 8,192 at most, in their order, and keeps what the next passes need. A piece must not be kept.
// Errors are those of a Parser, of file, and the first of check.
//
// Of the options the sizes count for nothing: the file has size bytes, and its matrix may take any
// number. It panics if size is below Large.
func OpenStream(
	file io.ReaderAt, size int64, schema *Schema, options ReadOptions,
	check func(*Dataset) error,
) (*Stream, error) {
	if size < Large {
		panic("data: a stream of a small file")
	}
	s := &Stream{schema: schema, file: file, index: StreamIndex{Size: size}}
	options.Size, options.MaxBytes = size, size
	p, err := NewParser(schema, options)
	if err != nil {
		return nil, err
	}
	p.pieces = &pieces{most: firstPiece, take: check, bounds: boundsOf(size)}
	p.builder = p.pieces.builder(schema)
	for at := int64(0); at < size; at += page {
		text, err := s.page(at)
		if err != nil {
			return nil, err
		}
		s.index.Pages = append(s.index.Pages, crc32.Checksum(text, castagnoli))
		if err := p.Write(text); err != nil {
			return nil, p.pieces.or(err)
		}
	}
	if err := p.endStream(); err != nil {
		return nil, p.pieces.or(err)
	}
	scanner := &p.feed.scanner
	s.index.Names, s.index.Delimiter = scanner.names, scanner.delimiter
	s.index.Layout = p.feed.layout
	s.index.Tally = p.tally(p.kept())
	s.index.Dense = p.kept() > BlockRows && denseEnough(p.pieces.first, BlockRows, schema)
	s.index.Blocks = p.pieces.starts
	for len(s.index.Blocks) <= Blocks {
		end := start{At: size, Rows: p.kept(), Entries: p.pieces.entries}
		s.index.Blocks = append(s.index.Blocks, end)
	}
	return s, nil
}

const firstPiece = 8192

// ResumeStream opens a stream whose first pass was made before, with the same schema.
func ResumeStream(file io.ReaderAt, schema *Schema, index StreamIndex) (*Stream, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if len(index.Blocks) != Blocks+1 || int64(len(index.Pages)) != (index.Size+page-1)/page {
		return nil, errors.New("data: this is no index of a stream")
	}
	return &Stream{schema: schema, file: file, index: index}, nil
}

// Index is what the first pass found.
func (s *Stream) Index() StreamIndex { return s.index }

// Schema is what the file is read with.
func (s *Stream) Schema() *Schema { return s.schema }

// Rows is the number of rows of all blocks.
func (s *Stream) Rows() int { return s.index.Tally.Kept }

// Block says how many rows block k has, and how many entries; of dense rows all entries count.
func (s *Stream) Block(k int) (rows, entries int) {
	from, to := s.index.Blocks[k], s.index.Blocks[k+1]
	rows, entries = to.Rows-from.Rows, to.Entries-from.Entries
	if s.index.Dense {
		entries = rows * s.schema.Dimension()
	}
	return rows, entries
}

// Read reads block k and hands its rows over in pieces of that many, the last one of what is left.
// A piece is not kept here. Blocks can be read at once, by several goroutines. It returns
// [ErrChanged] if the file has changed, an error of the file, or the first of take.
func (s *Stream) Read(k, rows int, take func(*Dataset) error) error {
	from, to := s.index.Blocks[k], s.index.Blocks[k+1]
	if from.At == to.At {
		return nil
	}
	p, err := NewParser(s.schema, ReadOptions{Delimiter: s.index.Delimiter, MaxBytes: s.index.Size})
	if err != nil {
		return err
	}
	p.pieces = &pieces{most: rows, take: take, dense: s.index.Dense}
	p.builder = p.pieces.builder(s.schema)
	if err := p.resume(s.index.Names, from); err != nil {
		return ErrChanged
	}
	for at := from.At / page * page; at < to.At; at += page {
		text, err := s.page(at)
		if err != nil {
			return err
		}
		if crc32.Checksum(text, castagnoli) != s.index.Pages[at/page] {
			return ErrChanged
		}
		text = text[:min(int64(len(text)), to.At-at)]
		text = text[max(0, from.At-at):]
		if err := p.Write(text); err != nil {
			return p.pieces.or(ErrChanged)
		}
	}
	if err := p.endStream(); err != nil {
		return p.pieces.or(ErrChanged)
	}
	if p.kept() != to.Rows-from.Rows {
		return ErrChanged
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

// page reads the page that begins at byte at.
func (s *Stream) page(at int64) ([]byte, error) {
	text := make([]byte, min(page, s.index.Size-at))
	n, err := s.file.ReadAt(text, at)
	switch {
	case n == len(text):
		return text, nil
	case err == io.EOF || err == nil:
		return nil, ErrChanged // it was longer
	}
	return nil, err
}

// resume begins a part in its middle, at a record.
func (p *Parser) resume(names []string, at start) *Error {
	scanner := &p.feed.scanner
	p.feed.open = true
	scanner.begin()
	scanner.fresh, scanner.headed = false, true
	scanner.names, scanner.line, scanner.position = names, at.Line, at.At
	return p.header(names)
}

// endStream is Close for a parser that hands its rows over. It checks all classes only where all
// blocks were read.
func (p *Parser) endStream() error {
	err := p.feed.close()
	if err == nil && p.pieces.bounds.size > 0 {
		err = p.feed.fail(p.check())
	}
	if err != nil {
		return err
	}
	p.pieces.flush(p)
	return p.pieces.failed
}
