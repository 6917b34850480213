package thesis

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/vote"
)

// Figure B.1: one vote between two classes, the gap between them, and δ.
const (
	Gap       = 100
	VoteDelta = 1e-6
)

// Vote is what it costs to name the majority with so small a probability of being wrong.
type Vote struct {
	Wrong   float64
	Laplace float64 // ε of noisy counts (vote.Laplace), whatever the votes are
	Tested  float64 // ε of noisy counts after a test of the gap, which passes in 95 %
	Best    float64 // ε of the best vote (vote.Rule)
}

// Price prices votes with this probability of a wrong answer at the Gap.
//
// The test releases the gap with Laplace noise, and passes where it is above a threshold. Then
// the gap is least at least, but for δ′, and noisy counts cost the ε at which their δ is δ − δ′
// at each gap from least on. Where the test does not pass there is no answer, so it is right only
// in the 95 %; that is the thesis' setting. The noise and δ′ are the best of a grid.
func Price(wrong float64) (Vote, error) {
	found := Vote{Wrong: wrong, Laplace: laplaceFor(wrong)}
	counts := vote.Laplace{Epsilon: found.Laplace}
	found.Tested = math.Inf(1)
	for _, share := range []float64{0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9} {
		failure := share * VoteDelta
		for test := 0.02; test < 2*found.Laplace; test *= 1.02 {
			// P[Lap(1/test) ≥ m] = e^(−test·m)/2.
			least := math.Floor(Gap - (math.Log(0.5/failure)+math.Log(0.5/0.05))/test)
			if least < 1 {
				continue
			}
			release := leastEpsilon(func(epsilon float64) bool {
				return worst(counts, least, epsilon) <= math.Log(VoteDelta-failure)
			}, found.Laplace)
			found.Tested = math.Min(found.Tested, test+release)
		}
	}
	var err error
	found.Best = leastEpsilon(func(epsilon float64) bool {
		rule, failed := vote.NewRule(vote.OneVoter, privacy.AddRemove, epsilon, VoteDelta)
		if failed != nil {
			err = failed
			return true
		}
		return rule.Wrong(Gap) <= wrong
	}, found.Laplace)
	return found, err
}

// laplaceFor is the ε₀ of noisy counts that are wrong with this probability at the Gap.
func laplaceFor(wrong float64) float64 {
	return leastEpsilon(func(epsilon float64) bool {
		return vote.Laplace{Epsilon: epsilon}.LogWrong(Gap) <= math.Log(wrong)
	}, 10)
}

// worst is the largest log δ(ε) of noisy counts at gaps from least on. It does not always fall
// with the gap; but δ is at most the chances of being wrong at two neighbouring gaps together,
// which do.
func worst(counts vote.Laplace, least, epsilon float64) float64 {
	most := math.Inf(-1)
	for gap := least; ; gap++ {
		if cap := math.Ln2 + counts.LogWrong(gap-1); cap <= most || cap < math.Log(VoteDelta)-30 {
			return most
		}
		most = math.Max(most, counts.LogDelta(gap, epsilon))
	}
}

// leastEpsilon bisects for the least ε that will do, when all above it do.
func leastEpsilon(enough func(epsilon float64) bool, most float64) float64 {
	low, high := 0.0, most
	for range 40 {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
