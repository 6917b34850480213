package data

import "slices"

// Lookalike is a column that by itself all but tells the label: a copy of it, a recoding,
// or something that was written down when the outcome was known. It is read off the rows,
// and for the data holder alone.
type Lookalike struct {
	Column string

	// Share is how much of the label the column tells: of classes the share of records
	// whose class it tells, of a number the share of the variance that it accounts for.
	// Each record is told from the others with the same value (see Lookalikes).
	Share float64
}

// Lookalikes looks for such columns in CSV that is pushed into it piece by piece, as a
// Parser makes a data set. Each feature is taken alone. Its values are its categories, or
// 256 equal parts of its bounds (or 128, 64, 32, 16: what tells most, as small files have
// few records in each); a missing value is one more, and a value that the schema does not
// know another. Records without a label that the schema knows are left out.
//
// A record's class is told by the commonest class among the other records with the same
// value; a tie, or no other record, tells nothing, which counts as wrong. (So the numbers
// of the records tell nothing of any label.) A column is a lookalike if that leaves at
// most a twentieth of the errors of naming the commonest class for everybody. Of a number
// it is the mean of the others' labels, and a twentieth of the sum of squares about the
// mean of all. In both cases 20 records or more must be outside the commonest class, for
// a number the commonest of 256 equal parts of its bounds: a few records show nothing.
//
// It is a hint. Nothing of it belongs in a schema or in a release.
type Lookalikes struct {
	feed    feed
	schema  *Schema
	encoder *encoder
	labels  labelReader

	columns []target
	width   int

	rows    int
	label   labelTally
	byValue [][]labelTally // of each feature that is looked at: by its value
}

const (
	// valueParts is into how many parts the bounds of a number are divided.
	valueParts = 256

	// fewestParts is the least that are tried.
	fewestParts = 16

	// leftOver is which part of the errors a lookalike may leave: one in so many.
	leftOver = 20

	// fewest is how many records must be outside the commonest class.
	fewest = 20

	// mostCounts is the most counts that are kept, 4 bytes each. Features beyond them, the
	// last ones, are not looked at.
	mostCounts = 1 << 24
)

// labelTally is what is known of the labels of some records.
type labelTally struct {
	classes []int32 // how many of each; of a number, of each part of its bounds
	rows    int
	mean    float64 // of a number's codes
	squares float64 // about it
}

// add takes the code of a record, and its class of so many; 0 counts no classes.
func (t *labelTally) add(code float64, class int32, classes int) {
	if t.classes == nil && classes > 0 {
		t.classes = make([]int32, classes)
	}
	if classes > 0 {
		t.classes[class]++
	}
	t.rows++
	off := code - t.mean // Welford 1962
	t.mean += off / float64(t.rows)
	t.squares += off * (code - t.mean)
}

// NewLookalikes returns a *SchemaError if the schema is not valid, and an *Error if
// options.Size is over the limit.
func NewLookalikes(schema *Schema, options ReadOptions) (*Lookalikes, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	input, err := newFeed(options)
	if err != nil {
		return nil, err
	}
	l := &Lookalikes{
		feed:    input,
		schema:  schema,
		encoder: newEncoder(schema),
		labels:  newLabelReader(schema),
	}
	counts := 0
	for k := range schema.Features {
		f := &schema.Features[k]
		values := len(f.Categories)
		if f.Type == Numeric {
			values = valueParts
		}
		values += 2       // missing, and unknown
		const others = 14 // what else a labelTally takes, in counts
		counts += values * (len(schema.Label.classes()) + others)
		if counts > mostCounts {
			break
		}
		l.byValue = append(l.byValue, make([]labelTally, values))
	}
	l.feed.scanner.sink = l
	for i := range schema.Features {
		l.feed.scanner.wanted = append(l.feed.scanner.wanted, schema.Features[i].Name)
	}
	l.feed.scanner.wanted = append(l.feed.scanner.wanted, schema.Label.Name)
	return l, nil
}

// Begin ends the part at hand, if there is one, and begins another.
func (l *Lookalikes) Begin(name string) error { return l.feed.begin(name) }

// Write takes the next bytes of the part. It does not keep chunk.
func (l *Lookalikes) Write(chunk []byte) error { return l.feed.write(chunk) }

// RowsSoFar is how many records were read.
func (l *Lookalikes) RowsSoFar() int { return l.rows }

