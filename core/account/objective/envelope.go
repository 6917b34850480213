package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// envelopeDirection is the profile of an envelopeLoss, ∫ φ(v) [1 − e^{ε−ω(v)}]₊ dv
// (theory §4.2, §4.3): closed form on the flat and the linear part, quadrature
// on the branches between. Where the loss is linear wherever it exceeds ε, the
// whole is δ_G(ε − c; μ): for L = R, where c = 0, the theorem of zero overhead.
type envelopeDirection struct {
	*envelopeLoss

	// ceiling, if any, is a larger loss in closed form, which answers where the
	// computation with the sharper one fails.
	ceiling *envelopeDirection
}

// cutDirection is the profile of base + max(0, μv + μ²/2), theory §4.2.
func cutDirection(base, mu float64) *envelopeDirection {
	return &envelopeDirection{envelopeLoss: cutLoss(base, mu)}
}

// logisticDirection is the added direction of theory §4.3.
func logisticDirection(rowNorm, lipschitz, lambda, sigma, signedOffset float64) *envelopeDirection {
	return &envelopeDirection{
		envelopeLoss: logisticLoss(rowNorm, lipschitz, lambda, sigma),
		ceiling:      cutDirection(signedOffset, atLeastNormal(lipschitz/sigma)),
	}
}

// belowCeiling returns the result, or the ceiling's if that is less, as it is at
// parameters so extreme that the digits of the sharper one do not suffice, or if
// the result is NaN.
func (e *envelopeDirection) belowCeiling(
	result float64, ceiling func(*envelopeDirection) float64,
) float64 {
	if e.ceiling == nil {
		return result
	}
	if other := ceiling(e.ceiling); !(result <= other) || curve.Failed(result) {
		return other
	}
	return result
}

func (e *envelopeDirection) logDelta(epsilon float64) float64 {
	return e.belowCeiling(
		e.integrate(curve.Lowered(epsilon, e.base)),
		func(c *envelopeDirection) float64 { return c.logDelta(epsilon) },
	)
}

// renyi is envelopeLoss's.
func (e *envelopeDirection) renyi(alpha float64) float64 {
	return e.belowCeiling(
		e.envelopeLoss.renyi(alpha), func(c *envelopeDirection) float64 { return c.renyi(alpha) },
	)
}

// integrate is logDelta for the loss above base.
func (e *envelopeDirection) integrate(epsilon float64) float64 {
	start := e.linearStart
	excess := e.c + e.mu*(start+e.mu/2) - epsilon // of the loss at start over ε
	if !(excess > 0) {
		return logGaussianDelta(curve.Lowered(epsilon, e.c), e.mu)
	}
	total := e.logTail(epsilon, excess)
	if epsilon < 0 {
		total = special.LogAddExp(total, special.LogNormalCDF(e.flatEnd)+special.Log1mExp(epsilon))
	}
	logPsi := func(omega float64) float64 {
		if omega <= epsilon {
			return math.Inf(-1)
		}
		return special.Log1mExp(epsilon - omega)
	}
	for i := range e.branches {
		s := e.branches[i].stretch(epsilon)
		if s.cross >= s.high {
			continue
		}
		s.low = math.Max(s.low, s.cross)
		total = special.LogAddExp(total, s.logIntegral(logPsi, math.Inf(1), total))
	}
	if below(total, logGaussianDelta(epsilon-e.c, e.mu)) { // the loss is at least the line
		return math.NaN()
	}
	return total
}

// logTail returns the log of ∫ φ(v)(1 − e^{ε−c−μv−μ²/2}) dv from linearStart to
// ∞, where the integrand is positive from the start on.
func (e *envelopeDirection) logTail(epsilon, excess float64) float64 {
	start, end := e.linearStart, e.linearStart+e.mu
	switch {
	case start > -1:
		return special.LogNormalDensity(start) +
			math.Log(special.MillsDrop(start, e.mu)-math.Expm1(-excess)*special.Mills(end))
	case epsilon <= e.c:
		return math.Log(
			special.NormalMass(start, end) - math.Expm1(epsilon-e.c)*special.NormalSurvival(end),
		)
	}
	return math.Log(
		special.NormalSurvival(start) - math.Exp(epsilon-e.c+special.LogNormalSurvival(end)),
	)
}

