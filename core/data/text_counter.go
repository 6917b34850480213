package data

import (
	"strconv"
	"unicode/utf8"
)

// TextCounts counts the records of a file by the text in each of some of its
// columns. A record counts under one text of each column, or under none of a
// column where its value is missing. So one record more or less changes at most
// one count of a column, by 1; one replaced by another changes at most two.
//
// All of it is private, the texts as much as the counts. It has no JSON form, and only
// the output of a private mechanism on it may be published.
type TextCounts struct {
	Columns []string
	Counts  []map[string]int64 // a map a column
}

// maxTexts is the most texts of a column that are told apart: a column of more
// holds no categories, and would fill the memory.
const maxTexts = 1 << 17

// TextCounter makes TextCounts as a Counter makes a Histogram. A field that is
// no UTF-8 text or unshowable, and a column of too many texts, is an *Error, seen by the data
// holder only (see ParseSchema).
type TextCounter struct{ Counter *Counter }

// NewTextCounter returns the errors of NewCounter.
func NewTextCounter(columns, missing []string, options ReadOptions) (TextCounter, error) {
	c, err := NewCounter(columns, Binning{}, missing, options)
	return TextCounter{c}, err
}

func (c *Counter) addText(k int, field []byte) *Error {
	counts := c.texts[k]
	if _, known := counts[string(field)]; known {
		counts[string(field)]++
		return nil
	}
	name := c.histogram.Columns[k]
	switch {
	case len(field) == 0:
		// No category can be empty, whether it is a missing value or not.
		return nil
	case !utf8.Valid(field):
		return &Error{
			Kind:    NotUTF8,
			Column:  name,
			Value:   shorten(string(field)),
			Problem: quoted(string(field)) + " is not UTF-8 text",
			Want:    `Save the file as "CSV UTF-8"`,
		}
	case unshowable(string(field)):
		err := notShowable("", string(field))
		err.Column = name
		return err
	case len(counts) == maxTexts:
		return &Error{
			Kind:    TooLarge,
			Column:  name,
			Problem: "it has more than " + strconv.Itoa(maxTexts) + " different values",
			Want:    "Leave out columns that number or name the records: they hold no categories",
		}
	}
	counts[string(field)] = 1
	return nil
}

// Close ends the last part and returns the counts. The Counter's Begin and Write,
// and Close, panic after it.
func (c TextCounter) Close() (*TextCounts, error) {
	if err := c.Counter.feed.close(); err != nil {
		return nil, err
	}
	return &TextCounts{c.Counter.histogram.Columns, c.Counter.texts}, nil
}
