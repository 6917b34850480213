package data

import (
	"math"
	"unsafe"
)

// Kernel reads plain records in place of the loops of this package, with the same results to
// the last bit, in less time. wasm/kernel has one for js/wasm. The loops here are what it is tested
// against, and read every record that it leaves.
type Kernel struct {
	// Records reads records from the first on and returns how many: all that Plain has room
	// for, or those before one that is not plain.
	Records func(*Plain) int

	// Rows makes rows of the first records, which Plain says the number of.
	Rows func(*Plain)
}

var kernel *Kernel

// UseKernel has k read plain records from now on, or, if it is nil, Go. Call it while no file is
// read; a program does so once, at its start.
func UseKernel(k *Kernel) { kernel = k }

// Plain is what a kernel is lent: text, what its fields are, and where results go.
// wasm/kernel/c/records.c has the same members in the same order.
//
// A record is plain if it is one line with as many fields as the header, which ends in LF or
// CR LF some bytes before the end of the text, and if each field that is used is a category of
// the schema, or a number within bounds, written without an exponent in at most 15 digits or
// so. Quotes may stand around a field, and not in it.
type Plain struct {
	text                               unsafe.Pointer
	at, end                            int64
	delimiter, width, results, records int64
	field, power                       unsafe.Pointer
	quotes                             int64
	next, column, entry                unsafe.Pointer
	rows, unit, last                   int64
	intercept, scale                   float64
	rowEnd, index, value               unsafe.Pointer
}

type plainKind int64

const (
	plainSkipped plainKind = iota
	plainScaled            // a number by its place between the bounds
	plainNumber            // a number as it is
	plainCode              // a text by its code in a dictionary
)

// plainField is what becomes of a field.
type plainField struct {
	kind        plainKind
	to          int64
	first, mask int32
	lo, hi      float64
	span        float64
	slots       unsafe.Pointer
	quick       unsafe.Pointer
}

// plainRecords is how a kernel reads the records of one part, and what it read last. A record has a
// result for each feature, in their order, and one for the label: a column, or a class, and an
// entry.
type plainRecords struct {
	pass    Plain
	fields  []plainField
	results int

	next   []int64 // where the text of the record after it begins
	column []int32
	entry  []float64

	rowEnd []int64 // of each record's row, among the following
	index  []int32
	value  []float64
}

const (
	plainResults = 1 << 13 // that a kernel has room for, about
	mostPlain    = 512     // records
)

// newPlainRecords returns nil where a kernel cannot help.
func newPlainRecords(p *Parser, delimiter byte) *plainRecords {
	if kernel == nil || delimiter == spaces || p.width < 2 {
		return nil
	}
	results := len(p.encoder.features) + 1
	records := max(1, min(mostPlain, plainResults/results))
	r := &plainRecords{
		fields: make([]plainField, p.width),

		results: results,
		next:    make([]int64, records),
		column:  make([]int32, records*results),
		entry:   make([]float64, records*results),
		rowEnd:  make([]int64, records),
		index:   make([]int32, records*results),
		value:   make([]float64, records*results),
	}
	for _, to := range p.columns {
		field := &r.fields[to.field]
		if to.feature < len(p.encoder.features) {
			*field = p.encoder.plain(&p.encoder.features[to.feature])
		} else {
			*field = p.labels.plain()
		}
		field.to = int64(to.feature)
	}
	r.pass = Plain{
		delimiter: int64(delimiter), width: int64(p.width),
		results: int64(results), records: int64(records),
		field: address(r.fields), power: unsafe.Pointer(&powersOfTen),
		next: address(r.next), column: address(r.column), entry: address(r.entry),
		last: int64(p.encoder.last), intercept: p.encoder.kappa, scale: p.encoder.scale,
		rowEnd: address(r.rowEnd), index: address(r.index), value: address(r.value),
	}
	if p.schema.Rows.Norm == Unit {
		r.pass.unit = 1
	}
	return r
}

func (e *encoder) plain(f *featureEncoder) plainField {
	if !f.numeric {
		return f.code.plain(plainCode, f.first)
	}
	field := plainField{}
	if f.markers {
		missing := newDictionary(len(e.missing))
		for text := range e.missing {
			missing.set(text, isMissing)
		}
		field = missing.plain(plainNumber, 0)
	}
	field.kind, field.first = plainScaled, f.first
	if f.log {
		field.kind = plainNumber // its logarithm is Go's
	}
	field.lo, field.hi, field.span = f.lo, f.hi, f.span
	return field
}

