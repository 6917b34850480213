package pld

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// direction is the composition of one direction's losses, with the sheets that
// answers have needed so far.
type direction struct {
	runs   []run
	sheets []*sheet
	total  int // units of work that its questions have cost
	vain   int // questions of δ in a row that took much work and were not settled
}

const (
	longest   = 1 << 19 // grid points of the longest window
	mostSpent = 1 << 20 // grid points of all windows that one question may cost
	mostCells = 1 << 21 // grid points that one loss may reach over
	attempts  = 8       // sheets that one question may cost
	kept      = 12      // sheets kept for further questions

	// mostVain is how many questions of δ in a row may take much work in vain: the next ones
	// are answered by what has been made. So many points of a curve cost no more than those
	// few, where losses are too small for a float64 to tell them from rounding. There a point
	// may be looser on a curve than asked alone; it is certified all the same.
	mostVain = 2
)

// single returns the only run of a direction that has one, once.
func (d *direction) single() (source, bool) {
	if len(d.runs) == 1 && d.runs[0].count == 1 {
		return d.runs[0].source, true
	}
	return nil, false
}

// afresh is the direction with no sheets, for a question that sheets made for
// others have not helped to settle: where they are, the search would not begin
// as it does without them.
func (d *direction) afresh() *direction { return &direction{runs: d.runs} }

// keep keeps sheets for further questions.
func (d *direction) keep(sheets []*sheet) {
	for _, s := range sheets {
		if d.sheets = append(d.sheets, s); len(d.sheets) > kept {
			d.sheets = d.sheets[1:]
		}
	}
}

// epsilon returns bounds of the smallest ε ≥ 0 at which δ(ε) ≤ δ: the lower one
// for e^forLower, the upper one for e^forUpper, either side of δ's rounding. It
// is content once upper is no more than enough, however wide the interval.
func (d *direction) epsilon(forLower, forUpper, accuracy, enough float64) (lower, upper float64) {
	before := len(d.sheets)
	lower, upper, settled := d.seekEpsilon(forLower, forUpper, accuracy, enough)
	if before > 0 && !settled && upper > enough {
		f := d.afresh()
		low, high, _ := f.seekEpsilon(forLower, forUpper, accuracy, enough)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		d.keep(f.sheets)
		d.total += f.total
	}
	if !narrow(lower, upper, 0.5) && upper > enough {
		low, high := solve(basic{d.runs}, forLower, forUpper)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
	}
	return curve.CertifiedEpsilons(lower, upper)
}

func (d *direction) seekEpsilon(
	forLower, forUpper, accuracy, enough float64,
) (lower, upper float64, settled bool) {
	if len(d.runs) == 0 {
		return 0, 0, true
	}
	if one, ok := d.single(); ok {
		lower, upper = solve(one, forLower, forUpper)
		return lower, upper, narrow(lower, upper, accuracy)
	}
	if d.flat() {
		lower, upper = solve(basic{d.runs}, forLower, forUpper)
		return lower, upper, narrow(lower, upper, accuracy)
	}
	infinite := d.logInfinite()
	if infinite > forLower {
		return math.Inf(1), math.Inf(1), false
	}
	lower, upper = 0, math.Inf(1)
	apart := d.apart()
	best, step := math.Inf(1), 0.0 // the narrowest interval of one sheet, and its step
	note := func(s *sheet) (helped bool) {
		low, high := s.epsilon(forLower, forUpper)
		before := upper - lower
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		helped = upper-lower < 0.95*before
		if high-low < best {
			best, step = high-low, s.upper.step
		}
		if apart && high == upper {
			settled = s.blur(d.count(), upper, infinite) <= accuracy*upper*s.slope(upper)
		}
		return helped
	}
	for _, s := range d.sheets {
		note(s)
	}
	var g *target
	idle, last, cost := 0, 0.0, &work{}
	for attempt := range attempts {
		if settled = settled || narrow(lower, upper, accuracy); settled || upper <= enough {
			break
		}
		if attempt == 0 {
			g = aim(d.runs, forUpper, intervalCut)
		}
		p := g.whole()
		if apart && !math.IsInf(upper, 1) {
			g = g.toward(upper)
			p = g.divided()
			step = finer(p.goal.step(accuracy*upper/2), last)
		} else if best < 0.3*upper {
			g = g.toward(upper)
			step = refined(step, best, accuracy*lower)
			p = g.divided()
		} else if attempt == 0 {
			step = g.step(0.03 * math.Max(g.epsilon, 0.1*g.deviation))
			p.from = math.Min(p.from, 0)
		} else {
			g = g.toward(upper)
			p = g.divided()
			step = math.Max(
				step/8, math.Min(step/2, p.goal.step(accuracy*math.Max(lower, 0.01*g.deviation))),
			)
		}
		s := d.sheetFor(p, step, cost)
		step = s.upper.step
		if idle++; note(s) || best > 0.3*upper && step != last {
			idle = 0
		}
		last = step
		if idle == 2 || s.upper.length == longestFor(len(d.runs)) || cost.spent() ||
			math.IsInf(upper, 1) && attempt > 1 {
			break // what is left is not the grid's doing, or it can be no finer
		}
	}
	if lower == 0 && upper > 0 && best > 0.3*upper {
		// Nothing near ε was found: it may be 0.
		if _, log, _ := d.seekLogDelta(0, accuracy, forUpper); log <= forUpper {
			return 0, 0, true
		}
	}
	return lower, upper, settled || narrow(lower, upper, accuracy)
}

// finer is the step that was planned, or half of the last one if that was finer; 0 is none.
func finer(planned, last float64) float64 {
	if last > 0 {
		return math.Min(planned, last/2)
	}
	return planned
}

