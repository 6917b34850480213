package selection

import (
	"math"

	"cloister/core/privacy"
)

// LiuTalwar returns what is promised of the best of min(K, T) runs of an
// (ε, δ)-DP mechanism, K geometric with stopping probability tau and
// T = ⌈log(1/cutoff)/tau⌉ (Liu & Talwar 2019, Theorem 3.4; Theorem 3.5.6 of
// Redberg's thesis):
//
//	(3ε + 3√(2δ), √(2δ)·T + cutoff)-DP.
//
// The theorem has T without rounding, which is no number of runs; a whole T
// above it only makes the search longer, so that both terms cover it.
//
// base is per run; cutoff is the theorem's δ₂ > 0. Delta of the result may
// reach 1 or more, in which case nothing is promised and it is an error.
func LiuTalwar(base privacy.Guarantee, tau, cutoff float64) (privacy.Guarantee, error) {
	promised, err := liuTalwar(privacy.LiuTalwarSelection{
		Base: privacy.ApproximateDP{
			Adjacency: base.Adjacency,
			Epsilon:   base.Epsilon,
			Delta:     base.Delta,
		}, Tau: tau, Cutoff: cutoff,
	})
	if err != nil {
		return privacy.Guarantee{}, err
	}
	return privacy.Guarantee{
		Epsilon:   promised.Epsilon,
		Delta:     promised.Delta,
		Adjacency: promised.Adjacency,
	}, nil
}

func liuTalwar(e privacy.LiuTalwarSelection) (privacy.ApproximateDP, error) {
	none := privacy.ApproximateDP{}
	if err := e.Validate(); err != nil {
		return none, err
	}
	var epsilon, delta float64
	switch base := e.Base.(type) {
	case privacy.PureDP:
		epsilon = base.Epsilon
	case privacy.ApproximateDP:
		epsilon, delta = base.Epsilon, base.Delta
	}
	const up = 1 + 1e-14 // rounding of the few operations
	root := math.Sqrt(2 * delta)
	runs := math.Ceil(-math.Log(e.Cutoff) / e.Tau * up)
	promised := privacy.ApproximateDP{
		Adjacency: e.Neighbours(),
		Epsilon:   (3*epsilon + 3*root) * up,
		Delta:     e.Cutoff,
	}
	if root > 0 {
		promised.Delta = (root*runs + e.Cutoff) * up
	}
	if math.IsInf(promised.Epsilon, 1) {
		return none, &privacy.ParameterError{
			Field: "base.epsilon",
			Value: privacy.Number(epsilon),
			Want:  "small enough that three times it is a number",
		}
	}
	if !(promised.Delta < 1) {
		return none, &privacy.ParameterError{
			Field: "base.delta", Value: privacy.Number(delta),
			Want: "small enough that √(2δ)·log(1/cutoff)/tau + cutoff stays below 1",
		}
	}
	return promised, nil
}

// Promised returns the event with every Liu–Talwar selection in it replaced by the (ε,
// δ)-DP mechanism of its theorem. Nothing more is known about such a selection, so this
// is what the other packages price. Most events have none and come back unchanged.
func Promised(event privacy.Event) (privacy.Event, error) {
	if e, ok := event.(privacy.LiuTalwarSelection); ok {
		return liuTalwar(e)
	}
	return privacy.Rebuild(
		event, func(_ int, inside privacy.Event) (privacy.Event, error) { return Promised(inside) },
	)
}
