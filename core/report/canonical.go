package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendJSON appends a plain tree (map[string]any, []any, string, finite float64,
// bool, nil) as encoding/json writes it, byte for byte: names sorted, numbers as
// ECMAScript has them, <, >, & and the two line separators escaped. It is what a
// fingerprint is of. encoding/json itself would be a third of the binary that
// readers of a report download.
func appendJSON(out []byte, tree any) []byte {
	switch v := tree.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		before := "{"
		for _, name := range names {
			out = appendJSONText(append(out, before...), name)
			out = appendJSON(append(out, ':'), v[name])
			before = ","
		}
		return closed(out, before, "{}")
	case []any:
		before := "["
		for _, item := range v {
			out = appendJSON(append(out, before...), item)
			before = ","
		}
		return closed(out, before, "[]")
	case string:
		return appendJSONText(out, v)
	case float64:
		return appendJSONNumber(out, v)
	case bool:
		return strconv.AppendBool(out, v)
	case nil:
		return append(out, "null"...)
	}
	panic("report: a value that is not part of a plain tree")
}

// closed ends a list or an object; before is what came before its last element, and
// its opening bracket if there was none.
func closed(out []byte, before, brackets string) []byte {
	if before != "," {
		return append(out, brackets...)
	}
	return append(out, brackets[1])
}

func appendJSONNumber(out []byte, x float64) []byte {
	size := math.Abs(x)
	if size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(out, x, 'f', -1, 64)
	}
	out = strconv.AppendFloat(out, x, 'e', -1, 64)
	if n := len(out); n >= 4 && out[n-4] == 'e' && out[n-3] == '-' && out[n-2] == '0' {
		out[n-2] = out[n-1] // e-09 is written e-9
		out = out[:n-1]
	}
	return out
}

func appendJSONText(out []byte, text string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		piece := text[i : i+size]
		switch {
		case r == utf8.RuneError && size == 1:
			piece = `\ufffd`
		case r == '"' || r == '\\':
			piece = `\` + piece
		case r == '\u2028' || r == '\u2029':
			piece = `\u202` + hex[r&15:r&15+1]
		case r < ' ' || r == '<' || r == '>' || r == '&':
			piece = `\u00` + hex[r>>4:r>>4+1] + hex[r&15:r&15+1]
			if short := strings.IndexRune("\b\t\n\f\r", r); short >= 0 {
				piece = `\` + "btnfr"[short:short+1]
			}
		}
		out = append(out, piece...)
		i += size
	}
	return append(out, '"')
}
