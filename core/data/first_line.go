package data

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// firstLine judges whether the first line of a file names its columns or is a
// record already. Names are published with a model, so a record that is taken for
// them publishes a person.
//
// Each field is held against what stands below it in its column, as far as the
// first 64 KiB of the file have whole lines of as many fields. It looks like
//
//   - a name, if it is text, most of what is below are numbers, and it does not
//     stand below too;
//   - a value, if it is a number; or says that a value is missing; or, over what are
//     not mostly numbers, if it stands below too; or begins with a digit as dates, times
//     and ranges do, of any script and after signs such as < and $; or has the form of a
//     code, a date or an address that most of what is below has too;
//   - neither, else.
//
// These look like neither though: a number outside the range of 20 or more below it;
// the numbers of a line if they count up or down by one, as years over columns do,
// and there are five or more, or two or more none of which stands below too; an empty
// field that comes first, as row names have it, or with nothing below. A line that is
// all the same as the first one says nothing.
//
// The line is a record if there is a field like a value, and are no fewer such than
// ones like names; or if there is neither and a text stands in it twice. In doubt
// that asks: a wrong answer of this kind costs a question, the other one a person.
// What it lets pass is a record of texts of which none has come again so far, such
// as names and free text. TestFirstLines has the rates.
type firstLine struct {
	columns []belowName
	repeats int // lines that are the same as the first
}

// belowName is a field of the first line, with what stands in the column below.
type belowName struct {
	name     string
	x        float64 // if kind is isNumber
	kind     numberKind
	filled   int // fields below that are not missing
	numbers  int // of them
	same     int // fields that are as the first
	form     string
	formed   int // fields that have its form
	min, max float64
}

func newFirstLine(names []string) *firstLine {
	f := &firstLine{}
	for _, name := range names {
		x, kind := numeral([]byte(name))
		f.columns = append(
			f.columns, belowName{
				name: name, x: x, kind: kind, form: formOf([]byte(name)), min: math.Inf(1),
				max: math.Inf(-1),
			},
		)
	}
	return f
}

// below takes a line with as many fields.
func (f *firstLine) below(text []byte, fields []span) {
	same := 0
	for i, at := range fields {
		value, c := text[at.start:at.end], &f.columns[i]
		if string(value) == c.name {
			c.same++
			same++
		}
		x, kind := numeral(value)
		if kind == isNotFinite {
			continue
		}
		c.filled++
		if kind == isNumber {
			c.min, c.max = min(c.min, x), max(c.max, x)
			c.numbers++
		} else if c.form != "" && formOf(value) == c.form {
			c.formed++
		}
	}
	if same == len(fields) {
		f.repeats++
	}
}

// isRecord is the judgement, after what is below was taken.
func (f *firstLine) isRecord() bool {
	counting := f.counting()
	values, names, repeated := 0, 0, false
	for i := range f.columns {
		c := &f.columns[i]
		stands := c.same > f.repeats
		value := false
		switch {
		case c.kind == isNotFinite:
			value = c.filled > 0 && (i > 0 || c.name != "")
		case c.kind == isNumber:
			value = !counting && (stands || c.numbers < 20 || c.min <= c.x && c.x <= c.max)
		case 2*c.numbers > c.filled:
			if !stands {
				names++
			}
		default:
			value = stands && 2*c.numbers < c.filled || beginsWithDigit(c.name) ||
				2*c.formed > c.filled
			for k := range i {
				repeated = repeated || c.filled > 0 && f.columns[k].name == c.name
			}
		}
		if value {
			values++
		}
	}
	return values > 0 && values >= names || repeated && values == names
}

// counting reports whether the line's numbers count up or down by one, so that they
// may number the columns.
func (f *firstLine) counting() bool {
	var last *belowName
	step, count, stands := 0.0, 0, false
	for i := range f.columns {
		c := &f.columns[i]
		if c.kind != isNumber {
			continue
		}
		if last != nil {
			by := c.x - last.x
			if by*by != 1 || count > 1 && by != step {
				return false
			}
			step = by
		}
		last = c
		count++
		stands = stands || c.same > f.repeats
	}
	return count > 4 || count > 1 && !stands
}

// numeral is parseNumber, but a field that says that there is no value, in the
// spellings that a schema has by itself, is not finite.
func numeral(text []byte) (float64, numberKind) {
	for _, missing := range DefaultMissingValues {
		if string(text) == missing {
			return 0, isNotFinite
		}
	}
	return parseNumber(text)
}

// beginsWithDigit reports whether a digit, of any script, comes first, or after signs
// that stand before numbers. An underscore is none: _1 is a name.
func beginsWithDigit(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "<>=~≤≥≈±+-−–$€£¥₹#*('\".,: "))
	return unicode.IsDigit(r)
}

// formOf is a text with each run of digits as 0 and each of letters as a, if it has the
// form of a code, a date or an address: digits and something other than them, letters
// and underscores, or an @. It is "" for other texts, as most names are.
func formOf(text []byte) string {
	form := make([]byte, 0, 16)
	digits, signs, at := false, false, false
	for _, c := range text {
		switch {
		case isDigit(c):
			c, digits = '0', true
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= utf8.RuneSelf:
			c = 'a'
		default:
			signs, at = true, at || c == '@'
		}
		if n := len(form); n == 0 || form[n-1] != c || c != '0' && c != 'a' {
			form = append(form, c)
		}
	}
	if at || digits && signs {
		return string(form)
	}
	return ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
