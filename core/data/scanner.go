package data

import (
	"bytes"
	"strconv"
)

// sink takes what a scanner finds in one part (one file).
type sink interface {
	// header takes the names of the columns, spaces trimmed, in the first line or
	// for it.
	header(names []string) *Error

	// record takes one record that begins on the given line: its fields are
	// text[span.start:span.end], spaces trimmed and quotes resolved. The text
	// is overwritten afterwards.
	record(line int, text []byte, fields []span) *Error
}

// bulk is a sink that can take many plain records at once.
type bulk interface {
	// plain takes records from buffer[at] on as record would, and returns where the first
	// begins that it leaves.
	plain(at int) (int, *Error)
}

type span struct{ start, end int }

const (
	// window is how many bytes are gathered before records are cut from them.
	window = 64 << 10

	// maxRecord bounds the memory that an unclosed quote can take.
	maxRecord = 16 << 20
)

// scanner cuts CSV into records, whatever the pieces in which it is fed.
//
// It is a state machine of this package's own rather than encoding/csv, for
// two reasons. Bytes are pushed by a browser, and encoding/csv pulls, which
// under js/wasm takes a goroutine and a pipe. And speed, measured under js/wasm
// in Node 20 on the training part of Adult (4 MB, 32,561 × 15): encoding/csv
// alone, with ReuseRecord, reads 65 to 72 MB/s, which would leave too little of
// the 40 MB/s that the way from CSV to design matrix has to keep; this scanner
// reads 390, and the whole way 80 to 100. A fuzz test holds the two against
// each other.
//
// What it takes for CSV is RFC 4180 as real files have it: lines end in LF,
// CR LF or CR; spaces and tabs around fields (quoted ones too) are trimmed; a
// quote inside an unquoted field stands for itself; blank lines are skipped; a
// UTF-8 byte order mark and Excel's first line "sep=;" are obeyed. Where the delimiter
// is a space, any run of spaces and tabs is one, and those at the ends of a line are
// none; an empty field stands in quotes.
type scanner struct {
	sink      sink
	delimiter byte     // 0 until known
	given     byte     // the caller's choice of delimiter, or 0
	wanted    []string // column names that the header should have, or nil
	header    Header
	called    []string // by the caller: the columns of a file without a header
	judge     bool     // the first line, and refuse one that looks like a record
	rowNames  bool     // may lack a name in the header, see unnamed

	position int64 // of buffer[0], in bytes of all parts
	at       int64 // of the record that is being delivered

	buffer []byte // text not yet cut; its capacity is the window
	line   int    // of buffer[0], 1-based
	taken  int64  // bytes of all parts that came into the buffer
	left   int    // of these, bytes after the record that is being delivered
	fresh  bool   // nothing of this part was looked at yet
	headed bool   // the header was delivered
	names  []string
	failed *Error

	// The record at hand, see next.
	fields  []span
	escaped []int // numbers of fields with "" or \r\n in quotes
	breaks  int   // line ends in it, its own included

	quotes bool // a field of the file stands in quotes
}

// delivered is how many bytes of all parts were looked at, up to the end of the
// record that is being delivered.
func (s *scanner) delivered() int64 { return s.taken - int64(s.left) }

// begin makes the scanner ready for a part.
func (s *scanner) begin() {
	s.delimiter = s.given
	if s.header == HeaderNone {
		s.wanted = nil // no name in the file shows which delimiter is right
	}
	s.buffer = s.buffer[:0]
	s.line = 1
	s.fresh, s.headed, s.failed = true, false, nil
}

// write takes the next bytes of the part.
func (s *scanner) write(chunk []byte) *Error {
	for len(chunk) > 0 && s.failed == nil {
		if cap(s.buffer) == 0 {
			s.buffer = make([]byte, 0, window)
		}
		room := cap(s.buffer) - len(s.buffer)
		if room == 0 {
			// One record fills it all.
			grown := make([]byte, len(s.buffer), 2*cap(s.buffer))
			copy(grown, s.buffer)
			s.buffer = grown
			continue
		}
		taken := min(room, len(chunk))
		s.buffer = append(s.buffer, chunk[:taken]...)
		s.taken += int64(taken)
		chunk = chunk[taken:]
		if len(s.buffer) == cap(s.buffer) {
			s.failed = s.scan(false)
		}
	}
	return s.failed
}

