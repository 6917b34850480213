package objective

import (
	"container/heap"
	"math"
)

// What the search spends. Pieces lose less than pieceLoss of the value each, and so does what is
// below and above them; gaps are halved until none is above the largest F(c) by more than stepLoss.
const (
	pieceLoss  = 3e-7
	fewPieces  = 256 // of which there is room at first
	mostPieces = 1000

	stepLoss  = 2e-5
	mostLooks = 1 << 12

	// poor is a small value: what the most charged of levels is, is 1.
	poor = 0x1p-10

	// cut is how many times one end of a piece is as high as the other, at first.
	cut = 1.5
)

// effort is how closely a search bounds V: see pieceLoss, stepLoss and mostLooks.
type effort struct {
	piece, step float64
	looks       int
}

// sharp is for an ε by itself, and rough for the ends of chords, which lose more than it does: half
// the time, and 2e-4 of V at most where looks suffice. They do for all but one of 4,000 random
// questions that people may ask (λ from 1e-3 to 100, σ from 0.3 to 1000): its log δ is −1,700, and
// 2^16 looks find 1e-4 less. Of 3,600 others (σ to 1e12) they do for all but one, with σ = 6e9 and
// ε = 9e-6: its log δ is −29, and 2^16 looks find 1.2 less. Where digits do not suffice, looks are
// in vain however many, and a search for noise asks hundreds of such questions before it says that
// there is none.
var (
	sharp = effort{pieceLoss, stepLoss, mostLooks}
	rough = effort{10 * pieceLoss, 10 * stepLoss, mostLooks}
)

// logValue returns log of a bound on V(ε), ε > 0, which is known to be at least e^least.
func (p control) logValue(epsilon, least float64, by effort) float64 {
	s := p.begin(epsilon, least)
	s.effort = by
	return s.reference + math.Log(s.value())
}

// search is one question to a control problem: V at ε > 0, in units of e^reference.
type search struct {
	control
	effort
	epsilon, reference float64

	floor   float64 // at least δ_G(ε; mS)
	last    place   // the top, or a level above which next to nothing is charged
	arrival float64 // the offset at which it begins to be charged
	known   float64 // the largest F(c) so far, or a part of it
	best    crossing
	looked  int // what was computed: places at levels
}

// begin chooses the unit: what levels are charged at most, or δ_G where that is more.
func (p control) begin(epsilon, least float64) *search {
	s := &search{control: p, effort: sharp, epsilon: epsilon, reference: least}
	for i := 1.0; i < 16; i++ {
		for _, a := range []float64{p.top * i / 16, p.top * math.Exp2(-i)} {
			s.reference = math.Max(s.reference, math.Log(a)+s.logMost(s.level(a)))
		}
	}
	s.floor = math.Exp(least-s.reference) * (1 + 0x1p-44)
	s.known = s.floor
	return s
}

// value returns a bound on V(ε).
func (s *search) value() float64 {
	first, rest := s.lowest()
	lower, upper := s.valley(first)
	last := s.level(s.top)
	if math.IsInf(last.x, 1) {
		var above float64
		last, above = s.highest(upper.a)
		rest += above
	}
	s.last = last.place
	s.arrival, _, _, _ = s.none(s.last.a)
	nodes := s.nodes(first, lower, math.Max(lower.best, last.best))
	pieces := s.pieces(first, nodes)
	if nodes == nil || pieces == nil {
		return math.Inf(1)
	}
	open := s.gaps(nodes, pieces, rest)
	bound := math.Max(nodes[len(nodes)-1].charge(), s.belowValley(nodes[0], upper))
	for len(open) > 0 && open[0].bound > bound { // not if NaN, which is then the answer
		g := heap.Pop(&open).(*gap)
		left, right := s.cut(g)
		if g.bound <= s.known*(1+s.step) || s.looked > s.looks || left == nil {
			bound = g.bound
			break
		}
		heap.Push(&open, left)
		heap.Push(&open, right)
	}
	return bound * (1 + roundSums)
}

// roundSums is more than sums of at most 2^18 terms round (2^-35), and than what it costs that a
// node is off its level's best offset by some η ≤ 2^-50·|x| + 1e-9·u: W is flat there, and loses a
// share of (1 + u)²η² at most.
const roundSums = 0x1p-28

// lowest returns a level below which next to nothing is charged, and a bound on what is:
// W ≤ mφ(u), and u ≥ (ε − log(1 + κ))/(ma) − ma/2.
func (s *search) lowest() (level, charge float64) {
	for level = s.top / 2; ; level /= 2 {
		u, ma, rise := 0.0, s.m*level, math.Log1p(s.rate.most(0, level))
		if left := s.epsilon - rise; left > 0 {
			u = math.Max(0, left/ma-ma/2)
		}
		round := roundPiece * (1 + u*(u+(s.epsilon+rise)/ma) + math.Abs(s.reference))
		charge = s.m / sqrt2Pi * level * math.Exp(-u*u/2-s.reference+round)
		if charge < s.piece*math.Max(s.known, poor) || !(level > 0x1p-900) {
			return level, charge
		}
	}
}

// highest is lowest's counterpart where x is infinite at the top.
func (s *search) highest(above float64) (at level, charge float64) {
	for part := (s.top - above) / 2; ; part /= 4 {
		charge = s.newPiece(s.top-part, s.top).free
		if charge < s.piece*math.Max(s.known, poor) || part < 0x1p-50*s.top {
			return s.level(s.top - part), charge
		}
	}
}

// pieces cuts the levels from first to the largest node's, at all nodes, and finer where a piece
// and its halves differ by more; nil if that takes too many.
func (s *search) pieces(first float64, nodes []node) []piece {
	list, spare := make([]piece, 0, fewPieces), make([]piece, 0, fewPieces)
	low := first
	for i := len(nodes) - 1; i >= 0; i-- {
		for low < nodes[i].a {
			high := nodes[i].a
			if high > cut*cut*low {
				high = cut * low
			}
			list = append(list, s.newPiece(low, high))
			low = high
		}
	}
	for len(list) <= mostPieces {
		sum := 0.0
		for _, one := range list {
			sum += one.near
		}
		next := spare[:0] // the memory of the list before
		for _, one := range list {
			wide := one.high-one.low > 0x1p-40*one.high
			if one.loss > s.piece*math.Max(s.known, sum/4) && wide {
				low, high := s.halve(one)
				next = append(next, low, high)
			} else {
				next = append(next, one)
			}
		}
		if len(next) == len(list) {
			return list
		}
		list, spare = next, list
	}
	return nil
}
