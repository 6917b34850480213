package pld

import (
	"math"

	"cloister/core/special"
)

// end is the upper or the lower end of a sheet: one composed measure on a
// window of its grid.
//
// With tilted single measures p̃ᵢ[j] = pᵢ[j] e^{tωⱼ}/Mᵢ and p̃ their composition,
// the composed measure is p[n] = e^{scale − tωₙ} p̃[n], scale = Σ kᵢ log Mᵢ, and
// for ε = ωₙ₊₁ − u, 0 ≤ u ≤ step,
//
//	Σ_{m>n} (1 − e^{ε−ωₘ}) p[m] = e^{scale − tωₙ} (rest[n] + (1 − e^{−u}) near[n]),
//	rest[n] = Σ_{m>n+1} p̃[m] e^{−t(ωₘ−ωₙ)} (1 − e^{−(ωₘ−ωₙ₊₁)}),
//	near[n] = Σ_{m>n} p̃[m] e^{−t(ωₘ−ωₙ) − (ωₘ−ωₙ₊₁)},
//
// by recurrences all of whose terms, like those of the formula, are positive.
//
// What the window leaves out. Mass that belongs elsewhere wraps into it, since
// the convolution is cyclic: for the upper end that is an excess, and what is
// missing above is at most, by Chernoff's bound at any r > 0,
// e^{K(r) − r·top}·max_{x≥top}(1 − e^{ε−x})e^{−r(x−top)} with K the log of the measure's own
// moment generating function. For the lower end what wraps in is taken off again: a mass of at
// most e^{K(r) − K(t) − (r−t)·edge} for either edge, in p̃, each part of which
// counts for no more than e^{scale−tε}·max_{x≥0}(1 − e^{−x})e^{−tx}.
//
// An end without a window (rest and near are nil) has Chernoff's bounds only.
type end struct {
	window
	step   float64
	offset float64 // loss of index 0, the sum of all offsets
	first  int64   // index at which the window begins
	last   float64 // the largest index at which there can be mass
	raised float64 // the most that finish may have added to an entry
	scale  float64

	finite  float64    // log of the P-mass that is not at +∞
	slip    float64    // bounds how far true losses are from stated ones
	slack   float64    // bounds the error of log(rest), log(near) and scale
	moments [3]float64 // bounds of K at below, tilt and above

	rest, near []float64
}

// newEnd adds up what parts bring, all but their masses.
func newEnd(w *window, parts []component, of side) *end {
	e := &end{window: *w}
	for i := range parts {
		k, d := float64(parts[i].count), of(&parts[i])
		m := d.whole
		e.step = m.step
		e.offset += k * m.offset
		e.slip += k * (m.slip + 0x1p-49*m.reach())
		e.last += k * float64(len(m.mass)-1)
		e.finite += k * math.Log1p(-math.Min(m.infinite, 1))
		log := d.logMoment(w.tilt)
		e.scale += k * log
		// Errors of each mass, of the exponents in fill, and of the sum in scale.
		e.slack += k * (massError + 0x1p-50*(800+math.Abs(log)+w.tilt*m.reach()))
	}
	for i, r := range w.exponents() {
		e.moments[i] = composedMoment(parts, of, r, 1)
	}
	return e
}

// fill puts the tilted masses of part of a measure into the cyclic array.
func (m *measure) fill(into []float64, tilt, log float64) {
	mask := len(into) - 1
	for j, logMass := range m.logs() {
		if logMass > math.Inf(-1) {
			into[(m.start+j)&mask] += math.Exp(logMass + tilt*(m.offset+float64(j)*m.step) - log)
		}
	}
}

// reach bounds every loss of a measure.
func (m *measure) reach() float64 { return math.Abs(m.offset) + float64(len(m.mass))*m.step }

// logs returns the logarithms of the masses.
func (m *measure) logs() []float64 {
	if m.log == nil {
		m.log = make([]float64, len(m.mass))
		for j, mass := range m.mass {
			m.log[j] = logarithm(mass)
		}
	}
	return m.log
}

