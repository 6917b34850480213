package rdp

import (
	"math"
	"strconv"

	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// mostTerms is how many terms one order of a curve may add up (see [Terms]). A term
// takes some 0.2 to 0.5 µs, and a question looks at about a hundred orders: about 2 s of
// processor time at most. It bounds work and not time, so that what is refused does not
// depend on the machine; and it is looked at before anything is priced.
const mostTerms = 1 << 14

// Terms is about how many terms the curve of an event adds up at one order: one for each
// event inside it, more for those that are sums themselves. An event that is listed
// twice counts twice; the count of a part costs nothing.
func Terms(event privacy.Event) int {
	if base, selects := privacy.Base(event); selects {
		return 4 * Terms(base) // a selection's best orders are sought once more, twice
	}
	total := 1
	for _, part := range privacy.Parts(event) {
		total += Terms(part.Event)
	}
	switch e := event.(type) {
	case privacy.DiscreteLaplace:
		total += min(e.Sensitivity, 10000)
	case privacy.SubsampledGaussian:
		total += 64 + int(math.Min(64, 16/e.NoiseMultiplier))
	}
	return total
}

// integrals is how many terms the curves of objective perturbation are worth beside one
// each, as they are integrals: those of the logistic loss and of smooth ones take 2.6 and
// 1.3 ms of a processor for a question by the closed bounds, and four times that where the
// curve goes through a third data set; by objective.BoundControl 25 ms at
// first, of which nearly all is the nodes.
func (p pricer) integrals(event privacy.Event) int {
	total := 0
	privacy.Walk(event, func(e privacy.Event) {
		perturbation, ok := privacy.ObjectivePerturbation{}, false
		if len(privacy.Parts(e)) == 0 {
			perturbation, ok = privacy.ObjectiveOf(e)
		}
		logistic := perturbation.Loss == privacy.LossLogistic ||
			perturbation.Loss == privacy.LossHinge
		bound, _ := p.resolved(perturbation.Loss)
		terms := 0
		switch {
		case !ok:
		case bound == objective.BoundControl:
			total += mostTerms / 32
		case logistic && (bound == objective.BoundLogistic || bound == objective.BoundHinge):
			terms = 20
		case perturbation.Loss == privacy.LossSmooth || perturbation.Loss == privacy.LossSoftmax:
			terms = 10
		}
		if e.Neighbours() == privacy.ReplaceOne {
			terms *= 4
		}
		total += terms
	})
	return total
}

// checkWork refuses an event whose curve has more than mostTerms terms at one order. One
// mechanism alone, selected or not, is not refused: its terms are within ten times that,
// and cost a quarter of what the like of them in a list do.
func (p pricer) checkWork(event privacy.Event) error {
	mechanisms := 0
	privacy.Walk(event, func(e privacy.Event) {
		if len(privacy.Parts(e)) == 0 {
			mechanisms++
		}
	})
	terms := Terms(event) + p.integrals(event)
	if terms <= mostTerms || mechanisms < 2 {
		return nil
	}
	return &privacy.ParameterError{
		Field: "parts", Value: "a sum of " + strconv.Itoa(terms) + " terms at each Rényi order",
		Want: "one of at most " + strconv.Itoa(mostTerms) +
			": list parts that are the same once, with their count",
	}
}
