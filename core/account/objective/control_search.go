package objective

import "math"

// What the search spends: pieces lose less than pieceLoss of the value, and so does what is below
// them; between two nodes no more than stepLoss of it is left open.
const (
	pieceLoss  = 5e-5
	mostHalves = 14
	mostPieces = 400

	stepLoss  = 1e-3
	mostLooks = 1 << 16
)

// logValue returns log of a bound on V(ε), ε > 0, which is known to lie between e^least and
// e^most. The search's unit is the former. Where V is so many times as large that it cannot
// be told in that unit, a larger one is looked for by halves: any unit makes a bound, and
// one that is not far below V loses no more than it should.
func (p control) logValue(epsilon, least, most float64) float64 {
	best, low, high := math.Inf(1), least, most
	unit := least
	for range mostUnits {
		value := p.begin(epsilon, unit).value()
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

// search is one question to a control problem: V at ε > 0, in units of e^reference.
type search struct {
	control
	epsilon, reference float64

	floor   float64 // at least δ_G(ε; mS)
	arrival float64 // the offset at which the top begins to be charged
	target  float64 // what a bound may be: a little more than the largest F(c) so far
	looks   int     // what was computed: places at levels
}

func (p control) begin(epsilon, reference float64) *search {
	s := &search{control: p, epsilon: epsilon, reference: reference}
	s.floor = math.Exp(logGaussianDelta(epsilon, p.m*p.top)-reference) * (1 + 0x1p-44)
	s.target = s.floor * (1 + stepLoss)
	s.arrival, _, _, _ = s.none(p.top)
	return s
}

// node is a level with the offset c where W is largest, before the valley, and F(c) with what it
// is made of.
type node struct {
	level
	end    end
	below  float64 // at least what the levels up to a are charged, each at its best offset
	hockey float64 // at most Ψ(c, a)
	loss   float64 // at most N(c)
	charge float64 // at least F(c)
}

// value returns a bound on V(ε).
func (s *search) value() float64 {
	first, rest := s.lowest()
	lower, upper := s.valley(first)
	start, _ := s.level(first)
	// From the lowest level up, and so from large offsets to small ones.
	nodes := []node{s.node(start, rest, lower.a, s.top)}
	bound := 0.0
	if !start.falls { // a stays what it is, and offsets rise until little is left
		far := nodes[0]
		for step := 1.0; -far.hockey > pieceLoss*s.target && step < 0x1p60; step *= 2 {
			far = s.node(s.at(first, start.c+step), rest, lower.a, s.top)
		}
		nodes = append([]node{far}, nodes...)
	}
	bound = s.floor + rest - nodes[0].hockey // offsets above the first node's
	pieces := []*piece{nil}
	if start.falls {
		if pieces = s.pieces(first, lower.a); pieces == nil {
			return math.Inf(1)
		}
		for _, one := range pieces {
			before := nodes[len(nodes)-1]
			at, inside := s.level(one.high)
			if !inside {
				return math.NaN()
			}
			nodes = append(nodes, s.node(at, before.below+one.free, lower.a, before.end.high))
		}
	}
	for i, one := range pieces {
		bound = math.Max(bound, s.between(nodes[i], nodes[i+1], one))
	}
	bound = math.Max(bound, s.belowValley(nodes[len(nodes)-1], upper))
	return bound * (1 + 0x1p-28 + roundPiece*float64(s.looks))
}

// node is the node of a level, the end being between two levels.
func (s *search) node(at level, below, low, high float64) node {
	n := node{level: at, below: below, end: s.endAt(at.c, low, high)}
	value, slack := s.hockey(at)
	n.hockey = value - slack
	n.loss = s.slope(at.u, at.v-roundSlope*at.v) * (1 - roundSlope)
	n.charge = below + n.end.hockey - n.hockey
	s.target = math.Max(s.target, n.charge*(1+stepLoss))
	return n
}

// between bounds F(c) between two nodes, after.c < c < before.c, with the levels between them:
// none if the two are one level. F' = P − N, and N falls as c rises.
func (s *search) between(before, after node, levels *piece) float64 {
	least, most := s.gain(after.end, before.end)
	width := before.c - after.c
	rise, fall := most-before.loss, after.loss-least // at most F' and −F'
	bound := math.Max(before.charge, after.charge)
	if rise > 0 && fall > 0 {
		x := (before.charge - after.charge + width*fall) / (rise + fall)
		x = math.Max(0, math.Min(width, x))
		peak := math.Min(after.charge+rise*x, before.charge+fall*(width-x))
		bound = math.Max(bound, peak)
	}
	if bound <= s.target || s.looks > mostLooks {
		return bound
	}
	if levels == nil {
		at := s.at(before.a, after.c+width/2)
		middle := s.node(at, before.below, after.end.low, before.end.high)
		return math.Max(s.between(before, middle, nil), s.between(middle, after, nil))
	}
	at, inside := s.level(levels.middle)
	if !inside || !(at.c < before.c && at.c > after.c) {
		return bound
	}
	h := s.halve(levels)
	middle := s.node(at, before.below+h[0].free, after.end.low, before.end.high)
	return math.Max(s.between(before, middle, &h[0]), s.between(middle, after, &h[1]))
}

// belowValley bounds the charge for offsets below that of the last node: levels up to upper have
// their best one, and those above it the node's.
func (s *search) belowValley(last node, upper level) float64 {
	bound := last.below + s.newPiece(last.a, upper.a).free
	if upper.a < s.top {
		value, slack := s.hockey(s.at(upper.a, last.c))
		bound += math.Max(0, last.end.hockey-value+slack)
	}
	return bound
}

// lowest returns a level below which next to nothing is charged, and a bound on what is:
// W ≤ mφ(u), and u ≥ (ε − log(1 + κ))/(ma) − ma/2.
func (s *search) lowest() (level, charge float64) {
	for level = s.top / 2; ; level /= 2 {
		u := 0.0
		if left := s.epsilon - math.Log1p(s.rate.most(0, level)); left > 0 {
			u = math.Max(0, left/(s.m*level)-s.m*level/2)
		}
		round := roundPiece * (1 + u*u + math.Abs(s.reference))
		charge = s.m / sqrt2Pi * level * math.Exp(-u*u/2-s.reference+round)
		if charge < pieceLoss || !(level > 0x1p-900) {
			return level, charge
		}
	}
}

// pieces cuts the levels from first to last, finer where a piece and its halves differ by more;
// nil if that takes too many.
func (s *search) pieces(first, last float64) []*piece {
	list := []*piece{s.newPiece(first, last)}
	for depth := range mostHalves {
		sum := 0.0
		for _, one := range list {
			sum += one.free
		}
		scale := math.Max(1, sum/4) // less than V, or not much more
		next := make([]*piece, 0, 2*len(list))
		for _, one := range list {
			h := s.halve(one)
			if depth > 2 && one.free-h[0].free-h[1].free <= pieceLoss*scale {
				next = append(next, one)
			} else {
				next = append(next, &h[0], &h[1])
			}
		}
		if len(next) == len(list) {
			break
		}
		if list = next; len(list) > mostPieces {
			return nil
		}
	}
	return list
}
