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
	near  bool       // whether the guide is near the pair, but no bound
	same  bool       // the two directions share one profile, so that both ways cost the same
	mu    float64    // of a Gaussian mechanism that costs about as much, or 0
}

func (replaceOne) Adjacency() privacy.Adjacency { return privacy.ReplaceOne }

func (r replaceOne) LogDeltaUpper(epsilon float64) float64 {
	if math.IsNaN(epsilon) {
		return 0
	}
	best := 0.0
	for _, order := range r.orders() {
		first, value := r.split(order, epsilon)
		if r.near {
			value = 0
		}
		if r.other {
			value = math.Min(value, order.of(r.pair).through(epsilon, first))
		}
		best = math.Min(best, value) // passes a NaN on, and RoundUp makes δ = 1 of it
	}
	return curve.RoundUp(best)
}

// Guess implements curve.Guessed.
func (r replaceOne) Guess(logDelta float64) float64 {
	if r.mu == 0 {
		return 0
	}
	return gaussianEpsilon(logDelta, r.mu)
}

// order is a way from one data set to the other: through Z, or through Z ∪ {z, z'}.
type order bool

const throughBelow, throughAbove order = false, true

// orders are the ways to try.
func (r replaceOne) orders() []order {
	if r.same {
		return []order{throughBelow}
	}
	return []order{throughBelow, throughAbove}
}

// steps are the profiles of the two steps of a way, in their order.
type steps [2]curve.Profile

func (o order) of(p curve.Pair) steps {
	if o == throughAbove {
		return steps{p.Removed, p.Added}
	}
	return steps{p.Added, p.Removed}
}

// through is the bound by one ε₁, which is first.
func (s steps) through(epsilon, first float64) float64 {
	return special.LogAddExp(
		s[0].LogDeltaUpper(first),
		first+s[1].LogDeltaUpper(curve.Lowered(epsilon, first)))
}

// split seeks the best ε₁ of one way by the guide, and returns the guide's bound there.
func (r replaceOne) split(o order, epsilon float64) (first, value float64) {
	guided := func(first float64) float64 { return o.of(r.guide).through(epsilon, first) }
	span := 1 + math.Abs(epsilon)
	low, high := math.Min(0, epsilon)-span/2, math.Max(0, epsilon)+span/2
	where, least := low, math.Inf(1)
	if r.same {
		// A least of several bounds need not be convex: look around first.
		const parts = 10
		step := (high - low) / parts
		for k := 0.0; k <= parts; k++ {
			if value := guided(low + k*step); value < least {
				where, least = low+k*step, value
			}
		}
		low, high = where-step, where+step
	}
	// Otherwise δ(ε₁) and e^{ε₁}δ(ε − ε₁) are both convex in e^{ε₁}, as
	// integrals of [p − e^{ε₁}q]₊ and [e^{ε₁}p − e^ε q]₊: there is one minimum.
	first, value = special.Minimum(guided, low, high, 1e-6*span)
	if least < value {
		return where, least
	}
	return first, value
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
