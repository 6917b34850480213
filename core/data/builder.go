package data

// builder gathers rows in blocks and lays them out as one matrix at the end.
// Growing slices by appending would leave every outgrown copy to the garbage
// collector; with blocks, reading never holds more than twice the matrix and
// one block.
type builder struct {
	schema  *Schema
	blocks  []block
	entries int
	labels  [][]int8 // blocks of labels, in step with lengths
	lengths [][]int32
	rows    int
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

func (b *builder) add(row Row, label int8) {
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
		b.labels = append(b.labels, make([]int8, 0, rowBlock))
		b.lengths = append(b.lengths, make([]int32, 0, rowBlock))
	}
	part := b.rows / rowBlock
	b.labels[part] = append(b.labels[part], label)
	b.lengths[part] = append(b.lengths[part], int32(len(row.Index)))
	b.rows++
}

// bytes is what the finished matrix and its labels take.
func (b *builder) bytes() int64 {
	return int64(b.entries)*(4+8) + int64(b.rows+1)*8 + int64(b.rows)*8
}

// dataset lays out what was gathered; the builder is empty afterwards.
func (b *builder) dataset() *Dataset {
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
	y := make([]float64, 0, b.rows)
	end := 0
	for part, lengths := range b.lengths {
		for i, n := range lengths {
			end += int(n)
			x.RowStart = append(x.RowStart, end)
			y = append(y, float64(b.labels[part][i]))
		}
	}
	*b = builder{schema: b.schema}
	return &Dataset{Schema: b.schema, X: x, Y: y}
}
