package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
	"cloister/core/special"
)

// closedForm returns the profile of an event that has an exact one in closed
// form besides those of Of's own, the same in both directions:
//
//   - Laplace with ε₀ = Δ/b: 1 − e^{(ε−ε₀)/2} for 0 ≤ ε ≤ ε₀, then 0;
//   - randomised response, with probabilities h > l of the two answers that tell
//     neighbours apart: h − e^ε l, then 0; ε₀-DP is its case h = e^{ε₀}/(1+e^{ε₀}),
//     and that bounds noisy min and the proximal centre;
//   - (ε₀, δ₀)-DP: δ₀ + (1−δ₀) times that of ε₀-DP (Kairouz, Oh & Viswanath 2015);
//   - discrete Laplace with a = 1/b and a shift Δ: the sum over the values x ≤ m
//     whose loss exceeds ε (discreteLaplaceProfile), then 0;
//   - gradient descent and compositions of Gaussian mechanisms only: the
//     Gaussian mechanism with μ² the sum of all μ²;
//   - these composed with one (ε₀, δ₀)-DP mechanism: gaussianAndPromise.
func closedForm(event privacy.Event) (curve.Profile, bool) {
	switch e := event.(type) {
	case privacy.Laplace:
		limit := e.Sensitivity / e.Scale * (1 + 0x1p-51)
		return bounded{limit, func(epsilon float64) float64 {
			return special.Log1mExp((epsilon - limit) / 2)
		}}, true
	case privacy.DiscreteLaplace:
		return discreteLaplaceProfile(1/e.Scale*(1+0x1p-50), float64(e.Sensitivity)), true
	case privacy.RandomisedResponse:
		limit := math.Abs(e.LogOdds()) * (1 + 0x1p-48)
		high := math.Log(math.Max(e.Truth, (1-e.Truth)/float64(e.Categories-1)))
		return bounded{limit, func(epsilon float64) float64 {
			return high + special.Log1mExp(epsilon-limit)
		}}, true
	case privacy.PureDP:
		return pureProfile(e.Epsilon), true
	case privacy.NoisyMin:
		return pureProfile(e.Epsilon), true
	case privacy.ProximalCentre:
		return pureProfile(e.Epsilon), true
	case privacy.ApproximateDP:
		return withMass{pureProfile(e.Epsilon), e.Delta}, true
	}
	if mu, ok := gaussianRatio(event); ok {
		return rounded{gaussianDirection{mu * (1 + 0x1p-50)}}, true
	}
	return gaussianAndPromise(event)
}

// gaussianAndPromise is the profile of a composition of Gaussian mechanisms and one that is
// (ε₀, δ₀)-DP: the loss of the worst such is ±ε₀ with probabilities w and 1 − w, w = 1/(1 +
// e^{−ε₀}), or infinite with probability δ₀, so that
//
//	δ(ε) = δ₀ + (1−δ₀)[w δ_G(ε−ε₀; μ) + (1−w) δ_G(ε+ε₀; μ)].
func gaussianAndPromise(event privacy.Event) (curve.Profile, bool) {
	e, ok := event.(privacy.Composition)
	if !ok {
		return nil, false
	}
	rest, promise := privacy.Composition{Adjacency: e.Adjacency}, privacy.ApproximateDP{}
	promises := 0
	for _, part := range e.Parts {
		switch inner := part.Event.(type) {
		case privacy.PureDP:
			promise.Epsilon = inner.Epsilon
		case privacy.ApproximateDP:
			promise = inner
		default:
			rest.Parts = append(rest.Parts, part)
			continue
		}
		if promises++; part.Count != 1 || promises > 1 {
			return nil, false
		}
	}
	mu, ok := gaussianRatio(rest)
	if !ok || promises == 0 {
		return nil, false
	}
	gaussian := rounded{gaussianDirection{(1 + 0x1p-50) * mu}}
	return withMass{shifted{gaussian, promise.Epsilon}, promise.Delta}, true
}

// shifted is w·H(ε − by) + (1 − w)·H(ε + by), w = 1/(1 + e^{−by}).
type shifted struct {
	curve.Profile
	by float64
}

func (s shifted) LogDeltaUpper(epsilon float64) float64 {
	by := s.by + 0x1p-51*(s.by+math.Abs(epsilon)) // δ grows with it
	return curve.RoundUp(special.LogAddExp(
		s.Profile.LogDeltaUpper(epsilon-by)-special.Log1pExp(-by),
		s.Profile.LogDeltaUpper(epsilon+s.by-0x1p-51*(s.by+math.Abs(epsilon)))-
			special.Log1pExp(by)))
}

