package matrix

import (
	"errors"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// MaxDimension is the largest order of a matrix that is released.
const MaxDimension = 512

// MaxRows is how many records a sum takes, so that none overflows.
const MaxRows = 1 << 24

// ErrRows says that a sum has more than MaxRows records.
var ErrRows = errors.New("matrix: too many records for one sum")

// maxSteps bounds a record's element in steps of the lattice: MaxRows of them,
// and the noise, stay far within int64.
const maxSteps = 1 << 37

// Sum is Σ Hₓ over records, symmetric matrices with ‖Hₓ‖_F ≤ Norm, each element
// of each record's rounded to the lattice Grid·ℤ before it is added to anything.
// Sums of lattice points are exact here, so two neighbours' sums differ by
// exactly the rounded matrix of the record in which they differ: no rounding
// error of a sum, which depends on the other records, comes into the
// sensitivity.
type Sum struct {
	order int
	norm  float64
	grid  float64
	rows  int
	total []int64 // the lower triangle by rows, in steps of the lattice
}

// NewSum returns the empty sum of matrices of this order. norm bounds every
// record's Frobenius norm. Errors: a *privacy.ParameterError for "dimension",
// "norm" or "grid" (a power of two, at least norm/2^36).
func NewSum(order int, norm, grid float64) (*Sum, error) {
	if order < 1 || order > MaxDimension {
		return nil, &privacy.ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(order),
			Want:  "from 1 to " + strconv.Itoa(MaxDimension),
		}
	}
	if err := privacy.CheckPositive("norm", norm); err != nil {
		return nil, err
	}
	if half, _ := math.Frexp(grid); half != 0.5 || !(norm <= grid*maxSteps/2) {
		return nil, &privacy.ParameterError{
			Field: "grid",
			Value: privacy.Number(grid),
			Want:  "a power of two, and at least norm / 2^36",
		}
	}
	return &Sum{order: order, norm: norm, grid: grid, total: make([]int64, order*(order+1)/2)}, nil
}

// AddOuter adds the record weight·x xᵀ, whose Frobenius norm is |weight|·‖x‖². A
// record whose norm would exceed Norm is scaled down to it, which needs no other
// record and so costs nothing; one that holds a NaN, or is shorter than 2^-480, is
// added as 0.
//
// With rounding errors, the norm of what is added is at most Norm·(1 + 2^-40)
// before it is put on the lattice.
func (s *Sum) AddOuter(weight float64, x data.Row) error { return s.add(weight, x, 0) }

// AddBelow is AddOuter for weight ≥ 0, and rounds so that what is added, Q, has
// Q ⪯ weight·x xᵀ: the k non-zero elements of a row are each off by half a step
// and a little, so by Gershgorin's theorem it is enough to take k/2 + 1 steps off
// the diagonal. So the whole sum is below that of the exact matrices, by an
// amount that no bound need know.
func (s *Sum) AddBelow(weight float64, x data.Row) error {
	return s.add(weight, x, int64(len(x.Index)/2+1))
}

func (s *Sum) add(weight float64, x data.Row, less int64) error {
	if s.rows++; s.rows > MaxRows {
		return ErrRows
	}
	square := 0.0
	for _, v := range x.Value {
		square += v * v
	}
	if size := math.Abs(weight) * square; !(size <= s.norm) {
		weight = math.Copysign(s.norm/square, weight)
	}
	if math.IsNaN(weight*square) || math.IsInf(weight*square, 0) || square < 0x1p-960 {
		return nil
	}
	for a, i := range x.Index {
		scaled := weight * x.Value[a] / s.grid
		row := s.total[int(i)*(int(i)+1)/2:]
		for b, j := range x.Index[:a+1] {
			row[j] += int64(math.RoundToEven(scaled * x.Value[b]))
		}
		row[i] -= less
	}
	return nil
}

// Numbers are the sum as AddNumbers takes it: how many records it has and, of each element of the
// lower triangle, the multiple of 2^32 steps of the lattice that it contains and the steps above
// that. All are whole, and floats hold them exactly. They are as private as the records.
func (s *Sum) Numbers() []float64 {
	out := make([]float64, 0, s.Count())
	out = append(out, float64(s.rows))
	for _, v := range s.total {
		high := v >> 32
		out = append(out, float64(high), float64(v-high<<32))
	}
	return out
}

// Count is how many Numbers there are.
func (s *Sum) Count() int { return 1 + 2*len(s.total) }

// AddNumbers adds a sum over other records, of which these are the Numbers. Sums are whole, so
// it does not matter which records are in which sum, nor in what order sums are added. It panics
// for a sum of another order. The error is ErrRows.
func (s *Sum) AddNumbers(numbers []float64) error {
	if len(numbers) != s.Count() {
		panic("matrix: numbers of a sum of another order")
	}
	if s.rows += int(numbers[0]); s.rows > MaxRows {
		return ErrRows
	}
	for k := range s.total {
		s.total[k] += int64(numbers[1+2*k])<<32 + int64(numbers[2+2*k])
	}
	return nil
}

// Sensitivity is an upper bound on the GOE norm of what one record adds,
//
//	‖M‖² = Σ_{i<j} Mᵢⱼ² + ½ Σ Mᵢᵢ² = ½‖M‖²_F,
//
// the norm in which noise of the ensemble is isotropic: that of the exact matrix,
// Norm(1 + 2^-40)/√2, and for its rounding half a step for each of d² elements and
// d/2 + 1 for each of d (AddBelow), (d/2 + √d(d/2 + 1))·Grid/√2.
func (s *Sum) Sensitivity() float64 {
	d := float64(s.order)
	return (s.norm*(1+0x1p-40) + s.grid*(d/2+math.Sqrt(d)*(d/2+1))) / math.Sqrt2 * (1 + 0x1p-50)
}

// Packed is the sum itself, without noise: it is private. Its elements are right
// to a relative 2^-53.
func (s *Sum) Packed() *solve.Packed {
	p := solve.NewPacked(s.order)
	for k, v := range s.total {
		p.At[k] = float64(v) * s.grid
	}
	return p
}
