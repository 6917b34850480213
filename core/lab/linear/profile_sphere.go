package linear

import (
	"math"

	"cloister/core/special"
)

// SphereDelta is E[1 − e^(ε−ω)]₊ with ω = μχ_k + μ²/2, which bounds δ(ε) of OPDisc with Gaussian
// noise and k features, μ the shift over σ. It is right to a part in 10^10, for 30,000 features and
// more to one in 10^9, and not rounded up.
//
// It is the integral of f(r)(1 − e^(ε−μr−μ²/2)), f the density of χ_k, over all r for which the
// bracket is positive.
func SphereDelta(features int, mu, epsilon float64) (float64, error) {
	k := float64(features)
	half, _ := math.Lgamma(k / 2)
	norm := (k/2-1)*math.Ln2 + half
	excess := epsilon - mu*mu/2
	low := math.Max(0, excess/mu)
	// χ_k is within some units of √k: nothing is left 12 beyond.
	high := math.Max(low, math.Sqrt(k)) + 12
	knots := []float64{low}
	for i := range 12 {
		knots = append(knots, low+(high-low)*float64(i+1)/12)
	}
	return integral(func(r float64) float64 {
		if r == 0 {
			return 0
		}
		return math.Exp((k-1)*math.Log(r)-r*r/2-norm) * -math.Expm1(excess-mu*r)
	}, knots, 1e-11)
}

// integral is that of a positive function, to this accuracy or to its rounding errors, whose
// estimate (special.Adaptive) is at most a billionth.
func integral(f func(float64) float64, knots []float64, accuracy float64) (float64, error) {
	value, bound, err := special.Adaptive(f, knots, accuracy, 1e-300)
	if bound <= 1e-9*value {
		err = nil
	}
	return value, err
}