// end says that the part is complete.
func (s *scanner) end() *Error {
	if s.failed == nil {
		s.failed = s.scan(true)
	}
	if s.failed == nil && !s.headed {
		s.failed = &Error{
			Kind:    NoRows,
			Problem: "the file is empty",
			Want:    "Choose a CSV file with a header row and at least one record",
		}
	}
	return s.failed
}

// scan cuts all complete records from the buffer; final says that no bytes
// will follow.
func (s *scanner) scan(final bool) *Error {
	if s.fresh {
		if err := sniff(s.buffer); err != nil {
			return err
		}
		text := bytes.TrimPrefix(s.buffer, []byte("\xef\xbb\xbf"))
		s.position += int64(len(s.buffer) - len(text))
		s.buffer = s.buffer[:copy(s.buffer, text)]
		s.fresh = false
	}
	at := 0
	for at < len(s.buffer) {
		if s.delimiter == 0 || !s.headed {
			var ok bool
			if at, ok = s.detect(at, final); !ok {
				break
			}
		}
		if many, ok := s.sink.(bulk); ok && s.headed {
			var err *Error
			if at, err = many.plain(at); err != nil {
				return err
			}
			if at == len(s.buffer) {
				break
			}
		}
		end, state := s.next(at, final)
		if state == incomplete {
			break
		}
		if state == unclosed || state == trailing {
			return s.quoteError(state)
		}
		s.at = s.position + int64(at)
		s.left = len(s.buffer) - end
		if err := s.deliver(at, end, final); err != nil {
			return err
		}
		s.line += s.breaks
		at = end
	}
	s.buffer = s.buffer[:copy(s.buffer, s.buffer[at:])]
	s.position += int64(at)
	if len(s.buffer) >= maxRecord {
		return &Error{
			Kind: TooLarge,
			Row:  s.line,
			Problem: "the record that begins here is longer than " + strconv.Itoa(maxRecord>>20) +
				" MiB",
			Want: `Look for a quote (") that is opened here and never closed`,
		}
	}
	return nil
}

// deliver hands on the record that next found in buffer[at:end].
func (s *scanner) deliver(at, end int, final bool) *Error {
	if s.blank() && bytes.IndexByte(s.buffer[at:end], '"') < 0 {
		return nil
	}
	for _, i := range s.escaped {
		s.fields[i] = unescape(s.buffer, s.fields[i])
	}
	if s.headed {
		return s.sink.record(s.line, s.buffer, s.fields)
	}
	s.headed = true
	if err := s.nameColumns(); err != nil {
		return err
	}
	if s.rowNames && s.unnamed(end, final) {
		s.names = append([]string{""}, s.names...)
	}
	if s.judge {
		if err := s.judgeFirst(end, final); err != nil {
			return err
		}
	}
	if err := s.sink.header(s.names); err != nil || s.header != HeaderNone {
		return asHeaderless(err, s.header)
	}
	return s.sink.record(s.line, s.buffer, s.fields)
}

// judgeFirst refuses a first line that looks like a record beside what is in the
// buffer from buffer[at] on. It loses the record at hand.
func (s *scanner) judgeFirst(at int, final bool) *Error {
	breaks := s.breaks
	first := newFirstLine(s.names)
	for at < len(s.buffer) {
		end, st := s.next(at, final)
		if st != complete {
			break
		}
		if len(s.fields) == len(s.names) {
			first.below(s.buffer, s.fields)
		}
		at = end
	}
	s.breaks = breaks
	if !first.isRecord() {
		return nil
	}
	return &Error{
		Kind:    NoHeader,
		Row:     s.line,
		Problem: "this line looks like a person, not like the names of columns",
		Want:    `Names are published. Say which it is: header "none" (the columns become c1, c2, …) or header "first"`,
		Line:    s.names,
	}
}

type state uint8

const (
	complete   state = iota
	incomplete       // the buffer ends before the record does
	unclosed         // the file ends inside quotes
	trailing         // text after a closing quote
)

