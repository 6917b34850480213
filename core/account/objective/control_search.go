package objective

import "math"

// What the search spends: pieces that matter have less than one in mostShare of the value
// and lose less than pieceLoss of it; there are at most mostPieces.
const (
	mostShare  = 24.0
	pieceLoss  = 4e-5
	mostPieces = 400

	boxLoss   = 5e-4
	mostBoxes = 64

	roughLoss   = 1e-4
	steepest    = 1.0
	roughHalves = 8
	mostHalves  = 1 << 13 // of all boxes together
)

// logValue returns log of a bound on V(ε), ε > 0, which is known to lie between e^least and
// e^most. The search's unit is the former. Where V is so many times as large that it cannot
// be told in that unit, a larger one is looked for by halves: any unit makes a bound, and
// one that is not far below V loses no more than it should.
func (p control) logValue(epsilon, least, most float64) float64 {
	best, low, high := math.Inf(1), least, most
	unit := least
	for range mostUnits {
		value := p.search(epsilon, unit)
		if bound := unit + math.Log(value); bound < best { // not if NaN
			best = bound
		}
		if math.IsNaN(value) || value >= 1 && value <= math.MaxFloat64 {
			return best
		}
		if value < 1 {
			high = unit
		} else {
			low = unit
		}
		if unit = low + (high-low)/2; !(high-low > 1) {
			return best
		}
	}
	return best
}

// mostUnits is how many units are tried: enough for log V from -1e8 on.
const mostUnits = 28

// search returns a bound on V(ε), ε > 0, in units of e^reference.
func (p control) search(epsilon, reference float64) float64 {
	first, rest := p.lowest(epsilon, reference)
	pieces := p.pieces(first, epsilon, reference)
	if pieces == nil {
		return math.NaN()
	}
	return rest + p.overBoxes(pieces, epsilon, reference)
}

// lowest returns a level below which next to nothing is charged, and a bound on what is:
// W ≤ mφ(u), and u ≥ (ε − log(1 + κ))/(ma) − ma/2.
func (p control) lowest(epsilon, reference float64) (level, charge float64) {
	for level = p.top / 2; ; level /= 2 {
		u := 0.0
		if left := epsilon - math.Log1p(p.rate.most(0, level)); left > 0 {
			u = math.Max(0, left/(p.m*level)-p.m*level/2)
		}
		charge = p.m * level * math.Exp(
			-u*u/2-logSqrt2Pi-reference+roundPiece*(u*u+math.Abs(reference)),
		)
		if charge < pieceLoss || !(level > 0x1p-900) {
			return level, charge
		}
	}
}

// pieces cuts the levels above first, finer where more is charged and where a piece and
// its halves differ by more; nil if that takes too many.
func (p control) pieces(first, epsilon, reference float64) []*piece {
	const initial = 8
	list := make([]*piece, initial)
	low := first
	for i := range list {
		high := first + (p.top-first)*float64(i+1)/initial
		if i == initial-1 {
			high = p.top
		}
		list[i] = p.newPiece(low, high, epsilon, reference)
		low = high
	}
	for {
		sum := 0.0
		for _, s := range list {
			sum += s.free
		}
		scale := math.Max(1, sum/4)
		next := make([]*piece, 0, 2*len(list))
		for _, s := range list {
			if s.free > pieceLoss*scale && s.halves == nil {
				s.halves = []*piece{
					p.newPiece(s.low, s.middle, epsilon, reference),
					p.newPiece(s.middle, s.high, epsilon, reference),
				}
			}
			if h := s.halves; h != nil && (s.free > scale/mostShare ||
				!(s.free-h[0].free-h[1].free <= pieceLoss*scale)) {
				next = append(next, h[0], h[1])
				continue
			}
			next = append(next, s)
		}
		if len(next) == len(list) {
			return list
		}
		if list = next; len(list) > mostPieces {
			return nil
		}
	}
}

// box is a part of the curve: levels from low to high, from the start of piece from to the
// start of piece to or inside of piece from, and offsets from least to most.
type box struct {
	from, to    int
	low, high   float64
	least, most float64
	scale       float64 // losses are relative to it
	bound       float64
	loss        float64 // of the bound, roughly: what more boxes could gain
	halves      *int    // that may yet be made of pieces for this box and the others
}

