package objective

import (
	"math"

	"cloister/core/special"
)

// steepestMoment bounds tμ, the place of a tilted normal's peak, up to which
// moments are integrated; further out they are bounded in closed form.
const steepestMoment = 200.0

// renyi is D_α of the loss: base + log E[e^{tω}]/t with t = α − 1 and ω the loss
// above base. On the flat part ω = 0, on the linear part the moment is that of
// a normal; the branches are integrated. For the loss of theory §4.2 it is
//
//	log(Φ(−μ/2) + e^{tμ²/2 + t²μ²/2} Φ(μ/2 + tμ))/t + base.
//
// NaN is returned when an integral fails. Orders nearer to 1 than 1e-12 are
// moved there: D_α does not decrease in α.
func (e *envelopeLoss) renyi(alpha float64) float64 {
	t := math.Max(alpha-1, 1e-12)
	exponent := t * (e.c + e.mu*e.mu/2*(1+t)) // of the whole line's moment
	tail := exponent + special.LogNormalCDF(t*e.mu-e.linearStart)
	top := t * e.line0(e.linearStart)

	// Everything left of linearStart at its largest loss.
	most := special.LogNormalCDF(e.linearStart) + top
	if len(e.branches) > 0 && (most < tail-negligible || t*e.mu > steepestMoment) {
		return e.base + special.LogAddExp(most, tail)/t
	}
	total := special.LogAddExp(tail, special.LogNormalCDF(e.flatEnd))
	for i := range e.branches {
		total = special.LogAddExp(total, e.branches[i].logMoment(t, e.mu, false))
	}
	if total > 0.5 || math.IsNaN(total) {
		return e.base + total/t
	}
	// E[e^{tω} − 1], whose terms are all positive.
	excess := special.NormalMassFrom(e.linearStart-t*e.mu, t*e.mu) +
		math.Expm1(exponent)*special.NormalCDF(t*e.mu-e.linearStart)
	for i := range e.branches {
		excess += math.Exp(e.branches[i].logMoment(t, e.mu, true))
	}
	return e.base + math.Log1p(excess)/t
}

// line0 is line without base.
func (e *envelopeLoss) line0(v float64) float64 { return e.c + e.mu*(v+e.mu/2) }

// logMoment returns log E[e^{tω}; branch], or with excess log E[e^{tω} − 1; branch],
// plus the error bound of its quadrature. Left of 0 the integrand grows with v,
// and right of tμ it falls, faster than a normal density either way.
func (b *branch) logMoment(t, mu float64, excess bool) float64 {
	low, high := math.Max(b.vLow, -reach), math.Min(b.vHigh, t*mu+reach)
	if !(low < high) {
		low, high = b.vLow, b.vHigh
		if b.vHigh > t*mu { // entirely on the right
			return special.LogNormalSurvival(b.vLow) + t*b.lossAt(b.high)
		}
		return special.LogNormalCDF(b.vHigh) + t*b.lossAt(b.high)
	}
	steps := math.Ceil(high - low)
	var parameters []float64
	reference, place := math.Inf(-1), 0.0
	for i := 0.0; i <= steps; i++ {
		s := b.maximiser(low + (high-low)*i/steps)
		v := b.vAt(s)
		parameters = append(parameters, s)
		if value := t*b.lossAt(s) - v*v/2; value > reference {
			reference, place = value, v
		}
	}
	if excess {
		reference = 0
	}
	sum := integrate(func(s float64) float64 {
		v, exponent := b.vAt(s), t*b.lossAt(s)
		density := math.Max(0, -b.curvature(s)/b.m) / sqrt2Pi
		if excess {
			return density * math.Exp(-v*v/2) * math.Expm1(exponent)
		}
		return density * math.Exp(exponent-v*v/2-reference)
	}, parameters, roundingOf(place), 0)
	return reference + math.Log(sum)
}

const sqrt2Pi = 2.50662827463100050241576528481104525300698674061
