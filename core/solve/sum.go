package solve

import (
	"math"
	"slices"
)

// Sum is a vector of running totals in double-double arithmetic: each is an
// unevaluated pair hi + lo of floats.
//
// Adding a float x to (hi, lo) is (s, e) = TwoSum(hi, x), exact, then
// (hi, lo) = FastTwoSum(s, fl(e + lo)): the one rounding, of e + lo, loses at
// most 2^-53·|e + lo|. Since |lo| ≤ 2^-53|hi| and |e| ≤ 2^-53|s|, that is at most
// 2^-53·(2^-53|s| + 2^-53|hi|), and |s|, |hi| are both at most a little more than
// A, the sum of the magnitudes added so far. So each addition to a coordinate
// loses less than 2^-104·A.
type Sum struct {
	hi, lo []float64
	size   []float64 // Σ |x| over what was added to the coordinate
	count  []float64 // how many were added
	other  float64   // the bounds of sums that were added
}

// NewSum returns n totals of zero.
func NewSum(n int) *Sum {
	return &Sum{
		hi:    make([]float64, n),
		lo:    make([]float64, n),
		size:  make([]float64, n),
		count: make([]float64, n),
	}
}

// Len is the number of totals.
func (s *Sum) Len() int { return len(s.hi) }

// Add adds x to total j.
func (s *Sum) Add(j int, x float64) {
	hi := s.hi[j]
	// TwoSum (Knuth): total + err = hi + x exactly.
	total := hi + x
	back := total - hi
	err := (hi - (total - back)) + (x - back)
	low := s.lo[j] + err
	s.hi[j] = total + low
	s.lo[j] = low - (s.hi[j] - total)
	s.size[j] += math.Abs(x)
	s.count[j]++
}

// AddProduct adds a·b to total j, the product taken exactly.
func (s *Sum) AddProduct(j int, a, b float64) {
	product := a * b
	s.Add(j, product)
	s.Add(j, math.FMA(a, b, -product))
}

// AddSum adds the totals of o, which must have the same length, and their error bounds.
func (s *Sum) AddSum(o *Sum) {
	for j, hi := range o.hi {
		if o.count[j] > 0 {
			s.Add(j, hi)
			s.Add(j, o.lo[j])
		}
	}
	s.other += o.ErrorBound()
}

// State is the whole state of a sum, in 4·Len + 1 numbers. AddState adds it, here or in
// another worker.
func (s *Sum) State() []float64 {
	return append(slices.Concat(s.hi, s.lo, s.size, s.count), s.other)
}

// AddState is AddSum of the sum whose state it is. It panics if that has another
// number of totals.
func (s *Sum) AddState(state []float64) {
	n := s.Len()
	if len(state) != 4*n+1 {
		panic("solve: the state of a sum of other length")
	}
	s.AddSum(
		&Sum{
			hi:    state[:n],
			lo:    state[n : 2*n],
			size:  state[2*n : 3*n],
			count: state[3*n : 4*n],
			other: state[4*n],
		},
	)
}

// Float64s writes the totals, rounded to floats, to dst.
func (s *Sum) Float64s(dst []float64) {
	for j := range dst {
		dst[j] = s.hi[j] + s.lo[j]
	}
}

// ErrorBound returns a bound on the Euclidean norm of all errors made by Add,
// AddProduct and AddSum so far: ‖(count_j·2^-104·size_j)_j‖ by the analysis above,
// doubled for the rounding of size and of the bound itself (size is a sum of
// fewer than 2^50 positive terms), and 2^-1000 for an exact product that
// underflowed; and, by the triangle inequality, the bounds of the sums added. It
// does not include the rounding of Float64s.
func (s *Sum) ErrorBound() float64 {
	total := 0.0
	for j, size := range s.size {
		total += s.count[j] * size
	}
	return total*0x1p-103 + 0x1p-1000 + s.other*(1+0x1p-40)
}
