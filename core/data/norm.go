package data

import "math"

// RowScale is by what every row is multiplied under the rule Scale.
//
// A number adds at most 1 to the square of a row's norm, a category 1, and a number whose
// missing values have a column of their own at most 1/4 + 1. L, the sum of these, is exact.
// The factor fl((1−μ)/fl(√L)) with μ = (m+8)u, m the number of features, and the rounding of
// each product leave a norm of at most (1−μ)(1+u)²/(1−u) < 1, u = 2^-53; see bound.
func (s *Schema) RowScale() float64 {
	longest := 0.0
	for k := range s.Features {
		longest++
		if f := &s.Features[k]; f.Type == Numeric && f.Missing.Action == Indicate {
			longest += middle * middle
		}
	}
	if longest == 0 {
		return 1
	}
	return (1 - (float64(len(s.Features))+8)*0x1p-53) / math.Sqrt(longest)
}

// bound scales a row's entries, all of them in (0, 1], by the rule norm, such
// that their exact Euclidean norm is at most 1. Entries that become 0 by
// underflow stay in place.
//
// Why the margin suffices. Let m be the number of entries, S the exact sum of
// their squares, u = 2^-53. The computed sum s satisfies s ≥ S(1−u)^m, for
// each term is rounded at most m times; what squares lose by underflow is
// below m·2^-1074. Every entry is then multiplied by fl((1−μ)/fl(√s)), which
// with the rounding of the root, the quotient and the product leaves a norm of
// at most (1−μ)(1+u)²/(1−u)^{m/2+1} ≤ (1−μ)(1 + (m/2+4)u) for m·u < 2^-10.
// With μ = (m+8)u that is below 1, by more than the underflow of products can
// add.
// A row is left alone only if s ≤ 1 − (m+2)u, hence S ≤ s/(1−u)^m ≤ 1, or if it
// has one entry.
func bound(entries []float64, norm Norm) {
	switch len(entries) {
	case 0:
		return
	case 1:
		if norm == Unit {
			entries[0] = 1
		}
		return
	}
	const u = 0x1p-53
	s := sumOfSquares(entries)
	m := float64(len(entries))
	if norm == Clip && s <= 1-(m+2)*u {
		return
	}
	if s < 0x1p-900 {
		// Squares near underflow: scale up first, which is exact.
		for i := range entries {
			entries[i] *= 0x1p+600
		}
		s = sumOfSquares(entries)
	}
	factor := (1 - (m+8)*u) / math.Sqrt(s)
	for i := range entries {
		entries[i] *= factor
	}
}

func sumOfSquares(entries []float64) float64 {
	s := 0.0
	for _, v := range entries {
		s += v * v
	}
	return s
}