// next finds the fields of the record that begins at buffer[at], and where
// the following one begins. It changes nothing in the buffer.
func (s *scanner) next(at int, final bool) (int, state) {
	b, delimiter := s.buffer, s.delimiter
	runs, other := delimiter == spaces, delimiter
	if runs {
		other = '\t'
	}
	s.fields, s.escaped, s.breaks = s.fields[:0], s.escaped[:0], 0
	for {
		for at < len(b) && (b[at] == ' ' || b[at] == '\t') && (runs || b[at] != delimiter) {
			at++
		}
		start := at
		if at < len(b) && b[at] == '"' {
			var st state
			if at, st = s.quoted(at+1, final); st != complete {
				return 0, st
			}
		} else {
			at = stop(b, at, delimiter, other)
			end := at
			for end > start && (b[end-1] == ' ' || b[end-1] == '\t') {
				end--
			}
			s.fields = append(s.fields, span{start, end})
		}
		if runs {
			for at < len(b) && (b[at] == ' ' || b[at] == '\t') {
				at++
			}
			if at < len(b) && b[at] != '\n' && b[at] != '\r' {
				continue
			}
		}
		switch {
		case at == len(b):
			if final {
				return at, complete
			}
			return 0, incomplete
		case b[at] == delimiter:
			at++
		case b[at] == '\n':
			s.breaks++
			return at + 1, complete
		default: // '\r': a line end of its own, or of one with the '\n' after it
			if at+1 == len(b) && !final {
				return 0, incomplete
			}
			s.breaks++
			if at+1 < len(b) && b[at+1] == '\n' {
				at++
			}
			return at + 1, complete
		}
	}
}

// quoted reads a quoted field whose text begins at buffer[at], and returns
// where the delimiter or line end after it stands.
func (s *scanner) quoted(at int, final bool) (int, state) {
	b := s.buffer
	start, escaped := at, false
	for ; at < len(b); at++ {
		switch b[at] {
		case '\n':
			s.breaks++
		case '\r':
			if at+1 < len(b) && b[at+1] == '\n' {
				escaped = true // one line end, counted at the \n
			} else {
				s.breaks++
			}
		case '"':
			if at+1 < len(b) && b[at+1] == '"' {
				escaped = true
				at++
				continue
			}
			if at+1 == len(b) && !final {
				return 0, incomplete // it may be the first of two
			}
			end := at
			for at++; at < len(b) && (b[at] == ' ' || b[at] == '\t') && b[at] != s.delimiter; at++ {
			}
			if at < len(b) && b[at] != s.delimiter && b[at] != '\n' && b[at] != '\r' &&
				(s.delimiter != spaces || b[at-1] == '"') {
				return 0, trailing
			}
			s.quotes = true
			if escaped {
				s.escaped = append(s.escaped, len(s.fields))
			}
			s.fields = append(s.fields, trim(b, span{start, end}))
			return at, complete
		}
	}
	if final {
		return 0, unclosed
	}
	return 0, incomplete
}

func (s *scanner) quoteError(st state) *Error {
	field := strconv.Itoa(len(s.fields) + 1)
	err := &Error{
		Kind:    BadQuote,
		Row:     s.line,
		Problem: `a quote (") is opened in field ` + field + " of the record that begins here, and never closed",
		Want:    `Close it; a quote inside a quoted field is written twice ("")`,
	}
	if st == trailing {
		err.Problem = "text follows the closing quote of field " + field
		err.Want = `A quote inside a quoted field is written twice ("")`
	}
	if s.headed && len(s.fields) < len(s.names) {
		err.Column = s.names[len(s.fields)]
	}
	return err
}

func trim(b []byte, f span) span {
	for f.start < f.end && (b[f.start] == ' ' || b[f.start] == '\t') {
		f.start++
	}
	for f.start < f.end && (b[f.end-1] == ' ' || b[f.end-1] == '\t') {
		f.end--
	}
	return f
}

// unescape makes, in place, one quote of two and \n of \r\n.
func unescape(b []byte, f span) span {
	to := f.start
	for from := f.start; from < f.end; from++ {
		if from+1 < f.end && (b[from] == '"' || b[from] == '\r' && b[from+1] == '\n') {
			from++
		}
		b[to] = b[from]
		to++
	}
	return span{f.start, to}
}
