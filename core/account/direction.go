package account

import "math"

// direction is the privacy profile of one order of the two neighbours, as the
// bounds compute it: nearest values or above, before roundUp. NaN stands for a
// numerical failure and turns into log δ = 0 there.
type direction interface {
	// logDelta returns log of a bound on H_{e^ε} at any real ε.
	logDelta(epsilon float64) float64

	// logDeltaWithGaussian does the same for the composition with a Gaussian
	// mechanism of ratio muOut > 0: E[δ(ε − w)] over w ~ N(μ²/2, μ²).
	logDeltaWithGaussian(epsilon, muOut float64) float64
}

// roundUp turns a computed log δ into an upper bound. The formulas of this
// package are evaluated to a few units in the last place of log δ and a few
// units in the last place of δ itself, or bounded by their quadrature; 2^-43 in
// the logarithm (1e-13 of δ) and 2^-49 of it cover that many times over. A
// failed computation gives 0: δ = 1 is always true. −Inf is one, an underflow
// on the way: a δ of 0 is said with −MaxFloat64.
func roundUp(logDelta float64) float64 {
	if failed(logDelta) {
		return 0
	}
	return math.Max(-math.MaxFloat64, math.Min(0, logDelta+0x1p-43+0x1p-49*math.Abs(logDelta)))
}

// lowered returns ε − c, less more than its rounding error: for use where a
// smaller ε is the safe side.
func lowered(epsilon, c float64) float64 {
	return epsilon - c - 0x1p-51*(math.Abs(epsilon)+math.Abs(c))
}

// rounded is a direction as a Profile.
type rounded struct{ direction }

// LogDeltaUpper implements Profile.
func (r rounded) LogDeltaUpper(epsilon float64) float64 { return roundUp(r.logDelta(epsilon)) }

func (r rounded) epsilonUpper(logDelta float64) (float64, bool) {
	d, ok := r.direction.(interface{ epsilonUpper(float64) float64 })
	if !ok {
		return 0, false
	}
	return d.epsilonUpper(logDelta) * (1 + 0x1p-46), true
}

// withGaussian is a direction composed with a Gaussian mechanism.
type withGaussian struct {
	inner direction
	muOut float64
}

// compose returns d composed with a Gaussian mechanism of ratio muOut ≥ 0.
func compose(d direction, muOut float64) direction {
	if muOut == 0 {
		return d
	}
	if r, ok := d.(renyiDirection); ok {
		return r.plus(muOut)
	}
	return withGaussian{d, muOut}
}

func (w withGaussian) logDelta(epsilon float64) float64 {
	return w.inner.logDeltaWithGaussian(epsilon, w.muOut)
}

func (w withGaussian) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	return w.inner.logDeltaWithGaussian(epsilon, math.Hypot(w.muOut, muOut))
}
