package posterior

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Bound is what a sample costs, one record added or removed, where for every data set the
// leverages are at most Leverage and a = √(γ·Leverage)·ē at most Shift, ē a bound on the
// residuals. It is a curve.Curve.
type Bound struct {
	Leverage float64 // x, from 0 to 1
	Shift    float64 // a
}

// Adjacency is AddRemove.
func (Bound) Adjacency() privacy.Adjacency { return privacy.AddRemove }

// LogDeltaUpper implements curve.Profile: the larger of the pairs of κ = x and κ = −x. For
// ε < 0 it is 1 − e^ε + e^ε δ(−ε), of the pair with its sides exchanged, which is the other
// direction at the neighbour.
func (b Bound) LogDeltaUpper(epsilon float64) float64 {
	switch {
	case math.IsNaN(epsilon) || !(b.Leverage >= 0 && b.Leverage <= 1):
		return 0
	case epsilon < 0:
		return curve.RoundUp(special.LogAddExp(
			special.Log1mExp(epsilon), epsilon+b.LogDeltaUpper(-epsilon)))
	}
	if b.Leverage == 1 { // a leverage within is below 1, and its limit is reached
		return 0
	}
	return math.Max(
		Pair{b.Leverage, b.Shift}.LogDeltaUpper(epsilon),
		Pair{-b.Leverage, b.Shift}.LogDeltaUpper(epsilon),
	)
}

// Renyi is the larger of the two divergences of order alpha > 1.
func (b Bound) Renyi(alpha float64) float64 {
	return math.Max(
		Pair{b.Leverage, b.Shift}.Renyi(alpha), Pair{-b.Leverage, b.Shift}.Renyi(alpha))
}

// Shift returns the largest a, from below, with which leverages of at most x have
// (ε, δ)-DP, one record added or removed; 0 and false if none above 0 has. δ is below 1 and
// epsilon 0 or more.
func Shift(epsilon, delta, x float64) (a float64, ok bool) {
	return most(x, math.Log(delta)*(1+0x1p-50), func(b Bound) float64 {
		return b.LogDeltaUpper(epsilon)
	})
}

// ShiftReplaced is Shift for one record replaced. Z is left for Z∖z and that for
// Z∖z ∪ z′, so that (ptr.md §2.5)
//
//	δ(ε) ≤ δ₁(ε₁) + e^{ε₁}δ₂(ε − ε₁),   0 ≤ ε₁ ≤ ε,
//
// δ₁ and δ₂ those of one record added or removed. ē bounds the residuals of every data set of
// n records; with the record left out its residual is e(1+h′), h′ its leverage there, so that
// the second step has a(1+x).
func ShiftReplaced(epsilon, delta, x float64) (a float64, ok bool) {
	return most(x, math.Log(delta)*(1+0x1p-50), func(b Bound) float64 {
		return b.logReplaced(epsilon)
	})
}

// Replaced reports whether it is (ε, δ)-DP, one record replaced: see ShiftReplaced.
func (b Bound) Replaced(epsilon, delta float64) bool {
	return b.logReplaced(epsilon) <= math.Log(delta)*(1+0x1p-50)
}

// splits is how many ε₁ are tried.
const splits = 16

func (b Bound) logReplaced(epsilon float64) float64 {
	least := 0.0
	for k := range splits + 1 {
		first := epsilon * float64(k) / splits
		least = math.Min(least, special.LogAddExp(
			Pair{-b.Leverage, b.Shift}.LogDeltaUpper(first),
			first+Pair{b.Leverage, b.Shift * (1 + b.Leverage)}.
				LogDeltaUpper((epsilon-first)*(1-0x1p-50))))
	}
	return math.Min(0, curve.RoundUp(least))
}

func most(x, logDelta float64, price func(Bound) float64) (a float64, ok bool) {
	if !(x >= 0 && x < 1) || math.IsNaN(logDelta) {
		return 0, false
	}
	enough := func(a float64) bool { return price(Bound{x, a}) <= logDelta }
	low, high := 0x1p-60, 0x1p-60
	if !enough(low) {
		return 0, false
	}
	for ; enough(high); high *= 4 {
		if high > 1e9 {
			return low, true
		}
		low = high
	}
	for high-low > 1e-12*high {
		if middle := low + (high-low)/2; enough(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low, true
}

// ShiftAtOrder returns the largest a, from below, with which leverages of at most x have
// Rényi divergence r of order alpha,
//
//	a² = min_{κ=±x} 2(1+κ)(1−(α−1)κ)/α·[r + ½log(1+κ) + log(1−(α−1)κ)/(2(α−1))];
//
// 0 and false if none above 0 has, as where (α−1)x ≥ 1: x is too large.
func ShiftAtOrder(alpha, r, x float64) (a float64, ok bool) {
	if !(alpha > 1 && r > 0 && x >= 0 && x < 1 && 1-(alpha-1)*x > 0x1p-30) {
		return 0, false
	}
	square := math.Inf(1)
	for _, kappa := range []float64{x, -x} {
		left := 1 - (alpha-1)*kappa
		own, other := math.Log1p(kappa)/2, math.Log1p(-(alpha-1)*kappa)/(2*(alpha-1))
		slack := (1 + (alpha-1)*x) / left
		rest := r + own + other - 0x1p-46*(r+math.Abs(own)+math.Abs(other)*slack+x*slack)
		square = math.Min(square, 2*(1+kappa)*left/alpha*rest*(1-0x1p-46*slack))
	}
	if !(square > 0) {
		return 0, false
	}
	return math.Sqrt(square) * (1 - 0x1p-46), true
}

// OrderBudget chooses the order α at which a sample is priced beside Gaussian mechanisms of
// ratio mu in all: the one with the largest r/α, r what (ε, δ) leaves to the sample,
//
//	r = ε − μ²α/2 − log(1−1/α) + log(αδ)/(α−1)
//
// (the conversion of Canonne, Kamath & Steinke 2020). No data come into it. Of failure
// probabilities δ is free already. False if no order leaves anything.
func OrderBudget(epsilon, delta, mu float64) (alpha, r float64, ok bool) {
	left := func(alpha float64) float64 {
		s := alpha - 1
		return epsilon - mu*mu*alpha/2 + math.Log1p(1/s) + (math.Log(alpha)+math.Log(delta))/s
	}
	best := math.Inf(1)
	for k := 0; k < 160; k++ {
		s := math.Exp(float64(k)*0.2 - 12)
		if v := -left(1+s) / (1 + s); v < best {
			best, alpha = v, 1+s
		}
	}
	x, v := special.Minimum(func(x float64) float64 {
		return -left(1+math.Exp(x)) / (1 + math.Exp(x))
	}, math.Log(alpha-1)-0.2, math.Log(alpha-1)+0.2, 1e-9)
	if v < best {
		alpha = 1 + math.Exp(x)
	}
	// Down by more than the terms' rounding, here and where it is priced.
	r = left(alpha) - 0x1p-34*(epsilon+mu*mu*alpha+(math.Abs(math.Log(delta))+1)/(alpha-1))
	return alpha, r, r > 0
}