// logMoment returns log Σ mass·e^{tω}, remembering the last few.
func (m *measure) logMoment(t float64) float64 {
	for _, known := range m.moments {
		if known[0] == t {
			return known[1]
		}
	}
	value := m.sumMoment(t)
	m.moments = append(m.moments, [2]float64{t, value})
	return value
}

// momentError bounds the error of logMoment: of the masses, of the exponents and
// of a sum of so many terms. At a sheet's own tilt there is none: the same number
// divides the masses and multiplies the result.
func (m *measure) momentError(t float64) float64 {
	return massError + 0x1p-53*float64(len(m.mass)) + 0x1p-50*(800+math.Abs(t)*m.reach())
}

func (m *measure) sumMoment(t float64) float64 {
	logs, unit := m.logs(), t*m.step
	top := math.Inf(-1)
	for j, log := range logs {
		if x := log + unit*float64(j); x > top {
			top = x
		}
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for j, log := range logs {
		if x := log + unit*float64(j) - top; x > -60 {
			sum += math.Exp(x)
		}
	}
	return t*m.offset + top + math.Log(sum)
}

// finish takes the composed entries, by index modulo the window's length, each
// changed by shift and then no smaller than least.
func (e *end) finish(entries []float64, shift, least float64) {
	n := len(entries)
	e.first = int64(math.Floor((e.from - e.offset) / e.step))
	e.raised = shift + least
	// The sums below add at most n positive terms to one another, each with up
	// to n factors e^{−t·step}; the last term is for t·loss, anywhere in the window.
	e.slack += float64(n) * (8 + 4*e.tilt*e.step) * 0x1p-53
	e.rest, e.near = make([]float64, n), make([]float64, n)
	fall := math.Exp(-e.tilt * e.step)
	fade := math.Exp(-e.step)
	part := -math.Expm1(-e.step)
	// Σ_{m>i} p̃[m] e^{−td} (1 − e^{−d}) and Σ_{m>i} p̃[m] e^{−(t+1)d}, d = ωₘ − ωᵢ
	rise, sink := 0.0, 0.0
	start := int(e.first & int64(n-1))
	for i := n - 2; i >= 0; i-- {
		p := entries[(start+i+1)&(n-1)] + shift
		if p < least {
			p = least
		}
		if float64(e.first+int64(i+1)) > e.last {
			p = 0
		}
		near := fall * (p + sink)
		e.rest[i], e.near[i] = fall*rise, near
		rise = fall*rise + part*near
		sink = fade * near
	}
}

// locate returns the grid index n of the window with ωₙ ≤ ε, and ωₙ₊₁ − ε.
func (e *end) locate(epsilon float64) (n int, u float64) {
	q := math.Floor((epsilon - e.loss(0)) / e.step)
	if q < 0 || !(q < float64(len(e.rest))) {
		return int(math.Max(-1, math.Min(q, float64(len(e.rest))))), 0
	}
	n = int(q)
	// The quotient errs by more than losses near ε do, where the window is wide.
	if e.loss(n) > epsilon {
		n--
	} else if e.loss(n+1) <= epsilon {
		n++
	}
	return n, math.Max(0, math.Min(e.step, e.loss(n+1)-epsilon))
}

// loss returns ωₙ.
func (e *end) loss(n int) float64 { return e.offset + float64(e.first+int64(n))*e.step }

// underflow bounds what sums of rest and near may have lost to numbers below
// the smallest float64, which matters where e^{scale−tωₙ} is huge.
const underflow = 1e-300

// part is Σ_{m>n} (1 − e^{ε−ωₘ}) p[m] over e^{scale−tωₙ}, where ε = ωₙ₊₁ − u.
func (e *end) part(n int, u float64) float64 {
	return e.rest[n] - math.Expm1(-u)*e.near[n]
}

// logAt is log of part·e^{scale−tωₙ}.
func (e *end) logAt(n int, part float64) float64 {
	if part <= 0 {
		return math.Inf(-1)
	}
	return e.scale - e.tilt*e.loss(n) + math.Log(part)
}

// logInfinite returns log of the P-mass at +∞.
func (e *end) logInfinite() float64 { return special.Log1mExp(math.Min(0, e.finite)) }

// logDeltaUpper returns log of an upper bound of δ(ε), for the upper end.
func (e *end) logDeltaUpper(epsilon float64) float64 {
	epsilon -= e.slip
	total := math.NaN()
	if n, u := e.locate(epsilon); n >= 0 && n < len(e.rest) {
		inside := e.logAt(n, e.part(n, u)+underflow)
		total = special.LogAddExp(inside, e.logBeyond(epsilon)) + e.slack
	}
	if !(total < 0) {
		total = e.chernoff(epsilon)
	}
	total = special.LogAddExp(total, e.logInfinite()) + massError
	if !(total < 0) { // NaN too
		return 0
	}
	return total
}

// logSharp is about what the window itself brings to log δ(ε) of an upper end: without what is
// charged for rounding, for what is beyond the window, and for what was cut off.
func (e *end) logSharp(epsilon float64) float64 {
	n, u := e.locate(epsilon)
	if n < 0 || n >= len(e.rest) {
		return math.Inf(-1)
	}
	// As much of every entry, by finish's recurrences.
	all := float64(len(e.rest))
	if rise := math.Expm1(e.tilt * e.step); rise*all > 1 {
		all = 1 / rise
	}
	return e.logAt(n, e.part(n, u)-all*e.raised)
}

// logBeyond bounds what the mass above the window adds to log δ(ε), for an ε below its top.
func (e *end) logBeyond(epsilon float64) float64 {
	top, r := e.loss(len(e.rest)), e.above
	mass := e.moments[2] - r*top
	// With x − top = y ≥ 0, (1 − e^{ε−top−y})e^{−ry} grows until e^{ε−top−y} = r/(1 + r): it is
	// greatest at y = 0 if that is behind.
	room := top - epsilon
	if room >= math.Log1p(1/r) {
		return mass + math.Log(-math.Expm1(-room)) + 0x1p-50
	}
	return mass + math.Min(0, logMost(r)+r*room*(1+0x1p-48)+0x1p-48)
}

// chernoff bounds log δ(ε), but for the mass at +∞, by the moments that are
// known: E[1 − e^{ε−ω}]₊ ≤ e^{K(r)−rε}·max_{x≥0}(1 − e^{−x})e^{−rx} for any r > 0.
func (e *end) chernoff(epsilon float64) float64 {
	least := 0.0
	for i, r := range e.exponents() {
		k := e.moments[i]
		if log := k - r*epsilon + logMost(r) + 0x1p-50*(math.Abs(k)+r*math.Abs(epsilon)); r > 0 &&
			log < least {
			least = log // not NaN
		}
	}
	return least
}

// logMost is log max_{x≥0}(1 − e^{−x})e^{−tx}, for t ≥ 0.
func logMost(t float64) float64 {
	if t == 0 {
		return 0
	}
	return -t*math.Log1p(1/t) - math.Log1p(t)
}

// wrapped bounds what has wrapped into the window, as a mass of p̃ times the
// largest weight that a part of it can have in δ(ε), over e^{scale−tε}.
func (e *end) wrapped() float64 {
	over := e.moments[2] - e.scale - (e.above-e.tilt)*e.loss(len(e.rest))
	under := e.moments[0] - e.scale + (e.tilt-e.below)*e.loss(0)
	return (math.Exp(over) + math.Exp(under)) * math.Exp(2*e.slack+logMost(e.tilt))
}

// logDeltaLower returns log of a lower bound of δ(ε), for the lower end.
func (e *end) logDeltaLower(epsilon float64) float64 {
	n, u := e.locate(epsilon + e.slip)
	if n < 0 {
		n, u = 0, 0 // δ does not increase
	}
	total := e.logInfinite()
	if n < len(e.rest) {
		total = special.LogAddExp(total, e.logAt(n, e.part(n, u)-e.wrapped()-underflow))
	}
	if total -= e.slack; total <= 0 {
		return total
	}
	return math.Inf(-1) // NaN
}

// refine bisects between a point at which holds is false and one at which it is
// true, and returns a point of the latter kind, within 1e-11 of itself.
func refine(holds func(float64) bool, bad, good float64) float64 {
	for i := 0; i < 60 && math.Abs(good-bad) > 1e-11*math.Abs(good); i++ {
		middle := bad + (good-bad)/2
		if holds(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}
