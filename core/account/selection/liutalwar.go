package selection

import (
	"math"

	"cloister/core/privacy"
)

// LiuTalwar returns what is promised of the best of min(K, T) runs of an
// (ε, δ)-DP mechanism, K geometric with stopping probability tau,
// T = log(1/cutoff)/tau (Liu & Talwar 2019, Theorem 3.4):
//
//	(3ε + 3√(2δ), √(2δ)·T + cutoff)-DP.
//
// base is per run; cutoff is the theorem's δ₂ > 0. Delta of the result may
// reach 1 or more, in which case nothing is promised and it is an error.
func LiuTalwar(base privacy.Guarantee, tau, cutoff float64) (privacy.Guarantee, error) {
	if !base.Adjacency.Valid() {
		return privacy.Guarantee{}, &privacy.ParameterError{Field: "adjacency", Value: base.Adjacency.String(), Want: `"add-remove" or "replace-one"`}
	}
	for _, err := range []error{
		privacy.CheckPositive("epsilon", base.Epsilon),
		privacy.CheckNonNegative("delta", base.Delta),
		privacy.CheckPositive("tau", tau),
		privacy.CheckPositive("cutoff", cutoff),
	} {
		if err != nil {
			return privacy.Guarantee{}, err
		}
	}
	if tau > 1 {
		return privacy.Guarantee{}, &privacy.ParameterError{Field: "tau", Value: privacy.Number(tau), Want: "a probability above 0, at most 1"}
	}
	root := math.Sqrt(2 * base.Delta)
	runs := -math.Log(cutoff) / tau
	delta := root*runs + cutoff
	if !(delta < 1) {
		return privacy.Guarantee{}, &privacy.ParameterError{
			Field: "delta", Value: privacy.Number(base.Delta),
			Want: "small enough that √(2δ)·log(1/cutoff)/tau + cutoff stays below 1",
		}
	}
	const up = 1 + 1e-14 // rounding of the few operations above
	return privacy.Guarantee{
		Epsilon:   (3*base.Epsilon + 3*root) * up,
		Delta:     delta * up,
		Adjacency: base.Adjacency,
	}, nil
}
