package account

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// LowerCurve is a lower bound on every privacy profile that an analysis of the
// event can prove: δ_G(ε; μ) with μ = sensitivity/noise. It is a type of its
// own, so that a lower bound is never taken for a promise.
type LowerCurve struct {
	mu        float64
	adjacency privacy.Adjacency
}

// LowerBound returns the Gaussian lower bound of an event.
//
// For the Gaussian mechanism it is the profile itself. For objective
// perturbation it is Lemma 3.4 of Redberg, Koskela & Wang 2023: a linear loss
// makes the mechanism a Gaussian one, so that nothing better than
// δ_G(ε; L/σ) holds for all losses of the class. For approximate minima it is
// that of the objective perturbation inside, the smaller part of what is
// charged. Under replace-one it is that of replacing a record by one without
// influence.
func LowerBound(event privacy.Event) (LowerCurve, error) {
	if event == nil {
		return LowerCurve{}, missingEvent()
	}
	if err := event.Validate(); err != nil {
		return LowerCurve{}, err
	}
	switch e := event.(type) {
	case privacy.Gaussian:
		return LowerCurve{noneBelowNormal(e.Sensitivity / e.Sigma), e.Adjacency}, nil
	case privacy.ObjectivePerturbation:
		return LowerCurve{noneBelowNormal(e.Lipschitz / e.Sigma), e.Adjacency}, nil
	case privacy.ApproximateMinima:
		return LowerCurve{noneBelowNormal(e.Objective.Lipschitz / e.Objective.Sigma), e.Objective.Adjacency}, nil
	}
	return LowerCurve{}, unpriced(event)
}

// noneBelowNormal is atLeastNormal for lower bounds: 0 where digits are lost.
func noneBelowNormal(quotient float64) float64 {
	if quotient < 0x1p-1022 {
		return 0
	}
	return quotient
}

// Adjacency returns the neighbouring relation.
func (c LowerCurve) Adjacency() privacy.Adjacency { return c.adjacency }

// LogDeltaLower returns log δ with δ ≤ δ_G(ε; μ), for any real ε; −Inf for NaN.
func (c LowerCurve) LogDeltaLower(epsilon float64) float64 {
	// logGaussianDelta errs upwards by its rounding of x; a larger ε makes up
	// for more than that.
	x := epsilon + 0x1p-47*(math.Abs(epsilon)+c.mu*c.mu)
	value := logGaussianDelta(x, c.mu)
	if math.IsNaN(value) {
		return math.Inf(-1)
	}
	return value - 0x1p-43 - 0x1p-49*math.Abs(value)
}

// DeltaLower returns δ with δ ≤ δ_G(ε; μ), rounded down, so that it may be 0.
func (c LowerCurve) DeltaLower(epsilon float64) float64 {
	y := math.Exp(c.LogDeltaLower(epsilon))
	return math.Max(0, y-y*0x1p-51-math.SmallestNonzeroFloat64)
}

// EpsilonLower returns ε ≥ 0 below which no analysis can prove (ε, delta)-DP.
// It is an error unless 0 < delta < 1.
func (c LowerCurve) EpsilonLower(delta float64) (float64, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return 0, err
	}
	target := math.Log(delta)
	target += 0x1p-51 * math.Abs(target)
	short := func(epsilon float64) float64 { return target - c.LogDeltaLower(epsilon) }
	if short(0) > 0 {
		return 0, nil
	}
	low, high := 0.0, 1.0
	for short(high) <= 0 {
		if high > largestEpsilon {
			return low, nil
		}
		low, high = high, high*4
	}
	epsilon, err := special.ConservativeRoot(short, high, low, 1e-12*high)
	if err != nil {
		return 0, ErrNumerical
	}
	return epsilon, nil
}
