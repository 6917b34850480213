package data

import (
	"math"
	"unicode/utf8"
)

// encoder turns the fields of one record into one row. It is the one way from
// text to numbers: files and single pasted records both go through it.
//
//	e.start(); e.feature(k, text) for every feature, in any order; e.finish()
type encoder struct {
	schema   *Schema
	features []featureEncoder
	logs     []int // of these, numbers whose logarithm is taken
	missing  map[string]bool
	kappa    float64
	last     int32 // the intercept's column

	tally []FeatureTally

	// The record at hand: for each feature the column that is not 0, or -1,
	// and its entry; and the column that says that the value is missing, or -1.
	column []int32
	entry  []float64
	absent []int32
	drop   bool

	scale float64 // by what every row is multiplied; 0 if each has its own factor

	// The row that finish returns.
	index []int32
	value []float64
}

type featureEncoder struct {
	first int32 // its first column
	last  int32 // its last column: of missing values, if they have one
	rule  Rule  // of a missing value
	other Rule  // of an unknown category

	// Numeric.
	numeric bool
	log     bool
	lo, hi  float64
	span    float64
	markers bool // some missing value is spelt as a number

	// Categorical: number of the category, or isMissing.
	code *dictionary
}

const isMissing int32 = -1

// middle is the entry of a missing number that has an indicator.
const middle = 0.5

func newEncoder(s *Schema) *encoder {
	e := &encoder{
		schema:   s,
		features: make([]featureEncoder, len(s.Features)),
		missing:  make(map[string]bool),
		kappa:    s.Intercept,
		tally:    make([]FeatureTally, len(s.Features)),
		column:   make([]int32, len(s.Features)),
		entry:    make([]float64, len(s.Features)),
		absent:   make([]int32, len(s.Features)),
		index:    make([]int32, 0, len(s.Features)+1),
		value:    make([]float64, 0, len(s.Features)+1),
	}
	if s.Rows.Norm == Scale {
		e.scale = s.RowScale()
	}
	numericMarker := false
	for _, text := range s.missingValues() {
		e.missing[text] = true
		if _, kind := parseNumber([]byte(text)); kind == isNumber {
			numericMarker = true
		}
	}
	for k := range s.Features {
		f := &s.Features[k]
		out := &e.features[k]
		out.first = e.last
		out.rule, out.other = f.Missing, f.Unknown
		e.last += int32(f.Width())
		out.last = e.last - 1
		if f.Type == Numeric {
			out.numeric, out.log = true, f.Log
			out.lo, out.hi, out.span = f.Min, f.Max, f.span()
			out.markers = numericMarker
			if f.Log {
				e.logs = append(e.logs, k)
			}
			continue
		}
		out.code = newDictionary(len(f.Categories) + len(e.missing))
		for text := range e.missing {
			out.code.set(text, isMissing)
		}
		for j, text := range f.Categories {
			out.code.set(text, int32(j))
		}
	}
	return e
}

func (e *encoder) start() {
	e.drop = false
	for k := range e.column {
		e.column[k], e.absent[k] = -1, -1
	}
}

// outcome is what became of a field; all but used and refusals are notes.
type outcome uint8

const (
	used outcome = iota
	clampedLow
	clampedHigh
	missingReplaced
	missingDropped
	unknownReplaced
	unknownDropped
	refusedMissing // from here on the record cannot be read
	refusedUnknown
	refusedEncoding
	refusedText
	refusedNotFinite
	refusedTooLarge
)

func (o outcome) refused() bool { return o >= refusedMissing }

// feature takes the text of feature k, spaces trimmed.
func (e *encoder) feature(k int, text []byte) outcome {
	f := &e.features[k]
	if f.numeric {
		return e.number(k, f, text)
	}
	code, known := f.code.find(text)
	if code >= 0 && known {
		e.column[k] = f.first + code
		e.entry[k] = 1
		return used
	}
	if known {
		e.tally[k].Missing++
		return e.apply(k, f.rule, missingReplaced, missingDropped, refusedMissing)
	}
	if !utf8.Valid(text) {
		return refusedEncoding // or a whole file in Latin-1 would become zeros
	}
	e.tally[k].Unknown++
	return e.apply(k, f.other, unknownReplaced, unknownDropped, refusedUnknown)
}

func (e *encoder) apply(k int, rule Rule, replaced, dropped, refused outcome) outcome {
	switch rule.Action {
	case Drop:
		e.drop = true
		return dropped
	case UseZero:
		return replaced
	case Indicate:
		e.absent[k] = e.features[k].last
		return replaced
	case UseCategory:
		code, _ := e.features[k].code.find([]byte(rule.Category))
		e.column[k] = e.features[k].first + code
		e.entry[k] = 1
		return replaced
	}
	return refused
}

func (e *encoder) number(k int, f *featureEncoder, text []byte) outcome {
	var x float64
	kind := isText
	if !f.markers || !e.missing[string(text)] {
		x, kind = parseNumber(text)
	}
	result := used
	if kind != isNumber {
		if !e.missing[string(text)] {
			switch kind {
			case isNotFinite:
				return refusedNotFinite
			case isTooLarge:
				return refusedTooLarge
			}
			return refusedText
		}
		e.tally[k].Missing++
		switch f.rule.Action {
		case Drop:
			e.drop = true
			return missingDropped
		case UseValue:
			x, result = f.rule.Value, missingReplaced
		case Indicate:
			e.column[k], e.entry[k], e.absent[k] = f.first, middle, f.last
			return missingReplaced
		default:
			return refusedMissing
		}
	}
	if x < f.lo {
		x, result = f.lo, clampedLow
		e.tally[k].Clamped++
	} else if x > f.hi {
		x, result = f.hi, clampedHigh
		e.tally[k].Clamped++
	}
	e.column[k] = f.first
	e.entry[k] = f.scaled(x)
	return result
}

// scaled is the entry of a number within the bounds.
func (f *featureEncoder) scaled(x float64) float64 {
	// x − lo ≤ hi − lo also after rounding, so the quotient is at most 1;
	// Log1p need not be monotone in its last bit.
	x -= f.lo
	if f.log {
		x = math.Log1p(x)
	}
	return min(x/f.span, 1)
}

// finish returns the row of the record, in the encoder's own memory, which
// the next start overwrites. It is not to be used if drop is set.
func (e *encoder) finish() Row {
	index, value := e.index[:0], e.value[:0]
	for k, column := range e.column {
		if column >= 0 && e.entry[k] > 0 {
			index = append(index, column)
			value = append(value, e.entry[k])
		}
		if absent := e.absent[k]; absent >= 0 {
			index = append(index, absent)
			value = append(value, 1)
		}
	}
	if e.scale > 0 {
		for i := range value {
			value[i] *= e.scale
		}
	} else {
		bound(value, e.schema.Rows.Norm)
	}
	kept := 0
	for i, v := range value {
		if v != 0 { // not lost to underflow
			index[kept], value[kept] = index[i], v
			kept++
		}
	}
	index, value = index[:kept], value[:kept]
	if e.kappa > 0 {
		index = append(index, e.last)
		value = append(value, e.kappa)
	}
	e.index, e.value = index, value
	return Row{Index: index, Value: value}
}
