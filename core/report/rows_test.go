package report

import (
	"testing"

	"cloister/core/data"
	"cloister/core/solve"
)

// rowOf is a dense vector as a row of a design matrix.
func rowOf(x []float64) data.Row {
	var row data.Row
	for j, v := range x {
		if v != 0 {
			row.Index, row.Value = append(row.Index, int32(j)), append(row.Value, v)
		}
	}
	return row
}

// smoothOf is the sum of the records' losses as one smooth loss.
func smoothOf(t testing.TB, c lossCase, s sample, theta []float64) SmoothRecord {
	t.Helper()
	d := len(theta)
	gradient, hessian := make([]float64, d), solve.NewPacked(d)
	s.part(t, c.loss, c.clip).Derivatives(theta, gradient, hessian)
	eigen, err := solve.Decompose(hessian)
	if err != nil {
		t.Fatal(err)
	}
	r := SmoothRecord{Gradient: gradient}
	for k, value := range eigen.Values {
		if value > 1e-12 {
			r.Values, r.Vectors = append(r.Values, value), append(r.Vectors, eigen.Vectors[k])
		}
	}
	return r
}
