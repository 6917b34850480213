package account

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// closedForm returns the profile of an event that has an exact one in closed
// form besides those of Of's own, the same in both directions:
//
//   - Laplace with ε₀ = Δ/b: 1 − e^{(ε−ε₀)/2} for 0 ≤ ε ≤ ε₀, then 0;
//   - randomised response, with probabilities h > l of the two answers that tell
//     neighbours apart: h − e^ε l, then 0; ε₀-DP is its case h = e^{ε₀}/(1+e^{ε₀});
//   - (ε₀, δ₀)-DP: δ₀ + (1−δ₀) times that of ε₀-DP (Kairouz, Oh & Viswanath 2015);
//   - gradient descent and compositions of Gaussian mechanisms only: the
//     Gaussian mechanism with μ² the sum of all μ².
func closedForm(event privacy.Event) (Profile, bool) {
	switch e := event.(type) {
	case privacy.Laplace:
		limit := e.Sensitivity / e.Scale * (1 + 0x1p-51)
		return bounded{limit, func(epsilon float64) float64 { return special.Log1mExp((epsilon - limit) / 2) }}, true
	case privacy.RandomisedResponse:
		limit := math.Abs(e.LogOdds()) * (1 + 0x1p-48)
		high := math.Log(math.Max(e.Truth, (1-e.Truth)/float64(e.Categories-1)))
		return bounded{limit, func(epsilon float64) float64 { return high + special.Log1mExp(epsilon-limit) }}, true
	case privacy.PureDP:
		return pureProfile(e.Epsilon), true
	case privacy.ApproximateDP:
		return withMass{pureProfile(e.Epsilon), e.Delta}, true
	}
	if mu, ok := gaussianRatio(event); ok {
		return rounded{gaussianDirection{mu * (1 + 0x1p-50)}}, true
	}
	return nil, false
}

func pureProfile(limit float64) Profile {
	high := -special.Log1pExp(-limit)
	return bounded{limit, func(epsilon float64) float64 { return high + special.Log1mExp(epsilon-limit) }}
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
		return roundUp(b.inside(epsilon))
	case -epsilon >= b.limit:
		return roundUp(special.Log1mExp(epsilon))
	}
	return roundUp(special.LogAddExp(special.Log1mExp(epsilon), epsilon+b.inside(-epsilon)))
}

// withMass is δ₀ + (1 − δ₀)·H for the profile H inside.
type withMass struct {
	Profile
	mass float64
}

func (w withMass) LogDeltaUpper(epsilon float64) float64 {
	inner := w.Profile.LogDeltaUpper(epsilon)
	if w.mass == 0 {
		return inner
	}
	return roundUp(special.LogAddExp(math.Log(w.mass), math.Log1p(-w.mass)+inner))
}
