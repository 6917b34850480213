package learntest

import (
	"cloister/core/data"
	"cloister/core/solve"
)

// Moments are XᵀX and Xᵀy, in plain sums.
func Moments(d *data.Dataset) (matrix *solve.Packed, vector []float64) {
	matrix, vector = solve.NewPacked(d.X.Columns), make([]float64, d.X.Columns)
	for i, y := range d.Y {
		row := d.X.Row(i)
		for a, j := range row.Index {
			for b, k := range row.Index[:a+1] {
				matrix.Row(int(j))[k] += row.Value[a] * row.Value[b]
			}
			vector[j] += y * row.Value[a]
		}
	}
	return matrix, vector
}
