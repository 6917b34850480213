package solve

import "unsafe"

// Memory is the arrays of rows, as bytes: labels, norms, and the entries with their
// positions. Another worker of this program holds copies of rows once its own arrays,
// made by NewRows, are filled with these, from the first to the last; there a row of
// the one may lie across two of the other. Starts count entries from where they did:
// see Rebase.
func (r *Rows) Memory() [][]byte {
	n := len(r.Label)
	out := r.Posed()
	if !r.dense() {
		first, end := r.Start[0], r.Start[n]
		return append(out, Bytes(r.Start), Bytes(r.Index[first:end]), Bytes(r.Entry[first:end]))
	}
	for row, last := r.offset, r.offset+n; row < last; {
		k := row / r.BlockRows
		end := min((k+1)*r.BlockRows, last)
		first := k * r.BlockRows
		out = append(out, Bytes(r.Block[k][(row-first)*r.Columns:(end-first)*r.Columns]))
		row = end
	}
	return out
}

// Entries is the number of entries that Memory has.
func (r *Rows) Entries() int {
	if r.dense() {
		return len(r.Label) * r.Columns
	}
	return r.Start[len(r.Label)] - r.Start[0]
}

// NewRows returns n empty rows to be filled, dense or sparse, with this many entries in
// all and this many norms.
func NewRows(n, norms, entries, columns int, sparse bool) *Rows {
	r := &Rows{Label: make([]float64, n), Norm: make([]float64, norms), Columns: columns}
	all := make([]float64, entries)
	if !sparse {
		r.Block, r.BlockRows = [][]float64{all}, max(n, 1)
		return r
	}
	r.Entry, r.Index, r.Start = all, make([]int32, entries), make([]int, n+1)
	r.Start[n] = entries
	return r
}

// Rebase makes the starts of filled rows count from 0.
func (r *Rows) Rebase() {
	if r.dense() {
		return
	}
	first := r.Start[0]
	for i := range r.Start {
		r.Start[i] -= first
	}
}

// Bytes returns the memory of numbers as bytes. Floats is the inverse; it takes a
// multiple of 8 bytes.
func Bytes[T int | int32 | int64 | float64](x []T) []byte {
	return unsafe.Slice(
		(*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))),
	)
}

// Floats is the inverse of Bytes.
func Floats(b []byte) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

// Ints is Floats for positions of rows.
func Ints(b []byte) []int {
	return unsafe.Slice((*int)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(0)))
}

// Int32s is Floats for numbers of columns.
func Int32s(b []byte) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// Integers returns the whole numbers whose bits floats carry (Moments), in the same memory.
func Integers(x []float64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// Posed returns what of Memory is of the problem and not of the design: labels and norms.
func (r *Rows) Posed() [][]byte { return [][]byte{Bytes(r.Label), Bytes(r.Norm)} }

// Same reports whether r and o are rows with the same entries, in the same memory, whatever
// their labels are.
func (r *Rows) Same(o *Rows) bool {
	if len(r.Label) != len(o.Label) || r.Columns != o.Columns || r.offset != o.offset {
		return false
	}
	if r.dense() || o.dense() {
		return len(r.Block) == len(o.Block) && address(r.Block) == address(o.Block)
	}
	return address(r.Start) == address(o.Start) && address(r.Entry) == address(o.Entry)
}
