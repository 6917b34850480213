package data

import "bytes"

// delimiters are tried in this order, which breaks ties.
var delimiters = []byte{',', ';', '\t', '|'}

// spaces is the delimiter of fields between which there are one or more spaces or tabs.
// Texts have spaces too, so it is taken only where none of delimiters is of use.
const spaces = ' '

// detect settles the delimiter from the header, which begins at or after
// buffer[at], and returns where it begins. It reports false if more bytes are
// needed.
//
// If it is known which columns are wanted, the delimiter that finds most of
// them is taken; otherwise the one that cuts most fields from the header among
// those that cut the first records into as many, or else one that cuts at all.
// Spaces come last, see spacesBeat.
func (s *scanner) detect(at int, final bool) (int, bool) {
	at, ok := s.skipBlank(at, final)
	if !ok {
		return at, false
	}
	if at, ok := s.directive(at); ok {
		return at, true
	}
	if s.delimiter != 0 {
		return at, true
	}
	quotes := s.quotes
	best, most := byte(0), -1
	for _, candidate := range delimiters {
		s.delimiter = candidate
		score, ok := s.score(at, final)
		if ok && score > most {
			best, most = candidate, score
		}
	}
	if best != 0 {
		s.delimiter = spaces
		if score, ok := s.score(at, final); ok && s.spacesBeat(score, best, most) {
			best = spaces
		}
	}
	s.delimiter, s.quotes = best, quotes
	return at, best != 0
}

// spacesBeat reports whether spaces, by their score, are to be taken rather than the
// best of the others: they find more of the columns that are wanted; or, where none is
// known, they cut the first records alike, which nothing else so much as cuts, but for
// tabs among the spaces.
func (s *scanner) spacesBeat(score int, best byte, most int) bool {
	if s.wanted != nil {
		return score>>32 > most>>32
	}
	return score > 1 && (most == 0 || most == 1 && best == '\t')
}

// skipBlank returns where the first line begins that is not blank, and reports
// false if there is none so far.
func (s *scanner) skipBlank(at int, final bool) (int, bool) {
	for i := at; i < len(s.buffer); i++ {
		switch c := s.buffer[i]; {
		case c == s.delimiter && c != spaces:
			return at, true
		case c == ' ' || c == '\t':
		case c == '\r':
			if i+1 == len(s.buffer) && !final {
				return at, false
			}
			if i+1 < len(s.buffer) && s.buffer[i+1] == '\n' {
				i++
			}
			s.line++
			at = i + 1
		case c == '\n':
			s.line++
			at = i + 1
		default:
			return at, true
		}
	}
	if final {
		at = len(s.buffer)
	}
	return at, false
}

// directive obeys Excel's first line "sep=;".
func (s *scanner) directive(at int) (int, bool) {
	rest := s.buffer[at:]
	if len(rest) < 6 || !bytes.EqualFold(rest[:4], []byte("sep=")) {
		return at, false
	}
	for _, end := range []string{"\r\n", "\n", "\r"} {
		if bytes.HasPrefix(rest[5:], []byte(end)) && canDelimit(rest[4]) {
			if s.given == 0 {
				s.delimiter = rest[4]
			}
			s.line++
			return at + 5 + len(end), true
		}
	}
	return at, false
}

// canDelimit reports whether a byte may stand between fields: spaces, a tab, or an
// ASCII punctuation mark other than those that have a meaning in CSV or in
// numbers.
func canDelimit(c byte) bool {
	return c == '\t' || c >= ' ' && c < 0x7f && bytes.IndexByte([]byte(`"'.+-_`), c) < 0 &&
		!(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z')
}

func (s *scanner) score(at int, final bool) (int, bool) {
	end, st := s.next(at, final)
	if st == incomplete {
		return 0, false
	}
	if st != complete {
		return 0, true // its error is reported when the record is read
	}
	width := len(s.fields)
	if s.wanted != nil {
		names := make(map[string]bool, width)
		for _, f := range s.fields {
			names[string(s.buffer[f.start:f.end])] = true
		}
		found := 0
		for _, name := range s.wanted {
			if names[name] {
				found++
			}
		}
		return found<<32 + width, true
	}
	const sample = 20
	each := width
	for i := range sample {
		at = end
		if at >= len(s.buffer) {
			break
		}
		if end, st = s.next(at, final); st != complete {
			break
		}
		if i == 0 && len(s.fields) == width+1 && s.namesRows() {
			each++
		}
		if len(s.fields) != each && !s.blank() {
			return min(width-1, 1), true
		}
	}
	if width == 1 {
		return 0, true
	}
	return width, true
}

func (s *scanner) blank() bool {
	return len(s.fields) == 1 && s.fields[0].start == s.fields[0].end
}

// namesRows reports whether the program that wrote a file with this delimiter may have
// left out the name of the first column, which names the rows: R's write.table does.
func (s *scanner) namesRows() bool { return s.delimiter == spaces || s.delimiter == '\t' }

// unnamed reports whether the records in the buffer from buffer[at] on, or the first of
// them, all have one field more than the header, neither their first nor their last
// being empty, so that the header lacks the name of the first. It loses the record at
// hand.
func (s *scanner) unnamed(at int, final bool) bool {
	if !s.namesRows() {
		return false
	}
	breaks, quotes := s.breaks, s.quotes
	defer func() { s.breaks, s.quotes = breaks, quotes }()
	const sample = 20
	found := false
	for range sample {
		end, st := s.next(at, final)
		if at >= len(s.buffer) || st != complete {
			break
		}
		at = end
		if s.blank() {
			continue
		}
		n := len(s.fields)
		if n != len(s.names)+1 || s.fields[0].start == s.fields[0].end ||
			s.fields[n-1].start == s.fields[n-1].end {
			return false
		}
		found = true
	}
	return found
}
