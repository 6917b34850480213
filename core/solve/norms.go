package solve

import "math"

// NormUpper returns n ≥ ‖x‖₂, within (k/2 + 8)·2^-53 of it for k entries that are
// not 0 and whose squares do not underflow: the sum of squares errs by at most k
// roundings of 2^-53 each and the root by one more.
//
// The entries of a dense row are those of the sparse one with zeros in between.
// They are added in the same order, a zero changes no sum, and it is not counted.
// So the norm is the same float for both, on every platform (the conversions keep
// a product and a sum from being fused): how the records are stored, which one
// record can decide (package data), moves no clipped gradient.
func NormUpper(x []float64) float64 {
	squares, entries := sumOfSquares(x)
	if squares < 0x1p-900 {
		return sumOfMagnitudes(x) * (1 + float64(entries+1)*0x1p-52)
	}
	return math.Sqrt(squares) * (1 + float64(entries+8)*0x1p-53)
}

// sumOfSquares returns Σ xⱼ² and how many entries are not 0.
func sumOfSquares(x []float64) (squares float64, entries int) {
	for _, v := range x {
		squares += float64(v * v)
		if v != 0 {
			entries++
		}
	}
	return squares, entries
}

// Norms writes NormUpper of each row to dst, which has as many numbers as there are rows. It panics
// on a thinned part.
func (r *Rows) Norms(dst []float64) {
	n := r.whole()
	dst = dst[:n]
	if p := r.lendRows(); p != nil {
		p.end, p.gradient = int64(n), address(dst)
		kernel.Norms(p)
		return
	}
	for i := range dst {
		dst[i] = NormUpper(r.entriesAt(i))
	}
}

// Within returns the first row from row `from` on that floats do not prove to have a norm of at
// most bound, or the number of rows if there is none. Its norm may still be within the bound, to
// be decided exactly. It panics on a thinned part.
//
// The computed Σ xⱼ² of k entries that are not 0 errs by at most a relative k·2^-53 and what is
// second order of it, if squares do not underflow; bound² by 2^-53. A factor of 1 + (k + 4)·2^-53
// makes up for these and for its own rounding.
func (r *Rows) Within(bound float64, from int) int {
	n := r.whole()
	if !(bound < 0x1p500) {
		return from
	}
	if p := r.lendRows(); p != nil {
		p.first, p.end, p.threshold = int64(from), int64(n), bound
		return from + kernel.Norms(p)
	}
	for ; from < n; from++ {
		squares, entries := sumOfSquares(r.entriesAt(from))
		if !(squares >= 0x1p-900 && squares*(1+float64(entries+4)*0x1p-53) <= bound*bound) {
			return from
		}
	}
	return from
}

// whole is the number of rows, of a part that is not thinned.
func (r *Rows) whole() int {
	if r.step() != 1 {
		panic("solve: a thinned part stands in for other rows: its norms are not theirs")
	}
	return len(r.Label)
}

// entriesAt returns the entries of row i, sparse or dense.
func (r *Rows) entriesAt(i int) []float64 {
	if r.dense() {
		return r.denseRow(i)
	}
	_, entry := r.row(i)
	return entry
}