func pureProfile(limit float64) curve.Profile {
	high := -special.Log1pExp(-limit)
	return bounded{
		limit,
		func(epsilon float64) float64 { return high + special.Log1mExp(epsilon-limit) },
	}
}

// discreteLaplaceProfile is the profile of mass tanh(a/2)·e^{−a|x|} on ℤ against
// itself shifted by Δ. The loss is a(Δ−2x) for 0 ≤ x ≤ Δ and constant on either
// side. With m the largest x of loss above ε, 0 ≤ ε < aΔ,
//
//	δ = P(X ≤ m) − e^ε P(X ≤ m−Δ)
//	  = [e^{−a}(1 − e^{−am}) + 1 − e^{−(a(Δ−m)−ε)}] / (1 + e^{−a}),
//
// in which nothing is negative. That is the largest over m, and so the next ones
// are tried too, where rounding may have taken the wrong one.
func discreteLaplaceProfile(a, shift float64) curve.Profile {
	at := func(m, epsilon float64) float64 {
		rest := a*(shift-m) - epsilon
		if m < 0 || !(rest > 0) {
			return math.Inf(-1)
		}
		inside := math.Inf(-1)
		if m > 0 {
			inside = special.Log1mExp(-a*m) - a
		}
		return special.LogAddExp(inside, special.Log1mExp(-rest)) - special.Log1pExp(-a)
	}
	return bounded{a * shift * (1 + 0x1p-51), func(epsilon float64) float64 {
		m := math.Max(0, math.Ceil((shift-epsilon/a)/2)-1)
		// Almost at the limit the first term's rest may round to nothing; it is
		// at most what rounding hides there.
		least := special.Log1mExp(-0x1p-50*a*shift) - special.Log1pExp(-a)
		return math.Max(
			least, math.Max(at(m, epsilon), math.Max(at(m-1, epsilon), at(m+1, epsilon))),
		)
	}}
}

// gaussianRatio returns μ, or slightly more, of an event made of Gaussian
// mechanisms only: the root of Σ μ², taken without squaring a μ, which would
// underflow where μ itself does not.
func gaussianRatio(event privacy.Event) (float64, bool) {
	switch e := event.(type) {
	case privacy.Gaussian:
		return atLeastNormal(e.Sensitivity / e.Sigma), true
	case privacy.GradientDescent:
		mu := 0.0
		for _, sigma := range e.Sigmas {
			mu = math.Hypot(mu, atLeastNormal(e.Sensitivity/sigma))
		}
		return mu * (1 + float64(len(e.Sigmas))*0x1p-50), true
	case privacy.Composition:
		mu := 0.0
		for _, part := range e.Parts {
			inner, ok := gaussianRatio(part.Event)
			if !ok {
				return 0, false
			}
			mu = math.Hypot(mu, math.Sqrt(float64(part.Count))*inner)
		}
		return mu * (1 + float64(len(e.Parts))*0x1p-50), true
	}
	return 0, false
}

// atLeastNormal is a quotient of positive numbers, or the smallest normal
// float64 where it is less and so has lost its digits.
func atLeastNormal(quotient float64) float64 { return math.Max(quotient, 0x1p-1022) }

// bounded is the profile of a symmetric pair whose loss never exceeds limit:
// inside gives log δ for 0 ≤ ε < limit.
type bounded struct {
	limit  float64
	inside func(epsilon float64) float64
}

// LogDeltaUpper implements Profile. For ε < 0 the pair's symmetry gives
// 1 − e^ε + e^ε δ(−ε).
func (b bounded) LogDeltaUpper(epsilon float64) float64 {
	switch {
	case math.IsNaN(epsilon):
		return 0
	case epsilon >= b.limit:
		return -math.MaxFloat64
	case epsilon >= 0:
		return curve.RoundUp(b.inside(epsilon))
	case -epsilon >= b.limit:
		return curve.RoundUp(special.Log1mExp(epsilon))
	}
	return curve.RoundUp(special.LogAddExp(special.Log1mExp(epsilon), epsilon+b.inside(-epsilon)))
}

// withMass is δ₀ + (1 − δ₀)·H for the profile H inside.
type withMass struct {
	curve.Profile
	mass float64
}

func (w withMass) LogDeltaUpper(epsilon float64) float64 {
	inner := w.Profile.LogDeltaUpper(epsilon)
	if w.mass == 0 {
		return inner
	}
	return curve.RoundUp(special.LogAddExp(math.Log(w.mass), math.Log1p(-w.mass)+inner))
}
