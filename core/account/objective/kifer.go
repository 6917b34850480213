package objective

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// kiferDirection is the theorem of Kifer, Smith & Thakurta 2012 for Gaussian
// noise: (ε, δ)-DP whenever
//
//	λ ≥ 2βR²/ε   and   σ ≥ L·√(8 log(2/δ) + 4ε)/ε,
//
// as a profile: δ(ε) = 1 below ε_λ = 2βR²/λ, else the smallest δ that the
// second condition allows, 2·exp(−(ε²/μ² − 4ε)/8), at most 1. Both directions.
type kiferDirection struct{ epsilonLambda, mu float64 }

func kifer(e privacy.ObjectivePerturbation) kiferDirection {
	return kiferDirection{epsilonLambda: 2 * Curvature(e) / e.Lambda, mu: sensitivityRatio(e)}
}

func (k kiferDirection) logDelta(epsilon float64) float64 {
	if !(epsilon >= k.epsilonLambda) {
		return 0
	}
	return math.Min(0, math.Ln2-epsilon*(epsilon/k.mu/k.mu-4)/8)
}

// turning is where the second condition's δ reaches 1, or ε_λ if that is more.
func (k kiferDirection) turning() float64 { return k.epsilonUpper(0) }

// epsilonUpper is the smallest ε with both conditions met:
// max(ε_λ, 2μ² + √(4μ⁴ + 8μ² log(2/δ))).
func (k kiferDirection) epsilonUpper(logDelta float64) float64 {
	m := k.mu * k.mu
	return math.Max(k.epsilonLambda, 2*m+math.Sqrt(4*m*m+8*m*(math.Ln2-logDelta)))
}

// logDeltaWithGaussian integrates the profile over w ~ N(μ_out²/2, μ_out²). With
// A the turning point, u = ε − w and e^{−u²/(8μ²)+u/2} = e^{μ²/2}·e^{−(u−2μ²)²/(8μ²)},
//
//	Pr[u < A] + 2 E[e^{−u²/(8μ²)+u/2}; u > A],
//
// the second a Gaussian integral of variance s² = 4μ² + μ_out².
func (k kiferDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	a := k.turning()
	mean := epsilon - muOut*muOut/2
	certain := special.LogNormalCDF((a - mean) / muOut)
	v, w := 4*k.mu*k.mu, muOut*muOut
	center := (v/2*w + mean*v) / (v + w)
	spread := math.Sqrt(v) * muOut / math.Sqrt(v+w)
	rest := math.Ln2 + math.Log(v/(v+w))/2 + v/8 - (mean-v/2)*(mean-v/2)/(2*(v+w)) +
		special.LogNormalCDF((center-a)/spread)
	return math.Min(0, special.LogAddExp(certain, rest))
}
