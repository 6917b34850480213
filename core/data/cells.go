package data

import "errors"

// Cells are the records of a file, counted: how many positives and negatives
// each combination of levels has, the last attribute's level running fastest.
//
// All of it is private: it has no JSON form, and nothing of it may be published
// without noise.
type Cells struct {
	Schema               *CellSchema
	Positives, Negatives []int64

	// Rows are the records one by one, for a loss to be counted again: the cell of
	// each, twice, and 1 more for a positive.
	Rows    []uint32
	Dropped int // records left out by the schema's rules
}

// MarshalJSON is an error: the counts of a file are private.
func (*Cells) MarshalJSON() ([]byte, error) {
	return nil, errors.New("data: counts are private and have no JSON form")
}

// CellCounter counts the cells of CSV that is pushed into it piece by piece, as
// a Parser makes a data set.
type CellCounter struct {
	feed    feed
	columns *Schema
	targets []target
	width   int
	rows    int
	encoder *encoder
	labels  labelReader
	level   [][]int32 // of a category, by attribute; nil for a numeric one
	at      []int32   // the levels of the record at hand
	sizes   []int
	cells   *Cells
}

// NewCellCounter returns a *SchemaError for a schema that is none, and an *Error
// if options.Size is over the limit.
func NewCellCounter(schema *CellSchema, options ReadOptions) (*CellCounter, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	input, err := newFeed(options)
	if err != nil {
		return nil, err
	}
	size, sizes := 1, schema.Sizes()
	for _, n := range sizes {
		size *= n
	}
	columns := schema.columns()
	c := &CellCounter{
		feed: input, columns: columns, encoder: newEncoder(columns),
		labels: newLabelReader(columns),
		at:     make([]int32, len(sizes)), sizes: sizes,
		cells: &Cells{
			Schema:    schema,
			Positives: make([]int64, size),
			Negatives: make([]int64, size),
		},
	}
	for g := range schema.Attributes {
		var levels []int32
		for l, level := range schema.Attributes[g].Levels {
			for range level.Values {
				levels = append(levels, int32(l))
			}
		}
		c.level = append(c.level, levels)
		c.feed.scanner.wanted = append(c.feed.scanner.wanted, schema.Attributes[g].Name)
	}
	c.feed.scanner.wanted = append(c.feed.scanner.wanted, schema.Label.Name)
	c.feed.scanner.sink = c
	return c, nil
}

// Begin ends the part at hand, if there is one, and begins another.
func (c *CellCounter) Begin(name string) error { return c.feed.begin(name) }

// Write takes the next bytes of the part. It does not keep chunk.
func (c *CellCounter) Write(chunk []byte) error { return c.feed.write(chunk) }

// Close ends the last part and returns the counts. Begin, Write and Close panic
// after it. A file without a record, or with records of one class alone, is an
// *Error.
func (c *CellCounter) Close() (*Cells, error) {
	err := c.feed.close()
	if err == nil {
		err = c.feed.fail(c.check())
	}
	if err != nil {
		return nil, err
	}
	return c.cells, nil
}

func (c *CellCounter) check() *Error {
	if c.rows == 0 {
		return noRecord()
	}
	if len(c.cells.Rows) == 0 {
		return &Error{
			Kind:    NoRows,
			Problem: `every record is left out by the schema's "drop" rules`,
			Want:    "Make missing or unknown values part of a level, or leave out the attribute that lacks them",
		}
	}
	return c.labels.check(len(c.cells.Rows))
}

func (c *CellCounter) header(names []string) *Error {
	targets, err := locate(c.columns, names)
	if err != nil {
		err.Row = c.feed.scanner.line
	}
	c.targets, c.width = targets, len(names)
	return err
}

func (c *CellCounter) record(line int, text []byte, fields []span) *Error {
	if len(fields) != c.width {
		return ragged(line, len(fields), c.width)
	}
	e := c.encoder
	e.start()
	label, class := 0.0, isMissing
	levels := c.at
	for _, to := range c.targets {
		field := text[fields[to.field].start:fields[to.field].end]
		if to.feature == len(e.features) {
			var err *Error
			if label, class, err = c.labels.read(field); err != nil {
				err.Row = line
				return err
			}
			continue
		}
		if result := e.feature(to.feature, field); result.refused() {
			err := c.columns.refusal(to.feature, result, string(field))
			err.Row = line
			return err
		}
		if e.drop {
			continue
		}
		if of := c.level[to.feature]; of != nil {
			levels[to.feature] = of[e.column[to.feature]-e.features[to.feature].first]
		} else { // in the units of the file: the encoder's are rounded
			x, _ := parseNumber(field)
			levels[to.feature] = int32(c.cells.Schema.Attributes[to.feature].level(x))
		}
	}
	c.rows++
	if class == isMissing || e.drop {
		c.cells.Dropped++
		return nil
	}
	cell := uint32(0)
	for g, n := range c.sizes {
		cell = cell*uint32(n) + uint32(levels[g])
	}
	c.labels.keep(class)
	if label > 0 {
		c.cells.Positives[cell]++
		c.cells.Rows = append(c.cells.Rows, 2*cell+1)
	} else {
		c.cells.Negatives[cell]++
		c.cells.Rows = append(c.cells.Rows, 2*cell)
	}
	if len(c.cells.Rows) > MaxRecords {
		return &Error{
			Kind:    TooLarge,
			Row:     line,
			Problem: "there are more than " + count(MaxRecords, "record"),
			Want:    "Take a random sample of its records",
		}
	}
	return nil
}

// ReadCells counts the cells of the parts of a file.
func ReadCells(parts []Part, schema *CellSchema, options ReadOptions) (*Cells, error) {
	c, err := NewCellCounter(schema, options)
	if err != nil {
		return nil, err
	}
	chunk := make([]byte, window)
	for _, part := range parts {
		if err := c.Begin(part.Name); err != nil {
			return nil, err
		}
		if err := pour(part.Reader, chunk, c.Write); err != nil {
			return nil, err
		}
	}
	return c.Close()
}

// Select returns the cells of these rows alone, by their place in Rows.
func (c *Cells) Select(rows []int) *Cells {
	some := &Cells{
		Schema:    c.Schema,
		Positives: make([]int64, len(c.Positives)),
		Negatives: make([]int64, len(c.Negatives)),
	}
	for _, i := range rows {
		row := c.Rows[i]
		if row&1 == 1 {
			some.Positives[row/2]++
		} else {
			some.Negatives[row/2]++
		}
		some.Rows = append(some.Rows, row)
	}
	return some
}
