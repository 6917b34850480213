package account

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// deltas bounds δ(ε) of the runs of a selection by their loss distributions: rdp.Deltas, for
// bases that have one and answer at once. These are compositions of few Gaussian mechanisms,
// randomised responses, and objective perturbations of records that are added or removed, each
// perhaps one of several. At ε of orders that no selection of use goes by, it is NaN.
func deltas(event privacy.Event, bound objective.Bound) func(epsilon float64) float64 {
	events, few := alternatives(event)
	if !few {
		return nil
	}
	var each []func(epsilon float64) float64
	for _, one := range events {
		distribution, err := pld.Of(one, pld.Options{Bound: bound})
		if err != nil {
			return nil
		}
		each = append(each, joined(distribution.LogDeltaUpper))
	}
	return func(epsilon float64) float64 {
		if !(epsilon > leastEpsilon && epsilon < mostEpsilon) {
			return math.NaN()
		}
		most := 0.0
		for _, delta := range each {
			most = math.Max(most, delta(epsilon))
		}
		return most
	}
}

// joined is δ(ε) by chords in s = e^ε − 1, in which it is convex. The ε of a place s is taken too
// small, by 2^-50: with u = 2^-53, log(1 + s) computed is at most 2u above log(1 + s), and that is
// at most 4u above log(1 + (1 − 4u)s). So what is joined is at least δ at (1 − 4u)s, which is
// convex in s too; and s of an ε that is asked for is at most (1 + 2u)s. ∎
func joined(logDelta func(epsilon float64) float64) func(epsilon float64) float64 {
	chords := curve.NewChords(0.1, func(s float64) float64 {
		return math.Exp(logDelta(math.Log1p(s) * (1 - 0x1p-50))) // its rounding At covers
	})
	return func(epsilon float64) float64 { return chords.At(math.Expm1(epsilon)) }
}

const (
	leastEpsilon = 1. / 4096 // log(1 + 1/(α − 1)) of orders α from 2 to 4,000, about
	mostEpsilon  = 0.7
	mostParts    = 16
)

// alternatives are the events that an event may be, one of which it is, without privacy.OneOf in
// them; few is whether deltas takes them.
func alternatives(event privacy.Event) (events []privacy.Event, few bool) {
	switch e := event.(type) {
	case privacy.Gaussian, privacy.DiscreteGaussian, privacy.GradientDescent,
		privacy.RandomisedResponse:
		return []privacy.Event{event}, true
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima:
		return []privacy.Event{event}, event.Neighbours() == privacy.AddRemove
	case privacy.OneOf:
		for _, one := range e.Events {
			inside, few := alternatives(one)
			if events = append(events, inside...); !few || len(events) > mostParts {
				return nil, false
			}
		}
		return events, len(events) > 0
	case privacy.Composition:
		whole, runs := []privacy.Composition{{Adjacency: e.Adjacency}}, 0
		for _, part := range e.Parts {
			inside, few := alternatives(part.Event)
			runs += part.Count
			if !few || runs > mostParts || len(inside) > 1 && part.Count > 1 {
				return nil, false // several runs need not all be the same one
			}
			var longer []privacy.Composition
			for _, before := range whole {
				for _, one := range inside {
					parts := append(append([]privacy.Part(nil), before.Parts...),
						privacy.Part{Event: one, Count: part.Count})
					longer = append(longer,
						privacy.Composition{Adjacency: e.Adjacency, Parts: parts})
				}
			}
			if whole = longer; len(whole) > mostParts {
				return nil, false
			}
		}
		for _, one := range whole {
			events = append(events, one)
		}
		return events, true
	}
	return nil, false
}
