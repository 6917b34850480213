package objective

import (
	"container/heap"
	"math"
)

// node is an offset c and a level that has its best one there, or below if it is the lowest.
type node struct {
	level
	c     float64
	end   end
	here  psi     // of the level
	there psi     // of the end
	strip float64 // at least what levels from a to the end are charged at c
	late  float64 // at least what levels above a are charged at any offset from c on
	below float64 // at least what the levels up to a are charged, each at its best offset
}

// charge is at least F(c).
func (n node) charge() float64 { return n.below + n.strip + n.end.tail }

// node is one at an offset, with the end between two places.
func (s *search) node(at level, c float64, low, high place) node {
	n := node{level: at, c: c, end: s.endAt(c, low, high)}
	n.here, n.there = s.psi(at.place, c), s.psi(n.end.low, c)
	n.strip = s.difference(at.place, n.end.low, c, n.here, n.there)
	n.late = s.floor - n.here.value + n.here.slack
	s.known = math.Max(s.known, n.strip)
	return n
}

// meet takes a node of which all is known into account.
func (s *search) meet(n node) {
	if charge := n.charge(); charge > s.best.charge {
		s.best = crossing{n.c, n.a, charge}
	}
	s.known = math.Max(s.known, n.charge())
}

// crossing is what a path comes to that falls at full rate along an offset to a level, and is at
// the best offset of each level below that: F(c), or a little more.
type crossing struct{ c, a, charge float64 }

// nodes are at levels from lower down to first, until the offset is at least last; if that of the
// first is not, another is added there. It is nil where digits do not suffice.
func (s *search) nodes(first float64, lower level, last float64) []node {
	list := []node{s.node(lower, lower.best, lower.place, s.last)}
	for {
		before := list[len(list)-1]
		if before.c >= last {
			return list
		}
		if before.a <= first {
			return append(list, s.node(before.level, last, before.end.low, s.last))
		}
		at := s.level(math.Max(first, before.a/cut))
		if !(at.best > before.c) {
			return nil
		}
		list = append(list, s.node(at, at.best, before.end.low, s.last))
	}
}

// gap is between two neighbouring nodes: left has the larger level and the smaller offset. Its
// pieces are the levels between the two, if they are two.
type gap struct {
	left, right node
	pieces      []piece
	bound       float64
}

// gaps bounds what is between any two nodes, and sets what levels below them are charged: rest,
// and the pieces.
func (s *search) gaps(nodes []node, pieces []piece, rest float64) gaps {
	ends, i := make([]int, len(nodes)), 0
	for n := len(nodes) - 1; n >= 0; n-- {
		for i < len(pieces) && pieces[i].high <= nodes[n].a {
			rest += pieces[i].free
			i++
		}
		nodes[n].below, ends[n] = rest, i
		s.meet(nodes[n])
	}
	var list gaps
	for n := 1; n < len(nodes); n++ {
		list = append(list, s.gap(nodes[n-1], nodes[n], pieces[ends[n]:ends[n-1]]))
	}
	heap.Init(&list)
	return list
}

// gap bounds F(c) between two nodes. Levels up to left's are charged their largest, and those above
// it D(c) = Ψ(c, end) − Ψ(c, a), whose second derivative in c is at least −bend: it is below its
// chord and a parabola. Nor does D fall by more than fall for each unit of c, which says more where
// D hardly changes.
func (s *search) gap(left, right node, pieces []piece) *gap {
	width := right.c - left.c
	near := left.strip + left.end.tail
	low := s.psi(left.place, right.c)
	far := s.difference(left.place, right.end.low, right.c, low, right.there) + right.end.tail
	bend := s.bend(left.place, left.end.low, right.end.high, left.c, right.c)
	most := math.Max(near, far)
	if arch := bend * width * width / 2; arch > math.Abs(far-near) {
		most = (near+far)/2 + arch/4 + (far-near)*(far-near)/(4*arch)
	}
	most = math.Min(most, far+width*s.fall(left.place, left.c))
	bound := left.below + math.Min(left.late, most)
	if math.IsNaN(bound) {
		bound = math.Inf(1)
	}
	return &gap{left, right, pieces, bound}
}

// cut cuts a gap in two, between its pieces or in the middle of the one: nil where digits do not
// suffice.
func (s *search) cut(g *gap) (left, right *gap) {
	at, c, below := g.left.level, g.left.c+(g.right.c-g.left.c)/2, g.left.below
	var low, high []piece
	if n := len(g.pieces); n > 0 {
		if n == 1 {
			// Offsets are nearly linear in 1/a where they are large.
			middle := 2 * g.left.a / (1 + g.left.a/g.right.a)
			low = []piece{s.newPiece(g.right.a, middle)}
			high = []piece{s.newPiece(middle, g.left.a)}
		} else {
			low, high = g.pieces[:n/2], g.pieces[n/2:]
		}
		below = g.right.below
		for _, one := range low {
			below += one.free
		}
		below = math.Min(below, g.left.below)
		at = s.level(high[0].low)
		c = at.best
	}
	if !(c > g.left.c && c < g.right.c) {
		return nil, nil
	}
	middle := s.node(at, c, g.left.end.low, g.right.end.high)
	middle.below = below
	s.meet(middle)
	return s.gap(g.left, middle, high), s.gap(middle, g.right, low)
}

// belowValley bounds the charge for offsets below that of the last node: levels up to upper have
// their best one, and those above it the node's.
func (s *search) belowValley(last node, upper level) float64 {
	bound := last.charge()
	if upper.a > last.a {
		bound = last.below + s.newPiece(last.a, upper.a).free + last.end.tail +
			s.strip(upper.place, last.end.low, last.c)
	}
	return bound
}

// gaps is a heap, the largest bound first.
type gaps []*gap

func (g gaps) Len() int           { return len(g) }
func (g gaps) Less(i, j int) bool { return g[i].bound > g[j].bound }
func (g gaps) Swap(i, j int)      { g[i], g[j] = g[j], g[i] }
func (g *gaps) Push(x any)        { *g = append(*g, x.(*gap)) }

func (g *gaps) Pop() any {
	n := len(*g) - 1
	last := (*g)[n]
	*g = (*g)[:n]
	return last
}
