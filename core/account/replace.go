package account

import (
	"math"

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
	pair Pair
	same bool // the two directions share one profile, so that both ways cost the same
}

func (replaceOne) Adjacency() privacy.Adjacency { return privacy.ReplaceOne }

func (r replaceOne) LogDeltaUpper(epsilon float64) float64 {
	if math.IsNaN(epsilon) {
		return 0
	}
	best := 0.0
	orders := [2][2]Profile{{r.pair.Added, r.pair.Removed}, {r.pair.Removed, r.pair.Added}}
	for i, order := range orders {
		if i == 1 && r.same {
			break
		}
		through := func(first float64) float64 {
			return special.LogAddExp(
				order[0].LogDeltaUpper(first),
				first+order[1].LogDeltaUpper(lowered(epsilon, first)))
		}
		span := 1 + math.Abs(epsilon)
		low, high := math.Min(0, epsilon)-span/2, math.Max(0, epsilon)+span/2
		least := math.Inf(1)
		if r.same {
			// A least of several bounds need not be convex: look around first.
			const parts = 10
			step := (high - low) / parts
			where := low
			for k := 0.0; k <= parts; k++ {
				if value := through(low + k*step); value < least {
					where, least = low+k*step, value
				}
			}
			low, high = where-step, where+step
		}
		// Otherwise δ(ε₁) and e^{ε₁}δ(ε − ε₁) are both convex in e^{ε₁}, as
		// integrals of [p − e^{ε₁}q]₊ and [e^{ε₁}p − e^ε q]₊: there is one minimum.
		_, value := special.Minimum(through, low, high, 1e-6*span)
		least = math.Min(least, value)
		best = math.Min(best, least)
	}
	return roundUp(best)
}
