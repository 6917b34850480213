package pld

import (
	"math"

	"cloister/core/special"
)

// direction is the composition of one direction's losses, with the sheets that
// answers have needed so far.
type direction struct {
	runs   []run
	sheets []*sheet
}

const (
	longest   = 1 << 19 // grid points of the longest window
	mostSpent = 1 << 20 // grid points of all windows that one question may cost
	mostCells = 1 << 21 // grid points that one loss may reach over
	attempts  = 8       // sheets that one question may cost
	kept      = 12      // sheets kept for further questions
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
	lower, upper = d.seekEpsilon(forLower, forUpper, accuracy, enough)
	if before > 0 && !narrow(lower, upper, accuracy) && upper > enough {
		f := d.afresh()
		low, high := f.seekEpsilon(forLower, forUpper, accuracy, enough)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		d.keep(f.sheets)
	}
	if !narrow(lower, upper, 0.5) && upper > enough {
		low, high := solve(basic{d.runs}, forLower, forUpper)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
	}
	if !(lower <= upper) {
		return 0, math.Inf(1) // bounds that contradict each other are none
	}
	return lower, upper
}

func (d *direction) seekEpsilon(forLower, forUpper, accuracy, enough float64) (lower, upper float64) {
	if len(d.runs) == 0 {
		return 0, 0
	}
	if one, ok := d.single(); ok {
		return solve(one, forLower, forUpper)
	}
	if d.flat() {
		return solve(basic{d.runs}, forLower, forUpper)
	}
	if least := d.logInfinite(); least > forLower {
		return math.Inf(1), math.Inf(1)
	}
	lower, upper = 0, math.Inf(1)
	best, step := math.Inf(1), 0.0 // the narrowest interval of one sheet, and its step
	note := func(s *sheet) (helped bool) {
		low, high := s.epsilon(forLower, forUpper)
		before := upper - lower
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		helped = upper-lower < 0.95*before
		if high-low < best {
			best, step = high-low, s.upper.step
		}
		return helped
	}
	for _, s := range d.sheets {
		note(s)
	}
	var g *target
	idle, last, spent := 0, 0.0, 0
	for attempt := 0; !narrow(lower, upper, accuracy) && upper > enough && attempt < attempts; attempt++ {
		if attempt == 0 {
			g = aim(d.runs, forUpper, intervalCut)
		}
		p := g.whole()
		if best < 0.3*upper {
			g = g.toward(upper)
			step = refined(step, best, accuracy*lower)
			p = g.divided()
		} else if attempt == 0 {
			step = g.step(0.03 * math.Max(g.epsilon, 0.1*g.deviation))
			p.from = math.Min(p.from, 0)
		} else {
			g = g.toward(upper)
			p = g.divided()
			step = math.Max(step/8, math.Min(step/2, p.goal.step(accuracy*math.Max(lower, 0.01*g.deviation))))
		}
		s := d.sheetFor(p, step)
		step = s.upper.step
		if idle++; note(s) || best > 0.3*upper && step != last {
			idle = 0
		}
		last = step
		spent += s.points()
		if idle == 2 || s.upper.length == longest || spent > mostSpent || math.IsInf(upper, 1) && attempt > 1 {
			break // what is left is not the grid's doing, or it can be no finer
		}
	}
	if lower == 0 && upper > 0 && best > 0.3*upper {
		// Nothing near ε was found: it may be 0.
		if _, log, _ := d.seekLogDelta(0, accuracy, forUpper); log <= forUpper {
			return 0, 0
		}
	}
	return lower, upper
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
		return gain - 0x1p-50, math.Min(0, gain+0x1p-50)
	case math.IsInf(epsilon, -1):
		return -0x1p-50, 0
	}
	if one, ok := d.single(); ok {
		return one.logDelta(epsilon)
	}
	before := len(d.sheets)
	lower, upper, settled := d.seekLogDelta(epsilon, accuracy, enough)
	if before > 0 && !settled {
		f := d.afresh()
		low, high, _ := f.seekLogDelta(epsilon, accuracy, enough)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		d.keep(f.sheets)
	}
	if !settled && !(upper-lower <= 0.5) {
		low, high := basic{d.runs}.logDelta(epsilon)
		lower, upper = math.Max(lower, low), math.Min(upper, high)
	}
	if !(lower <= upper) {
		return math.Inf(-1), 0
	}
	return lower, upper
}