func (r *labelReader) plain() plainField {
	if r.label.Type != NumericLabel {
		return r.codes.plain(plainCode, 0)
	}
	field := r.codes.plain(plainNumber, 0) // missing ones
	field.lo, field.hi = math.Inf(-1), math.Inf(1)
	return field
}

func (d *dictionary) plain(kind plainKind, first int32) plainField {
	return plainField{
		kind: kind, first: first, mask: int32(len(d.slots) - 1), slots: address(d.slots),
		quick: address(d.quick[:]),
	}
}

// read reads records of the text from text[at] on and makes their rows; it returns how many.
func (r *plainRecords) read(text []byte, at int, e *encoder) int {
	r.pass.text, r.pass.at, r.pass.end = address(text), int64(at), int64(len(text))
	n := kernel.Records(&r.pass)
	for _, k := range e.logs {
		for i := k; i < n*r.results; i += r.results {
			r.entry[i] = e.features[k].scaled(r.entry[i])
		}
	}
	r.pass.rows = int64(n)
	kernel.Rows(&r.pass)
	return n
}

// row is that of record i.
func (r *plainRecords) row(i int) Row {
	from, to := int64(0), r.rowEnd[i]
	if i > 0 {
		from = r.rowEnd[i-1]
	}
	return Row{Index: r.index[from:to], Value: r.value[from:to]}
}

// label is that of record i.
func (p *Parser) label(r *plainRecords, i int) (code float64, class int32) {
	at := (i+1)*r.results - 1
	if p.labels.label.Type == NumericLabel {
		return p.labels.number(r.entry[at]), 0
	}
	class = r.column[at]
	return p.labels.label.code(int(class)), class
}

// plain takes plain records from buffer[at] on, and returns where the first begins that it leaves.
func (p *Parser) plain(at int) (int, *Error) {
	s, r := &p.feed.scanner, p.records
	for r != nil {
		taken := r.read(s.buffer, at, p.encoder)
		s.quotes = s.quotes || r.pass.quotes != 0
		if p.keepAll(r, taken) {
			at = int(r.next[taken-1])
			s.line += taken
			if taken < len(r.next) {
				break
			}
			continue
		}
		for i := range taken {
			s.at = s.position + int64(at)
			at = int(r.next[i])
			s.left = len(s.buffer) - at
			p.count()
			label, class := p.label(r, i)
			if err := p.keep(s.line, r.row(i), label, class); err != nil {
				return at, err
			}
			s.line++
		}
		if taken < len(r.next) {
			break
		}
	}
	return at, nil
}

// keepAll takes the first n records with their rows at once, if they meet nothing that is to be
// looked at between two of them: the end of a block, a limit, the end of memory that is there. It
// reports whether it has; if not, nothing was taken.
func (p *Parser) keepAll(r *plainRecords, n int) bool {
	b := &p.builder
	if n == 0 || b.laid == nil || p.pieces != nil {
		return false
	}
	s, x, entries := &p.feed.scanner, b.laid, int(r.rowEnd[n-1])
	switch {
	case b.rows%BlockRows == 0 || b.rows/BlockRows != (b.rows+n)/BlockRows:
		return false
	case p.blocks.ended(s.position + r.next[n-1]):
		return false
	case len(x.Index)+entries > cap(x.Index) || len(x.RowStart)+n > cap(x.RowStart):
		return false
	case b.rows+n > p.most:
		return false
	case matrixBytes(b.rows+n, b.entries+entries, p.dimension, false) > p.limit:
		return false
	}
	start := len(x.Index)
	x.Index = append(x.Index, r.index[:entries]...)
	x.Value = append(x.Value, r.value[:entries]...)
	for _, end := range r.rowEnd[:n] {
		x.RowStart = append(x.RowStart, start+int(end))
	}
	labels := &b.labels[b.rows/rowBlock]
	for i := range n {
		label, class := p.label(r, i)
		p.labels.keep(class)
		*labels = append(*labels, label)
	}
	b.rows, b.entries, p.rows = b.rows+n, b.entries+entries, p.rows+n
	return true
}

// address is that of a slice's first element.
func address[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }
