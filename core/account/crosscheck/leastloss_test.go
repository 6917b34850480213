package crosscheck

import (
	"math"

	"cloister/core/privacy"
)

// leastDelta returns a δ that no upper bound of an event's δ(ε), ε ≥ 0, may be
// below, by two-point tests: for any set S of outputs,
//
//	δ(ε) ≥ P(S) − e^ε Q(S),
//
// and S, one per mechanism, is where P is the likelier. It shares no code with
// the accountants. All of it is rounded down by the terms with 1e-12. It is crude:
// 0 is always true.
//
//   - Gaussian of ratio μ: S = {x > s}, P(S) = Φ(μ − s), Q(S) = Φ(−s).
//   - Poisson sampling at rate q: the same S, P(S) = qΦ(μ−s) + (1−q)Φ(−s); and of T
//     steps that some step's output is above μ/2, Q(S) ≤ T·Φ(−μ/2).
//   - Laplace and discrete Laplace: S = {x ≤ 0}, Q shifted by Δ.
//   - Discrete Gaussian: the same S, P(S) ≥ ½ and Q(S) ≤ e^{−Δ²/(2σ²)} (Canonne,
//     Kamath & Steinke 2020); at ε = 0 and Δ = 1, P(S) − Q(S) is the mass of one
//     point, at least 1/(1 + σ√(2π)), and no less for a larger Δ.
//   - What is (ε₀, δ₀)-DP and no more: randomised response that fails openly.
//   - zCDP: the Gaussian with μ²/2 = ρ. Objective perturbation: that with L/σ (Lemma
//     3.4 of paper and theory §3.6); with an output step, L/√(σ² + λ²σ_out²), to which
//     a lattice, of σ_out/2^20 at most, makes a difference below the factor 0.999. Where a
//     record is replaced by one that pulls the other way, 2L for L.
//   - One Rényi divergence of order α: the Gaussian with αμ²/2 = ε. A tested release: its
//     test alone, its release alone, or a coin that fails openly.
//   - A composition: any of its parts alone. A selection by a score that is the same
//     for all: one run of the base, if there is one.
func leastDelta(event privacy.Event, epsilon float64) float64 {
	switch e := event.(type) {
	case privacy.Gaussian:
		return gaussianTest(e.Sensitivity/e.Sigma, epsilon)
	case privacy.GradientDescent:
		most := 0.0
		for _, sigma := range e.Sigmas {
			most = math.Max(most, gaussianTest(e.Sensitivity/sigma, epsilon))
		}
		return most
	case privacy.SubsampledGaussian:
		return sampledTest(e.Rate, 1/e.NoiseMultiplier, e.Steps, epsilon)
	case privacy.Laplace:
		return down(0.5, math.Exp(epsilon-e.Sensitivity/e.Scale)/2)
	case privacy.DiscreteLaplace:
		a := 1 / e.Scale
		top := 1 / (1 + math.Exp(-a))
		return top * down(1, math.Exp(epsilon-a*float64(e.Sensitivity)))
	case privacy.DiscreteGaussian:
		r := float64(e.Sensitivity) / e.Sigma
		if epsilon == 0 {
			return (1 - 1e-12) / (1 + e.Sigma*math.Sqrt(2*math.Pi))
		}
		return down(0.5, math.Exp(epsilon-r*r/2))
	case privacy.RandomisedResponse:
		rest := (1 - e.Truth) / float64(e.Categories-1)
		high, low := math.Max(e.Truth, rest), math.Min(e.Truth, rest)
		return down(high, math.Exp(epsilon+math.Log(low)))
	case privacy.NoisyMin:
		return noisyMinTest(e, epsilon)
	case privacy.ProximalCentre:
		return centreTest(e, epsilon)
	case privacy.PureDP:
		return pureTest(e.Epsilon, epsilon)
	case privacy.ApproximateDP:
		return (e.Delta + (1-e.Delta)*pureTest(e.Epsilon, epsilon)) * (1 - 1e-12)
	case privacy.ZeroConcentrated:
		return gaussianTest(math.Sqrt(2*e.Rho), epsilon)
	case privacy.ObjectivePerturbation:
		return gaussianTest(pulls(e)/e.Sigma, epsilon)
	case privacy.ApproximateMinima:
		o := e.Objective
		shift := pulls(o)/o.Lambda - 2*e.Grid
		return 0.999 * gaussianTest(
			0.999*math.Max(0, shift)/math.Hypot(o.Sigma/o.Lambda, e.SigmaOut), epsilon,
		)
	case privacy.Composition:
		most := 0.0
		for _, part := range e.Parts {
			if part.Count > 0 {
				most = math.Max(most, leastDelta(part.Event, epsilon))
			}
		}
		return most
	case privacy.RenyiDP:
		return gaussianTest(math.Sqrt(2*e.Epsilon/e.Order)*(1-1e-12), epsilon)
	case privacy.ProposeTestRelease:
		most := math.Max(leastDelta(e.Test, epsilon), leastDelta(e.Release, epsilon))
		return math.Max(most, e.Failure*(1-1e-12))
	case privacy.NegativeBinomialSelection:
		return leastDelta(e.Base, epsilon)
	case privacy.PoissonSelection:
		return -math.Expm1(-e.Mean) * leastDelta(e.Base, epsilon) * (1 - 1e-12)
	case privacy.LiuTalwarSelection:
		return leastDelta(e.Base, epsilon)
	}
	return 0
}

