package pld

import "math"

// lower cuts the loss into bins, each of which counts as one outcome: such
// post-processing never raises H. A bin of P-mass p and loss w is then moved
// down to a grid point ω ≤ w, as if Q had more mass there, which does not raise
// [p − e^ε q]₊ either. That would cost up to a step in every composition, so
// the bins are laid out such that w = ω: each begins where its neighbour ends,
// and goes on until its loss has come to the next grid point.
//
// What is left is the variance within bins, between 1/12 and 1/3 of step².
func (l *loss) lower(g *layout) *measure {
	b := &binner{layout: g}
	if len(l.atoms) > fewAtoms && !l.fits(g.step) && l.spread() < 2*g.step {
		b.fromBelow(staircase{l.atoms})
		m := b.measure(b.base, g.step)
		m.infinite = l.infinite
		return m.orNothing()
	}
	slip := 0.0
	if len(l.atoms) > 0 {
		b.base, b.based = l.heaviest().loss, true
	}
	for _, a := range l.atoms {
		if index, off, on := a.aligned(b.base, g.step); on {
			b.add(index, a.mass)
			slip = math.Max(slip, off)
			continue
		}
		if a.mass > 0 {
			b.place(a.mass, a.loss-0x1p-50*math.Abs(a.loss))
		}
	}
	for _, p := range l.pieces {
		if p.heavyHigh() {
			b.fromAbove(p)
		} else {
			b.fromBelow(p)
		}
	}
	m := b.measure(b.base, g.step)
	m.infinite, m.slip = l.infinite, slip
	return m.orNothing()
}

// fewAtoms is how many atoms are moved down one by one where they do not fit
// the grid.
const fewAtoms = 8

// fits reports whether atoms a lattice apart all fall on a grid.
func (l *loss) fits(step float64) bool {
	ratio := l.lattice / step
	return l.lattice > 0 && math.Abs(ratio-math.Round(ratio)) <= 0x1p-40*ratio
}

// spread is the mean distance of neighbouring atoms.
func (l *loss) spread() float64 {
	n := len(l.atoms)
	return (l.atoms[n-1].loss - l.atoms[0].loss) / float64(n-1)
}

type binner struct {
	*layout
	cells
	base  float64 // loss of index 0
	based bool    // base is chosen
}

func (b *binner) point(index int) float64 { return b.base + float64(index)*b.step }

// place puts a bin of loss ω, or more, on the grid point at or below it.
func (b *binner) place(mass, omega float64) {
	// +Inf too
	index := int(math.Max(-farthest-1, math.Min(farthest, math.Floor((omega-b.base)/b.step))))
	for range 4 {
		if b.point(index) <= omega {
			b.cells.lower(index, mass)
			return
		}
		index--
	}
	// The step is lost in the rounding of losses: the bin is left out.
}

// strays reports whether more bins have been laid than the losses from start to
// edge have room for: coordinates or losses no longer move by steps. What is
// not laid by then, or once the question has cost enough, is given up.
func (g *layout) strays(bins int, start, edge float64) bool {
	return !g.work.bin() || !(float64(bins) <= 256+16*math.Abs(edge-start)/g.step) ||
		bins > 2*mostCells
}

// tolerance is how far above its grid point a bin may lie: little beside what
// the variance within the bin does at the exponent in use, h²(t+1)/24 or more.
func (b *binner) tolerance(width int) float64 {
	h := b.step * float64(width)
	return math.Min(0.05*h, 0.005*h*h*(b.views[0].tilt+1))
}

// fromBelow lays bins from the piece's beginning upwards. What layout cuts off
// is left out.
func (b *binner) fromBelow(p piece) {
	from, end := b.ends(p)
	x, edge := from, p.at(from) // the bins so far end at x, where the loss is edge
	if !b.based {
		// The first bin decides where the grid lies: its upper edge shall be half
		// a step above its loss.
		edge += b.step
		var mass, omega float64
		for range 6 {
			x = p.position(edge)
			if !(x > from) {
				edge += b.step
				continue
			}
			mass, omega, _ = p.bin(from, math.Min(x, end))
			edge = omega + b.step/2
		}
		x = math.Min(end, p.position(edge))
		if !(x > from) {
			x = end
		}
		mass, omega, _ = p.bin(from, x)
		b.base, b.based = omega, true
		b.add(0, mass)
		edge = p.at(x)
	}
	width, correction := 1, 0.0
	start := edge
	for bins := 0; x < end && !b.strays(bins, start, edge); bins++ {
		index := int(math.Floor((edge-b.base)/b.step)) + 1 + width/2
		if b.point(index)-edge < 0.125*b.step*float64(width) {
			index += width
		}
		next, mass, omega := b.search(p, x, edge, end, index, width, correction)
		// not that of ω, which the bin's dearest outcomes may be far above
		share := b.share(p.at(next), mass)
		if width > 1 && share*float64(width*width) > negligibleShare {
			width /= 3
			continue
		}
		b.place(mass, omega)
		if next >= end || !(next > x) {
			return
		}
		x, edge = next, p.at(next)
		if share*float64(36*width*width) < negligibleShare {
			width *= 3
		}
	}
}

