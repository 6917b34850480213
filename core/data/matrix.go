package data

// Matrix is a sparse matrix in compressed rows. Row i holds the entries
// RowStart[i] up to (not including) RowStart[i+1] of Index (column numbers,
// strictly increasing within a row) and Value (never 0).
type Matrix struct {
	RowStart []int // one longer than there are rows; RowStart[0] = 0
	Index    []int32
	Value    []float64
	Columns  int
}

// Rows is the number of rows.
func (m *Matrix) Rows() int {
	if len(m.RowStart) == 0 {
		return 0
	}
	return len(m.RowStart) - 1
}

// Row returns row i, sharing the matrix's memory.
func (m *Matrix) Row(i int) Row {
	lo, hi := m.RowStart[i], m.RowStart[i+1]
	return Row{Index: m.Index[lo:hi:hi], Value: m.Value[lo:hi:hi]}
}

// Select returns a new matrix of the given rows, in the order given; a row may
// be named more than once. It panics if a number is not that of a row.
func (m *Matrix) Select(rows []int) *Matrix {
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

// Row is one sparse row: Value[k] stands in column Index[k]; the rest is 0.
type Row struct {
	Index []int32
	Value []float64
}

// Dot is the inner product with a dense vector of Matrix.Columns numbers.
func (r Row) Dot(theta []float64) float64 {
	sum := 0.0
	for k, j := range r.Index {
		sum += r.Value[k] * theta[j]
	}
	return sum
}
