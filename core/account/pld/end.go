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
// e^{K(r) − r·top} with K the log of the measure's own moment generating
// function. For the lower end what wraps in is taken off again: a mass of at
// most e^{K(r) − K(t) − (r−t)·edge} for either edge, in p̃, each part of which
// counts for no more than e^{scale−tε}·max_{x≥0}(1 − e^{−x})e^{−tx}.
type end struct {
	window
	step   float64
	offset float64 // loss of index 0, the sum of all offsets
	first  int64   // index at which the window begins
	last   float64 // the largest index at which there can be mass
	scale  float64

	finite   float64 // log of the P-mass that is not at +∞
	slip     float64 // bounds how far true losses are from stated ones
	slack    float64 // bounds the error of log(rest), log(near) and scale
	logAbove float64 // K(above)
	logBelow float64 // K(below)

	rest, near []float64
}

func newEnd(w window) *end { return &end{window: w} }

// add prepares one more measure, composed count times: its tilted masses go
// into the cyclic array, and everything else that it brings is added up.
func (e *end) add(into []float64, m *measure, count int) {
	k := float64(count)
	e.step = m.step
	e.offset += k * m.offset
	e.slip += k * (m.slip + 0x1p-49*(math.Abs(m.offset)+float64(len(m.mass))*m.step))
	e.last += k * float64(len(m.mass)-1)
	e.finite += k * math.Log1p(-math.Min(m.infinite, 1))

	log := m.logMoment(e.tilt)
	e.scale += k * log
	// Errors of each mass, of the exponents below, and of the sum in scale.
	reach := math.Abs(m.offset) + float64(len(m.mass))*m.step
	e.slack += k * (massError + 0x1p-50*(800+math.Abs(log)+e.tilt*reach))
	e.logAbove += k * m.logMomentUpper(e.above)
	e.logBelow += k * m.logMomentUpper(e.below)
	mask := len(into) - 1
	for j, logMass := range m.logs() {
		if logMass > math.Inf(-1) {
			into[j&mask] += math.Exp(logMass + e.tilt*(m.offset+float64(j)*m.step) - log)
		}
	}
}

