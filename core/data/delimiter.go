package data

import "bytes"

// delimiters are tried in this order, which breaks ties.
var delimiters = []byte{',', ';', '\t', '|'}

// detect settles the delimiter from the header, which begins at or after
// buffer[at], and returns where it begins. It reports false if more bytes are
// needed.
//
// If it is known which columns are wanted, the delimiter that finds most of
// them is taken; otherwise the one that cuts most fields from the header among
// those that cut the first records into as many, or else one that cuts at all.
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
	best, most := byte(0), -1
	for _, candidate := range delimiters {
		s.delimiter = candidate
		score, ok := s.score(at, final)
		if ok && score > most {
			best, most = candidate, score
		}
	}
	s.delimiter = best
	return at, best != 0
}

// skipBlank returns where the first line begins that is not blank, and reports
// false if there is none so far.
func (s *scanner) skipBlank(at int, final bool) (int, bool) {
	for i := at; i < len(s.buffer); i++ {
		switch c := s.buffer[i]; {
		case c == s.delimiter:
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

// canDelimit reports whether a byte may stand between fields: a tab, or an
// ASCII punctuation mark other than those that have a meaning in CSV or in
// numbers.
func canDelimit(c byte) bool {
	return c == '\t' || c > ' ' && c < 0x7f && bytes.IndexByte([]byte(`"'.+-_`), c) < 0 &&
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
	for range sample {
		at = end
		if at >= len(s.buffer) {
			break
		}
		if end, st = s.next(at, final); st != complete {
			break
		}
		if len(s.fields) != width && !s.blank() {
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
