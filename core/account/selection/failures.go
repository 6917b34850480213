package selection

import (
	"math"

	"cloister/core/privacy"
)

// Failures are the probabilities with which the tests in an event are wrong, added up: the
// event costs
//
//	δ(ε) = Here + e^ε·There + δ_rest(ε).
type Failures struct {
	Here  float64 // under the data set that a pair begins with
	There float64 // under its neighbour
}

// WithoutFailures takes propose-test-release events apart: it returns the probabilities of
// their tests being wrong, rounded up, and the event with each replaced by the composition of
// its test and release. Other events come back as they are.
//
// In a composition, failures of all runs add up, and nothing else does: the union of the bad
// events is set aside once, and what is left is an adaptive composition.
//
// In a selection that runs its base K times, E[K] of them add up under both data sets
// (Redberg's thesis, Algorithm 5, priced anew). Proof: couple the K runs of Q(X) with those
// of a law Q̃ with TV(Q(X), Q̃) ≤ δ₁, under which the bad outputs are replaced by something
// that ignores the data; they differ with probability E[min(1, Kδ₁)] at most, likewise
// for the neighbour; and H_{e^ε}(P‖Q) ≤ H_{e^ε}(P̃‖Q̃) + TV(P, P̃) + e^ε TV(Q, Q̃). ∎
// So a base inside a selection has to state Neighbour; one that does not is left as it is, and
// no method prices it.
func WithoutFailures(event privacy.Event) (Failures, privacy.Event) {
	return withoutFailures(event, false)
}

// up is more than the rounding of the product and the sum of add.
const up = 1 + 0x1p-51

func (f *Failures) add(other Failures, times float64) {
	if other.Here > 0 {
		f.Here = (f.Here + other.Here*times) * up
	}
	if other.There > 0 {
		f.There = (f.There + other.There*times) * up
	}
}

// withoutFailures: selected is whether the event is inside a selection.
func withoutFailures(event privacy.Event, selected bool) (Failures, privacy.Event) {
	var all Failures
	times := 1.0 // that what is inside is run
	switch e := event.(type) {
	case privacy.ProposeTestRelease:
		if selected && e.Failure > 0 && e.Neighbour == 0 {
			return all, event
		}
		all.Here = e.Failure
		if selected {
			all.There = e.Neighbour
		}
		event = e.Composition()
	case privacy.NegativeBinomialSelection:
		selected, times = true, MeanNegativeBinomial(e.Eta, e.Gamma)*(1+0x1p-40)
	case privacy.PoissonSelection:
		selected, times = true, e.Mean
	}
	parts := privacy.Parts(event)
	rest, err := privacy.Rebuild(event, func(i int, inside privacy.Event) (privacy.Event, error) {
		failures, inner := withoutFailures(inside, selected)
		all.add(failures, times*math.Max(0, float64(parts[i].Count)))
		return inner, nil
	})
	if err != nil { // none of ours
		return Failures{Here: 1}, event
	}
	return all, rest
}
