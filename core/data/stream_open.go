package data

import (
	"bytes"
	"hash/crc32"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// OpenStream reads a file of at least [Large] bytes once, hands its rows to check in pieces of
// 8,192 at most, and keeps what the next passes need. A piece must not be kept: the next one has
// its memory. Errors are those of a Parser, of file, and the first of check.
//
// So many workers read blocks at once, and call check at once, if the file lets them; then before
// means nothing. They leave a file in which they find anything wrong, or whose records they cannot
// tell apart, to a pass by one, which decides: there, before is how many rows come before a piece,
// and pieces come in their order. What is found does not depend on the number of workers.
//
// Of the options the sizes count for nothing: the file has size bytes, and its matrix may take any
// number. It panics if size is below Large.
func OpenStream(
	file io.ReaderAt, size int64, schema *Schema, options ReadOptions, workers int,
	check func(before int, piece *Dataset) error,
) (*Stream, error) {
	if size < Large {
		panic("data: a stream of a small file")
	}
	options.Size, options.MaxBytes = size, size
	p, err := NewParser(schema, options)
	if err != nil {
		return nil, err
	}
	digest, err := digestOf(schema)
	if err != nil {
		return nil, err
	}
	s := &Stream{schema: schema, file: file, index: StreamIndex{Schema: digest, Size: size}}
	if workers > 1 && s.atOnce(options, workers, check) {
		return s, nil
	}
	(&pieces{most: firstPiece, take: check, bounds: boundsOf(size)}).begin(p)
	if s.index.Pages, err = s.pour(p, 0, size); err != nil {
		return nil, p.pieces.or(err)
	}
	if err := p.endStream(); err != nil {
		return nil, p.pieces.or(err)
	}
	s.found(p, p.pieces.starts)
	return s, nil
}

const firstPiece = 8192

// pour gives a parser the bytes from one place to another, and returns the checksums of their
// pages.
func (s *Stream) pour(p *Parser, from, to int64) (pages []uint32, err error) {
	buffer := make([]byte, page)
	for at := from / page * page; at < to; at += page {
		text, err := s.page(at, buffer)
		if err != nil {
			return nil, err
		}
		pages = append(pages, crc32.Checksum(text, castagnoli))
		text = text[:min(int64(len(text)), to-at)]
		if at+page >= to && to < s.index.Size && text[len(text)-1] != '\n' {
			return nil, ErrChanged // it was cut there at a line end
		}
		if err := p.Write(text[max(0, from-at):]); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// found writes down what a parser found, which has read the whole file.
func (s *Stream) found(p *Parser, starts []BlockStart) {
	scanner := &p.feed.scanner
	s.index.Names, s.index.Delimiter = scanner.names, scanner.delimiter
	s.index.Layout = p.feed.layout
	s.index.Tally = p.tally(p.kept())
	entries := 0
	for _, n := range p.pieces.first {
		entries += int(n)
	}
	s.index.Dense = p.kept() > BlockRows && denseEnough(entries, BlockRows, s.schema)
	for len(starts) <= Blocks {
		end := BlockStart{At: s.index.Size, Rows: p.kept(), Entries: p.pieces.entries}
		starts = append(starts, end)
	}
	s.index.Blocks = starts
}

// atOnce makes the first pass by so many workers, and reports whether it could.
//
// The file is cut at line ends, the first after each twelfth of its bytes. A cut inside quotes
// would end the part before it there, which is an error of that part. So if all parts are read
// without one, the first cut is between two records, and then the second, and so on. Nothing else
// of a part depends on what is before it, but for numbers that add up.
func (s *Stream) atOnce(
	options ReadOptions, workers int, check func(before int, piece *Dataset) error,
) bool {
	cuts, ok := s.cuts()
	if !ok {
		return false
	}
	names, delimiter, ok := s.header(options)
	if !ok {
		return false
	}
	var parts [Blocks]*Parser
	var pages [Blocks][]uint32
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(workers, Blocks) {
		running.Go(func() {
			for k := next.Add(1) - 1; k < Blocks; k = next.Add(1) - 1 {
				own := options
				if k > 0 {
					own = ReadOptions{Delimiter: delimiter, MaxBytes: s.index.Size}
				}
				p, err := NewParser(s.schema, own)
				if err != nil {
					break
				}
				(&pieces{most: firstPiece, take: check}).begin(p)
				if k > 0 && p.resume(names, BlockStart{At: cuts[k], Line: 1}) != nil {
					break
				}
				if pages[k], err = s.pour(p, cuts[k], cuts[k+1]); err != nil {
					break
				}
				if p.endStream() != nil {
					break
				}
				parts[k] = p
			}
			next.Store(Blocks) // also where a part could not be read
		})
	}
	running.Wait()
	return s.join(cuts, &parts, &pages)
}

// join puts together what parts of the file were found to be, and reports whether all is right.
func (s *Stream) join(cuts []int64, parts *[Blocks]*Parser, pages *[Blocks][]uint32) bool {
	var starts []BlockStart
	all, line := parts[0], 1
	var sums []uint32
	rows, entries := 0, 0
	for k, p := range parts {
		if p == nil {
			return false
		}
		end := int64(k+1) * s.index.Size / Blocks
		if k+1 < Blocks && len(p.pieces.starts) > 0 && p.pieces.last >= end {
			return false // a record of the next block, after a line end that is none of LF
		}
		if first := p.pieces.starts; len(first) > 0 {
			for len(starts) <= k {
				at := BlockStart{first[0].At, line + first[0].Line - 1, rows, entries}
				starts = append(starts, at)
			}
		}
		line += p.feed.scanner.line - 1
		rows, entries = rows+p.pieces.rows, entries+p.pieces.entries

		if shared := int64(len(sums)) - cuts[k]/page; shared > 0 && len(pages[k]) > 0 {
			if sums[len(sums)-1] != pages[k][0] {
				return false // it has changed
			}
			pages[k] = pages[k][1:]
		}
		sums = append(sums, pages[k]...)
		if k > 0 {
			all.add(p)
		}
	}
	if all.kept() > MaxRecords || all.check() != nil {
		return false
	}
	s.index.Pages = sums
	s.found(all, starts)
	return true
}

// add adds what a parser found in the part of a file that follows.
func (p *Parser) add(next *Parser) {
	p.rows += next.rows
	p.feed.bytes += next.feed.bytes
	p.feed.layout.Quoted = p.feed.layout.Quoted || next.feed.layout.Quoted
	p.pieces.rows += next.pieces.rows
	p.pieces.entries += next.pieces.entries
	p.pieces.first = append(p.pieces.first, next.pieces.first...)
	p.pieces.first = p.pieces.first[:min(BlockRows, len(p.pieces.first))]
	for k, t := range next.encoder.tally {
		own := &p.encoder.tally[k]
		own.Missing, own.Unknown, own.Clamped = own.Missing+t.Missing, own.Unknown+t.Unknown,
			own.Clamped+t.Clamped
	}
	p.labels.missing += next.labels.missing
	p.labels.clamped += next.labels.clamped
	for k, n := range next.labels.numbers {
		p.labels.numbers[k] += n
	}
}

// cuts are where parts of the file may begin, and its end.
func (s *Stream) cuts() (cuts []int64, ok bool) {
	buffer := make([]byte, page)
	for k := range int64(Blocks) {
		from := k*s.index.Size/Blocks - 1
		if k == 0 {
			cuts = append(cuts, 0)
			continue
		}
		n, err := s.file.ReadAt(buffer[:min(page, s.index.Size-from)], from)
		at := int64(bytes.IndexByte(buffer[:n], '\n'))
		if at < 0 || err != nil && err != io.EOF {
			return nil, false
		}
		cuts = append(cuts, from+at+1)
	}
	return append(cuts, s.index.Size), true
}

// header reads the file's header.
func (s *Stream) header(options ReadOptions) (names []string, delimiter byte, ok bool) {
	p, err := NewParser(s.schema, options)
	if err != nil {
		return nil, 0, false
	}
	none := func(int, *Dataset) error { return nil }
	(&pieces{most: firstPiece, take: none}).begin(p)
	text, err := s.page(0, make([]byte, page))
	if err != nil || p.Write(text) != nil || !p.feed.scanner.headed {
		return nil, 0, false
	}
	return slices.Clone(p.feed.scanner.names), p.feed.scanner.delimiter, true
}
