package pld

import (
	"math"

	"cloister/core/account/curve"
)

// A measure is a loss moved onto the grid offset + i·step, i = 0, 1, …, from
// above or from below.
//
// Upper: the pair it stands for dominates the mechanism's pair, H ≥ at every
// order, so that any composition of it dominates too (Zhu, Dong & Wang 2022).
// Lower: the other way round. Rounding is on the right side already, except
// for relative massError in every mass and for slip in every loss, which the
// composition charges.
type measure struct {
	offset, step float64
	mass         []float64
	infinite     float64
	slip         float64 // bounds |true − stated| loss of an aligned atom
	start        int     // what index it has in the measure that it was cut from

	log     []float64    // log(mass), once asked for
	moments [][2]float64 // exponents and their logMoment, once asked for
}

// layout says how a loss is to be moved onto a grid.
type layout struct {
	step      float64
	low, high float64 // P-mass that may be cut off at unbounded ends
	runs      float64 // how many losses the composition has
	views     [2]view // the same, or one for what has no jump
	work      *work   // what laying it costs; nil if nobody counts
}

// view is how a sheet is going to look at a composition.
type view struct {
	tilt      float64 // its exponent
	logMoment float64 // log E[e^{tilt·ω}] of the loss
	reach     float64 // log of Chernoff's bound on δ(ε) at tilt over δ(ε)
	most      float64 // larger losses are left to another view
}

// ends returns where to begin and end on a piece: inside of what trim leaves,
// and not below losses that the tilts make irrelevant even if all of P lay
// there.
func (g *layout) ends(p piece) (from, to float64) {
	from, to = p.trim(g.low, g.high)
	floor := math.Inf(1)
	for i := range g.views {
		v := &g.views[i]
		if !(v.tilt > 0) {
			return from, to
		}
		floor = math.Min(floor, (v.logMoment-math.Max(0, v.reach-3)-math.Log(g.runs)-20)/v.tilt)
	}
	if floor > p.at(from) {
		if x := p.position(floor); x > from && x < to {
			from = x
		}
	}
	return from, to
}

// share bounds what part of δ(ε) mass at ω has to do with: its part of the
// tilted distribution, times what Chernoff's bound is off beyond a factor of
// about 20 that it has for any sum of many losses.
func (g *layout) share(omega, mass float64) float64 {
	largest := 0.0
	for i := range g.views {
		if v := &g.views[i]; omega <= v.most {
			largest = math.Max(
				largest, mass*math.Exp(v.tilt*omega-v.logMoment+math.Max(0, v.reach-3)),
			)
		}
	}
	return largest
}

// negligibleShare is the largest share, times its squared width in grid steps,
// of a cell in a tail that is left wider than a step. Some hundreds of such
// cells add a few per cent to the variance that a grid adds.
const negligibleShare = 1e-4

// cells collects mass by grid index, which may be negative at first.
type cells struct {
	below, above []float64 // indices −1, −2, … and 0, 1, …
	infinite     float64   // mass above all of them
}

// farthest is the largest index either side that has a cell. Where a loss goes
// beyond, the grid is far too fine for it, and the answer will be poor.
const farthest = 2 * mostCells

// raise adds mass at an index or above it, lower at it or below it.
func (c *cells) raise(index int, mass float64) {
	if index > farthest {
		c.infinite += mass
		return
	}
	c.add(max(index, -farthest), mass)
}

func (c *cells) lower(index int, mass float64) {
	if index >= -farthest {
		c.add(min(index, farthest), mass)
	}
}

func (c *cells) add(index int, mass float64) {
	list := &c.above
	if index < 0 {
		list, index = &c.below, -1-index
	}
	for len(*list) <= index {
		*list = append(*list, 0)
	}
	(*list)[index] += mass
}

// measure ends the collection; base is the loss of index 0.
func (c *cells) measure(base, step float64) *measure {
	n := len(c.below)
	m := &measure{step: step, mass: make([]float64, n+len(c.above))}
	m.offset = base - float64(n)*step
	for i, mass := range c.below {
		m.mass[n-1-i] = mass
	}
	copy(m.mass[n:], c.above)
	return m
}

// heaviest returns the atom with most mass.
func (l *loss) heaviest() atom {
	var best atom
	for _, a := range l.atoms {
		if a.mass > best.mass {
			best = a
		}
	}
	return best
}

