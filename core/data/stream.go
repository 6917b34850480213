package data

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"strconv"
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

	store     RowStore // nil: no rows are kept
	made      [sha256.Size]byte
	checkKept func(*Dataset) error
}

// StreamIndex is what the first pass over a file found. Keep its JSON form to open the stream again
// without that pass; keep it as secret as the file.
type StreamIndex struct {
	Schema    string       `json:"schema"` // SHA-256 of the schema's JSON form, in hexadecimal
	Size      int64        `json:"size"`   // bytes
	Names     []string     `json:"names"`
	Delimiter byte         `json:"delimiter"`
	Layout    Layout       `json:"layout"`
	Tally     Tally        `json:"tally"`
	Dense     bool         `json:"dense"`  // the form of the rows
	Blocks    []BlockStart `json:"blocks"` // one more: the end of the last
	Pages     []uint32     `json:"pages"`  // CRC-32C of each page of the file
}

// page is how much of a file is read at once. Each page is compared with what it was in the first
// pass, so that a file that is changed meanwhile by accident is noticed: not by somebody who means
// to deceive, and not what is appended to it.
const page = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// pageSums takes the checksum of each page of a file that comes in pieces.
type pageSums struct {
	pages []uint32
	sum   uint32 // of the page at hand
	size  int    // of it
}

func (s *pageSums) write(text []byte) {
	for len(text) > 0 {
		n := min(len(text), page-s.size)
		s.sum, s.size, text = crc32.Update(s.sum, castagnoli, text[:n]), s.size+n, text[n:]
		if s.size == page {
			s.end()
		}
	}
}

// end ends the page at hand, and returns the checksums of all.
func (s *pageSums) end() []uint32 {
	if s.size > 0 {
		s.pages, s.sum, s.size = append(s.pages, s.sum), 0, 0
	}
	return s.pages
}

// ErrChanged says that a file is not what it was in the first pass.
var ErrChanged = errors.New("data: the file has changed since it was read first")

// ResumeStream opens a stream whose first pass was made before, with the same schema. The error is
// a *SchemaError, or says what the index lacks.
func ResumeStream(file io.ReaderAt, schema *Schema, index StreamIndex) (*Stream, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	digest, err := digestOf(schema)
	if err != nil {
		return nil, err
	}
	if err := index.check(digest); err != nil {
		return nil, err
	}
	return &Stream{schema: schema, file: file, index: index}, nil
}

// check returns an error unless the index could be one of a first pass with that schema.
func (i StreamIndex) check(schema string) error {
	bad := func(what string) error { return errors.New("data: the index of the stream " + what) }
	switch {
	case i.Schema != schema:
		return bad("was made with another schema")
	case i.Size < Large || int64(len(i.Pages)) != (i.Size+page-1)/page:
		return bad("has another number of pages than the file")
	case len(i.Blocks) != Blocks+1 || i.Blocks[Blocks].At != i.Size:
		return bad("has other blocks than the file")
	case i.Tally.Kept > MaxRecords || i.Blocks[Blocks].Rows != i.Tally.Kept:
		return bad("has another number of rows than its blocks, or too many")
	}
	last := BlockStart{}
	for _, b := range i.Blocks {
		if b.At < last.At || b.Rows < last.Rows || b.Entries < last.Entries {
			return bad("has blocks out of order")
		}
		last = b
	}
	return nil
}

func digestOf(schema *Schema) (string, error) {
	text, err := schema.MarshalJSON()
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:]), err
}

// Index is what the first pass found.
func (s *Stream) Index() StreamIndex { return s.index }

// Schema is what the file is read with.
func (s *Stream) Schema() *Schema { return s.schema }

// Rows is the number of rows of all blocks.
func (s *Stream) Rows() int { return s.index.Tally.Kept }

// Block says how many rows block k has, 0 ≤ k < Blocks, and how many entries; of dense rows all
// entries count.
func (s *Stream) Block(k int) (rows, entries int) {
	from, to := s.index.Blocks[k], s.index.Blocks[k+1]
	rows, entries = to.Rows-from.Rows, to.Entries-from.Entries
	if s.index.Dense {
		entries = rows * s.schema.Dimension()
	}
	return rows, entries
}

// Read reads block k, 0 ≤ k < Blocks, and hands its rows over in pieces of that many, 1 or more,
// the last one of what is left. A piece must not be kept: the next one has its memory. Blocks can
// be read at once, by several goroutines. It returns [ErrChanged] if the file has changed, an error
// of the file, or the first of take; with [Stream.KeepRows] also errors of kept rows.
func (s *Stream) Read(k, rows int, take func(*Dataset) error) error {
	switch {
	case s.index.Blocks[k].At == s.index.Blocks[k+1].At:
		return nil
	case s.store != nil:
		return s.readKept(k, rows, take)
	}
	return s.ReadFile(k, rows, take)
}

// changedBlock is ErrChanged with the place.
type changedBlock struct {
	block int
	why   error
}

func (e *changedBlock) Error() string {
	return ErrChanged.Error() + ": block " + strconv.Itoa(e.block) + " of " +
		strconv.Itoa(Blocks) + ": " + e.why.Error()
}

func (e *changedBlock) Unwrap() []error { return []error{ErrChanged, e.why} }

// ReadFile is Read from the file, whatever rows are kept.
func (s *Stream) ReadFile(k, rows int, take func(*Dataset) error) error {
	from, to := s.index.Blocks[k], s.index.Blocks[k+1]
	p, err := NewParser(s.schema, ReadOptions{Delimiter: s.index.Delimiter, MaxBytes: s.index.Size})
	if err != nil {
		return err
	}
	rows = min(rows, max(1, to.Rows-from.Rows))
	taken := func(_ int, piece *Dataset) error { return take(piece) }
	(&pieces{most: rows, take: taken, dense: s.index.Dense}).begin(p)
	changed := func(why error) error {
		return &changedBlock{k + 1, why}
	}
	if err := p.resume(s.index.Names, from); err != nil {
		return changed(err)
	}
	buffer := make([]byte, page)
	for at := from.At / page * page; at < to.At; at += page {
		text, err := s.page(at, buffer)
		if err != nil {
			return err
		}
		if crc32.Checksum(text, castagnoli) != s.index.Pages[at/page] {
			return ErrChanged
		}
		text = text[:min(int64(len(text)), to.At-at)]
		text = text[max(0, from.At-at):]
		if err := p.Write(text); err != nil {
			return p.pieces.or(changed(err))
		}
	}
	if err := p.endStream(); err != nil {
		return p.pieces.or(changed(err))
	}
	if p.kept() != to.Rows-from.Rows {
		return ErrChanged
	}
	return nil
}

// Copy writes the whole file, in its order. It returns [ErrChanged] if the file has changed since
// the first pass, an error of the file, or the first of the writer.
func (s *Stream) Copy(to io.Writer) error {
	buffer := make([]byte, page)
	for at := int64(0); at < s.index.Size; at += page {
		text, err := s.page(at, buffer)
		if err != nil {
			return err
		}
		if crc32.Checksum(text, castagnoli) != s.index.Pages[at/page] {
			return ErrChanged
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// page reads the page that begins at byte at into the buffer.
func (s *Stream) page(at int64, buffer []byte) ([]byte, error) {
	text := buffer[:min(page, s.index.Size-at)]
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
func (p *Parser) resume(names []string, at BlockStart) *Error {
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
	p.pieces.flush()
	return p.pieces.failed
}
