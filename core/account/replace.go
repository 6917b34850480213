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
		// A rough scan first: the sum of two convex-looking terms has flat
		// stretches where δ is near 1.
		where, least := low, math.Inf(1)
		const parts = 10
		step := (high - low) / parts
		for k := 0.0; k <= parts; k++ {
			if value := through(low + k*step); value < least {
				where, least = low+k*step, value
			}
		}
		if _, value := special.Minimum(through, where-step, where+step, 1e-9*span); value < least {
			least = value
		}
		best = math.Min(best, least)
	}
	return roundUp(best)
}
