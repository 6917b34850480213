package pld

import (
	"math"

	"cloister/core/special"
)

// contours returns two lines for the neighbourhood of a target. They lie apart
// by a fifth, and so do their errors.
func (g *target) contours(runs []run) (first, second *contour, ok bool) {
	finite := 0.0
	for _, r := range runs {
		switch l := r.source.(type) {
		case *loss:
			finite += float64(r.count) * math.Log1p(-l.infinite)
		case between, *chords:
		default:
			return nil, nil, false // no loss, only a bound on its profile
		}
	}
	// Far enough for the tails of the tilted distribution, and for e^{−zε}
	// itself to fall to e^{−28}.
	s := math.Max(g.best.tilt, 0.6/g.deviation)
	w := g.window(s)
	reach := math.Max(w.to-g.epsilon, g.epsilon-w.from)*1.3 + 28/s
	m := fine
	for range 4 {
		var c cumulant
		for _, r := range runs {
			omega, weight := r.table(g.low, g.high, m)
			c = append(c, newNodes(omega, weight, r.count))
		}
		if first, ok = c.along(s, 2*math.Pi/reach, w.reach); !ok {
			return nil, nil, false
		}
		if !first.resolved() {
			m.panel /= 4
			continue
		}
		second, ok = c.along(s/1.25, 2*math.Pi/(1.3*reach), w.reach)
		first.infinite = special.Log1mExp(math.Min(0, finite))
		return first, second, ok && second.resolved()
	}
	return nil, nil, false
}

// agree is how far two contours may differ and count as settled: in log δ, and
// in ε relative to it.
const agree = 1e-5

// invertDelta estimates log δ(ε) of one direction along two contours, and by a
// single run's own profile; false where it does not settle.
func invertDelta(runs []run, epsilon float64) (log, spread float64, ok bool) {
	d := direction{runs: runs}
	if _, single := d.single(); single || len(runs) == 0 {
		low, high := d.logDelta(epsilon, DefaultAccuracy, math.Inf(-1))
		return middle(low, high), (high - low) / 2, true
	}
	if d.exact() {
		return 0, 0, false
	}
	g := aimAt(runs, epsilon, estimateCut)
	first, second, ok := g.contours(runs)
	if !ok {
		return 0, 0, false
	}
	a, _ := first.logDelta(epsilon)
	b, _ := second.logDelta(epsilon)
	if spread = math.Abs(a - b); !(spread < agree) {
		return 0, 0, false
	}
	return math.Min(0, special.LogAddExp(a, first.infinite)), spread, true
}

// invertEpsilon is the same for ε at a δ.
func invertEpsilon(runs []run, logDelta float64) (epsilon, spread float64, ok bool) {
	d := direction{runs: runs}
	if _, single := d.single(); single || len(runs) == 0 {
		low, high := d.epsilon(logDelta, logDelta, DefaultAccuracy, 0)
		return middle(low, high), (high - low) / 2, true
	}
	if d.exact() {
		return 0, 0, false
	}
	g := aim(runs, logDelta, estimateCut)
	for range 3 {
		first, second, ok := g.contours(runs)
		if !ok || first.infinite > logDelta {
			return 0, 0, false
		}
		// What the finite part has to come to.
		finite := special.LogDiffExp(logDelta, first.infinite)
		value, settled := first.solve(finite, g.epsilon)
		if settled {
			if other, again := second.solve(finite, value); again {
				if math.Abs(value-other) <= agree*math.Max(value, 1e-3*g.deviation) {
					return value, math.Abs(value - other), true
				}
			}
		}
		if math.IsNaN(value) {
			return 0, 0, false
		}
		g = g.toward(math.Max(0, value))
	}
	return 0, 0, false
}

// solve finds ε ≥ 0 with log δ(ε) = logDelta from a first guess, by Newton's method kept
// between what is too little and what is too much. Newton's alone may go round for ever:
// where rare large losses count, log δ falls steeply and then hardly at all.
func (l *contour) solve(logDelta, guess float64) (epsilon float64, ok bool) {
	epsilon = guess
	low, high := math.Inf(-1), math.Inf(1)
	for range 60 {
		log, slope := l.logDelta(epsilon)
		if math.IsNaN(log) || !(slope < 0) {
			return math.NaN(), false
		}
		if epsilon == 0 && log <= logDelta {
			return 0, true
		}
		if log > logDelta {
			low = math.Max(low, epsilon)
		} else {
			high = math.Min(high, epsilon)
		}
		next := math.Max(0, epsilon-(log-logDelta)/slope)
		if !(next > low && next < high) && !math.IsInf(high-low, 1) {
			next = low + (high-low)/2
		}
		if math.Abs(next-epsilon) <= 1e-13*epsilon {
			return next, true
		}
		epsilon = next
	}
	// The last digits of a sum that cancels may keep it from more.
	return epsilon, high-low <= 1e-9*high
}