// wideBranch is the length in v from which a branch is integrated in v: the s
// that matter then lie so close together that rounding would show in v(s).
const wideBranch = 1000.0

// stretch is the branch as a piece of an integral. Its parameter is s, in which
// v and the loss are explicit and stay analytic where κ” vanishes, except for
// very wide branches.
func (b *branch) stretch(epsilon float64) stretch {
	piece := stretch{
		low: b.vLow, high: b.vHigh,
		parameter: b.maximiser,
		at: func(s float64) (v, omega, dvds float64) {
			return b.vAt(s), b.lossAt(s), math.Max(0, -b.curvature(s)/b.m)
		},
	}
	if b.vHigh-b.vLow > wideBranch {
		piece.parameter = func(v float64) float64 { return v }
		piece.at = func(v float64) (float64, float64, float64) { return v, b.best(v), 1 }
	}
	switch {
	case epsilon < b.lossAt(b.low):
		piece.cross = math.Inf(-1)
	case epsilon >= b.lossAt(b.high):
		piece.cross = math.Inf(1)
	default:
		s := b.levelAt(epsilon)
		piece.cross = math.Min(b.vHigh, math.Max(b.vLow, b.vAt(s)))
		piece.steepness = b.m * s
	}
	return piece
}

func (e *envelopeDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	result := e.integrateWithGaussian(curve.Lowered(epsilon, e.base), muOut)
	return e.belowCeiling(result, func(c *envelopeDirection) float64 {
		if curve.Failed(result) {
			return c.logDeltaWithGaussian(epsilon, muOut)
		}
		return c.roughlyWithGaussian(curve.Lowered(epsilon, c.base), muOut)
	})
}

// roughlyWithGaussian bounds integrateWithGaussian of a loss without branches in
// closed form: what the flat part costs, and the line as if it had no end.
func (e *envelopeDirection) roughlyWithGaussian(epsilon, muOut float64) float64 {
	return special.LogAddExp(
		special.LogNormalCDF(e.flatEnd)+logGaussianDelta(epsilon, muOut),
		logGaussianDelta(curve.Lowered(epsilon, e.c), math.Hypot(e.mu, muOut)))
}

func (e *envelopeDirection) integrateWithGaussian(epsilon, muOut float64) float64 {
	logPsi := func(omega float64) float64 {
		return logGaussianDelta(curve.Lowered(epsilon, omega), muOut)
	}
	beyond := curve.Lowered(epsilon, e.c)

	// Left of linearStart the loss is at most what it is there. When that
	// matters nowhere, the rest is at most the whole line's closed form.
	whole := logGaussianDelta(beyond, math.Hypot(e.mu, muOut))
	lower := special.LogNormalCDF(e.linearStart) + logPsi(e.c+e.mu*(e.linearStart+e.mu/2))
	if lower < whole-negligible {
		return special.LogAddExp(whole, lower)
	}
	total := special.LogNormalCDF(e.flatEnd) + logPsi(0)

	// A piece weighs at most its mass, bounded by either tail, times ψ at its
	// right end.
	for i := len(e.branches) - 1; i >= 0; i-- {
		b := &e.branches[i]
		mass := math.Min(special.LogNormalCDF(b.vHigh), special.LogNormalSurvival(b.vLow))
		most := mass + logPsi(b.lossAt(b.high))
		if most > total-negligible {
			if exact := b.stretch(epsilon).logIntegral(logPsi, muOut, total); exact < most {
				most = exact
			}
		}
		total = special.LogAddExp(total, most)
	}
	most := math.Min(whole, special.LogNormalSurvival(e.linearStart))
	if most > total-negligible {
		most = math.Min(most, logLinearTail(beyond, e.linearStart, e.mu, muOut))
	}
	total = special.LogAddExp(total, most)
	if below(total, whole) { // the loss is at least the line
		return math.NaN()
	}
	return total
}
