package report

import (
	"math"
	"slices"
	"strconv"
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
		out = append(out, '{')
		for i, name := range names {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendJSONText(out, name), ':')
			out = appendJSON(out, v[name])
		}
		return append(out, '}')
	case []any:
		out = append(out, '[')
		for i, item := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, item)
		}
		return append(out, ']')
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
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, `\ufffd`...)
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\b':
			out = append(out, `\b`...)
		case r == '\f':
			out = append(out, `\f`...)
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r < ' ' || r == '<' || r == '>' || r == '&':
			out = append(out, `\u00`...)
			out = append(out, hex[r>>4], hex[r&15])
		case r == '\u2028' || r == '\u2029':
			out = append(out, `\u202`...)
			out = append(out, hex[r&15])
		default:
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return append(out, '"')
}
