package ledger

import (
	"errors"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSON text of plain trees (map[string]any, []any, float64, int, string, bool,
// nil). encoding/json would do, but for its size: it is not otherwise part of
// the program that pages download.

// appendJSON appends a tree's canonical text: names in the order of their bytes,
// no spaces, numbers and texts as JavaScript's JSON.stringify writes them. It is
// an error if the tree holds anything else, or a number that is not finite.
func appendJSON(to []byte, tree any) ([]byte, error) {
	var err error
	switch tree := tree.(type) {
	case nil:
		return append(to, "null"...), nil
	case bool:
		return strconv.AppendBool(to, tree), nil
	case int:
		return strconv.AppendInt(to, int64(tree), 10), nil
	case float64:
		if math.IsNaN(tree) || math.IsInf(tree, 0) {
			return nil, errors.New("a number is not finite")
		}
		return appendNumber(to, tree), nil
	case string:
		return appendText(to, tree), nil
	case []any:
		to = append(to, '[')
		for i, item := range tree {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = appendJSON(to, item); err != nil {
				return nil, err
			}
		}
		return append(to, ']'), nil
	case map[string]any:
		to = append(to, '{')
		for i, name := range sortedNames(tree) {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(appendText(to, name), ':')
			if to, err = appendJSON(to, tree[name]); err != nil {
				return nil, err
			}
		}
		return append(to, '}'), nil
	}
	return nil, errors.New("a value has no JSON form")
}

func sortedNames(tree map[string]any) []string {
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func appendNumber(to []byte, x float64) []byte {
	if x == 0 {
		return append(to, '0')
	}
	if size := math.Abs(x); size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(to, x, 'f', -1, 64)
	}
	to = strconv.AppendFloat(to, x, 'e', -1, 64)
	if n := len(to); to[n-2] == '0' && (to[n-3] == '-' || to[n-3] == '+') { // e-07
		to[n-2] = to[n-1]
		to = to[:n-1]
	}
	return to
}

func appendText(to []byte, text string) []byte {
	const hex = "0123456789abcdef"
	to = append(to, '"')
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case c == '"' || c == '\\':
			to = append(to, '\\', byte(c))
		case c >= 0x20:
			to = utf8.AppendRune(to, c) // what is no UTF-8 becomes U+FFFD
		default:
			if at := strings.IndexByte("\b\f\n\r\t", byte(c)); at >= 0 {
				to = append(to, '\\', "bfnrt"[at])
			} else {
				to = append(to, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
		i += size
	}
	return append(to, '"')
}

// indentJSON returns a tree's text for people: as appendJSON has it, with line
// ends and two spaces a level.
func indentJSON(tree any) ([]byte, error) {
	flat, err := appendJSON(nil, tree)
	if err != nil {
		return nil, err
	}
	var out []byte
	depth := 0
	line := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, ' ', ' ')
		}
	}
	inText := false
	for i, c := range flat {
		if inText {
			out = append(out, c)
			if c == '"' && !escaped(flat, i) {
				inText = false
			}
			continue
		}
		switch c {
		case '{', '[':
			out = append(out, c)
			if next := flat[i+1]; next != '}' && next != ']' {
				depth++
				line()
			}
		case '}', ']':
			if before := flat[i-1]; before != '{' && before != '[' {
				depth--
				line()
			}
			out = append(out, c)
		case ',':
			out = append(out, c)
			line()
		case ':':
			out = append(out, c, ' ')
		default:
			inText = c == '"'
			out = append(out, c)
		}
	}
	return append(out, '\n'), nil
}

// escaped reports whether an odd number of backslashes stands before text[i].
func escaped[T string | []byte](text T, i int) bool {
	n := 0
	for i-1-n >= 0 && text[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