// refined returns the step to try next where one gave an interval of width
// reached and the goal is another: width goes with the square of the step.
func refined(step, reached, goal float64) float64 {
	return step * math.Min(0.9, math.Max(0.05, 0.9*math.Sqrt(goal/reached)))
}

// logDelta returns bounds of log δ(ε), or any with upper no more than enough.
func (d *direction) logDelta(epsilon, accuracy, enough float64) (lower, upper float64) {
	switch {
	case len(d.runs) == 0:
		gain := logGain(-epsilon)
		if math.IsInf(gain, -1) { // δ = 0, with nothing to round
			return ends(gain, gain)
		}
		slack := 0x1p-50 * (1 + math.Abs(gain))
		return ends(gain-slack, gain+slack)
	case math.IsInf(epsilon, -1):
		return -0x1p-50, 0
	}
	if one, ok := d.single(); ok {
		return curve.CertifiedLogDeltas(one.logDelta(epsilon))
	}
	before := len(d.sheets)
	lower, upper, settled := d.seekLogDelta(epsilon, accuracy, enough)
	if before > 0 && !settled && d.vain < mostVain {
		f := d.afresh()
		low, high, _ := f.seekLogDelta(epsilon, accuracy, enough)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		d.keep(f.sheets)
		d.total += f.total
	}
	if !settled && !(upper-lower <= 0.5) {
		low, high := basic{d.runs}.logDelta(epsilon)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
	}
	return curve.CertifiedLogDeltas(lower, upper)
}

// flat reports whether no finite loss is other than 0.
func (d *direction) flat() bool {
	for _, r := range d.runs {
		l, ok := r.source.(*loss)
		if !ok || len(l.pieces) > 0 || len(l.atoms) != 1 || l.atoms[0].loss != 0 ||
			l.atoms[0].reach != 0 {
			return false
		}
	}
	return true
}

func (d *direction) seekLogDelta(
	epsilon, accuracy, enough float64,
) (lower, upper float64, settled bool) {
	if d.flat() {
		lower, upper = basic{d.runs}.logDelta(epsilon)
		return lower, upper, true
	}
	infinite := d.logInfinite()
	lower, upper = infinite, 0.0
	best, step, slope := math.Inf(1), 0.0, math.Inf(1)
	apart, fine := d.apart(), false
	note := func(s *sheet) (helped bool) {
		low, high := s.logDeltaLower(epsilon), s.logDeltaUpper(epsilon)
		before := upper - lower
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		helped = upper-lower < 0.95*before
		if high-low < best {
			best, step, slope = high-low, s.upper.step, s.slope(epsilon)
		}
		if apart && high == upper {
			slope = s.slope(epsilon)
			fine = s.blur(d.count(), epsilon, infinite) <= accuracy*(1+slope*math.Abs(epsilon))
		}
		return helped
	}
	for _, s := range d.sheets {
		note(s)
	}
	goal := func() float64 { return accuracy * (1 + slope*math.Abs(epsilon)) }
	var g *target
	idle, last, cost, alone := 0, 0.0, &work{}, false
	for attempt := 0; ; attempt++ {
		if upper > -0x1p-30 && (attempt > 0 || len(d.sheets) > 0) && !alone {
			// Nothing is hidden, it seems: one run by itself may say so.
			alone = true
			if low := (basic{d.runs}).lower(d, epsilon); low > -0x1p-30 {
				d.vain = 0
				return math.Max(lower, low), upper, true
			}
		}
		if upper-lower <= goal() && !math.IsInf(slope, 1) || fine || upper < leastLogDelta ||
			upper <= enough {
			d.vain = 0
			return lower, upper, true
		}
		if idle == 2 || attempt == attempts || d.vain >= mostVain {
			if cost.much() {
				d.vain++
			}
			return lower, upper, false
		}
		if attempt == 0 {
			g = aimAt(d.runs, epsilon, intervalCut)
			if ceiling := g.ceiling(d.runs); epsilon > ceiling+0x1p-40*math.Abs(ceiling) {
				// Only what may be cut off, and what is infinite, has larger losses.
				return lower, math.Min(
					upper, special.LogAddExp(d.logInfiniteUpper(), math.Log(2*g.total*g.high)),
				), true
			}
		}
		if best < 1 && !apart {
			g.logDelta = upper
			g = g.toward(epsilon)
			step = refined(step, best, goal())
		} else {
			if attempt > 0 {
				g.logDelta = upper
				g = g.toward(epsilon)
			}
			slope = math.Max(g.slope, 0.2/g.deviation)
			if apart && attempt > 0 {
				step = finer(g.step(goal()/slope/2), last)
			} else if step = g.step(goal() / slope); attempt == 0 {
				// The first target is a guess, and its window may be far too wide: a step
				// as fine as was asked for would spend all there is on it.
				step = 2 * g.step(
					math.Max(goal(), DefaultAccuracy*(1+slope*math.Abs(epsilon)))/slope,
				)
			}
		}
		p := g.divided()
		p.from = math.Min(p.from, epsilon)
		s := d.sheetFor(p, step, cost)
		step = s.upper.step
		if idle++; note(s) || best > 1 && step != last {
			idle = 0
		}
		last = step
		if s.upper.length == longestFor(len(d.runs)) || cost.spent() ||
			attempt > 1 && upper == 0 && math.IsInf(lower, -1) {
			idle = 2
		}
	}
}

// leastLogDelta is where δ is too small to be bounded closely: what may be cut
// off from a tail is no less than a float64 can hold.
const leastLogDelta = -690

func (d *direction) count() int {
	total := 0
	for _, r := range d.runs {
		total += r.count
	}
	return total
}

func narrow(lower, upper, accuracy float64) bool {
	return !math.IsInf(upper, 1) && upper-lower <= accuracy*upper
}
