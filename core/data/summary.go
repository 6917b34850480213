package data

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Missing is how many records of a file have no value in a column.
type Missing struct {
	Column  string
	Records int
	Of      int // how many records there are
}

// columnSummary is what a suggestion needs to know of a column.
type columnSummary struct {
	missing int
	numbers int
	others  int // neither missing nor a finite number
	commas  int // those of others that a decimal point for the comma would make numbers

	other    string // the first of these, and where it is
	otherRow int

	min, max float64
	whole    bool // all numbers are whole
	counting bool // every number is 1 more than the one before it
	previous float64

	sentinels []sentinelCount // numbers that may say that there is none
	plain     bool            // some number may not
	lo, hi    float64         // of those that may not
	tail      tail            // of these

	distinct *dictionary // the code of each is 0
	values   int         // how many are in it
	overflow bool        // there are more than MaxCategories
}

// longestCategory is the length in bytes from which a text is prose.
const longestCategory = 200

func newColumnSummary(most int) columnSummary {
	return columnSummary{
		min: math.Inf(1), max: math.Inf(-1),
		whole: true, counting: true,
		lo: math.Inf(1), hi: math.Inf(-1),
		distinct: newDictionary(most),
	}
}

// add takes a value that is not missing; it reports false if it is not UTF-8.
func (c *columnSummary) add(text []byte, line, most int) bool {
	if x, kind := parseNumber(text); kind == isNumber {
		c.counting = c.counting && (c.numbers == 0 || x == c.previous+1)
		c.whole = c.whole && x == math.Trunc(x)
		c.previous = x
		c.min, c.max = min(c.min, x), max(c.max, x)
		c.numbers++
		c.mark(text, x)
	} else {
		if !utf8.Valid(text) {
			return false
		}
		if c.others == 0 {
			c.other, c.otherRow = string(text), line
		}
		c.others++
		if withComma(text) {
			c.commas++
		}
	}
	if c.overflow {
		return true
	}
	if _, known := c.distinct.find(text); known {
		return true
	}
	if c.values == most || len(text) > longestCategory {
		c.overflow, c.distinct, c.values = true, nil, 0
		return true
	}
	c.distinct.set(string(text), 0)
	c.values++
	return true
}

// texts are the distinct values in order, or none if there are too many.
func (c *columnSummary) texts() []string {
	if c.overflow {
		return nil
	}
	var out []string
	c.distinct.each(func(text string) { out = append(out, text) })
	orderTexts(out, c.others == 0)
	return out
}

// feature is what the column would be, or the reason why it is left out.
func (c *columnSummary) feature(name string, rows int) (Feature, string) {
	f := Feature{Name: name, Missing: Rule{Action: Drop}, Provenance: Suggested}
	if c.missing > 0 {
		f.Missing.Action = Indicate
	}
	texts := c.texts()
	switch {
	case 2*c.missing > rows:
		return f, "has no value in more than half of the records"
	case len(texts) == 1 || c.others == 0 && c.min == c.max:
		return f, "has the same value in every record"
	case c.others > 0 && c.commas == c.others:
		return f, "has numbers written with a comma, such as " + quoted(c.other) + " in row " +
			strconv.Itoa(c.otherRow) +
			"; save the file with a decimal point and without separators of thousands"
	case c.others > 0 && c.numbers > c.others:
		return f, "has numbers and texts mixed, such as " + quoted(c.other) + " in row " +
			strconv.Itoa(c.otherRow) +
			"; list such texts under missing_values if they mean that the value is missing"
	case c.others > 0 && c.overflow:
		return f, "has too many different texts to be a category, as names, identifiers and free text have"
	case slices.ContainsFunc(texts, unshowable):
		text := texts[slices.IndexFunc(texts, unshowable)]
		return f, "has a text, " + quoted(text) + ", with a character that " +
			"turns the direction of the text around it, or ends its line, or a control character"
	case c.others > 0:
		f.Type, f.Categories = Categorical, texts
		return f, ""
	case c.identifies(name):
		return f, "seems to number or identify the records"
	}
	f.Type = Numeric
	f.Min, f.Max = outward(c.min, c.max)
	if lo, hi := outward(c.lo, c.hi); lo == 0 {
		f.Log = c.tail.long(hi)
	}
	if f.validateNumeric("") != nil {
		return f, "has values too far apart or too close together"
	}
	return f, ""
}

// withComma reports whether text is a number written with one comma, whatever
// the comma stands for: 60,5 or 1,234.
func withComma(text []byte) bool {
	before, after, found := bytes.Cut(text, []byte(","))
	if !found || bytes.ContainsAny(before, ".eE") || len(after) == 0 || after[0] < '0' ||
		after[0] > '9' {
		return false
	}
	_, whole := parseNumber(before)
	_, part := parseNumber(after)
	return whole == isNumber && part == isNumber
}

// identifies reports whether whole numbers look like those of the records:
// they count up by one, or the name says so.
func (c *columnSummary) identifies(name string) bool {
	const few = 10
	if !c.whole || c.numbers < few {
		return false
	}
	name = strings.ToLower(name)
	return c.counting ||
		c.overflow &&
			(name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, " id"))
}

// outward rounds bounds outward to multiples of 1, 2 or 5 times a power of
// ten, about a tenth of the range.
func outward(lo, hi float64) (float64, float64) {
	tenth := hi/10 - lo/10
	magnitude := math.Floor(math.Log10(tenth))
	if !(magnitude >= -300 && magnitude <= 300) {
		return lo, hi
	}
	exponent := int(magnitude)
	scale, digit := math.Pow10(max(exponent, -exponent)), 10.0
	for _, d := range []float64{1, 2, 5} {
		if tenth <= d*math.Pow10(exponent) {
			digit = d
			break
		}
	}
	step := digit * math.Pow10(exponent)
	// Multiples are formed as whole number × 10^±k, which is the double
	// nearest to the short decimal that people read.
	at := func(k float64) float64 {
		if exponent < 0 {
			return k * digit / scale
		}
		return k * digit * scale
	}
	lower, upper := at(math.Floor(lo/step)), at(math.Ceil(hi/step))
	return min(lower, lo), max(upper, hi)
}
