package ledger

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// errCutShort is the error of a text that ends too early.
var errCutShort = errors.New("it ends too early")

// maxDepth bounds the nesting of a text.
const maxDepth = 100

// parseJSON reads a text (RFC 8259) into a tree whose numbers are float64. A
// name that occurs twice is an error, as is a number out of range.
func parseJSON(text []byte) (any, error) {
	p := &parser{text: text}
	tree, err := p.value(0)
	if err == nil {
		if p.space(); p.at < len(p.text) {
			err = p.wrong("something follows its end")
		}
	}
	if err != nil {
		return nil, err
	}
	return tree, nil
}

type parser struct {
	text []byte
	at   int
}

func (p *parser) wrong(what string) error {
	return errors.New(what + " at byte " + strconv.Itoa(p.at+1))
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next skips white space and returns the byte after it.
func (p *parser) next() (byte, error) {
	p.space()
	if p.at == len(p.text) {
		return 0, errCutShort
	}
	return p.text[p.at], nil
}

func (p *parser) value(depth int) (any, error) {
	c, err := p.next()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, p.wrong("it is nested too deep")
	}
	switch {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for word, value := range map[string]any{"true": true, "false": false, "null": nil} {
		rest := p.text[p.at:]
		if len(rest) >= len(word) && string(rest[:len(word)]) == word {
			p.at += len(word)
			return value, nil
		}
		if len(rest) < len(word) && string(rest) == word[:len(rest)] {
			return nil, errCutShort
		}
	}
	return nil, p.wrong("an unexpected character")
}

func (p *parser) object(depth int) (any, error) {
	p.at++
	tree := map[string]any{}
	for first := true; ; first = false {
		c, err := p.next()
		if err != nil {
			return nil, err
		}
		if c == '}' && first {
			p.at++
			return tree, nil
		}
		if c != '"' {
			return nil, p.wrong("a name is missing")
		}
		name, err := p.string()
		if err != nil {
			return nil, err
		}
		if _, twice := tree[name]; twice {
			return nil, p.wrong("a name that was there already ends")
		}
		if c, err = p.next(); err != nil {
			return nil, err
		}
		if c != ':' {
			return nil, p.wrong("a colon is missing")
		}
		p.at++
		if tree[name], err = p.value(depth + 1); err != nil {
			return nil, err
		}
		if over, err := p.more('}'); over || err != nil {
			return tree, err
		}
	}
}

func (p *parser) list(depth int) (any, error) {
	p.at++
	items := []any{}
	if c, err := p.next(); err != nil {
		return nil, err
	} else if c == ']' {
		p.at++
		return items, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if over, err := p.more(']'); over || err != nil {
			return items, err
		}
	}
}

// more passes a comma, or the end.
func (p *parser) more(end byte) (over bool, err error) {
	c, err := p.next()
	if err != nil {
		return false, err
	}
	if c != ',' && c != end {
		return false, p.wrong("a comma is missing")
	}
	p.at++
	return c == end, nil
}

func (p *parser) number() (any, error) {
	start := p.at
	digits := func() int {
		from := p.at
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
		return p.at - from
	}
	has := func(set string) bool {
		if p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
			p.at++
			return true
		}
		return false
	}
	bad := func() (any, error) {
		if p.at == len(p.text) {
			return nil, errCutShort
		}
		return nil, p.wrong("a digit is missing")
	}
	has("-")
	if !has("0") && digits() == 0 {
		return bad()
	}
	if has(".") && digits() == 0 {
		return bad()
	}
	if has("eE") {
		has("+-")
		if digits() == 0 {
			return bad()
		}
	}
	x, err := strconv.ParseFloat(string(p.text[start:p.at]), 64)
	if err != nil {
		return nil, p.wrong("a number that is too large ends")
	}
	return x, nil
}

func (p *parser) string() (string, error) {
	p.at++
	var out []byte
	for {
		if p.at == len(p.text) {
			return "", errCutShort
		}
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return string(out), nil
		case c < 0x20:
			return "", p.wrong("a control character in a text")
		case c < utf8.RuneSelf && c != '\\':
			out = append(out, c)
			p.at++
		case c != '\\':
			r, size := utf8.DecodeRune(p.text[p.at:])
			if r == utf8.RuneError && size == 1 {
				return "", p.wrong("text that is not UTF-8")
			}
			out = utf8.AppendRune(out, r)
			p.at += size
		default:
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			if utf16.IsSurrogate(r) {
				low := rune(0)
				switch rest := string(p.text[p.at:min(p.at+2, len(p.text))]); rest {
				case "", `\`:
					return "", errCutShort
				case `\u`:
					if low, err = p.escape(); err != nil {
						return "", err
					}
				}
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					return "", p.wrong("half of a character")
				}
			}
			out = utf8.AppendRune(out, r)
		}
	}
}

// escape reads what begins with a backslash.
func (p *parser) escape() (rune, error) {
	if p.at+1 == len(p.text) {
		return 0, errCutShort
	}
	c := p.text[p.at+1]
	if c != 'u' {
		i := strings.IndexByte(`"\/bfnrt`, c)
		if i < 0 {
			return 0, p.wrong("an unknown escape")
		}
		p.at += 2
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	r := rune(0)
	for i := 2; i < 6; i++ {
		if p.at+i == len(p.text) {
			return 0, errCutShort
		}
		c := p.text[p.at+i]
		if c >= 'A' && c <= 'F' {
			c += 'a' - 'A'
		}
		digit := strings.IndexByte("0123456789abcdef", c)
		if digit < 0 {
			return 0, p.wrong("an unknown escape")
		}
		r = r<<4 + rune(digit)
	}
	p.at += 6
	return r, nil
}
