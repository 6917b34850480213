package api_test

import (
	"fmt"
	"math"
	"slices"

	"cloister/core/learn"
	"cloister/core/privacy"
)

// paid says what an event pays for of a model's coefficients, written down apart from Verify.
type paid struct {
	square  float64 // Σ μ², μ the least that a record's part can be in units of its noise
	vectors int     // mechanisms that give some out
	extra   int     // events that are none, and cost something
	chance  float64 // at least, that there is a run
	outside bool    // of any selection
	bad     string  // what is wrong with one
}

// pruned is an event without what is not run.
func pruned(event privacy.Event) privacy.Event {
	if all, is := event.(privacy.Composition); is {
		all.Parts = slices.DeleteFunc(slices.Clone(all.Parts), func(part privacy.Part) bool {
			return part.Count == 0
		})
		event = all
	}
	out, _ := privacy.Rebuild(event, func(_ int, inside privacy.Event) (privacy.Event, error) {
		return pruned(inside), nil
	})
	return out
}

// payments are those of an event, which may be inside a selection.
func payments(r *learn.Release, event privacy.Event, inside bool) paid {
	m := r.Model
	length := math.Min(m.Clip, r.Schema.RowNorm()*m.Loss.MaxSlope())
	times := 1.0
	if r.Event.Neighbours() == privacy.ReplaceOne {
		times = 2
	}
	own := func(ratio float64) paid {
		one := *r
		one.Event = event
		return paid{
			square: ratio * ratio, vectors: 1, chance: 1, outside: !inside, bad: unfit(&one),
		}
	}
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		return own(times * length / math.Hypot(e.Objective.Sigma, e.Objective.Lambda*e.SigmaOut))
	case privacy.GradientDescent:
		ratio := 0.0
		for _, sigma := range e.Sigmas {
			ratio = math.Hypot(ratio, times*length/sigma)
		}
		return own(ratio)
	case privacy.SubsampledGaussian:
		return own(0) // no bound of it is as simple
	case privacy.Gaussian:
		switch {
		case m.Moments != nil:
			row := r.Schema.RowNorm() * 0.99
			ratio := math.Hypot(row*row/math.Sqrt2/m.Moments.MatrixSigma, row/m.Moments.VectorSigma)
			return own(math.Hypot(ratio, 1/m.Moments.SquareSigma) * math.Sqrt(times))
		case m.Lambda > 0:
			return own(times * length / m.Lambda / e.Sigma / 2)
		}
		return paid{extra: 1, chance: 1, outside: !inside}
	case privacy.Composition:
		sum := paid{chance: 1}
		for _, part := range e.Parts {
			if part.Count == 0 {
				continue
			}
			one := payments(r, part.Event, inside)
			sum.square += float64(part.Count) * one.square
			sum.vectors += part.Count * one.vectors
			sum.extra += part.Count * one.extra
			sum.chance *= one.chance
			if one.bad != "" {
				sum.bad = one.bad
			}
			sum.outside = sum.outside || one.outside && one.vectors > 0
		}
		return sum
	case privacy.OneOf:
		if m.Selected == nil || m.Selected.Candidate >= len(e.Events) {
			return paid{chance: 1}
		}
		return payments(r, e.Events[m.Selected.Candidate], inside)
	case privacy.PoissonSelection:
		one := scored(payments(r, e.Base, true))
		one.chance *= -math.Expm1(-e.Mean)
		return one
	case privacy.NegativeBinomialSelection:
		return scored(payments(r, e.Base, true))
	case privacy.PureDP:
		return paid{extra: int(math.Ceil(math.Min(e.Epsilon, 1))), chance: 1}
	case privacy.ApproximateDP:
		return paid{extra: int(math.Ceil(math.Min(e.Epsilon+e.Delta, 1))), chance: 1}
	case privacy.ZeroConcentrated:
		return paid{extra: int(math.Ceil(math.Min(e.Rho, 1))), chance: 1}
	case privacy.RenyiDP:
		return paid{extra: int(math.Ceil(math.Min(e.Epsilon, 1))), chance: 1}
	case privacy.RandomisedResponse:
		return paid{extra: int(math.Ceil(math.Abs(e.Truth*float64(e.Categories) - 1))), chance: 1}
	case privacy.ProposeTestRelease:
		test, after := payments(r, e.Test, true), payments(r, e.Release, true)
		return paid{extra: test.extra + after.extra + int(math.Ceil(e.Failure)), chance: 1}
	}
	return paid{extra: 1, chance: 1}
}

// scored notes that a selection has no score to choose a fit by.
func scored(one paid) paid {
	if one.vectors > 0 && one.extra == 0 {
		one.bad = "a selection without a score"
	}
	return one
}

// amiss says why an event is not what gives out such a model, or promises less than is possible;
// "" if it is and does not.
func amiss(r *learn.Release) string {
	m := r.Model
	r.Event = pruned(r.Event)
	if m.Told != nil {
		return notOf(m.Told, r.Event)
	}
	_, softmax := m.Loss.(interface{ Probabilities([]float64) })
	want := m.Vectors()
	if softmax {
		want = 1
	}
	p := payments(r, r.Event, false)
	_, selection := privacy.Base(r.Event)
	switch {
	case p.bad != "":
		return p.bad
	case p.vectors != want:
		return fmt.Sprintf("%d fits are paid for, and %d were made", p.vectors, want)
	case m.Selected != nil && !selection:
		return "said to be selected, by no selection"
	case r.Choice == learn.PrivateSelection && p.outside:
		return "a fit outside the selection"
	}
	mu, epsilon := math.Sqrt(p.square), r.Guarantee.Epsilon
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	least := normal(mu/2-epsilon/mu) - math.Exp(epsilon)*normal(-mu/2-epsilon/mu)
	if least*p.chance > r.Guarantee.Delta*(1+1e-6) {
		return fmt.Sprintf("δ(%v) is at least %v", epsilon, least*p.chance)
	}
	return ""
}

// notOf says why no fit that told this is in an event.
func notOf(told learn.Told, event privacy.Event) string {
	switch e := event.(type) {
	case privacy.ProposeTestRelease:
		_, fixed := told.(learn.FixedSample)
		if e.Neighbour != 0 || fixed {
			return "a promise that nobody made"
		}
		return ""
	case privacy.Composition:
		if _, fixed := told.(learn.FixedSample); fixed && len(e.Parts) == 2 {
			first, promise := e.Parts[0].Event.(privacy.ApproximateDP)
			second, noise := e.Parts[1].Event.(privacy.Gaussian)
			if promise && noise && first.Epsilon > 0 && second.Sigma > 0 {
				return ""
			}
		}
		for _, part := range e.Parts {
			if part.Count > 0 && notOf(told, part.Event) == "" {
				return ""
			}
		}
	}
	if base, selects := privacy.Base(event); selects {
		return notOf(told, base)
	}
	return "no event of such a fit"
}
