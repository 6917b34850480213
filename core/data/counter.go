package data

import (
	"math"
	"strconv"
)

// Binning is a public division of the finite numbers into bins, numbered from 0
// to Bins − 1. It is fixed before any file is looked at.
type Binning struct {
	Bins int
	Bin  func(x float64) int
}

// Histogram counts the records of a file in each bin of some of its columns. A
// record counts in one bin of each column, or in none of a column where its
// value is missing. So one record more or less changes at most one count of a
// column, by 1; one replaced by another changes at most two, by 1 each.
//
// All of it is private: it has no JSON form, and nothing of it may be published
// without noise.
type Histogram struct {
	Columns []string
	Counts  [][]int64 // a row a column, an entry a bin
}

// Counter makes a Histogram of CSV that is pushed into it piece by piece, as a Parser
// makes a data set. Of a schema it needs only the names of the columns and the
// spellings of a missing value, both public. No record is left out, and none is changed
// because of another.
//
// A field that is not a finite number is an *Error, as for a Parser. Only the data
// holder may see it (see ParseSchema).
type Counter struct {
	feed      feed
	histogram Histogram
	binning   Binning
	texts     []map[string]int64 // of a TextCounter
	missing   map[string]bool
	columns   []target
	width     int
	rows      int
}

// NewCounter returns a *SchemaError if there are no columns, too many, or one is named
// twice, and an *Error if options.Size is over the limit. missing are the spellings of
// a missing value; nil stands for DefaultMissingValues.
func NewCounter(
	columns []string, binning Binning, missing []string, options ReadOptions,
) (*Counter, error) {
	if len(columns) == 0 || len(columns) > maxCounted {
		return nil, &SchemaError{
			"columns",
			"has " + count(len(columns), "name"),
			"a list of 1 to " + strconv.Itoa(maxCounted) + " names",
		}
	}
	if err := checkTexts("columns", columns, true); err != nil {
		return nil, err
	}
	input, err := newFeed(options)
	if err != nil {
		return nil, err
	}
	if missing == nil {
		missing = DefaultMissingValues
	}
	c := &Counter{feed: input, binning: binning, missing: make(map[string]bool)}
	for _, text := range missing {
		c.missing[text] = true
	}
	for _, name := range columns {
		c.histogram.Columns = append(c.histogram.Columns, name)
		if binning.Bin == nil {
			c.texts = append(c.texts, make(map[string]int64))
		} else {
			c.histogram.Counts = append(c.histogram.Counts, make([]int64, binning.Bins))
		}
	}
	c.feed.scanner.sink = c
	c.feed.scanner.wanted = c.histogram.Columns
	return c, nil
}

// maxCounted is the most columns of a histogram.
const maxCounted = 4096

// Begin ends the part at hand, if there is one, and begins another.
func (c *Counter) Begin(name string) error { return c.feed.begin(name) }

// Write takes the next bytes of the part. It does not keep chunk.
func (c *Counter) Write(chunk []byte) error { return c.feed.write(chunk) }

// RowsSoFar is how many records were read.
func (c *Counter) RowsSoFar() int { return c.rows }

// Close ends the last part and returns the histogram. Begin, Write and Close
// panic after it. A file without a record has a histogram too, of zeros.
func (c *Counter) Close() (*Histogram, error) {
	if err := c.feed.close(); err != nil {
		return nil, err
	}
	return &c.histogram, nil
}

func (c *Counter) header(names []string) *Error {
	c.columns, c.width = c.columns[:0], len(names)
	for k, wanted := range c.histogram.Columns {
		at := -1
		for i, name := range names {
			if name != wanted {
				continue
			}
			if at >= 0 {
				return &Error{
					Kind:    DuplicateName,
					Row:     c.feed.scanner.line,
					Column:  name,
					Problem: "two columns of the file have this name",
					Want:    "Rename or remove one of them",
				}
			}
			at = i
		}
		if at < 0 {
			err := noColumn(wanted, names)
			err.Row = c.feed.scanner.line
			return err
		}
		c.columns = append(c.columns, target{at, k})
	}
	return nil
}

func (c *Counter) record(line int, text []byte, fields []span) *Error {
	if len(fields) != c.width {
		return ragged(line, len(fields), c.width)
	}
	c.rows++
	for _, to := range c.columns {
		field := text[fields[to.field].start:fields[to.field].end]
		if c.missing[string(field)] {
			continue
		}
		if c.texts != nil {
			if err := c.addText(to.feature, field); err != nil {
				err.Row = line
				return err
			}
			continue
		}
		x, kind := parseNumber(field)
		if kind != isNumber {
			err := notNumber(
				c.histogram.Columns[to.feature], string(field), kind, -math.MaxFloat64,
				math.MaxFloat64,
			)
			err.Row = line
			return err
		}
		c.histogram.Counts[to.feature][c.binning.Bin(x)]++
	}
	return nil
}
