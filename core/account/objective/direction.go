package objective

import (
	"math"

	"cloister/core/account/curve"
)

// direction is the privacy profile of one order of the two neighbours, as the
// bounds compute it: nearest values or above, before RoundUp. NaN stands for a
// numerical failure and turns into log δ = 0 there.
type direction interface {
	// logDelta returns log of a bound on H_{e^ε} at any real ε.
	logDelta(epsilon float64) float64

	// logDeltaWithGaussian does the same for the composition with a Gaussian
	// mechanism of ratio muOut > 0: E[δ(ε − w)] over w ~ N(μ²/2, μ²).
	logDeltaWithGaussian(epsilon, muOut float64) float64
}

// rounded is a direction as a Profile.
type rounded struct{ direction }

// LogDeltaUpper implements Profile.
func (r rounded) LogDeltaUpper(epsilon float64) float64 {
	return curve.RoundUp(r.logDelta(epsilon))
}

// Inverse implements curve.Invertible.
func (r rounded) Inverse(logDelta float64) (float64, bool) {
	d, ok := r.direction.(interface{ epsilonUpper(float64) float64 })
	if !ok {
		return 0, false
	}
	return d.epsilonUpper(logDelta) * (1 + 0x1p-46), true
}

// chorded is a direction by BoundControl as a curve.Chorded.
type chorded struct {
	rounded
	control controlDirection
}

// Chords implements curve.Chorded.
func (c chorded) Chords() (epsilon, logDelta []float64) {
	epsilon, logDelta = c.control.chords()
	for i, log := range logDelta {
		logDelta[i] = curve.RoundUp(log)
	}
	return epsilon, logDelta
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
