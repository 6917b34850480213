package data

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind classifies an *Error for programs; people read its text.
type Kind string

const (
	NotCSV        Kind = "not-csv"        // binary, a workbook, JSON, a web page
	NotUTF8       Kind = "not-utf-8"      // text in another encoding
	NotShowable   Kind = "not-showable"   // a name or category that is not what it looks like, see unshowable
	TooLarge      Kind = "too-large"      // over a limit of ReadOptions, or a record over maxRecord
	NoRows        Kind = "no-rows"        // empty, or nothing left after dropping
	NoHeader      Kind = "no-header"      // the first line looks like a record, see HeaderJudged; Line has it
	DuplicateName Kind = "duplicate-name" // two columns share a name that the schema uses
	NoColumn      Kind = "no-column"      // the schema's column is not in the header
	Ragged        Kind = "ragged"         // a record with more or fewer fields than the header
	BadQuote      Kind = "bad-quote"      // a quote never closed, or text after the closing one
	NotNumber     Kind = "not-a-number"   // text in a numeric column
	NotFinite     Kind = "not-finite"     // NaN, Inf, 1e400
	MissingValue  Kind = "missing-value"  // missing, and the rule is to refuse
	UnknownValue  Kind = "unknown-value"  // not a category, and the rule is to refuse
	UnknownLabel  Kind = "unknown-label"  // neither a negative nor a positive spelling
	OneClass      Kind = "one-class"      // all labels are of one class
	NoLabel       Kind = "no-label"       // Suggest found no column to predict
	NoFeature     Kind = "no-feature"     // Suggest found no column to predict from
)

// Error says what is wrong with a file of data, where, and what would be
// right. It quotes the file, so it is for the data holder's eyes only.
type Error struct {
	Kind    Kind
	File    string   // name of the part, if it was given one
	Row     int      // 1-based line of the file on which the record begins; 0: the file as a whole
	Column  string   // name in the header; "" where the error is not about one column
	Value   string   // the field's text, shortened; "" where there is none
	Line    []string // of NoHeader: the fields of the first line; of NoLabel: the columns' names
	Problem string   // what is wrong, as the end of a sentence that begins with the place
	Want    string   // what would be right, as a sentence
}

// Error is "FILE, row R, column "C": PROBLEM. WANT."
func (e *Error) Error() string {
	var at []string
	if e.File != "" {
		at = append(at, e.File)
	}
	if e.Row > 0 {
		at = append(at, "row "+strconv.Itoa(e.Row))
	}
	if e.Column != "" {
		at = append(at, "column "+quoted(e.Column))
	}
	text := e.Problem
	if len(at) > 0 {
		text = strings.Join(at, ", ") + ": " + text
	}
	if e.Want != "" {
		text += ". " + e.Want
	}
	return text + "."
}

// SchemaError says which part of a schema is wrong, and what would be right.
type SchemaError struct {
	Field   string // path in the JSON, such as "features[3].min"
	Problem string // such as `is 90`
	Want    string // such as `below max, which is 17`
}

func (e *SchemaError) Error() string {
	text := e.Field + " " + e.Problem
	if e.Want != "" {
		text += ": it must be " + e.Want
	}
	return text
}

// shorten keeps what a person needs to find the value again.
func shorten(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := 0
	for i := range text {
		if runes == most {
			return text[:i] + "…"
		}
		runes++
	}
	return text
}

// quoted is text between quotes, shortened, with control characters and bytes
// that are not UTF-8 made visible.
func quoted(text string) string { return strconv.Quote(shorten(text)) }

// list writes names as "a", "b" and "c", no more of them than most.
func list(names []string, most int) string {
	var b strings.Builder
	for i, name := range names {
		if i == most {
			b.WriteString(" and " + strconv.Itoa(len(names)-most) + " more")
			break
		}
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(quoted(name))
	}
	return b.String()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