// logs returns the logarithms of the masses.
func (m *measure) logs() []float64 {
	if m.log == nil {
		m.log = make([]float64, len(m.mass))
		for j, mass := range m.mass {
			m.log[j] = math.Log(mass)
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

// logMomentUpper is logMoment rounded up: by the masses' errors, those of the
// exponents, and that of a sum of so many terms. At a sheet's own tilt this is
// not needed: there the same number divides the masses and multiplies the result.
func (m *measure) logMomentUpper(t float64) float64 {
	log, n := m.logMoment(t), float64(len(m.mass))
	return log + massError + 0x1p-53*n + 0x1p-50*(800+math.Abs(log)+math.Abs(t)*(math.Abs(m.offset)+n*m.step))
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
	// The sums below add at most n positive terms to one another, each with up
	// to n factors e^{−t·step}; the last term is for t·loss, anywhere in the window.
	e.slack += float64(n) * (8 + 4*e.tilt*e.step) * 0x1p-53
	e.rest, e.near = make([]float64, n), make([]float64, n)
	fall := math.Exp(-e.tilt * e.step)
	fade := math.Exp(-e.step)
	part := -math.Expm1(-e.step)
	rise, sink := 0.0, 0.0 // Σ_{m>i} p̃[m] e^{−td} (1 − e^{−d}) and Σ_{m>i} p̃[m] e^{−(t+1)d}, d = ωₘ − ωᵢ
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

// slope returns −(log δ)' at ε, approximately: of what lies in the window.
func (e *end) slope(epsilon float64) float64 {
	n, u := e.locate(epsilon)
	if n < 0 || n >= len(e.rest) {
		return 0
	}
	part := e.part(n, u)
	if !(part > 0) {
		return 0
	}
	return math.Exp(-u) * e.near[n] / part
}

// logInfinite returns log of the P-mass at +∞.
func (e *end) logInfinite() float64 { return special.Log1mExp(math.Min(0, e.finite)) }

// logDeltaUpper returns log of an upper bound of δ(ε), for the upper end.
func (e *end) logDeltaUpper(epsilon float64) float64 {
	n, u := e.locate(epsilon - e.slip)
	if n < 0 {
		return 0
	}
	total := special.LogAddExp(e.logInfinite(), e.logBeyond())
	if n < len(e.rest) {
		total = special.LogAddExp(total, e.logAt(n, e.part(n, u)+underflow))
	}
	total += e.slack
	if !(total < 0) { // NaN too
		return 0
	}
	return total
}

// logBeyond bounds log of the mass above the window.
func (e *end) logBeyond() float64 {
	return e.logAbove - e.above*e.loss(len(e.rest))
}

// wrapped bounds what has wrapped into the window, as a mass of p̃ times the
// largest weight that a part of it can have in δ(ε), over e^{scale−tε}.
func (e *end) wrapped() float64 {
	over := e.logAbove - e.scale - (e.above-e.tilt)*e.loss(len(e.rest))
	under := e.logBelow - e.scale + (e.tilt-e.below)*e.loss(0)
	mass := (math.Exp(over) + math.Exp(under)) * math.Exp(2*e.slack)
	if e.tilt == 0 {
		return mass
	}
	return mass * math.Exp(-e.tilt*math.Log1p(1/e.tilt)) / (e.tilt + 1)
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

// chernoff returns an ε at which e^{K(r)−rε} and the mass at +∞ are together at
// most δ, for one of the exponents r of which K is known; +Inf if there is none.
func (e *end) chernoff(logDelta float64) float64 {
	finite := special.LogDiffExp(logDelta-e.slack-0x1p-40, e.logInfinite())
	best := math.Inf(1)
	for _, known := range [][2]float64{{e.tilt, e.scale}, {e.above, e.logAbove}, {e.below, e.logBelow}} {
		if r := known[0]; r > 0 {
			epsilon := (known[1]-finite)/r + e.slip
			if best > epsilon { // not NaN
				best = epsilon * (1 + 0x1p-40)
			}
		}
	}
	return math.Max(0, best)
}

// epsilonUpper returns a point of the window at which logDeltaUpper is at most
// logDelta, next to the smallest such; false if there is none, or if already
// the window's beginning is one (and then that).
func (e *end) epsilonUpper(logDelta float64) (epsilon float64, inside bool) {
	size := len(e.rest)
	at := func(n int) float64 { return e.logDeltaUpper(e.loss(n) + e.slip) }
	if at(size-1) > logDelta {
		return e.chernoff(logDelta), false
	}
	if at(0) <= logDelta {
		return e.loss(0) + e.slip, false
	}
	bad, good := 0, size-1 // at(bad) > logDelta ≥ at(good)
	for good-bad > 1 {
		if middle := (bad + good) / 2; at(middle) <= logDelta {
			good = middle
		} else {
			bad = middle
		}
	}
	low, high := e.loss(bad)+e.slip, e.loss(good)+e.slip
	return refine(func(epsilon float64) bool { return e.logDeltaUpper(epsilon) <= logDelta }, low, high), true
}

// epsilonLower returns a point at which logDeltaLower is above logDelta, next
// to the largest such below the given ε; false if the window has none. Where
// the sheet is not sharp, far from its middle, logDeltaLower falls to 0, so the
// search goes down from ε.
func (e *end) epsilonLower(logDelta, epsilon float64) (lower float64, inside bool) {
	at := func(n int) float64 { return e.logDeltaLower(e.loss(n) - e.slip) }
	start, _ := e.locate(epsilon)
	bad := max(1, min(start+1, len(e.rest)))
	good := bad - 1
	for stride := 1; !(at(good) > logDelta); stride *= 2 {
		if good == 0 {
			return math.Inf(-1), false
		}
		bad, good = good, max(0, good-stride)
	}
	for bad-good > 1 {
		if middle := (bad + good) / 2; at(middle) > logDelta {
			good = middle
		} else {
			bad = middle
		}
	}
	return refine(func(epsilon float64) bool { return e.logDeltaLower(epsilon) > logDelta },
		e.loss(good+1)-e.slip, e.loss(good)-e.slip), true
}

// refine bisects between a point at which holds is false and one at which it is
// true, and returns a point of the latter kind.
func refine(holds func(float64) bool, bad, good float64) float64 {
	for range 30 {
		middle := bad + (good-bad)/2
		if middle == bad || middle == good {
			break
		}
		if holds(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}
