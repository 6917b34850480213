package random

import (
	"math"
	"strconv"
)

// LatticeCentre draws the noise of the proximal centre on the points
// {−bound, …, bound}^dimension, exactly: a weight R with
//
//	P[R] ∝ q^R·(4·bound·R + 1)^dimension,   q = e^(−epsilon/shift),   R = 0, 1, …,
//
// and, given R, a vector y uniform on {−2·bound·R, …, 2·bound·R}^dimension.
// (R, y) is then a point of a cone of lattice points with mass ∝ q^R
// (nonconvex §4).
//
// A LatticeCentre keeps no state; it may be used by several goroutines if the
// source may.
type LatticeCentre struct {
	step      *Geometric
	dimension int
	bound     uint64
}

// minCentreRate is the least epsilon/shift: weights then stay below 2^40 but for
// a probability below 2^-600.
const minCentreRate = 0x1p-30

// NewLatticeCentre prepares draws with q = e^(−epsilon/shift): epsilon is taken
// for the binary fraction that it is. The quotient must be at least 2^-30 and at
// most 1/dimension, so that weights are refused at most half of the time; the
// dimension is from 1 to 64 and bound from 1 to 2^16. Anything else is a
// *ParameterError.
func NewLatticeCentre(epsilon float64, shift uint64, dimension, bound int) (*LatticeCentre, error) {
	if dimension < 1 || dimension > 64 {
		return nil, &ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(dimension),
			Want:  "from 1 to 64",
		}
	}
	if bound < 1 || bound > 1<<16 {
		return nil, &ParameterError{
			Field: "bound",
			Value: strconv.Itoa(bound),
			Want:  "from 1 to 2^16",
		}
	}
	step, err := NewGeometric(epsilon, shift)
	if err != nil {
		return nil, err
	}
	if step.rate < minCentreRate || step.rate*float64(dimension) > 1 {
		return nil, &ParameterError{
			Field: "epsilon", Value: number(epsilon),
			Want: "from 2^-30 times shift to shift/dimension, with shift " + strconv.FormatUint(
				shift, 10,
			),
		}
	}
	return &LatticeCentre{step, dimension, uint64(bound)}, nil
}

// Largest is a bound that a weight exceeds with probability below 2^-200. It
// depends on public numbers alone, and so may decide whether there is room.
//
// Proof. R is a sum of d + 1 geometric numbers given that it is kept. The sum
// exceeds x with probability at most q^(x/2)·E q^(−sum/2) =
// q^(x/2)·(1 + √q)^(d+1) ≤ q^(x/2)·2^(d+1). It is kept with probability at
// least that of the sum 0 and of its acceptance, (1 − q)^(d+1)/((4B)^d·d!). The
// quotient of the two is 2^-200 at the bound. ∎
func (l *LatticeCentre) Largest() int64 {
	d := float64(l.dimension)
	refused, _ := math.Lgamma(d + 1)
	refused += d*math.Log(4*float64(l.bound)) - (d+1)*math.Log(-math.Expm1(-l.step.rate))
	return int64(math.Ceil(2 / l.step.rate * (refused + (d+1+201)*math.Ln2)))
}

// Draw draws the weight, and the vector into centre, whose length must be the
// dimension: Draw panics otherwise. An error means that nothing was drawn.
//
// The weight is proposed as a sum of dimension + 1 geometric numbers, whose mass
// is ∝ q^R·Π_{j≤d} (R + j), and kept with probability
// Π_j (4BR + 1)/(4B(R + j)), one uniform whole number a factor; no factor is
// above 1, and what is left is ∝ q^R (4BR + 1)^d.
func (l *LatticeCentre) Draw(src Source, centre []int64) (weight int64, err error) {
	if len(centre) != l.dimension {
		panic("random: the centre has another dimension")
	}
	for range maxAttempts {
		sum := uint64(0)
		for range l.dimension + 1 {
			k, err := l.step.Maximum(src, 1)
			if err != nil {
				return 0, err
			}
			sum += uint64(k)
		}
		keep, err := l.keeps(src, sum)
		if err != nil {
			return 0, err
		}
		if !keep {
			continue
		}
		for j := range centre {
			y, err := belowAny(src, 4*l.bound*sum+1)
			if err != nil {
				return 0, err
			}
			centre[j] = int64(y) - int64(2*l.bound*sum)
		}
		return int64(sum), nil
	}
	return 0, ErrStuck
}

func (l *LatticeCentre) keeps(src Source, sum uint64) (bool, error) {
	if sum > 1<<40 {
		return false, ErrStuck
	}
	for j := range uint64(l.dimension) {
		x, err := belowAny(src, 4*l.bound*(sum+j+1))
		if err != nil || x > 4*l.bound*sum {
			return false, err
		}
	}
	return true, nil
}
