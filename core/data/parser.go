package data

import (
	"strconv"
)

// ReadOptions are the limits and choices of a reading that do not belong to the schema.
// The zero value is a good default.
type ReadOptions struct {
	// Delimiter separates fields: a tab, an ASCII punctuation mark, or a space, which
	// stands for any run of spaces and tabs. 0 takes whichever of , ; tab | finds the
	// schema's columns in the header, or spaces where none of them does.
	Delimiter byte

	// Header says whether the first line of each part names the columns.
	Header Header

	// Names are what the columns of a file with HeaderNone are called, in their order: ""
	// for one that is not used, as for those after the last. nil stands for c1, c2, …. A
	// name beyond the last column is an *Error of the kind NoColumn.
	Names []string

	// Size is the total size of all parts in bytes, if known beforehand. A file over
	// MaxBytes is then refused before any of it is read. If its first records show that
	// the matrix will be far over MaxMatrixBytes, it is refused after a part of it.
	Size int64

	// MaxBytes bounds the bytes read, all parts together; 0 stands for
	// DefaultMaxBytes.
	MaxBytes int64

	// MaxMatrixBytes bounds the memory of the design matrix. Reading takes at most twice
	// that and a megabyte or two; if Size is given, it takes little more than once. 0
	// stands for DefaultMaxMatrixBytes.
	MaxMatrixBytes int64
}

// Header says whether the first line of a file names its columns.
type Header string

const (
	// HeaderJudged: it does, unless it looks like a person's record. Then reading ends
	// with an *Error of the kind NoHeader, and the holder of the file decides.
	HeaderJudged Header = ""

	// HeaderFirst: it does, whatever it looks like.
	HeaderFirst Header = "first"

	// HeaderNone: it does not; it is a record. The columns are called c1, c2, … in their
	// order, or as ReadOptions.Names has it.
	HeaderNone Header = "none"
)

// The default limits keep a reading within what a WebAssembly instance can
// have (4 GiB), with room for the fit.
const (
	DefaultMaxBytes       = 512 << 20
	DefaultMaxMatrixBytes = 1 << 30
)

// MaxRecords is the largest number of records in a data set, whatever their size. The
// proofs about learners hold up to this number (calibrate.MostRecords). Like the limits
// on bytes it is public, and a larger file is refused before anything is charged.
const MaxRecords = 1 << 24

// Parser makes a data set of CSV that is pushed into it piece by piece:
//
//	p, err := NewParser(schema, ReadOptions{})
//	for each part (one, usually): p.Begin(name) // may be left out for a single one
//		for each chunk: p.Write(chunk)
//	dataset, err := p.Close()
//
// The pieces may be cut anywhere; the result does not depend on where. A part is a file with a
// header row of its own, unless the options say otherwise; it must have the schema's columns, in
// any order, and others, which are not looked at. The first error stays: everything after it
// returns it again. Errors are of type *Error.
type Parser struct {
	feed   feed
	schema *Schema
	limit  int64 // bytes of the matrix
	most   int   // records
	size   int64 // of the input, in bytes; 0 if it is not known

	dimension int // the schema's

	encoder *encoder
	builder builder
	labels  labelReader

	columns []target      // the columns that are used, in the order of the part at hand
	width   int           // fields in a record of it
	records *plainRecords // of it; nil: there is no kernel for them

	rows   int
	blocks blockBounds
	pieces *pieces // nil: all rows are kept

	scatter *Scatter  // what is still to be begun
	sums    *pageSums // of the file, if it may be read again
	own     int       // blocks that are kept, the rest being handed over; 0: all are
	ahead   *Range    // of a file that another parser reads from the beginning; nil: a whole file
}

// target is where a field of the file goes: feature k, or the label if k is
// the number of features.
type target struct{ field, feature int }

// NewParser returns a *SchemaError if the schema is not valid, and an *Error
// if options.Size is over the limit. The schema must not change while the
// parser or its data set is in use.
func NewParser(schema *Schema, options ReadOptions) (*Parser, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	input, err := newFeed(options)
	if err != nil {
		return nil, err
	}
	if options.MaxMatrixBytes <= 0 {
		options.MaxMatrixBytes = DefaultMaxMatrixBytes
	}
	p := &Parser{
		feed:   input,
		schema: schema,
		limit:  options.MaxMatrixBytes,
		most:   MaxRecords,
		size:   options.Size,

		dimension: schema.Dimension(),

		encoder: newEncoder(schema),
		builder: builder{schema: schema},
		labels:  newLabelReader(schema),
		blocks:  boundsOf(options.Size),
	}
	p.feed.scanner.sink = p
	p.builder.share = p.share
	for i := range schema.Features {
		p.feed.scanner.wanted = append(p.feed.scanner.wanted, schema.Features[i].Name)
	}
	p.feed.scanner.wanted = append(p.feed.scanner.wanted, schema.Label.Name)
	return p, nil
}

// Begin ends the part at hand, if there is one, and begins another, whose name
// is used in errors and may be empty.
func (p *Parser) Begin(name string) error { return p.feed.begin(name) }

// Write takes the next bytes of the part. It does not keep chunk.
func (p *Parser) Write(chunk []byte) error {
	err := p.feed.write(chunk)
	if p.sums != nil && err == nil {
		p.sums.write(chunk)
	}
	return err
}

// Close ends the last part and returns the data set. Begin, Write and Close
// panic after it.
func (p *Parser) Close() (*Dataset, error) {
	if err := p.end(); err != nil {
		return nil, err
	}
	return p.whole(), nil
}

