package pld

import (
	"math"

	"cloister/core/special"
)

// A picture is what grids show of a composition near some ε: of everything, or
// of what has a jump and of what has none.
type picture struct {
	main, rest *grid   // rest is nil where nothing is apart, or what is counts for nothing
	infinite   float64 // log of the mass at +∞
}

// pictureLoss is −log of the part of δ(ε) that may wrap into a picture's window.
const pictureLoss = 18

// pictureOf composes runs as planned, on a grid of about the given step, or as
// fine a one as longestGrid allows. It also returns the step taken, 0 where
// there is no picture.
func pictureOf(runs []run, p *plan, step float64) (*picture, float64) {
	views := p.looks()
	for _, w := range views {
		step = math.Min(step, steepest/w.tilt)
	}
	for _, w := range views {
		step = math.Max(step, (w.to-w.from)/longestGrid)
	}
	if !(step > 0) {
		return nil, 0
	}
	finite := 0.0
	var shares, bodies []share
	seen := p.views(&p.window, &p.body)
	for i, r := range runs {
		l := r.known()
		if l == nil {
			return nil, 0 // no loss, only a bound on its profile
		}
		finite += float64(r.count) * math.Log1p(-l.infinite)
		all := l.resolve(p, i, seen[i], step)
		one := share{jump: all}
		if p.rest != nil {
			one = all.divide(p.split)
			bodies = append(bodies, share{jump: one.body})
		}
		shares = append(shares, one)
	}
	apart := p.rest != nil
	views[0].settle(shares, apart)
	if len(views) > 1 {
		views[1].settle(bodies, false)
	}
	for _, w := range views {
		step = math.Max(step, (w.to-w.from)/longestGrid)
	}
	v := &picture{infinite: special.Log1mExp(math.Min(0, finite))}
	v.main = newGrid(shares, apart, views[0].tilt, views[0].from, views[0].to, step)
	if len(views) > 1 {
		v.rest = newGrid(bodies, false, views[1].tilt, views[1].from, views[1].to, step)
	}
	return v, step
}

// points is how many grid points it has taken.
func (v *picture) points() int {
	if v.rest == nil {
		return len(v.main.mass)
	}
	return len(v.main.mass) + len(v.rest.mass)
}

// looks are the windows of a plan's grids.
func (p *plan) looks() []*window {
	w, v := p.window, p.body // copies: settle moves their edges
	if p.rest == nil || p.light {
		return []*window{&w}
	}
	return []*window{&w, &v}
}

// known is the loss that a run is estimated by; nil if there is none.
func (r run) known() *loss {
	switch l := r.source.(type) {
	case *loss:
		return l
	case between:
		return l.most
	case *chords:
		return l.losses().most
	}
	return nil
}

// settle moves a window's edges to Chernoff's bounds by the nodes themselves,
// which see more than those that it was planned by.
func (w *window) settle(shares []share, apart bool) {
	g := &target{}
	for _, s := range shares {
		if apart {
			g.c, g.jump = append(g.c, s.body), append(g.jump, s.jump)
		} else {
			g.c = append(g.c, s.jump)
		}
	}
	at := g.value(w.tilt)
	from, to := math.Inf(-1), (g.value(w.above)-at+w.edge)/(w.above-w.tilt)
	for _, t := range []float64{w.below, 0, w.tilt / 2} {
		if t < w.tilt {
			from = math.Max(from, (at-g.value(t)-w.edge)/(w.tilt-t))
		}
	}
	if from < to {
		w.from, w.to = from, to // not NaN, of no nodes
	}
}

