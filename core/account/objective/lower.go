package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
	"cloister/core/special"
)

// LowerCurve is a lower bound on every privacy profile that an analysis of the
// event can prove: δ_G(ε; μ) with μ = sensitivity/noise. It is a type of its
// own, so that a lower bound is never taken for a promise.
type LowerCurve struct {
	mu      float64
	lattice Lattice // on which the noise is drawn, if any
}

// LowerBound returns the Gaussian lower bound of an event.
//
// For the Gaussian mechanism it is the profile itself. For objective
// perturbation it is Lemma 3.4 of Redberg, Koskela & Wang 2023: a linear loss
// makes the mechanism a Gaussian one, so that nothing better than
// δ_G(ε; L/σ) holds for all losses of the class. Under replace-one it is that of
// replacing a record by one without influence. For approximate minima see Floor.
func LowerBound(event privacy.Event) (LowerCurve, error) {
	if event == nil {
		return LowerCurve{}, missingEvent()
	}
	if err := event.Validate(); err != nil {
		return LowerCurve{}, err
	}
	switch e := event.(type) {
	case privacy.Gaussian:
		return LowerCurve{noneBelowNormal(e.Sensitivity / e.Sigma), Lattice{}}, nil
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima:
		mu, lattice := Floor(event)
		return LowerCurve{mu, lattice}, nil
	}
	return LowerCurve{}, unpriced(event)
}

// Floor returns the ratio μ of a Gaussian mechanism that objective perturbation
// or approximate minima is no more private than, in either direction; 0 for
// other events. The event must be valid.
//
// For objective perturbation it is L/σ (Lemma 3.4). For approximate minima take
// the linear loss of that lemma, with gradients along the first axis, and a
// solver that returns the exact minimum θ = −(Σ∇ℓ + b)/λ. Then what is released,
// θ plus noise, is N(·, (σ/λ)² + σ_out²) along that axis, and a record moves it by
// L/λ: the output noise hides the record too, so that L/σ alone would be no lower
// bound where σ_out is large.
//
// On a lattice of spacing g the release K·g is within g of that sum o, if the
// noise is the Gaussian rounded to the lattice. So P(Kg > s) ≥ P(o > s + g) and
// Q(Kg > s) ≤ Q(o > s − g), and for two Gaussians, of which thresholds are the best
// tests, that is the profile with L/λ − 2g for L/λ. The noise that is drawn is
// the discrete Gaussian, and with the bounds between the two (Lattice), of one
// coordinate,
//
//	δ(ε) ≥ e^{−b}·δ_G(ε + a + b; μ) − t.
func Floor(event privacy.Event) (mu float64, lattice Lattice) {
	const down = 1 - 0x1p-50 // more than the rounding of the few operations
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		mu = e.Lipschitz / e.Sigma * down
	case privacy.ApproximateMinima:
		o := e.Objective
		shift := o.Lipschitz/o.Lambda*down - 2*e.Grid
		if !(shift > 0) {
			return 0, Lattice{}
		}
		mu = shift / math.Hypot(o.Sigma/o.Lambda, e.SigmaOut) * down
		if e.Grid > 0 {
			lattice = Lattice{Dimension: 1, Ratio: e.SigmaOut / e.Grid}
		}
	}
	return noneBelowNormal(mu), lattice
}

// noneBelowNormal is atLeastNormal for lower bounds: 0 where digits are lost.
func noneBelowNormal(quotient float64) float64 {
	if quotient < 0x1p-1022 {
		return 0
	}
	return quotient
}

// LogDeltaLower returns log δ with δ ≤ δ_G(ε; μ), for any real ε; −Inf for NaN.
func (c LowerCurve) LogDeltaLower(epsilon float64) float64 {
	// logGaussianDelta errs upwards by its rounding of x; a larger ε makes up
	// for more than that.
	a, b, logT := c.lattice.Correction(2*tailBudget+1, 1)
	x := epsilon + a + b
	x += 0x1p-47 * (math.Abs(x) + c.mu*c.mu)
	value := logGaussianDelta(x, c.mu) - b
	if math.IsNaN(value) || !(value > logT+1) {
		return math.Inf(-1)
	}
	if logT > math.Inf(-1) {
		value = special.LogDiffExp(value, logT)
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
		if high > curve.LargestEpsilon {
			return low, nil
		}
		low, high = high, high*4
	}
	epsilon, err := special.ConservativeRoot(short, high, low, 1e-12*high)
	if err != nil {
		return 0, curve.ErrNumerical
	}
	return epsilon, nil
}
