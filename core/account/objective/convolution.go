package objective

import (
	"math"

	"cloister/core/special"
)

// Integrals of φ(v)·ψ(ω(v)) over a stretch of the v axis, ψ nondecreasing with
// values in [0, 1], ω one smooth piece of a loss: what a bound costs when it is
// composed with a Gaussian mechanism, in the order of integration that leaves
// one integral,
//
//	E_w[δ(ε − w)] = ∫ φ(v) δ_G(ε − ω(v); μ_out) dv.

// stretch is one smooth piece of a loss, in a parameter t that increases in v.
type stretch struct {
	low, high float64                     // in v; high may be +Inf
	cross     float64                     // v at which ω(v) = ε, ±Inf if outside
	steepness float64                     // of ω at cross, per unit of v
	parameter func(v float64) (t float64) // inverse of at's v
	at        func(t float64) (v, omega, dvdt float64)
}

const (
	// reach is how far, in v, an integral is followed beyond the last point
	// where its integrand can still grow: Φ(−13) < 1e-38.
	reach = 13.0

	// negligible, in nats, is what may be dropped after adding its bound.
	negligible = 34.0

	// quadratureAccuracy is the relative accuracy of integrals; their error
	// estimates are added to the results.
	quadratureAccuracy = 2e-13

	// usable is the relative error from which an integral is not used at all.
	usable = 1e-3
)

// logIntegral returns the log of the stretch's integral plus its error bound,
// or NaN. width is the scale, in ω, on which ψ rises; others is the log of what
// the integral will be added to, against which it need be accurate only.
func (s stretch) logIntegral(logPsi func(omega float64) float64, width, others float64) float64 {
	// φ(v)ψ(ω(v)) grows for v < 0; and right of both 0 and the crossing ψ can
	// no longer make up for φ.
	a := math.Max(s.low, -reach)
	b := math.Min(s.high, math.Max(math.Max(s.cross, a), 0)+reach)
	left, right := math.Inf(-1), math.Inf(-1)
	logAt := func(v float64) float64 {
		_, omega, _ := s.at(s.parameter(v))
		return special.LogNormalDensity(v) + logPsi(omega)
	}
	if s.high <= a {
		_, omega, _ := s.at(s.parameter(s.high))
		return special.LogNormalCDF(s.high) + logPsi(omega)
	}
	if b < s.high {
		right = special.LogNormalSurvival(b)
	}
	if a > s.low {
		_, omega, _ := s.at(s.parameter(a))
		left = special.LogNormalCDF(a) + logPsi(omega)
	}

	knots := s.knots(a, b, width)
	// A panel's integral is at most its width times φ at its point nearest to
	// 0 times ψ at its right end.
	values := make([]float64, len(knots))
	peak := math.Inf(-1)
	for i, v := range knots {
		values[i] = logAt(v)
		peak = math.Max(peak, values[i]+math.Log(s.gap(knots, i)))
	}
	if math.IsNaN(peak) || math.IsInf(peak, 1) {
		return math.NaN()
	}
	bound := func(i int) float64 {
		nearest := math.Max(knots[i], math.Min(knots[i+1], 0))
		return values[i+1] - special.LogNormalDensity(knots[i+1]) +
			special.LogNormalDensity(nearest) + math.Log(knots[i+1]-knots[i])
	}
	first, last := 0, len(knots)-1
	for first < last-1 && bound(first) < peak-negligible-4 {
		left = special.LogAddExp(left, bound(first))
		first++
	}
	for last > first+1 && bound(last-1) < peak-negligible-4 {
		right = special.LogAddExp(right, bound(last-1))
		last--
	}

	parameters := make([]float64, 0, last-first+1)
	reference, place := math.Inf(-1), 0.0
	for i := first; i <= last; i++ {
		parameters = append(parameters, s.parameter(knots[i]))
		if values[i] > reference {
			reference, place = values[i], knots[i]
		}
	}
	if math.IsInf(reference, -1) {
		place = math.Max(a, math.Min(b, 0))
		reference = special.LogNormalDensity(place)
	}
	sum := integrate(func(t float64) float64 {
		v, omega, dvdt := s.at(t)
		return math.Exp(special.LogNormalDensity(v)+logPsi(omega)-reference) * dvdt
	}, parameters, roundingOf(place)+0x1p-49*math.Abs(reference),
		math.Exp(math.Min(700, others-reference)))
	return special.LogSumExp(reference+math.Log(sum), left, right)
}

// roundingOf is the relative rounding error of φ near v: that of v²/2.
func roundingOf(v float64) float64 { return 0x1p-47 * v * v }