// basic bounds a composition by its runs' own profiles:
//
//	maxᵢ δᵢ(ε) ≤ δ(ε) ≤ Σᵢ δᵢ(εᵢ),  Σᵢ εᵢ = ε,
//
// with equal εᵢ: leaving out all outputs but one is post-processing, and the upper
// end is basic composition (Dwork & Roth 2014, Theorem 3.16), which holds in one
// direction alone and for εᵢ of either sign. That there is nothing to compose
// but mass at 0 and at +∞ it knows exactly.
type basic struct{ runs []run }

func (b basic) logDelta(epsilon float64) (lower, upper float64) {
	d := &direction{runs: b.runs}
	if d.flat() {
		log := special.LogAddExp(d.logSurely(), math.Log1p(-math.Exp(d.logSurely()))+logGain(-epsilon))
		return log - 0x1p-40, math.Min(0, log+0x1p-40)
	}
	lower, upper = d.logInfinite(), math.Inf(-1)
	part := epsilon / float64(d.count())
	part -= 0x1p-50 * math.Abs(part)
	for _, r := range b.runs {
		low, _ := r.logDelta(epsilon)
		_, high := r.logDelta(part)
		lower = math.Max(lower, low)
		upper = special.LogAddExp(upper, math.Log(float64(r.count))+high)
	}
	if upper += massError; upper < 0 {
		return lower, upper
	}
	return lower, 0 // NaN too
}

// flat reports whether no finite loss is other than 0.
func (d *direction) flat() bool {
	for _, r := range d.runs {
		l, ok := r.source.(*loss)
		if !ok || len(l.pieces) > 0 || len(l.atoms) != 1 || l.atoms[0].loss != 0 || l.atoms[0].reach != 0 {
			return false
		}
	}
	return true
}

func (d *direction) seekLogDelta(epsilon, accuracy, enough float64) (lower, upper float64, settled bool) {
	if d.flat() {
		lower, upper = basic{d.runs}.logDelta(epsilon)
		return lower, upper, true
	}
	lower, upper = d.logInfinite(), 0.0
	best, step, slope := math.Inf(1), 0.0, math.Inf(1)
	note := func(s *sheet) (helped bool) {
		low, high := s.logDeltaLower(epsilon), s.logDeltaUpper(epsilon)
		before := upper - lower
		lower, upper = math.Max(lower, low), math.Min(upper, high)
		helped = upper-lower < 0.95*before
		if high-low < best {
			best, step, slope = high-low, s.upper.step, s.slope(epsilon)
		}
		return helped
	}
	for _, s := range d.sheets {
		note(s)
	}
	goal := func() float64 { return accuracy * (1 + slope*math.Abs(epsilon)) }
	var g *target
	idle, last, spent := 0, 0.0, 0
	for attempt := 0; ; attempt++ {
		if upper-lower <= goal() && !math.IsInf(slope, 1) || upper < leastLogDelta || upper <= enough {
			return lower, upper, true
		}
		if idle == 2 || attempt == attempts {
			return lower, upper, false
		}
		if attempt == 0 {
			g = aimAt(d.runs, epsilon, intervalCut)
			if ceiling := g.ceiling(d.runs); epsilon > ceiling+0x1p-40*math.Abs(ceiling) {
				// Only what may be cut off, and what is infinite, has larger losses.
				return lower, math.Min(upper, special.LogAddExp(d.logInfiniteUpper(), math.Log(2*g.total*g.high))), true
			}
		}
		if best < 1 {
			g.logDelta = upper
			g = g.toward(epsilon)
			step = refined(step, best, goal())
		} else {
			if attempt > 0 {
				g.logDelta = upper
				g = g.toward(epsilon)
			}
			slope = math.Max(g.slope, 0.2/g.deviation)
			if step = g.step(goal() / slope); attempt == 0 {
				step *= 2
			}
		}
		p := g.divided()
		p.from = math.Min(p.from, epsilon)
		s := d.sheetFor(p, step)
		step = s.upper.step
		if idle++; note(s) || best > 1 && step != last {
			idle = 0
		}
		last = step
		if spent += s.points(); s.upper.length == longest || spent > mostSpent ||
			attempt > 1 && upper == 0 && math.IsInf(lower, -1) {
			idle = 2
		}
	}
}