// Close ends the last part and returns the columns in the order of the schema. Begin,
// Write and Close panic after it.
func (l *Lookalikes) Close() ([]Lookalike, error) {
	if err := l.feed.close(); err != nil {
		return nil, err
	}
	if l.label.rows == 0 {
		return nil, nil
	}
	common := int(slices.Max(l.label.classes))
	if l.label.rows-common < fewest {
		return nil, nil
	}
	all, errors := float64(l.label.rows), float64(l.label.rows-common)
	if l.schema.Label.Type == NumericLabel {
		all, errors = l.label.squares, l.label.squares
	}
	var out []Lookalike
	for k, byValue := range l.byValue {
		left := l.left(byValue)
		if f := &l.schema.Features[k]; f.Type == Numeric {
			for parts := valueParts; parts > fewestParts; parts /= 2 {
				for i := range parts / 2 {
					byValue[i] = byValue[2*i].with(&byValue[2*i+1])
				}
				clear(byValue[parts/2 : parts])
				left = min(left, l.left(byValue))
			}
		}
		if left*leftOver <= errors {
			out = append(out, Lookalike{l.schema.Features[k].Name, 1 - left/all})
		}
	}
	return out, nil
}

// left is how many records are told wrongly, or the sum of squares that is left.
func (l *Lookalikes) left(byValue []labelTally) float64 {
	left := 0.0
	for i := range byValue {
		if t := &byValue[i]; l.schema.Label.Type == NumericLabel {
			left += t.unexplained(&l.label)
		} else {
			left += float64(t.rows - t.told())
		}
	}
	return left
}

// with is the tally of the records of both.
func (t labelTally) with(u *labelTally) labelTally {
	switch {
	case u.rows == 0:
		return t
	case t.rows == 0:
		return *u
	}
	for k, n := range u.classes {
		t.classes[k] += n
	}
	n, m := float64(t.rows), float64(u.rows) // Chan, Golub and LeVeque 1979
	off := u.mean - t.mean
	t.rows += u.rows
	t.mean += off * m / (n + m)
	t.squares += u.squares + off*off*n*m/(n+m)
	return t
}

// told is how many of the records have the class that is the commonest among the others:
// all of a class that is ahead of each other one by two or more, and none else.
func (t *labelTally) told() int {
	var first, second int32
	for _, n := range t.classes {
		first, second = max(first, n), max(second, min(first, n))
	}
	if first < second+2 {
		return 0
	}
	return int(first)
}

// unexplained is the sum of squares of the labels about the mean of the others: each is
// n/(n − 1) times as far from it as from the mean of all n. One without others is about
// the mean of all.
func (t *labelTally) unexplained(all *labelTally) float64 {
	switch t.rows {
	case 0:
		return 0
	case 1:
		return (t.mean - all.mean) * (t.mean - all.mean)
	}
	n := float64(t.rows)
	return t.squares * (n / (n - 1)) * (n / (n - 1))
}

func (l *Lookalikes) header(names []string) *Error {
	columns, err := locate(l.schema, names)
	if err != nil {
		err.Row = l.feed.scanner.line
	}
	l.columns, l.width = columns, len(names)
	return err
}

func (l *Lookalikes) record(line int, text []byte, fields []span) *Error {
	if len(fields) != l.width {
		return ragged(line, len(fields), l.width)
	}
	l.rows++
	code, class := 0.0, isMissing
	for _, to := range l.columns {
		if to.feature < len(l.encoder.features) {
			continue
		}
		var err *Error
		code, class, err = l.labels.read(text[fields[to.field].start:fields[to.field].end])
		if err != nil {
			return nil // a Parser says so
		}
	}
	if class == isMissing {
		return nil
	}
	classes := len(l.labels.numbers)
	if l.schema.Label.Type == NumericLabel {
		l.label.add(code, part((code+1)/2), valueParts)
	} else {
		l.label.add(code, class, classes)
	}
	l.encoder.start()
	for _, to := range l.columns {
		if to.feature >= len(l.byValue) {
			continue
		}
		result := l.encoder.feature(to.feature, text[fields[to.field].start:fields[to.field].end])
		byValue := l.byValue[to.feature]
		value := len(byValue) - 1
		switch result {
		case used, clampedLow, clampedHigh:
			value = l.value(to.feature)
		case missingReplaced, missingDropped, refusedMissing:
			value--
		}
		byValue[value].add(code, class, classes)
	}
	return nil
}

// value is the number of the feature's value that was encoded.
func (l *Lookalikes) value(k int) int {
	if f := &l.encoder.features[k]; !f.numeric {
		return int(l.encoder.column[k] - f.first)
	}
	return int(part(l.encoder.entry[k]))
}

// part is in which of valueParts equal parts of the range from 0 to 1 a number is.
func part(x float64) int32 { return min(int32(x*valueParts), valueParts-1) }
