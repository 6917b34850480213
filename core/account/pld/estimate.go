package pld

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// Estimate answers quickly and without a promise: for dragging a slider, and to
// steer searches that end with a certified answer. It inverts the composition's
// moment generating function along a line through the saddle point and shares
// with Distribution only the losses. A value of it is a type of its own, so
// that it is never taken for a bound.
type Estimate struct {
	adjacency      privacy.Adjacency
	added, removed []run
	certified      *Distribution // asked where the inversion does not settle
}

// EstimatedEpsilon is an estimate of the smallest ε ≥ 0 for some δ. Spread is
// how far two ways of computing it lie apart; nothing is proved of either.
type EstimatedEpsilon struct{ Value, Spread float64 }

// EstimatedDelta is an estimate of log δ for some ε.
type EstimatedDelta struct{ Log, Spread float64 }

// EstimateOf prepares estimates of an event. Errors are those of Of.
func EstimateOf(event privacy.Event, options Options) (*Estimate, error) {
	certified, err := Of(event, options)
	if err != nil {
		return nil, err
	}
	return certified.Estimate(), nil
}

// Estimate returns the estimates that belong to a distribution. Where the
// inversion does not settle, they are taken from it.
func (d *Distribution) Estimate() *Estimate {
	e := &Estimate{adjacency: d.adjacency, added: d.added.runs, certified: d}
	if d.removed != d.added {
		e.removed = d.removed.runs
	}
	return e
}

// Adjacency returns the event's neighbouring relation.
func (e *Estimate) Adjacency() privacy.Adjacency { return e.adjacency }

// Epsilon estimates ε for δ, 0 < delta < 1, the worse of both directions.
func (e *Estimate) Epsilon(delta float64) (EstimatedEpsilon, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return EstimatedEpsilon{math.Inf(1), 0}, err
	}
	worst := EstimatedEpsilon{}
	for _, runs := range e.directions() {
		value, spread, ok := invertEpsilon(runs, math.Log(delta))
		if !ok {
			i, err := e.certified.Epsilon(delta)
			return EstimatedEpsilon{(i.Lower + i.Upper) / 2, (i.Upper - i.Lower) / 2}, err
		}
		if value >= worst.Value {
			worst = EstimatedEpsilon{value, spread}
		}
	}
	return worst, nil
}

// Delta estimates log δ for ε, the worse of both directions.
func (e *Estimate) Delta(epsilon float64) (EstimatedDelta, error) {
	if math.IsNaN(epsilon) {
		return EstimatedDelta{}, &privacy.ParameterError{Field: "epsilon", Value: "NaN", Want: "a number"}
	}
	worst := EstimatedDelta{Log: math.Inf(-1)}
	for _, runs := range e.directions() {
		value, spread, ok := invertDelta(runs, epsilon)
		if !ok {
			i, err := e.certified.Delta(epsilon)
			return EstimatedDelta{(i.LogLower + i.LogUpper) / 2, (i.LogUpper - i.LogLower) / 2}, err
		}
		if value >= worst.Log {
			worst = EstimatedDelta{value, spread}
		}
	}
	return worst, nil
}

func (e *Estimate) directions() [][]run {
	if e.removed == nil {
		return [][]run{e.added}
	}
	return [][]run{e.added, e.removed}
}

// contours returns two lines for the neighbourhood of a target. They lie apart
// by a fifth, and so do their errors.
func (g *target) contours(runs []run) (first, second *contour, ok bool) {
	finite := 0.0
	for _, r := range runs {
		switch l := r.source.(type) {
		case *loss:
			finite += float64(r.count) * math.Log1p(-l.infinite)
		case between:
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
		if first, ok = c.along(s, 2*math.Pi/reach); !ok {
			return nil, nil, false
		}
		if !first.resolved() {
			m.panel /= 4
			continue
		}
		second, ok = c.along(s/1.25, 2*math.Pi/(1.3*reach))
		first.infinite = special.Log1mExp(math.Min(0, finite))
		return first, second, ok && second.resolved()
	}
	return nil, nil, false
}

// agree is how far two contours may differ in log δ and count as settled.
const agree = 1e-5

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

func middle(low, high float64) float64 {
	if low == high {
		return low
	}
	return (low + high) / 2
}

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

// solve finds ε ≥ 0 with log δ(ε) = logDelta by Newton's method, from a first
// guess; log δ is concave in ε where losses are close to normal, and never
// steep.
func (l *contour) solve(logDelta, guess float64) (epsilon float64, ok bool) {
	epsilon = guess
	for range 40 {
		log, slope := l.logDelta(epsilon)
		if math.IsNaN(log) || !(slope < 0) {
			return math.NaN(), false
		}
		if epsilon == 0 && log <= logDelta {
			return 0, true
		}
		next := math.Max(0, epsilon-(log-logDelta)/slope)
		if math.Abs(next-epsilon) <= 1e-13*epsilon {
			return next, true
		}
		epsilon = next
	}
	return epsilon, true
}