// integrate returns an integral of a positive function plus its error bound,
// accurate relative to itself or to others, whichever is larger. Below the
// relative rounding error of the function no digits are sought. An accuracy that
// is not reached makes the bound larger, not the result wrong; NaN is returned
// when it is so bad that a cruder bound does better.
func integrate(f func(float64) float64, knots []float64, rounding, others float64) float64 {
	accuracy := quadratureAccuracy + rounding
	value, estimate, err := special.Adaptive(f, knots, accuracy, accuracy*others)
	if err != nil && !(estimate <= usable*value) {
		return math.NaN()
	}
	return value + estimate
}

// gap is the distance from a knot to its nearer neighbour.
func (stretch) gap(knots []float64, i int) float64 {
	gap := math.Inf(1)
	if i > 0 {
		gap = knots[i] - knots[i-1]
	}
	if i+1 < len(knots) {
		gap = math.Min(gap, knots[i+1]-knots[i])
	}
	return gap
}

// knots divides [a, b] so that no panel is wider than 2 (or a thousandth of
// the whole), and panels shrink geometrically towards the crossing, down to
// the scale of ψ's rise, of φ's decay there, and towards the place where the
// product has its peak when ψ rises slowly.
func (s stretch) knots(a, b, width float64) []float64 {
	list := []float64{a}
	steps := math.Min(1000, math.Ceil((b-a)/2))
	for i := 1.0; i < steps; i++ {
		list = append(list, a+(b-a)*i/steps)
	}
	list = append(list, b)
	ladder := func(center, scale float64) {
		if math.IsInf(center, 0) {
			return
		}
		inside := math.Max(a, math.Min(b, center))
		if inside == center {
			list = append(list, center)
		}
		// Seen from a center outside, nothing happens on a smaller scale than
		// the distance to it, or the decay length at that distance.
		distance := math.Abs(center - inside)
		if center > inside {
			scale = math.Min(
				math.Max(scale, distance),
				math.Max(scale*scale/(scale+distance), 1e-15*(1+math.Abs(inside))),
			)
		} else {
			scale = math.Max(scale, distance)
		}
		for h := scale; h < 2; h *= 3 {
			list = append(list, math.Max(a, inside-h), math.Min(b, inside+h))
		}
	}
	scale := 1 / math.Max(1, math.Abs(s.cross))
	rise := width / s.steepness
	smallest := 1e-15 * (1 + math.Abs(s.cross))
	ladder(s.cross, math.Max(smallest, math.Min(scale, rise)))
	if rise < math.Inf(1) && s.cross > 0 {
		// −v²/2 − ((cross − v)/rise)²/2 is largest here.
		ladder(s.cross/(1+rise*rise), math.Max(smallest, 1/math.Sqrt(1+1/(rise*rise))))
	}
	return ascending(list)
}

// ascending sorts a list in place, by insertion, which is short for lists that
// are mostly sorted, and takes out what is there twice.
func ascending(list []float64) []float64 {
	for i := 1; i < len(list); i++ {
		for k := i; k > 0 && list[k] < list[k-1]; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	kept := list[:1]
	for _, x := range list[1:] {
		if x != kept[len(kept)-1] {
			kept = append(kept, x)
		}
	}
	return kept
}

// logLinearTail returns the log of ∫_{start}^∞ φ(v) δ_G(ε − μv − μ²/2; μ_out) dv
// or slightly more: without the lower limit it is δ_G(ε; √(μ² + μ_out²)).
func logLinearTail(epsilon, start, mu, muOut float64) float64 {
	logPsi := func(omega float64) float64 { return logGaussianDelta(epsilon-omega, muOut) }
	whole := logGaussianDelta(epsilon, math.Hypot(mu, muOut))
	missing := special.LogNormalCDF(start) + logPsi(mu*(start+mu/2))
	if missing < whole-negligible {
		return whole
	}
	tail := stretch{
		low: start, high: math.Inf(1),
		cross: epsilon/mu - mu/2, steepness: mu,
		parameter: func(v float64) float64 { return v },
		at:        func(v float64) (float64, float64, float64) { return v, mu * (v + mu/2), 1 },
	}
	result := tail.logIntegral(logPsi, muOut, math.Inf(-1))
	if result < whole && !below(result, special.LogDiffExp(whole, missing)) {
		return result
	}
	return whole
}

// below reports whether a computed logarithm lies below a lower bound of what it
// stands for by more than rounding explains: the sign of a missed peak.
func below(result, lower float64) bool { return result < lower-1e-9-1e-12*math.Abs(lower) }
