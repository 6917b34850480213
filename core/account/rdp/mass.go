package rdp

import (
	"math"

	"cloister/core/account/selection"
	"cloister/core/privacy"
)

// WithoutMass splits an event into a probability of outright failure and an event that
// holds otherwise. For every pair of neighbours, an (ε, δ)-DP mechanism is a mixture:
// ε-DP with probability 1 − δ, and anything at all with probability δ (Kairouz, Oh &
// Viswanath 2015). Other events come back unchanged, with mass 0. The mass is rounded
// up; for a composition it is the sum over all runs.
//
// Such events have no Rényi curve of their own. Use WithoutMass to combine them with
// events that have one: if the event that is left is (ε, δ)-DP, the whole is (ε, mass +
// (1 − mass)·δ)-DP.
func WithoutMass(event privacy.Event) (float64, privacy.Event, error) {
	if event == nil {
		return 0, nil, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return 0, nil, err
	}
	event, err := selection.Promised(event)
	if err != nil {
		return 0, nil, err
	}
	switch e := event.(type) {
	case privacy.ApproximateDP:
		return e.Delta, privacy.PureDP{Adjacency: e.Adjacency, Epsilon: e.Epsilon}, nil
	case privacy.Composition:
		rest := privacy.Composition{Adjacency: e.Adjacency}
		total := 0.0
		for _, part := range e.Parts {
			mass, inner, err := WithoutMass(part.Event)
			if err != nil {
				return 0, nil, err
			}
			total = SumUp(total, productUp(mass, float64(part.Count)))
			rest.Parts = append(rest.Parts, privacy.Part{Event: inner, Count: part.Count})
		}
		return total, rest, nil
	}
	return 0, event, nil
}

// SumUp returns a float64 that is not below a + b, and is a + b where that is
// one (a, b ≥ 0).
func SumUp(a, b float64) float64 {
	sum := a + b
	// What rounding took, exactly (Knuth's two-sum).
	other := sum - a
	if lost := (a - (sum - other)) + (b - other); lost > 0 {
		return math.Nextafter(sum, math.Inf(1))
	}
	return sum
}

// productUp is SumUp for a product; where the product is subnormal, and what it
// lost does not show, the next float64.
func productUp(a, b float64) float64 {
	product := a * b
	if math.FMA(a, b, -product) > 0 || product < 0x1p-960 && a > 0 && b > 0 {
		return math.Nextafter(product, math.Inf(1))
	}
	return product
}
