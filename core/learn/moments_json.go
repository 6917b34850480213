package learn

import (
	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// tree is the moments in a release: the matrix as its lower triangle by rows.
func (m *Moments) tree() map[string]any {
	return map[string]any{
		"matrix":       plainNumbers(m.Matrix.At),
		"vector":       plainNumbers(m.Vector),
		"square":       m.Square,
		"matrix_sigma": m.MatrixSigma,
		"vector_sigma": m.VectorSigma,
		"square_sigma": m.SquareSigma,
		"grid":         m.Grid,
		"ridge":        m.Ridge,
	}
}

func readMoments(f *privacy.Fields, schema *data.Schema) (*Moments, error) {
	m := &Moments{
		Matrix:      &solve.Packed{N: schema.Dimension(), At: f.Numbers("matrix")},
		Vector:      f.Numbers("vector"),
		Square:      f.Number("square"),
		MatrixSigma: f.Number("matrix_sigma"),
		VectorSigma: f.Number("vector_sigma"),
		SquareSigma: f.Number("square_sigma"),
		Grid:        f.Number("grid"),
		Ridge:       f.Number("ridge"),
		Intercept:   schema.Intercept,
	}
	return m, f.Done()
}