// whole is the data set, if all rows were kept.
func (p *Parser) whole() *Dataset {
	dataset := p.builder.dataset()
	kept := dataset.X.Rows()
	dataset.Ends = p.blocks.whole(kept)
	dataset.Layout = p.feed.layout
	dataset.Tally = p.tally(kept)
	return dataset
}

// end ends the last part and looks at the whole.
func (p *Parser) end() error {
	err := p.feed.close()
	if err == nil {
		err = p.feed.fail(p.check())
	}
	if err != nil {
		p.builder = builder{}
	}
	return err
}

func (p *Parser) tally(kept int) Tally {
	return Tally{
		Bytes: p.feed.bytes, Rows: p.rows, Kept: kept, Dropped: p.rows - kept,
		Features: p.encoder.tally, LabelMissing: p.labels.missing, LabelClamped: p.labels.clamped,
	}
}

// check looks at the whole.
func (p *Parser) check() *Error {
	if p.rows == 0 {
		return noRecord()
	}
	if p.kept() == 0 {
		return &Error{
			Kind:    NoRows,
			Problem: `every record is left out by the schema's "drop" rules`,
			Want:    "Let missing or unknown values become something else, or leave out the column that lacks them",
		}
	}
	return p.labels.check(p.kept())
}

// kept is how many records became rows.
func (p *Parser) kept() int {
	if p.pieces != nil {
		return p.pieces.rows + len(p.pieces.piece.Y)
	}
	return p.builder.rows
}

func (p *Parser) header(names []string) *Error {
	columns, err := locate(p.schema, names)
	if err != nil {
		err.Row = p.feed.scanner.line
	}
	p.columns, p.width = columns, len(names)
	p.records = nil
	if err == nil {
		p.records = newPlainRecords(p, p.feed.scanner.delimiter)
	}
	return err
}

func (p *Parser) record(line int, text []byte, fields []span) *Error {
	if len(fields) != p.width {
		return ragged(line, len(fields), p.width)
	}
	e := p.encoder
	e.start()
	label, class := 0.0, isMissing
	for _, to := range p.columns {
		field := text[fields[to.field].start:fields[to.field].end]
		if to.feature < len(e.features) {
			if result := e.feature(to.feature, field); result.refused() {
				err := p.schema.refusal(to.feature, result, string(field))
				err.Row = line
				return err
			}
			continue
		}
		var err *Error
		if label, class, err = p.labels.read(field); err != nil {
			err.Row = line
			return err
		}
	}
	p.count()
	if class == isMissing || e.drop {
		return nil
	}
	return p.keep(line, e.finish(), label, class)
}

// count counts the record at hand, whether it is kept or not.
func (p *Parser) count() {
	p.rows++
	if p.pieces == nil {
		p.blocks.record(p.feed.scanner.at, p.builder.rows)
		if p.ahead != nil {
			p.ahead.record(p)
		}
		p.handOver()
	}
	if p.pieces != nil {
		p.pieces.record(p)
	}
}

// keep takes the row of a record, with its label.
func (p *Parser) keep(line int, row Row, label float64, class int32) *Error {
	p.labels.keep(class)
	if p.pieces != nil {
		if err := p.pieces.keep(p, line, row, label); err != nil || p.own == 0 {
			return err
		}
	} else {
		p.builder.add(row, label)
		if p.builder.rows > p.most {
			return p.tooLarge(line, "there are more than "+count(p.most, "record"))
		}
	}
	bytes := p.bytes()
	if bytes > p.limit {
		return p.tooLarge(
			line, "the design matrix of the records so far takes more than "+size(p.limit),
		)
	}
	if p.kept()%BlockRows > 0 {
		return nil
	}
	if share := p.share(); share > 1.0/32 {
		if likely := float64(bytes) / share; likely > 1.5*float64(p.limit) {
			return p.tooLarge(
				0,
				"going by the first "+count(p.rows, "record")+
					", the whole table would take about "+size(int64(likely))+
					" of memory, and at most "+size(p.limit)+" fits",
			)
		}
	}
	return nil
}

// bytes is what the matrix and the labels take of all rows so far.
func (p *Parser) bytes() int64 {
	if p.pieces != nil {
		entries := p.pieces.entries + len(p.pieces.piece.X.Index)
		return matrixBytes(p.kept(), entries, p.dimension, p.pieces.dense)
	}
	b := &p.builder
	return matrixBytes(b.rows, b.entries, p.dimension, b.dense != nil)
}

func (p *Parser) tooLarge(line int, problem string) *Error {
	p.builder = builder{schema: p.schema}
	return &Error{Kind: TooLarge, Row: line, Problem: problem,
		Want: "Take a random sample of its records, or leave out columns that the model does not need"}
}

// share is how much of the input was looked at; 0 if it is not known. A size
// that was understated makes it 1.
func (p *Parser) share() float64 {
	if p.size <= 0 {
		return 0
	}
	return min(1, float64(p.feed.scanner.delivered())/float64(p.size))
}

func noRecord() *Error {
	return &Error{
		Kind:    NoRows,
		Problem: "there is a header but no record",
		Want:    "Choose a file with at least one record below the header",
	}
}

func ragged(line, have, want int) *Error {
	return &Error{Kind: Ragged, Row: line,
		Problem: "the record has " + count(have, "field") + ", the first line has " +
			strconv.Itoa(want),
		Want: `Give every record as many fields as the first line; a field that holds the delimiter or a line break stands in double quotes`}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// size writes a number of bytes in the largest binary unit that it fills.
func size(n int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, " GiB"}, {1 << 20, " MiB"}, {1 << 10, " KiB"}} {
		if n >= unit.bytes {
			return strconv.FormatFloat(float64(n)/float64(unit.bytes), 'g', 3, 64) + unit.name
		}
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