// overBoxes returns the largest bound of any box of the curve. The box with the largest one
// is halved until it loses no more than boxLoss of it, or mostBoxes were looked at: levels
// by whole pieces first.
func (p control) overBoxes(pieces []*piece, epsilon, reference float64) float64 {
	n := len(pieces)
	// The curve passes through the offsets that are best, from where they are least on.
	start := 0
	for i, s := range pieces {
		if s.best < pieces[start].best {
			start = i
		}
	}
	curve := make([]float64, n+1)
	curve[start] = pieces[start].best
	for i := start + 1; i < n; i++ {
		curve[i] = math.Max(curve[i-1], (pieces[i-1].best+pieces[i].best)/2)
	}
	curve[n] = math.Inf(1)

	look := func(b box) box {
		p.overBox(pieces, &b, epsilon, reference)
		return b
	}
	q, halves := pieces[start].low, mostHalves
	first := box{from: start, to: start, low: q, high: q, scale: 1, halves: &halves}
	first.least, first.most = math.Inf(-1), curve[start]
	rest := box{from: start, to: n, low: q, high: p.top, scale: 1, halves: &halves}
	rest.least, rest.most = curve[start], curve[n]
	boxes := []box{look(first), look(rest)}
	for {
		largest := 0
		for i, b := range boxes {
			if b.bound > boxes[largest].bound {
				largest = i
			}
		}
		b := boxes[largest]
		if b.loss <= boxLoss*b.bound || len(boxes) > mostBoxes {
			return b.bound
		}
		left, right := b, b
		left.scale, right.scale = math.Max(1, b.bound), math.Max(1, b.bound)
		if b.to-b.from > 1 {
			middle := (b.from + b.to) / 2
			left.to, right.from = middle, middle
			left.high, right.low = pieces[middle].low, pieces[middle].low
			left.most, right.least = curve[middle], curve[middle]
		} else {
			middle := b.low + (b.high-b.low)/2
			c := p.newPiece(middle, middle, epsilon, reference).best
			c = math.Max(b.least, math.Min(b.most, c))
			left.high, right.low = middle, middle
			left.most, right.least = c, c
		}
		boxes[largest] = look(left)
		boxes = append(boxes, look(right))
	}
}

// overBox bounds the charge of all paths that the curve crosses in the box: levels above it
// have offsets of at most that of the crossing, levels below at least, levels between any.
// Either side is bounded for its own end of the offsets; over a box inside of one piece
// also with the multipliers for the middle, and then the larger of the sums at the two ends
// is a bound.
func (p control) overBox(pieces []*piece, b *box, epsilon, reference float64) {
	b.bound, b.loss = math.Inf(1), math.Inf(1)
	if b.to-b.from == 1 && !math.IsInf(b.most, 1) {
		middle := b.least + (b.most-b.least)/2
		b.bound, b.loss = p.boxAt(pieces, b, middle, middle, epsilon, reference)
	}
	if !(b.loss <= boxLoss*b.scale) {
		other, _ := p.boxAt(pieces, b, b.least, b.most, epsilon, reference)
		b.bound = math.Min(b.bound, other)
	}
	if math.IsNaN(b.bound) { // Inf − Inf: nothing is known, and no comparison may skip it
		b.bound = math.Inf(1)
	}
	if b.from == b.to { // at its most, nothing is lost
		b.loss = 0
	}
}

