package pld

import "math"

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
func (d *direction) sheetFor(p *plan, step float64, cost *work) *sheet {
	before := cost.bins
	w, v := &p.window, &p.body
	longest := longestFor(len(d.runs))
	least := (w.to - w.from) / float64(longest)
	if !p.light {
		least = math.Max(least, (v.to-v.from)/float64(longest))
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
	uppers, lowers := d.laid(p, step, cost)
	for i, r := range d.runs {
		part := component{undivided(uppers[i]), undivided(lowers[i]), r.count}
		if p.rest != nil {
			part.upper, part.lower = part.upper.whole.cut(p.split), part.lower.whole.cut(p.split)
			bodies = append(
				bodies, component{undivided(part.upper.body), undivided(part.lower.body), r.count},
			)
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
	cost.points += s.points()
	cost.transformed += s.points() * (len(d.runs) + 1)
	d.total += cost.bins - before + s.points()*(len(d.runs)+1)
	return s
}

// laid moves every run onto the grid, from above and from below. Where one of them is
// all at +∞ from above, the grid has nothing to say of the composition, and nothing is
// laid from below: single runs say more (see basic).
func (d *direction) laid(p *plan, step float64, cost *work) (uppers, lowers []*measure) {
	grids := make([]*layout, len(d.runs))
	blank := false
	views := p.views(&p.window, &p.body)
	for i, r := range d.runs {
		grids[i] = &layout{
			step: step, low: p.all.low, high: p.all.high, runs: p.all.total,
			views: views[i], work: cost,
		}
		m := r.upper(grids[i])
		uppers, blank = append(uppers, m), blank || m.infinite >= 1
	}
	for i, r := range d.runs {
		if blank {
			lowers = append(lowers, &measure{step: step, mass: []float64{1}})
		} else {
			lowers = append(lowers, r.lower(grids[i]))
		}
	}
	return uppers, lowers
}

// lay moves the edges of a planned window to where Chernoff's bounds of the
// measures themselves are as small as was planned, and gives it a length.
func (w *window) lay(parts []component, step float64) {
	for _, end := range sides {
		at := composedMoment(parts, end, w.tilt, 0)
		above := composedMoment(parts, end, w.above, 0)
		if to := (above - at + w.edge) / (w.above - w.tilt); to > w.to {
			w.to = to
		}
		below := composedMoment(parts, end, w.below, 0)
		if from := (at - below - w.edge) / (w.tilt - w.below); from < w.from {
			w.from = from
		}
	}
	w.length = 256
	for longest := longestFor(len(parts)); float64(w.length)*step < w.to-w.from &&
		w.length < longest; {
		w.length *= 2
	}
	w.from -= (float64(w.length)*step - (w.to - w.from)) / 2
}

// fit moves a step to one that the distances of atoms are multiples of: for
// atoms between grid points the lower end is off by up to a step in every run.
// Several lattices cannot all be met; then their total misfit is made small.
// Where there are only atoms and all fit, a larger step than was asked for is
// as good; a lattice finer than the step is taken itself as long as a window
// of the given width does not grow too long. No step below finest is taken, and no
// more are looked at than mostFits allows.
func (d *direction) fit(step, finest, width float64) float64 {
	best, least := step, math.Inf(1)
	exact, left := d.exact(), mostFits/max(1, len(d.runs))
	for _, r := range d.runs {
		lattice := r.spacing()
		if lattice == 0 || lattice < step && width/lattice > 1<<16 {
			continue
		}
		fewest := math.Ceil(lattice / step * (1 - 0x1p-40))
		most := math.Min(2*mostCells, math.Max(fewest, math.Min(2*fewest, fewest+512)))
		for m := 1.0; m <= most; m++ {
			candidate := lattice / m
			if left--; candidate < finest || left < 0 {
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
