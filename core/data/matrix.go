package data

// Matrix is a design matrix, row by row, in one of two forms. Both are read
// through Row.
//
// Sparse, in compressed rows: row i holds the entries RowStart[i] up to (not
// including) RowStart[i+1] of Index (column numbers, strictly increasing within
// a row) and Value (never 0).
//
// Dense, made by [NewDense]: Blocks holds BlockRows rows each, but for the last
// block, and Columns numbers a row, zeros among them; RowStart, Index and Value
// are nil. An entry takes 8 bytes in place of 12, and since there are blocks a
// matrix can grow without being copied.
type Matrix struct {
	RowStart []int // one longer than there are rows; RowStart[0] = 0
	Index    []int32
	Value    []float64
	Columns  int

	Blocks  [][]float64
	numbers []int32 // 0 … Columns−1: the Index of every dense row
}

// BlockRows is how many rows a block of a dense matrix has.
const BlockRows = 4096

// NewDense returns the dense matrix of these blocks, whose memory it keeps. It
// panics unless columns is above 0, every block but the last has BlockRows rows,
// and the last from 1 to so many.
func NewDense(columns int, blocks ...[]float64) *Matrix {
	if columns <= 0 {
		panic("data: a dense matrix needs a column")
	}
	for i, block := range blocks {
		full := len(block) == BlockRows*columns
		last := i == len(blocks)-1 && len(block) > 0 && len(block) < BlockRows*columns
		if !full && (!last || len(block)%columns != 0) {
			panic("data: a block of a dense matrix has the wrong size")
		}
	}
	return &Matrix{Columns: columns, Blocks: blocks, numbers: numbersTo(columns)}
}

func numbersTo(n int) []int32 {
	numbers := make([]int32, n)
	for j := range numbers {
		numbers[j] = int32(j)
	}
	return numbers
}

// Dense reports whether the matrix has the dense form.
func (m *Matrix) Dense() bool { return m.numbers != nil }

// Bytes is how much memory the entries take.
func (m *Matrix) Bytes() int {
	bytes := 8*len(m.Value) + 4*len(m.Index) + 8*len(m.RowStart)
	for _, block := range m.Blocks {
		bytes += 8 * len(block)
	}
	return bytes
}

// Rows is the number of rows.
func (m *Matrix) Rows() int {
	if n := len(m.Blocks); n > 0 {
		return (n-1)*BlockRows + len(m.Blocks[n-1])/m.Columns
	}
	if len(m.RowStart) == 0 {
		return 0
	}
	return len(m.RowStart) - 1
}

// Row returns row i, sharing the matrix's memory.
func (m *Matrix) Row(i int) Row {
	if m.Dense() {
		at := i % BlockRows * m.Columns
		return Row{Index: m.numbers, Value: m.Blocks[i/BlockRows][at : at+m.Columns : at+m.Columns]}
	}
	lo, hi := m.RowStart[i], m.RowStart[i+1]
	return Row{Index: m.Index[lo:hi:hi], Value: m.Value[lo:hi:hi]}
}

// Select returns a new matrix of the given rows, in the order given and of the
// same form; a row may be named more than once. It panics if a number is not
// that of a row.
func (m *Matrix) Select(rows []int) *Matrix {
	if m.Dense() {
		return m.selectDense(rows)
	}
	entries := 0
	for _, i := range rows {
		entries += m.RowStart[i+1] - m.RowStart[i]
	}
	out := &Matrix{
		RowStart: make([]int, 1, len(rows)+1),
		Index:    make([]int32, 0, entries),
		Value:    make([]float64, 0, entries),
		Columns:  m.Columns,
	}
	for _, i := range rows {
		row := m.Row(i)
		out.Index = append(out.Index, row.Index...)
		out.Value = append(out.Value, row.Value...)
		out.RowStart = append(out.RowStart, len(out.Index))
	}
	return out
}

func (m *Matrix) selectDense(rows []int) *Matrix {
	var blocks [][]float64
	for len(rows) > 0 {
		n := min(len(rows), BlockRows)
		block := make([]float64, 0, n*m.Columns)
		for _, i := range rows[:n] {
			block = append(block, m.Row(i).Value...)
		}
		blocks = append(blocks, block)
		rows = rows[n:]
	}
	return &Matrix{Columns: m.Columns, Blocks: blocks, numbers: m.numbers}
}

// Row is one row: Value[k] stands in column Index[k]; the rest is 0. Columns
// increase strictly.
type Row struct {
	Index []int32
	Value []float64
}

// Dot is the inner product with a dense vector of Matrix.Columns finite numbers:
// products rounded, then added in the order of the columns. A dense row's zeros
// change no bit of it, so it does not depend on the matrix's form.
func (r Row) Dot(theta []float64) float64 {
	sum := 0.0
	for k, j := range r.Index {
		sum += float64(r.Value[k] * theta[j])
	}
	return sum
}
