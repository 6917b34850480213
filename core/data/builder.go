package data

// builder gathers rows in blocks and lays them out as one matrix at the end.
// Growing slices by appending would leave every outgrown copy to the garbage
// collector; with blocks, reading never holds more than twice the matrix and
// one block.
//
// Where three quarters of the first BlockRows rows' entries are not 0, the
// matrix is dense; its blocks are then its own, and nothing is held twice. One
// record can decide that, so no claim about two neighbouring files may rest on the
// form: norms and margins are the same floats in both (learn.Problem.Rows, Row.Dot).
//
// Where it is known how much of the input was read, a sparse matrix of more
// than BlockRows rows is laid out at once, with room for what the rest of the
// input is likely to hold: nothing is held twice unless that was too little.
type builder struct {
	schema  *Schema
	blocks  []block
	dense   [][]float64 // in place of blocks and lengths
	laid    *Matrix     // in place of blocks and lengths
	entries int
	labels  [][]float64 // blocks of labels, in step with lengths
	lengths [][]int32
	rows    int
	formed  bool // the form is what it is from the first row on

	// share is how much of the input was read, above 0 and up to 1; 0: not known.
	share func() float64
}

type block struct {
	index []int32
	value []float64
}

const (
	firstBlock = 1 << 10 // entries
	mostBlock  = 1 << 16
	rowBlock   = 1 << 12 // rows
)

func (b *builder) add(row Row, label float64) {
	if b.rows == BlockRows && !b.formed && denseEnough(b.entries, b.rows, b.schema) {
		b.spread()
	}
	if b.rows == BlockRows && b.dense == nil && b.share != nil && b.share() > 0 {
		b.laid = b.matrix()
		b.blocks, b.lengths = nil, nil
	}
	if b.rows%rowBlock == 0 {
		b.labels = append(b.labels, make([]float64, 0, rowBlock))
	}
	part := b.rows / rowBlock
	b.labels[part] = append(b.labels[part], label)
	switch {
	case b.dense != nil:
		b.addDense(row)
	case b.laid != nil:
		b.addLaid(row)
	default:
		b.addSparse(row)
	}
	b.rows++
}

// sparseEntries is how many entries there are; 0 of dense rows.
func (b *builder) sparseEntries() int {
	if b.dense != nil {
		return 0
	}
	return b.entries
}

// denseEnough reports whether the rows so far, which have so many entries, make all dense.
func denseEnough(entries, rows int, schema *Schema) bool {
	return entries > 0 && 4*entries >= 3*rows*schema.Dimension()
}

func (b *builder) addLaid(row Row) {
	x := b.laid
	if len(x.Index)+len(row.Index) > cap(x.Index) || len(x.RowStart) == cap(x.RowStart) {
		x.Index = append(make([]int32, 0, b.likely(len(x.Index)+len(row.Index))), x.Index...)
		x.Value = append(make([]float64, 0, cap(x.Index)), x.Value...)
		x.RowStart = append(make([]int, 0, b.likely(len(x.RowStart)+1)), x.RowStart...)
	}
	x.Index = append(x.Index, row.Index...)
	x.Value = append(x.Value, row.Value...)
	x.RowStart = append(x.RowStart, len(x.Index))
	b.entries += len(row.Index)
}

// likely is how many the whole input has of something of which n were seen, a
// little more rather than less.
func (b *builder) likely(n int) int {
	return n + int(float64(n)*(1/b.share()-1)*1.02) + n/64
}

func (b *builder) addSparse(row Row) {
	last := len(b.blocks) - 1
	if last < 0 || cap(b.blocks[last].index)-len(b.blocks[last].index) < len(row.Index) {
		// As large as all so far, so that a small file stays small; and large
		// enough that the gaps at the ends of blocks do not count.
		size := max(min(max(b.entries, firstBlock), mostBlock), 16*len(row.Index))
		b.blocks = append(b.blocks, block{make([]int32, 0, size), make([]float64, 0, size)})
		last++
	}
	at := &b.blocks[last]
	at.index = append(at.index, row.Index...)
	at.value = append(at.value, row.Value...)
	b.entries += len(row.Index)

	if b.rows%rowBlock == 0 {
		b.lengths = append(b.lengths, make([]int32, 0, rowBlock))
	}
	part := b.rows / rowBlock
	b.lengths[part] = append(b.lengths[part], int32(len(row.Index)))
}

func (b *builder) addDense(row Row) {
	columns := b.schema.Dimension()
	if b.rows%BlockRows == 0 {
		b.dense = append(b.dense, make([]float64, 0, BlockRows*columns))
	}
	block := &b.dense[len(b.dense)-1]
	at := len(*block)
	*block = (*block)[:at+columns]
	for k, j := range row.Index {
		(*block)[at+int(j)] = row.Value[k]
	}
}

// spread makes the first BlockRows rows dense.
func (b *builder) spread() {
	columns := b.schema.Dimension()
	first := make([]float64, BlockRows*columns)
	at := 0 // the row's first entry
	which, k := 0, 0
	for _, lengths := range b.lengths {
		for _, n := range lengths {
			if k == len(b.blocks[which].index) && n > 0 {
				which, k = which+1, 0
			}
			for range n {
				first[at+int(b.blocks[which].index[k])] = b.blocks[which].value[k]
				k++
			}
			at += columns
		}
	}
	b.dense, b.blocks, b.lengths = [][]float64{first}, nil, nil
}

// matrixBytes is what a finished matrix and its labels take.
func matrixBytes(rows, entries, columns int, dense bool) int64 {
	if dense {
		return int64(rows) * int64(columns+1) * 8
	}
	return int64(entries)*(4+8) + int64(rows+1)*8 + int64(rows)*8
}

// dataset lays out what was gathered; the builder is empty afterwards.
func (b *builder) dataset() *Dataset {
	x := b.matrix()
	y := make([]float64, 0, b.rows)
	for _, labels := range b.labels {
		y = append(y, labels...)
	}
	*b = builder{schema: b.schema}
	return &Dataset{Schema: b.schema, X: x, Y: y}
}

func (b *builder) matrix() *Matrix {
	if b.dense != nil {
		return NewDense(b.schema.Dimension(), b.dense...)
	}
	if b.laid != nil {
		return b.laid
	}
	x := &Matrix{
		RowStart: make([]int, 1, b.rows+1),
		Index:    make([]int32, 0, b.entries),
		Value:    make([]float64, 0, b.entries),
		Columns:  b.schema.Dimension(),
	}
	for i := range b.blocks {
		x.Index = append(x.Index, b.blocks[i].index...)
		x.Value = append(x.Value, b.blocks[i].value...)
		b.blocks[i] = block{}
	}
	end := 0
	for _, lengths := range b.lengths {
		for _, n := range lengths {
			end += int(n)
			x.RowStart = append(x.RowStart, end)
		}
	}
	return x
}
