package solve

import (
	"errors"
	"math"
)

// Eigen is the spectral decomposition Σ Values[k]·uₖuₖᵀ, uₖ = Vectors[k]
// orthonormal, of a symmetric matrix; the values ascend.
type Eigen struct {
	Values  []float64
	Vectors [][]float64
}

// ErrEigen says that a matrix holds a value that is not finite, or that its values are
// too far apart for its eigenvalues to be found.
var ErrEigen = errors.New("solve: no eigenvalues: the matrix is not finite, or too ill-scaled")

// EigenError bounds the error of every eigenvalue that [Decompose] finds for a
// matrix of order up to 200, as a multiple of the matrix' Frobenius norm.
const EigenError = 0x1p-38

// maxSweeps is how many sweeps EigenError has room for. Jacobi's method converges
// quadratically, in some ten sweeps as a rule; of tables with many categories some take
// twelve. Above order 200 nothing is promised of the error.
func maxSweeps(d int) int {
	if d > 200 {
		return 20
	}
	return int((0x1p53*EigenError - float64(d)*0x1p53*leftOver) / (6 * math.Max(1, float64(2*d-3))))
}

// leftOver bounds the elements that are left off the diagonal after the last sweep, over
// the largest of the matrix.
const leftOver = 0x1p-50

// Decompose returns the spectral decomposition of a symmetric matrix by
// Jacobi's cyclic method (Golub & Van Loan 2013, §8.5), whose eigenvalues are
// those of a matrix within EigenError·‖A‖_F of the one given:
//
// A sweep by rows does what 2d − 3 sets of rotations in disjoint planes do, each
// set an orthogonal transformation with an error of at most 6·2^-53·‖A‖_F
// (Wilkinson 1965, §3.20 ff.). So k sweeps err by less than k(2d − 3)·6·2^-53·‖A‖_F, and
// the elements that are left off the diagonal, each 2^-50·‖A‖_F at most, by d times that:
// k is such that both are below EigenError together (maxSweeps).
func Decompose(a *Packed) (Eigen, error) {
	d := a.N
	rows := make([][]float64, d)
	vectors := make([][]float64, d)
	size := 0.0
	for i := range d {
		rows[i], vectors[i] = make([]float64, d), make([]float64, d)
		vectors[i][i] = 1
	}
	for i := range d {
		for j, v := range a.Row(i) {
			rows[i][j], rows[j][i] = v, v
			size = math.Max(size, math.Abs(v))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return Eigen{}, ErrEigen
			}
		}
	}
	most := maxSweeps(d)
	for sweep := 0; ; sweep++ {
		off := 0.0
		for i := range d {
			for _, v := range rows[i][:i] {
				off = math.Max(off, math.Abs(v))
			}
		}
		if off <= size*0x1p-60 || sweep == most && off <= size*leftOver {
			break
		}
		if sweep == most {
			return Eigen{}, ErrEigen
		}
		for p := range d {
			for q := p + 1; q < d; q++ {
				rotate(rows, vectors, p, q)
			}
		}
	}
	// By insertion: package sort is large for the few that they are.
	order := make([]int, d)
	for i := range order {
		at := i
		for ; at > 0 && rows[order[at-1]][order[at-1]] > rows[i][i]; at-- {
			order[at] = order[at-1]
		}
		order[at] = i
	}
	e := Eigen{Values: make([]float64, d), Vectors: make([][]float64, d)}
	for k, i := range order {
		e.Values[k], e.Vectors[k] = rows[i][i], vectors[i]
	}
	return e, nil
}

// rotate makes element (p, q) of the matrix 0, and turns vectors p and q with it.
func rotate(rows, vectors [][]float64, p, q int) {
	x := rows[p][q]
	if x == 0 {
		return
	}
	theta := (rows[q][q] - rows[p][p]) / (2 * x)
	t := math.Copysign(1/(math.Abs(theta)+math.Hypot(1, theta)), theta)
	c := 1 / math.Sqrt(1+t*t)
	s := t * c
	rp, rq := rows[p], rows[q]
	app, aqq := rp[p]-t*x, rq[q]+t*x
	for k := range rp {
		u, v := rp[k], rq[k]
		rp[k], rq[k] = c*u-s*v, s*u+c*v
	}
	for k, row := range rows {
		row[p], row[q] = rp[k], rq[k]
	}
	rp[p], rq[q], rp[q], rq[p] = app, aqq, 0, 0
	vp, vq := vectors[p], vectors[q]
	for k := range vp {
		u, v := vp[k], vq[k]
		vp[k], vq[k] = c*u-s*v, s*u+c*v
	}
}

// Solve returns A⁻¹b for a matrix none of whose eigenvalues is 0.
func (e Eigen) Solve(b []float64) []float64 {
	x := make([]float64, len(b))
	for k, u := range e.Vectors {
		along := 0.0
		for j, v := range u {
			along += v * b[j]
		}
		along /= e.Values[k]
		for j, v := range u {
			x[j] += along * v
		}
	}
	return x
}

// Above is the part of the decomposition with values above a limit. Its Solve is by
// the pseudo-inverse.
func (e Eigen) Above(limit float64) Eigen {
	k := 0
	for k < len(e.Values) && !(e.Values[k] > limit) {
		k++
	}
	return Eigen{e.Values[k:], e.Vectors[k:]}
}