// boxAt is overBox with the multipliers for offset below of levels below the box, and for
// above of those above it.
func (p control) boxAt(
	pieces []*piece, b *box, below, above, epsilon, reference float64,
) (bound, loss float64) {
	half := 0.0
	if below == above {
		half = (b.most - b.least) / 2
	}
	fixed, middle, atLeast, atMost := 0.0, 0.0, 0.0, 0.0
	add := func(value, eta float64) {
		middle += value
		if eta == 0 || half == 0 {
			atLeast += value
			atMost += value
			return
		}
		growth := math.Exp(eta * half)
		atLeast += value / growth
		atMost += value * growth
	}
	free := func(s *piece) {
		fixed += s.free
		if b.to-b.from == 1 {
			low, _ := p.atMost(s, b.least, b.least, epsilon, reference)
			high, _, _ := p.atLeast(s, b.most, b.most, b.most, epsilon, reference)
			loss += s.free - math.Min(low, high)
		}
	}
	var under, over func(s *piece, depth int)
	under = func(s *piece, depth int) {
		if math.IsInf(b.least, -1) {
			fixed += s.free
			return
		}
		value, eta, rough := p.atLeast(s, below, b.least, b.most, epsilon, reference)
		if rough && value-s.plateau > roughLoss*b.scale && depth > 0 && *b.halves > 0 {
			*b.halves -= 2
			under(p.newPiece(s.low, s.middle, epsilon, reference), depth-1)
			under(p.newPiece(s.middle, s.high, epsilon, reference), depth-1)
			return
		}
		add(value, eta)
	}
	over = func(s *piece, depth int) {
		value, eta := p.atMost(s, above, b.most, epsilon, reference)
		steep := value == s.free || !(eta*p.m*(s.high-s.low) < steepest*s.kappa)
		steep = steep && above < s.best && value > roughLoss*b.scale
		if steep && depth > 0 && *b.halves > 0 {
			*b.halves -= 2
			over(p.newPiece(s.low, s.middle, epsilon, reference), depth-1)
			over(p.newPiece(s.middle, s.high, epsilon, reference), depth-1)
			return
		}
		add(value, eta)
	}
	depth := 0
	if b.to-b.from == 1 {
		depth = roughHalves
	}
	for i, s := range pieces {
		switch {
		case i < b.from:
			under(s, depth)
		case i >= b.to:
			over(s, depth)
		case b.low > s.low || b.high < s.high && b.to-b.from == 1:
			if b.low > s.low {
				under(p.newPiece(s.low, b.low, epsilon, reference), depth)
			}
			free(p.newPiece(b.low, b.high, epsilon, reference))
			if b.high < s.high {
				over(p.newPiece(b.high, s.high, epsilon, reference), depth)
			}
		default:
			free(s)
		}
	}
	most := math.Max(atLeast, atMost)
	return (fixed + most) * (1 + roundPiece*float64(8+len(pieces))), loss + most - middle
}

// atMost bounds the piece for offsets of at most c, and returns the η ≥ 0 by which the
// bound grows with c up to most. Nothing is charged where v > log(1 + κ).
func (p control) atMost(s *piece, c, most, epsilon, reference float64) (bound, eta float64) {
	if !(c < s.best) {
		return s.free, 0
	}
	if !(most > s.none) {
		return 0, 0
	}
	w, eta := p.multipliers(s, c, epsilon)
	if eta > 0 {
		if bound = p.dual(s, w, eta, c, epsilon, reference); bound < s.free {
			return bound, eta
		}
	}
	return s.free, 0
}

// atLeast bounds the piece for offsets of at least c, which is in the box [low, high], and
// returns η ≤ 0, and whether the piece is too long. Right of β₀ the charge is the plateau;
// where only a part of the piece or of the box is there, c is taken so small that all of it
// is left of β₀.
func (p control) atLeast(
	s *piece, c, low, high, epsilon, reference float64,
) (bound, eta float64, rough bool) {
	if low >= s.last {
		return math.Min(s.plateau, s.free), 0, false
	}
	if !(low > s.best) {
		return s.free, 0, false
	}
	if !(high <= s.first) {
		c, rough = math.Min(low, s.first), true
	}
	if !(c > s.best) {
		return s.free, 0, rough && s.plateau < s.free
	}
	w, eta := p.multipliers(s, c, epsilon)
	if !(eta < 0) {
		return s.free, 0, rough
	}
	if bound = p.dual(s, w, eta, c, epsilon, reference); !(bound < s.free) {
		return s.free, 0, rough
	}
	if rough {
		eta = 0
	}
	return bound, eta, rough
}

// multipliers returns the w and η that lose nothing at the piece's middle for offset c.
func (p control) multipliers(s *piece, c, epsilon float64) (w, eta float64) {
	a, m := s.middle, p.m
	u := c - s.x - m*a
	v := epsilon - m*a*u - m*m*a*a/2
	w = 1 / math.Expm1(math.Max(s.rise-v, s.rise/64))
	return w, w*m*a - u
}
