package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
	"cloister/core/special"
)

// replaceOne is a Curve under replace-one from the two directions of
// add/remove (theory §4.5). Between Z ∪ {z} and Z ∪ {z'} lie Z and Z ∪ {z, z'}:
//
//	δ(ε) ≤ δ_added(ε₁) + e^{ε₁} δ_removed(ε − ε₁)     through Z,
//	δ(ε) ≤ δ_removed(ε₁) + e^{ε₁} δ_added(ε − ε₁)     through Z ∪ {z, z'},
//
// for any ε₁. The smaller of the two is returned, each with ε₁ chosen
// numerically; any choice is a true bound.
type replaceOne struct {
	pair  curve.Pair
	guide curve.Pair // by which ε₁ is chosen: pair, or a bound that takes less time
	other bool       // whether the guide is not the pair
	same  bool       // the two directions share one profile, so that both ways cost the same
}

func (replaceOne) Adjacency() privacy.Adjacency { return privacy.ReplaceOne }

func (r replaceOne) LogDeltaUpper(epsilon float64) float64 {
	if math.IsNaN(epsilon) {
		return 0
	}
	best := 0.0
	orders := func(p curve.Pair) [2][2]curve.Profile {
		return [2][2]curve.Profile{{p.Added, p.Removed}, {p.Removed, p.Added}}
	}
	through := func(order [2]curve.Profile, first float64) float64 {
		return special.LogAddExp(
			order[0].LogDeltaUpper(first),
			first+order[1].LogDeltaUpper(curve.Lowered(epsilon, first)))
	}
	for i, order := range orders(r.guide) {
		if i == 1 && r.same {
			break
		}
		guided := func(first float64) float64 { return through(order, first) }
		span := 1 + math.Abs(epsilon)
		low, high := math.Min(0, epsilon)-span/2, math.Max(0, epsilon)+span/2
		least := math.Inf(1)
		if r.same {
			// A least of several bounds need not be convex: look around first.
			const parts = 10
			step := (high - low) / parts
			where := low
			for k := 0.0; k <= parts; k++ {
				if value := guided(low + k*step); value < least {
					where, least = low+k*step, value
				}
			}
			low, high = where-step, where+step
		}
		// Otherwise δ(ε₁) and e^{ε₁}δ(ε − ε₁) are both convex in e^{ε₁}, as
		// integrals of [p − e^{ε₁}q]₊ and [e^{ε₁}p − e^ε q]₊: there is one minimum.
		first, value := special.Minimum(guided, low, high, 1e-6*span)
		if r.other {
			value = math.Min(value, through(orders(r.pair)[i], first))
		}
		// Min passes a NaN on, and RoundUp makes δ = 1 of it.
		best = math.Min(best, math.Min(least, value))
	}
	return curve.RoundUp(best)
}

// renyiBetween bounds D_α under replace-one by the two directions of add/remove,
// through Z or through Z ∪ {z, z'}, whichever is smaller. For any R between P
// and Q, and any p > 1 with 1/p + 1/q = 1, Hölder's inequality for
// E_R[(P/R)^α (R/Q)^{α−1}] gives (Mironov 2017, Proposition 11, is p = 2)
//
//	D_α(P‖Q) ≤ (α−1/p)/(α−1)·D_{pα}(P‖R) + D_{q(α−1)+1}(R‖Q),
//
// and p = 2 − 1/α makes of it
//
//	D_α(P‖Q) ≤ 2α/(2α−1)·D_{2α−1}(P‖R) + D_{2α}(R‖Q),
//
// which for two Gaussian mechanisms of ratio μ is the divergence 2αμ² of the one of
// ratio 2μ that they are together: nothing is lost.
func renyiBetween(added, removed func(alpha float64) float64) func(alpha float64) float64 {
	return func(alpha float64) float64 {
		share := 2 * alpha / (2*alpha - 1)
		throughBelow := share*added(2*alpha-1) + removed(2*alpha)
		throughAbove := share*removed(2*alpha-1) + added(2*alpha)
		return math.Min(throughBelow, throughAbove) // NaN if either is, which is no bound
	}
}