// leastLogDelta is where δ is too small to be bounded closely: what may be cut
// off from a tail is no less than a float64 can hold.
const leastLogDelta = -690

// logInfinite returns log of the probability that some loss is +∞ for certain,
// rounded down.
func (d *direction) logInfinite() float64 {
	return d.logSurely() - 0x1p-40
}

// logInfiniteUpper is the same rounded up. What is only a bound on a profile
// has mass at +∞ only when it is moved to a grid.
func (d *direction) logInfiniteUpper() float64 {
	return d.logSurely() + 0x1p-40
}

func (d *direction) logSurely() float64 {
	finite := 0.0
	for _, r := range d.runs {
		if l, ok := r.source.(*loss); ok {
			finite += float64(r.count) * math.Log1p(-l.infinite)
		}
	}
	if finite == 0 {
		return math.Inf(-1)
	}
	return special.Log1mExp(finite)
}

// steepest is the largest tilt in use, per grid step: what e^{−t·step} makes
// of a mass one point further on is to be far from underflow. There is nothing
// to be gained beyond a few units, at which a neighbour hardly counts.
const steepest = 30

// flatten takes a window to the steepest tilt if its own is steeper.
func (g *target) flatten(w *window, step float64) {
	if w.tilt*step > steepest {
		v := g.window(steepest / step)
		v.from, v.to = math.Min(v.from, w.from), math.Max(v.to, w.to)
		*w = v
	}
}

// sheetFor makes a sheet as planned on a grid of about the given step.
func (d *direction) sheetFor(p *plan, step float64) *sheet {
	w, v := &p.window, &p.body
	least := (w.to - w.from) / longest
	if !p.light {
		least = math.Max(least, (v.to-v.from)/longest)
	}
	for i := range p.all.c {
		n := &p.all.c[i]
		least = math.Max(least, (n.most-n.least)/mostCells)
	}
	step = d.fit(math.Max(step, least), least, w.to-w.from)
	p.goal.flatten(w, step)
	if p.rest != nil {
		p.rest.flatten(v, step)
	}
	var parts, bodies []component
	for i, r := range d.runs {
		grid := &layout{step: step, low: p.all.low, high: p.all.high, runs: p.all.total, views: p.views(i, w, v)}
		part := component{undivided(r.upper(grid)), undivided(r.lower(grid)), r.count}
		if p.rest != nil {
			part.upper, part.lower = part.upper.whole.cut(p.split), part.lower.whole.cut(p.split)
			bodies = append(bodies, component{undivided(part.upper.body), undivided(part.lower.body), r.count})
		}
		parts = append(parts, part)
	}
	w.lay(parts, step)
	s := compose(parts, w)
	if p.rest != nil {
		if t := p.rest.slope; p.light {
			s.body = compose(bodies, &window{below: t / 2, tilt: t, above: 2 * t})
		}
		if !p.light || !p.all.negligible(s.body.logDeltaUpper(p.all.epsilon)) {
			v.lay(bodies, step)
			s.body = compose(bodies, v)
		}
	}
	d.keep([]*sheet{s})
	return s
}

// lay moves the edges of a planned window to where Chernoff's bounds of the
// measures themselves are as small as was planned, and gives it a length.
func (w *window) lay(parts []component, step float64) {
	for _, end := range sides {
		at := composedMoment(parts, end, w.tilt, 0)
		if to := (composedMoment(parts, end, w.above, 0) - at + w.edge) / (w.above - w.tilt); to > w.to {
			w.to = to
		}
		if from := (at - composedMoment(parts, end, w.below, 0) - w.edge) / (w.tilt - w.below); from < w.from {
			w.from = from
		}
	}
	w.length = 256
	for float64(w.length)*step < w.to-w.from && w.length < longest {
		w.length *= 2
	}
	w.from -= (float64(w.length)*step - (w.to - w.from)) / 2
}