// pulls is the most by which a change of one record moves a sum of gradients. Losses of two
// classes have it in the limit: other records hold θ far away, where both records are on the
// wrong side by their angle to it, and differ along a direction that nothing else bends.
func pulls(o privacy.ObjectivePerturbation) float64 {
	if o.Adjacency == privacy.ReplaceOne {
		return 2 * o.Lipschitz * (1 - 1e-12)
	}
	return o.Lipschitz
}

// noisyMinTest is the mass of the second of two candidates, whose losses are
// equal, and on the neighbour Span apart, the second's the larger. Geometric noise
// of q = e^(−ε/(Δ·T)) has it win with probability q/(1 + q), and with e^(−ε) times
// that; Gumbel noise with 1/2, and with 1/(1 + e^ε).
func noisyMinTest(e privacy.NoisyMin, epsilon float64) float64 {
	if e.Noise == privacy.GumbelNoise {
		return down(0.5, math.Exp(epsilon)/(1+math.Exp(e.Epsilon)))
	}
	win := 1 / (1 + math.Exp(e.Epsilon/float64(e.Span*e.Denominator)))
	return down(win, win*math.Exp(epsilon-e.Epsilon))
}

// centreTest is the parity class of nonconvex §4 in as many dimensions as
// there are: what wins has mass 1/2, and on the neighbour e^(−ε)/2.
func centreTest(e privacy.ProximalCentre, epsilon float64) float64 {
	return down(0.5, math.Exp(epsilon-e.Epsilon)/2)
}

// down is p − q, rounded down, and not below 0; NaN counts as 0.
func down(p, q float64) float64 {
	if x := p*(1-1e-12) - q*(1+1e-12); x > 0 {
		return x
	}
	return 0
}

// above is Φ(−s) times e^ε, rounded up.
func above(s, epsilon float64) float64 {
	tail := 1.0
	if s > 0 {
		tail = math.Exp(epsilon-s*s/2) / 2
		if plain := math.Exp(epsilon) * math.Erfc(s/math.Sqrt2) / 2; plain > 0 && plain < tail {
			tail = plain
		}
		return tail
	}
	return math.Exp(epsilon) * math.Erfc(s/math.Sqrt2) / 2
}

func gaussianTest(mu, epsilon float64) float64 {
	if epsilon == 0 {
		return math.Erf(mu/2/math.Sqrt2) * (1 - 1e-12)
	}
	most := 0.0
	for _, s := range []float64{mu / 2, mu - 1, mu, epsilon/mu + mu/2} {
		most = math.Max(most, down(math.Erfc((s-mu)/math.Sqrt2)/2, above(s, epsilon)))
	}
	return most
}

func sampledTest(q, mu float64, steps int, epsilon float64) float64 {
	if steps == 0 || q == 0 {
		return 0
	}
	if epsilon == 0 {
		return q * math.Erf(mu/2/math.Sqrt2) * (1 - 1e-12)
	}
	most := 0.0
	for _, s := range []float64{mu / 2, mu - 1, mu, (epsilon-math.Log(q))/mu + mu/2} {
		most = math.Max(most, down(q*math.Erfc((s-mu)/math.Sqrt2)/2, above(s, epsilon)))
	}
	if mu > 100 {
		t := float64(steps)
		some := -math.Expm1(t*math.Log1p(-q)) * (1 - 1e-12)
		most = math.Max(most, down(some*(1-1e-12), t*above(mu/2, epsilon)))
	}
	return most
}

func pureTest(limit, epsilon float64) float64 {
	if !(epsilon < limit) {
		return 0
	}
	return -math.Expm1(epsilon-limit) / (1 + math.Exp(-limit)) * (1 - 1e-12)
}
