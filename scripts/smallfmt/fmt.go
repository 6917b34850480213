// Package fmt stands in for the standard library's in the cloister binary
// (scripts/smallfmt.mjs): the functions that its packages mention, without
// reflection, which is all that reflect was linked for. It prints numbers, texts,
// and errors; a value of any other kind as "?". Verbs are %v %+v %s %q %d %x %c %w
// and %%, and %g %e %f with a precision; other flags and widths are left out of
// account.
package fmt

import (
	"errors"
	"io"
	"strconv"
)

// Stringer is there for methods' sake. What has one is not asked for it: that would
// keep the String method of every type in the program.
type Stringer interface{ String() string }

// State and Formatter are there for methods that take them. They are not called.
type State interface {
	Write(b []byte) (n int, err error)
	Width() (wid int, ok bool)
	Precision() (prec int, ok bool)
	Flag(c int) bool
}

// Formatter is what has a Format method.
type Formatter interface{ Format(f State, verb rune) }

// ScanState is there for methods that take one.
type ScanState interface {
	ReadRune() (r rune, size int, err error)
	UnreadRune() error
	SkipSpace()
	Token(skipSpace bool, f func(rune) bool) (token []byte, err error)
	Width() (wid int, ok bool)
	Read(buf []byte) (n int, err error)
}

// Scanner is what has a Scan method.
type Scanner interface {
	Scan(state ScanState, verb rune) error
}

// wrapped is what Errorf returns for %w.
type wrapped struct {
	text  string
	cause error
}

func (e *wrapped) Error() string { return e.text }
func (e *wrapped) Unwrap() error { return e.cause }

// Errorf is an error of the formatted text; it wraps the first %w.
func Errorf(format string, a ...any) error {
	text, cause := appendf(nil, format, a)
	if cause != nil {
		return &wrapped{string(text), cause}
	}
	return errors.New(string(text))
}

func Sprintf(format string, a ...any) string {
	text, _ := appendf(nil, format, a)
	return string(text)
}

func Appendf(to []byte, format string, a ...any) []byte {
	to, _ = appendf(to, format, a)
	return to
}

func Fprintf(w io.Writer, format string, a ...any) (int, error) {
	text, _ := appendf(nil, format, a)
	return w.Write(text)
}

func Append(to []byte, a ...any) []byte {
	for i, v := range a {
		if i > 0 && !isText(a[i-1]) && !isText(v) {
			to = append(to, ' ')
		}
		to = appendValue(to, v, 'v', -1)
	}
	return to
}

func Appendln(to []byte, a ...any) []byte {
	for i, v := range a {
		if i > 0 {
			to = append(to, ' ')
		}
		to = appendValue(to, v, 'v', -1)
	}
	return append(to, '\n')
}

func Sprint(a ...any) string                              { return string(Append(nil, a...)) }
func Sprintln(a ...any) string                            { return string(Appendln(nil, a...)) }
func Fprint(w io.Writer, a ...any) (n int, err error)     { return w.Write(Append(nil, a...)) }
func Fprintln(w io.Writer, a ...any) (n int, err error)   { return w.Write(Appendln(nil, a...)) }
func Fscan(r io.Reader, a ...any) (n int, err error)      { return 0, errScan }
func Fscanf(io.Reader, string, ...any) (n int, err error) { return 0, errScan }
func Sscanf(string, string, ...any) (n int, err error)    { return 0, errScan }
func Sscan(string, ...any) (n int, err error)             { return 0, errScan }

var errScan = errors.New("fmt: this program does not scan")

func isText(v any) bool { _, ok := v.(string); return ok }

// appendf formats, and returns the first error that %w wraps.
func appendf(to []byte, format string, a []any) (text []byte, cause error) {
	next := 0
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c != '%' {
			to = append(to, c)
			continue
		}
		precision := -1
		for i++; i < len(format) && isFlag(format[i]); i++ {
			if format[i] == '.' {
				precision = 0
			} else if digit := format[i] - '0'; precision >= 0 && digit <= 9 {
				precision = 10*precision + int(digit)
			}
		}
		switch {
		case i == len(format):
			return append(to, '%'), cause
		case format[i] == '%':
			to = append(to, '%')
		case next == len(a):
			to = append(to, "%!"...)
			to = append(append(to, format[i]), "(MISSING)"...)
		default:
			if err, ok := a[next].(error); ok && format[i] == 'w' && cause == nil {
				cause = err
			}
			to = appendValue(to, a[next], format[i], precision)
			next++
		}
	}
	return to, cause
}

func isFlag(c byte) bool {
	return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '#' || c == ' ' || c == '.'
}

func appendValue(to []byte, v any, verb byte, precision int) []byte {
	base := 10
	if verb == 'x' {
		base = 16
	}
	integer := func(x int64) []byte {
		if verb == 'c' {
			return append(to, string(rune(x))...)
		}
		return strconv.AppendInt(to, x, base)
	}
	var text string
	switch v := v.(type) {
	case nil:
		return append(to, "<nil>"...)
	case error:
		text = v.Error()
	case string:
		text = v
	case []byte:
		text = string(v)
	case bool:
		return strconv.AppendBool(to, v)
	case int:
		return integer(int64(v))
	case int32:
		return integer(int64(v))
	case int64:
		return integer(v)
	case uint8:
		return integer(int64(v))
	case uint:
		return strconv.AppendUint(to, uint64(v), base)
	case uint32:
		return strconv.AppendUint(to, uint64(v), base)
	case uint64:
		return strconv.AppendUint(to, v, base)
	case float64:
		if verb == 'v' {
			verb = 'g'
		}
		return strconv.AppendFloat(to, v, verb, precision, 64)
	default:
		text = "?"
	}
	if verb == 'q' {
		return strconv.AppendQuote(to, text)
	}
	return append(to, text...)
}