// fit moves a step to one that the distances of atoms are multiples of: for
// atoms between grid points the lower end is off by up to a step in every run.
// Several lattices cannot all be met; then their total misfit is made small.
// Where there are only atoms and all fit, a larger step than was asked for is
// as good; a lattice finer than the step is taken itself as long as a window
// of the given width does not grow too long. No step below finest is taken.
func (d *direction) fit(step, finest, width float64) float64 {
	best, least := step, math.Inf(1)
	exact := d.exact()
	for _, r := range d.runs {
		lattice := r.spacing()
		if lattice == 0 || lattice < step && width/lattice > 1<<16 {
			continue
		}
		fewest := math.Ceil(lattice / step * (1 - 0x1p-40))
		for m := 1.0; m <= math.Max(fewest, math.Min(2*fewest, fewest+512)) && m <= 2*mostCells; m++ {
			candidate := lattice / m
			if candidate < finest {
				break
			}
			if misfit := d.misfit(candidate); misfit < least*(1-0x1p-20) {
				if m >= fewest || exact && misfit <= 0x1p-40*lattice*float64(d.count()) {
					best, least = candidate, misfit
				}
			}
		}
	}
	return best
}

// exact reports whether there is nothing but atoms.
func (d *direction) exact() bool {
	for _, r := range d.runs {
		if l, ok := r.source.(*loss); !ok || len(l.pieces) > 0 || l.lattice == 0 {
			return false
		}
	}
	return true
}

func (d *direction) misfit(step float64) float64 {
	total := 0.0
	for _, r := range d.runs {
		if s := r.spacing(); s > 0 {
			total += float64(r.count) * math.Abs(s-math.Round(s/step)*step)
		}
	}
	return total
}

func (d *direction) count() int {
	total := 0
	for _, r := range d.runs {
		total += r.count
	}
	return total
}

// epsilon returns what the sheet knows of the smallest ε ≥ 0 with δ(ε) ≤ δ.
func (s *sheet) epsilon(forLower, forUpper float64) (lower, upper float64) {
	holds := func(epsilon float64) bool { return s.logDeltaUpper(epsilon) <= forUpper }
	if holds(0) {
		return 0, 0
	}
	upper = math.Max(s.upper.to, s.upper.step)
	for !holds(upper) {
		if upper *= 2; !(upper <= 1e300) { // NaN too
			upper = math.Inf(1)
			break
		}
	}
	start := s.upper.to
	if upper <= start {
		upper = refine(holds, 0, upper)
		start = upper
	} else if !math.IsInf(upper, 1) {
		upper = refine(holds, upper/2, upper)
	}
	// The lower end may be sharp in its middle only, so go down from above.
	above := func(epsilon float64) bool { return s.logDeltaLower(epsilon) > forLower }
	for stride := s.upper.step; start > 0 && stride > 0; stride *= 2 {
		before := start
		if start = math.Max(0, start-stride); above(start) {
			return refine(above, before, start), upper
		}
	}
	return 0, upper
}

func narrow(lower, upper, accuracy float64) bool {
	return !math.IsInf(upper, 1) && upper-lower <= accuracy*upper
}

// solve answers for a single run, of which the profile itself is known.
func solve(one interface {
	logDelta(epsilon float64) (lower, upper float64)
}, forLower, forUpper float64) (lower, upper float64) {
	above := func(epsilon float64) float64 {
		_, log := one.logDelta(epsilon)
		return log - forUpper
	}
	below := func(epsilon float64) float64 {
		log, _ := one.logDelta(epsilon)
		return forLower - log
	}
	if above(0) <= 0 {
		return 0, 0
	}
	low, high := 0.0, 1e-9
	for above(high) > 0 {
		if low, high = high, high*8; high > 1e300 {
			upper = math.Inf(1)
			break
		}
	}
	if upper == 0 {
		upper, _ = special.ConservativeRoot(above, low, high, 1e-13*high)
	}
	if !(below(0) < 0) {
		return 0, upper
	}
	good := 0.0
	for bad := 1e-9; bad <= 1e300; good, bad = bad, bad*8 {
		if below(bad) > 0 {
			if root, err := special.ConservativeRoot(below, bad, good, 1e-13*bad); err == nil {
				return root, upper
			}
			return good, upper
		}
	}
	return math.Inf(1), upper
}
