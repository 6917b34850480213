package data

import (
	"math"
	"slices"
)

// Sentinel is a number in a column that seems to say that the value is missing: −1
// where all others are positive, 999 far above them. It is read off the rows, and for
// the data holder alone.
//
// What to do about it is the holder's decision. If it means that the value is missing,
// its spellings belong among Schema.MissingValues, which are public, hold for all
// columns, and are applied to each record by itself: so a field that says 999 is treated
// like an empty one, by the rule of its column, and nothing else in the format, in a
// release or in a check has to know of it. (A list of spellings of each column's own
// would tell 999 in one column from 999 in another. It would need another version of the
// format, and of all programs that read rows by it, for a case in which the bounds do as
// well.) The list is published, and is covered by a guarantee only if it would have been
// the same without this look: a code book says so.
type Sentinel struct {
	Column    string
	Value     float64
	Spellings []string // as the file has it, such as "999" and "999.0"; at most 4
	Share     float64  // of all records, above 0
	Min, Max  float64  // bounds suggested for the column without any of its sentinels
}

type sentinelCount struct {
	value     float64
	count     int
	spellings []string
}

const mostSpellings = 4

// isSentinel reports whether a number is one of those that stand for a missing value in
// many code books: −1, and whole numbers of two digits or more that are all 9 or all 8
// (but one of two digits is too common above 0, save 99), of either sign.
func isSentinel(x float64) bool {
	switch math.Abs(x) {
	case 1, 8, 9, 88:
		return x < 0
	case 99, 888, 999, 8888, 9999, 99999, 999999:
		return true
	}
	return false
}

// mark takes note of a number.
func (c *columnSummary) mark(text []byte, x float64) {
	if !isSentinel(x) {
		c.plain = true
		c.lo, c.hi = min(c.lo, x), max(c.hi, x)
		if c.lo >= 0 {
			c.tail.add(x)
		}
		return
	}
	i := slices.IndexFunc(c.sentinels, func(s sentinelCount) bool { return s.value == x })
	if i < 0 {
		i = len(c.sentinels)
		c.sentinels = append(c.sentinels, sentinelCount{value: x})
	}
	s := &c.sentinels[i]
	s.count++
	if len(s.spellings) < mostSpellings && !slices.Contains(s.spellings, string(text)) {
		s.spellings = append(s.spellings, string(text))
	}
}

// sentinelsOf are the numbers of the column to ask about, in growing order: those that
// stand twice or more, outside the range of all that are no such numbers, and either
// below 0 where those are not, or further from them than a twentieth of their range. A
// column of less than three others is a code, of which −1 may be a part.
func (c *columnSummary) sentinelsOf(name string, rows int) []Sentinel {
	if !c.plain || !(c.lo < c.hi) || !c.overflow && c.values-len(c.sentinels) < 3 {
		return nil
	}
	gap := c.hi/20 - c.lo/20
	lo, hi := outward(c.lo, c.hi)
	var out []Sentinel
	for _, s := range c.sentinels {
		far := s.value < c.lo && (c.lo >= 0 || c.lo-s.value > gap) || s.value-c.hi > gap
		if far && s.count > 1 {
			out = append(out, Sentinel{
				Column: name, Value: s.value, Spellings: s.spellings,
				Share: float64(s.count) / float64(rows), Min: lo, Max: hi,
			})
		}
	}
	slices.SortFunc(out, func(a, b Sentinel) int {
		if a.Value < b.Value {
			return -1
		}
		return 1
	})
	return out
}