// search returns the end of a bin that begins at x, where the loss is edge,
// and has a loss within tolerance above the grid point index, with the bin's
// mass and loss. Where there is none before the piece's end, the bin takes in
// all that is left.
func (b *binner) search(
	p piece, x, edge, end float64, index, width int, correction float64,
) (next, mass, omega float64) {
	target := b.point(index)
	tolerance := b.tolerance(width)
	low, high := edge, math.Inf(1)
	guess := 2*target - edge + correction
	highNext := end
	for range 60 {
		b.work.bin()
		next = p.position(guess)
		if !(next > x) {
			low = math.Max(low, guess)
			guess = target + (target-edge)*1.5
			if !(guess > low) {
				guess = low + b.step
			}
			if next = p.position(guess); !(next > x) {
				low = guess
				guess += b.step
				continue
			}
		}
		if next >= end {
			mass, omega, _ = p.bin(x, end)
			if omega < target+tolerance {
				return end, mass, omega
			}
			high, highNext = math.Min(high, guess), end
			guess = low + (high-low)/2
			continue
		}
		mass, omega, _ = p.bin(x, next)
		miss := omega - target
		if miss >= 0 && miss <= tolerance {
			return next, mass, omega
		}
		if miss < 0 {
			low = guess
		} else {
			high, highNext = guess, next
		}
		guess -= 2*miss - tolerance
		if !(guess > low && guess < high) {
			guess = low + (high-low)/2
			if math.IsInf(high, 1) {
				guess = low + b.step
			}
			if !(guess > low && guess < high) {
				break
			}
		}
	}
	mass, omega, _ = p.bin(x, highNext)
	return highNext, mass, omega
}

// fromAbove lays bins from the piece's end downwards.
func (b *binner) fromAbove(p piece) {
	from, end := b.ends(p)
	x, edge := end, p.at(end) // the bins so far begin at x, where the loss is edge
	if !b.based {
		edge -= b.step
		var mass, omega float64
		for range 6 {
			x = p.position(edge)
			mass, omega, _ = p.bin(x, end)
			edge = omega - b.step/2
		}
		x = p.position(edge)
		mass, omega, _ = p.bin(x, end)
		b.base, b.based = omega, true
		b.add(0, mass)
		edge = p.at(x)
	}
	width, start := 1, edge
	for bins := 0; x > from && !b.strays(bins, start, edge); bins++ {
		index := int(math.Ceil((edge-b.base)/b.step)) - 1 - width/2
		if edge-b.point(index) < 0.125*b.step*float64(width) {
			index -= width
		}
		next, mass, omega := b.searchBelow(p, x, edge, from, index, width)
		if !(next < x) {
			return
		}
		share := b.share(edge, mass)
		if width > 1 && share*float64(width*width) > negligibleShare {
			width /= 3
			continue
		}
		b.place(mass, omega)
		x, edge = next, p.at(next)
		if share*float64(36*width*width) < negligibleShare {
			width *= 3
		}
	}
}

// searchBelow is search for a bin that ends at x and begins no lower than from.
func (b *binner) searchBelow(
	p piece, x, edge, from float64, index, width int,
) (next, mass, omega float64) {
	target := b.point(index)
	tolerance := b.tolerance(width)
	low, high := math.Inf(-1), edge
	guess := 2*target - edge
	highNext := math.NaN()
	for range 60 {
		b.work.bin()
		next = math.Max(from, p.position(guess))
		if !(next < x) {
			high = math.Min(high, guess)
			if guess -= b.step / 16; !(guess > low) {
				break
			}
			continue
		}
		mass, omega, _ = p.bin(next, x)
		miss := omega - target
		if miss >= 0 && (miss <= tolerance || next == from) {
			return next, mass, omega
		}
		if miss < 0 {
			low = guess
		} else {
			high, highNext = guess, next
		}
		guess -= 2*miss - tolerance
		if !(guess > low && guess < high) {
			if math.IsInf(low, -1) {
				guess = high - b.step
			} else {
				guess = low + (high-low)/2
			}
			if !(guess > low && guess < high) {
				break
			}
		}
	}
	if math.IsNaN(highNext) {
		highNext = next
	}
	mass, omega, _ = p.bin(highNext, x)
	return highNext, mass, omega
}