// aligned returns the grid index of an atom that stands on the grid but for
// rounding, and whether it does.
func (a atom) aligned(base, step float64) (index int, slip float64, on bool) {
	q := math.Round((a.loss - base) / step)
	slip = math.Abs(a.loss - base - q*step)
	return int(
			q,
		), slip, math.Abs(q) < farthest && a.reach == 0 &&
			slip <= 0x1p-46*(math.Abs(a.loss)+math.Abs(base))
}

// mostStalled is how many cells in a row may be so narrow that no coordinate
// falls into them, before what is left of a piece counts as an infinite loss.
const mostStalled = 1 << 14

// upper connects the dots (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022):
// the mass of a cell goes to its two ends in such parts that both its P- and
// its Q-mass are kept, which makes H linear between the grid's e^ε and leaves
// it exact on them. A cell of which the loss is only bounded takes the larger
// bound; a larger part at the upper end only raises H. Mass before the first
// cell is raised to it, mass beyond the last one is lost to +∞.
func (l *loss) upper(g *layout) *measure {
	h := g.step
	var c cells
	base := 0.0
	infinite := l.infinite + l.dust
	if len(l.atoms) > 0 {
		base = l.heaviest().loss
	} else if len(l.pieces) > 0 {
		from, _ := g.ends(l.pieces[0])
		base = l.pieces[0].at(from)
	}
	slip := 0.0
	for _, a := range l.atoms {
		if index, off, on := a.aligned(base, h); on {
			c.raise(index, a.mass)
			slip = math.Max(slip, off)
			continue
		}
		round := 0x1p-50 * (math.Abs(a.loss) + a.reach)
		bottom := math.Max(
			-farthest, math.Min(farthest+1, math.Floor((a.loss-a.reach-round-base)/h)),
		)
		width := math.Max(1, math.Ceil((a.loss+a.reach+round-base)/h-bottom))
		c.connect(int(bottom), int(width), a.mass, a.loss+round, base, h)
	}
	for _, p := range l.pieces {
		start, end := p.trim(0, 0)
		from, to := g.ends(p)
		index := int(math.Floor((p.at(from) - base) / h))
		if start < from {
			mass, _, _ := p.bin(start, from)
			c.raise(index+1, mass)
		}
		width, x, stalled := 1, from, 0
		for x < to {
			next := math.Min(to, p.position(base+float64(index+width)*h))
			if !(next > x) {
				if next = p.position(base + float64(index+width)*h); !(next > x) {
					index += width
					if stalled++; stalled > mostStalled {
						to = x
					}
					continue
				}
			}
			if !g.work.bin() {
				to = x
				break
			}
			mass, _, high := p.bin(x, next)
			share := g.share(base+float64(index+width)*h, mass)
			if width > 1 && share*float64(width*width) > negligibleShare {
				width /= 2
				continue
			}
			c.connect(index, width, mass, high, base, h)
			index += width
			x, stalled = next, 0
			if share*float64(16*width*width) < negligibleShare {
				width *= 2
			}
		}
		if to < end {
			mass, _, _ := p.bin(to, end)
			infinite += mass
		}
	}
	m := c.measure(base, h)
	m.infinite, m.slip = math.Min(1, (infinite+c.infinite)*(1+4*massError)), slip
	return m.orEverything()
}

// orEverything is the measure, or if it lost mass one that is all at +∞.
func (m *measure) orEverything() *measure {
	if sum := m.infinite + m.sum(); curve.LosesMass(sum, wholeness(len(m.mass))) {
		return &measure{offset: m.offset, step: m.step, mass: []float64{1}, infinite: 1}
	}
	return m
}

// orNothing is the measure, or if it has more than all mass one without a loss.
func (m *measure) orNothing() *measure {
	if sum := m.infinite + m.sum(); sum <= 1+wholeness(len(m.mass)) {
		return m
	}
	return &measure{step: m.step, mass: []float64{1}}
}

func (m *measure) sum() float64 {
	sum := 0.0
	for _, mass := range m.mass {
		sum += mass
	}
	return sum
}

// connect divides mass of loss ω between the grid points index and index+width.
func (c *cells) connect(index, width int, mass, omega, base, h float64) {
	bottom := base + float64(index)*h
	share := math.Expm1(bottom-omega) / math.Expm1(-float64(width)*h)
	share = math.Max(0, math.Min(1, share+0x1p-48))
	c.raise(index, mass*(1-share))
	c.raise(index+width, mass*share)
}
