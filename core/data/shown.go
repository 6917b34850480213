package data

import (
	"strings"
	"unicode"
)

// unshowable reports whether a text holds what turns round the direction of the text
// after it (U+202A to U+202E, U+2066 to U+2069), or ends a line wherever a program reads
// it (U+2028, U+2029), or is a control character. Names and categories are published, and
// stand in pages, in programs and in print beside other words: a text of this kind would
// make those look like something else. With U+0000 a release could not be written as an R
// program, whose strings cannot hold it. Tabs, line feeds and carriage returns are not among
// these, because headers of spreadsheets have them and nothing shows them as the end of a line.
func unshowable(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return turns(r) || r == '\u2028' || r == '\u2029' ||
			unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r'
	})
}

// turns reports whether a character turns round the direction of the text after it.
func turns(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

const wantShowable = "without what turns the direction of the text around it, or ends its line, " +
	"and without control characters"

// notShowable is the error, without its row, for a text of a file that would be
// published and is unshowable; what is "the name", or "" in a column of its own.
func notShowable(what, text string) *Error {
	if what != "" {
		what += " "
	}
	return &Error{
		Kind: NotShowable, Value: shorten(text),
		Problem: what + quoted(text) +
			" holds a character that turns the direction of the text around it, or ends its line, " +
			"or a control character",
		Want: "It would be published, and is not what it looks like: take the character out of the file",
	}
}