// resolve returns nodes of run i for a grid: so many that e^{iuω} is followed to
// |u| = π/step, wherever more than a trifle of δ(ε) may depend on it.
func (l *loss) resolve(p *plan, i int, views [2]view, step float64) nodes {
	var omega, weight []float64
	for _, a := range l.atoms {
		if a.mass > 0 {
			omega, weight = append(omega, a.loss), append(weight, a.mass)
		}
	}
	count := p.all.c[i].count
	counts := func(omega, mass float64) bool {
		for i := range views {
			v := &views[i]
			part := count * mass * math.Exp(v.tilt*omega-v.logMoment+math.Max(0, v.reach-3))
			if omega <= v.most && part > 1e-14 {
				return true
			}
		}
		return false
	}
	for _, piece := range l.pieces {
		from, to := piece.trim(p.all.low, p.all.high)
		for _, panel := range piece.panels(from, to, 1) {
			width := panel.to - panel.from
			seen := false
			for _, x := range [3]float64{panel.from, panel.from + width/2, panel.to} {
				seen = seen || counts(piece.at(x), width*piece.density(x))
			}
			if !seen {
				continue
			}
			// A rule of 12 nodes follows about 12 radians (see special.GaussLegendre).
			n := math.Ceil((piece.at(panel.to) - piece.at(panel.from)) / (6 * step))
			n = math.Max(1, math.Min(n, longestGrid/8))
			for k := 0.0; k < n; k++ {
				for j, u := range fine.rule.Nodes {
					x := panel.from + width/n*(k+u)
					if w := width / n * fine.rule.Weights[j] * piece.density(x); w > 0 {
						omega, weight = append(omega, piece.at(x)), append(weight, w)
					}
				}
			}
		}
	}
	return newNodes(omega, weight, int(count))
}

// divide divides nodes in order into jumps, above split, and the rest. A sharp
// cut would be a jump in two densities that grids have to resolve: from split
// down to 0.6 of it, a node's weight passes smoothly from one to the other.
func (n nodes) divide(split float64) share {
	jump, body := nodes{count: n.count}, nodes{count: n.count}
	from := split - 0.4*math.Abs(split)
	for i, x := range n.omega {
		part := 1.0
		if at := (x - from) / (split - from); at <= 0 {
			part = 0
		} else if at < 1 {
			part = 1 / (1 + math.Exp(1/at-1/(1-at)))
		}
		if w := part * n.weight[i]; w > 0 {
			jump.omega, jump.weight = append(jump.omega, x), append(jump.weight, w)
		}
		if w := (1 - part) * n.weight[i]; w > 0 {
			body.omega, body.weight = append(body.omega, x), append(body.weight, w)
		}
	}
	jump.limit()
	body.limit()
	return share{jump, body}
}

// logAt returns log δ at a grid point; NaN where the picture does not show it.
func (v *picture) logAt(index float64) float64 {
	log := v.main.logAt(index)
	if v.rest != nil {
		// What is off its window, or nothing but rounding, counts for nothing.
		if more := v.rest.logAt(index); more > math.Inf(-1) {
			log = special.LogAddExp(log, more)
		}
	}
	return math.Min(0, special.LogAddExp(log, v.infinite))
}

// logDelta returns log δ(ε), by the polynomial through six grid points around.
func (v *picture) logDelta(epsilon float64) (log float64) {
	x := epsilon / v.main.step
	if v.rest == nil && x < v.main.first+4 {
		// Nearly all losses are above ε: every grid point counts.
		return math.Min(0, special.LogAddExp(v.main.logAll(epsilon), v.infinite))
	}
	at := math.Floor(x)
	for k, part := range lagrange(x - at) {
		log += part * v.logAt(at+float64(k-2))
	}
	return log
}

// epsilon solves log δ(ε) = logDelta for ε ≥ 0. It walks from where there is
// most tilted mass, since far from it there is nothing but rounding; NaN where
// the walk ends.
func (v *picture) epsilon(logDelta float64) float64 {
	at := math.Max(0, v.main.peak())
	above := v.logAt(at) > logDelta
	for stride := 1.0; ; stride = math.Min(2*stride, 16) {
		next := at + stride
		if !above {
			next = math.Max(0, at-stride)
		}
		value := v.logAt(next)
		switch {
		case math.IsNaN(value):
			return value
		case (value > logDelta) != above:
			low, high := math.Min(at, next)*v.main.step, math.Max(at, next)*v.main.step
			excess := func(epsilon float64) float64 { return v.logDelta(epsilon) - logDelta }
			root, err := special.ConservativeRoot(excess, low, high, 1e-14*high)
			if err != nil {
				return math.NaN()
			}
			return root
		case next == at:
			return 0
		}
		at = next
	}
}
