package solve

import "math"

// AddMoments adds the second moments of one record, each number rounded to a whole number of
// steps by itself: x xᵀ, packed, then y x, then y². x has these entries in these columns, which
// increase; without columns it is dense. Sums of whole numbers do not depend on their order, as
// long as they are below 2^63.
func AddMoments(at []int64, index []int32, entry []float64, y, step float64) {
	columns := columnsOfMoments(len(at))
	vector := at[columns*(columns+1)/2:]
	for a, x := range entry {
		scaled := x / step
		i := a
		if index != nil {
			i = int(index[a])
		}
		row := at[i*(i+1)/2:]
		vector[i] += int64(math.RoundToEven(scaled * y))
		if index == nil {
			row = row[:a+1]
			for b, other := range entry[:a+1] {
				row[b] += int64(math.RoundToEven(scaled * other))
			}
			continue
		}
		for b, j := range index[:a+1] {
			row[j] += int64(math.RoundToEven(scaled * entry[b]))
		}
	}
	vector[columns] += int64(math.RoundToEven(y * y / step))
}

// columnsOfMoments is d of d(d+1)/2 + d + 1 numbers.
func columnsOfMoments(numbers int) int {
	return int(math.Sqrt(float64(2*numbers)+0.25) - 1.5)
}

// Moments adds those of all rows, Numbers(Columns) of the sums [Moments]; see [AddMoments]. It
// panics on a thinned part.
func (r *Rows) Moments(step float64, at []int64) {
	for i := range r.whole() {
		if r.dense() {
			AddMoments(at, nil, r.denseRow(i), r.Label[i], step)
			continue
		}
		index, entry := r.row(i)
		AddMoments(at, index, entry, r.Label[i], step)
	}
}
