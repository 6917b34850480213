package curve

import (
	"math"

	"cloister/core/special"
)

// A bound r on the Rényi divergence D_α at one order α > 1 implies (ε, δ) for
// every ε; these are the conversions at one order. All are true statements at
// any order, so minimising over orders, however roughly, stays an upper bound.
//
// Each is rounded up by more than its own rounding errors. With s = α − 1, c =
// −log(1 − 1/α) and u = 2^-53, to first order:
//
//   - s is exact for α ≤ 2^53, and off by u of itself above.
//   - c is log1p(1/s). The quotient is off by u of itself, which moves log1p by no
//     more of itself; log1p adds a unit in the last place, 2u. Together 3u·c.
//     (Of log1p(−1/α) the error has no such bound: 1/α loses the digits of s.)
//   - log α is off by a unit in the last place, 2u of itself. So may log δ be, where
//     the caller has it from math.Log.
//   - Each sum, product and quotient is off by u of itself.
//
// With the last sum, which adds the allowance, that comes to at most
//
//	3u·r + 7u·c + 7u(|log δ| + log α)/s   in ε = r − c − (log δ + log α)/s,
//	6u·s|r − ε| + 8u·s·c + 4u·log α       in log δ = s(r − ε − c) − log α.
//
// The allowance is orderSlack = 32u of the same magnitudes.
const orderSlack = 0x1p-48

// logComplement returns −log(1 − 1/α), accurate next to α = 1 too.
func logComplement(alpha float64) float64 { return math.Log1p(1 / (alpha - 1)) }

// LogDeltaAtOrder returns log δ, rounded up, with
//
//	δ = e^{(α−1)(r−ε)} (1 − 1/α)^{α−1} / α,
//
// which bounds the hockey-stick divergence H_{e^ε} of any pair with D_α ≤ r
// (Canonne, Kamath & Steinke 2020, Proposition 12; Balle et al. 2020, Theorem
// 21). r and ε are in nats; the result is ≤ 0.
func LogDeltaAtOrder(alpha, r, epsilon float64) float64 {
	s, c, log := alpha-1, logComplement(alpha), math.Log(alpha)
	return leastLogDelta(s*(r-epsilon-c)-log, s*(math.Abs(r-epsilon)+c)+log)
}

// leastLogDelta passes a conversion's log δ on, rounded up by orderSlack of the sum of
// its terms' magnitudes. Of finite r and ε it may come to less than −MaxFloat64, which
// is then as true, and with r or ε NaN it is no bound.
func leastLogDelta(computed, terms float64) float64 {
	if math.IsInf(computed, -1) {
		return -math.MaxFloat64
	}
	return CertifiedLogDelta(computed + orderSlack*terms)
}

// EpsilonAtOrder is the same statement solved for ε, rounded up and clipped at 0:
//
//	ε = r + log(1 − 1/α) − (log δ + log α)/(α−1).
func EpsilonAtOrder(alpha, r, logDelta float64) float64 {
	s, c, log := alpha-1, logComplement(alpha), math.Log(alpha)
	return leastEpsilon(r-c-(logDelta+log)/s, math.Abs(r)+c+(math.Abs(logDelta)+log)/s)
}

// leastEpsilon is leastLogDelta for a conversion's ε, clipped at 0.
func leastEpsilon(computed, terms float64) float64 {
	return CertifiedEpsilon(math.Max(0, computed+orderSlack*terms))
}

// ClassicLogDeltaAtOrder returns log δ = (α−1)(r−ε), rounded up and clipped at 0:
// Mironov's 2017 conversion (Proposition 3), less sharp than LogDeltaAtOrder and
// kept for comparison.
func ClassicLogDeltaAtOrder(alpha, r, epsilon float64) float64 {
	computed := (alpha - 1) * (r - epsilon)
	return leastLogDelta(computed, math.Abs(computed))
}

// ClassicEpsilonAtOrder is ClassicLogDeltaAtOrder solved for ε, rounded up and clipped
// at 0: ε = r − log(δ)/(α−1).
func ClassicEpsilonAtOrder(alpha, r, logDelta float64) float64 {
	share := logDelta / (alpha - 1)
	return leastEpsilon(r-share, math.Abs(r)+math.Abs(share))
}

// LogDeltaFromRenyi returns the smallest LogDeltaAtOrder over real orders
// α > 1, where renyi(α) bounds D_α in nats (+Inf where there is no bound). The
// search is numerical; whatever it finds is an upper bound on log δ.
func LogDeltaFromRenyi(renyi func(alpha float64) float64, epsilon float64) float64 {
	return CertifiedLogDelta(BestOrder(func(alpha float64) float64 {
		return LogDeltaAtOrder(alpha, CertifiedRenyi(renyi(alpha)), epsilon)
	}))
}

// EpsilonFromRenyi returns the smallest EpsilonAtOrder over real orders α > 1:
// an ε ≥ 0 for which (ε, e^logDelta)-DP holds, +Inf if renyi has no finite
// value.
func EpsilonFromRenyi(renyi func(alpha float64) float64, logDelta float64) float64 {
	return CertifiedEpsilon(BestOrder(func(alpha float64) float64 {
		return EpsilonAtOrder(alpha, CertifiedRenyi(renyi(alpha)), logDelta)
	}))
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
		rounds  = 39 // of golden section: until the interval is no longer than 1e-8
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
	_, value := special.GoldenSection(at, where-step, where+step, rounds)
	return math.Min(best, value)
}
