package filter

import "cloister/core/privacy"

// withoutMass splits an event into a probability of outright failure and an
// event that holds otherwise: (ε, δ)-DP is, pair by pair, a mixture of ε-DP
// with probability 1 − δ and anything at all with probability δ (Kairouz, Oh &
// Viswanath 2015). Other events come back as they are, with mass 0.
func withoutMass(event privacy.Event) (float64, privacy.Event, error) {
	if event == nil {
		return 0, nil, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return 0, nil, err
	}
	switch e := event.(type) {
	case privacy.ApproximateDP:
		return e.Delta, privacy.PureDP{Adjacency: e.Adjacency, Epsilon: e.Epsilon}, nil
	case privacy.Composition:
		rest := privacy.Composition{Adjacency: e.Adjacency}
		total := 0.0
		for _, part := range e.Parts {
			mass, inner, err := withoutMass(part.Event)
			if err != nil {
				return 0, nil, err
			}
			total += mass * float64(part.Count)
			rest.Parts = append(rest.Parts, privacy.Part{Event: inner, Count: part.Count})
		}
		return total, rest, nil
	}
	return 0, event, nil
}
