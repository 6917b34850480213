package goe

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// SmallestTail is the least tail probability that Quantile takes.
const SmallestTail = 1e-30

// Quantile returns the least t with P[λ₁ > t] ≤ tail, 0 < tail ≤ 1/2, to a relative
// 1e-7 on the safe side: the computed tail at t is below tail by a relative 1e-7, a
// hundred times its own error. tail outside [SmallestTail, 1/2] is a
// *privacy.ParameterError.
func (l *Largest) Quantile(tail float64) (float64, error) {
	high, err := TailBound(l.d, tail)
	if err != nil {
		return 0, err
	}
	f := func(x float64) float64 { return math.Log(l.Survival(x)) - math.Log(tail) + 1e-7 }
	low := 2*math.Sqrt(float64(l.d)) - 3 // below the median, which is near 2√d − 1.3/d^(1/6)
	if l.d == 1 {
		low = -1
	}
	t, err := special.ConservativeRoot(f, low, high, 1e-8)
	if err != nil {
		return high, nil // which holds whatever went wrong
	}
	return t, nil
}

// TailBound returns a t with P[λ₁ > t] ≤ tail for any d ≥ 1,
//
//	t = 2√d + 2√log(1/tail).
//
// Proof. λ₁ = sup uᵀMu over unit vectors is a Gaussian process with
// E(uᵀMu − vᵀMv)² = 2‖uuᵀ − vvᵀ‖²_F = 4(1 − (uᵀv)²) ≤ 8(1 − uᵀv) = E(2gᵀu − 2gᵀv)²,
// g ~ N(0, I), so by Sudakov and Fernique E λ₁ ≤ 2E‖g‖ ≤ 2√d. As a function of
// the independent standard normals that M is made of, λ₁ has gradient of norm²
// 2Σuᵢ⁴ + 4Σ_{i<j}uᵢ²uⱼ² = 2: it is √2-Lipschitz, and exceeds its mean by √2·s
// with probability at most e^{−s²/2}. ∎
func TailBound(d int, tail float64) (float64, error) {
	if !(tail >= SmallestTail && tail <= 0.5) {
		return 0, &privacy.ParameterError{
			Field: "tail",
			Value: privacy.Number(tail),
			Want:  "from 1e-30 to 0.5",
		}
	}
	return (2*math.Sqrt(float64(d)) + 2*math.Sqrt(-math.Log(tail))) * (1 + 0x1p-50), nil
}

// QuantileUpper is Quantile for d up to MaxDimension, and TailBound beyond.
func QuantileUpper(d int, tail float64) (float64, error) {
	if d > MaxDimension {
		return TailBound(d, tail)
	}
	l, err := NewLargest(d)
	if err != nil {
		return 0, err
	}
	return l.Quantile(tail)
}
