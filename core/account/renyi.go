package account

import "math"

// A bound r on the Rényi divergence D_α at one order α > 1 implies (ε, δ) for
// every ε; these are the conversions at one order. All are true statements at
// any order, so minimising over orders, however roughly, stays an upper bound.

// LogDeltaAtOrder returns log δ with
//
//	δ = e^{(α−1)(r−ε)} (1 − 1/α)^{α−1} / α,
//
// which bounds the hockey-stick divergence H_{e^ε} of any pair with D_α ≤ r
// (Canonne, Kamath & Steinke 2020, Proposition 12; Balle et al. 2020, Theorem
// 21). r and ε are in nats; the result is ≤ 0.
func LogDeltaAtOrder(alpha, r, epsilon float64) float64 {
	return math.Min(0, (alpha-1)*(r-epsilon+math.Log1p(-1/alpha))-math.Log(alpha))
}

// EpsilonAtOrder is the same statement solved for ε, clipped at 0:
//
//	ε = r + log(1 − 1/α) − (log δ + log α)/(α−1).
func EpsilonAtOrder(alpha, r, logDelta float64) float64 {
	return math.Max(0, r+math.Log1p(-1/alpha)-(logDelta+math.Log(alpha))/(alpha-1))
}

// ClassicLogDeltaAtOrder returns log δ = (α−1)(r−ε), clipped at 0: Mironov's
// 2017 conversion (Proposition 3), never sharper than LogDeltaAtOrder and kept
// for comparison.
func ClassicLogDeltaAtOrder(alpha, r, epsilon float64) float64 {
	return math.Min(0, (alpha-1)*(r-epsilon))
}

// ClassicEpsilonAtOrder is ClassicLogDeltaAtOrder solved for ε, clipped at 0:
// ε = r − log(δ)/(α−1).
func ClassicEpsilonAtOrder(alpha, r, logDelta float64) float64 {
	return math.Max(0, r-logDelta/(alpha-1))
}

// LogDeltaFromRenyi returns the smallest LogDeltaAtOrder over real orders
// α > 1, where renyi(α) bounds D_α in nats (+Inf where there is no bound). The
// search is numerical; whatever it finds is an upper bound on log δ.
func LogDeltaFromRenyi(renyi func(alpha float64) float64, epsilon float64) float64 {
	return BestOrder(func(alpha float64) float64 {
		return LogDeltaAtOrder(alpha, renyi(alpha), epsilon)
	})
}

// EpsilonFromRenyi returns the smallest EpsilonAtOrder over real orders α > 1:
// an ε ≥ 0 for which (ε, e^logDelta)-DP holds, +Inf if renyi has no finite
// value.
func EpsilonFromRenyi(renyi func(alpha float64) float64, logDelta float64) float64 {
	return BestOrder(func(alpha float64) float64 {
		return EpsilonAtOrder(alpha, renyi(alpha), logDelta)
	})
}

// BestOrder returns the smallest value of objective found over orders α > 1: a
// scan of log(α−1) from 1e-6 to 1e8, then golden section around its best
// point. NaN counts as +Inf. The objective of a conversion has one minimum for
// the curves that occur; where it had more, the result would be one of them.
func BestOrder(objective func(alpha float64) float64) float64 {
	const (
		lowest  = -14.0 // log(α−1)
		highest = 18.5
		step    = 0.5
		golden  = 0.6180339887498949
	)
	at := func(x float64) float64 {
		value := objective(1 + math.Exp(x))
		if math.IsNaN(value) {
			return math.Inf(1)
		}
		return value
	}
	best, where := math.Inf(1), lowest
	for x := lowest; x <= highest; x += step {
		if value := at(x); value < best {
			best, where = value, x
		}
	}
	if math.IsInf(best, 1) {
		return best
	}
	a, b := where-step, where+step
	c, d := b-golden*(b-a), a+golden*(b-a)
	left, right := at(c), at(d)
	for b-a > 1e-8 {
		best = math.Min(best, math.Min(left, right))
		if left <= right {
			b, d, right = d, c, left
			c = b - golden*(b-a)
			left = at(c)
		} else {
			a, c, left = c, d, right
			d = a + golden*(b-a)
			right = at(d)
		}
	}
	return math.Min(best, math.Min(left, right))
}
