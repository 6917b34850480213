package objective

import (
	"math"
	"sync"

	"cloister/core/privacy"
)

// controlNodes are values of V that chords end at, for whoever asks again: compositions, Rényi
// curves, and every question to come about an event of the same parameters.
type controlNodes struct {
	lock  sync.Mutex
	asked map[nodeAt]float64 // log of a bound on V

	// log V at 0, step, 2·step, … as the Rényi curve needs them: beyond the last V is below
	// δ_G(s − offset; μ).
	once         sync.Once
	step, offset float64
	logDelta     []float64
	ceiling      []float64 // log of the ceiling at the same ε
}

// nodeAt is a question for V(x).
type nodeAt struct {
	x  float64
	by effort
}

const (
	// mostAsked is how many values are remembered of one event, and mostKept of how many
	// events: 3 MB in all at most.
	mostAsked = 1 << 11
	mostKept  = 1 << 6

	renyiReach = 12.0     // of the last node, in μ
	renyiShare = 1.0 / 16 // of a step, in μ
	renyiMost  = 400.0    // nodes

	// chordReach is how far beyond its mean, in μ, a profile is followed with chords of equal
	// length, chordShare of μ each, and no more than chordMost of them. Farther on each is longer
	// by chordGrowth than the one before, and while log V has not fallen by chordFall, at most
	// a part of ε; up to where log V is below chordLeast.
	chordReach  = 6.0
	chordShare  = 1.0 / 32
	chordMost   = 192
	chordGrowth = 1.2
	chordFall   = 21.0 // a Gaussian mechanism's, at chordReach
	chordPart   = 24.0
	chordLeast  = -690.0
)

// kept are the nodes of the events that were asked about last.
var kept struct {
	lock  sync.Mutex
	nodes map[privacy.ObjectivePerturbation]*controlNodes
}

// nodesOf returns the nodes of all events with the parameters of one. What they answer does not
// depend on what was asked before, nor on whether it is remembered.
func nodesOf(e privacy.ObjectivePerturbation) *controlNodes {
	e.Adjacency, e.Dimension = 0, 0 // V depends on neither
	kept.lock.Lock()
	defer kept.lock.Unlock()
	nodes, known := kept.nodes[e]
	if !known {
		if kept.nodes == nil || len(kept.nodes) >= mostKept {
			kept.nodes = map[privacy.ObjectivePerturbation]*controlNodes{}
		}
		nodes = &controlNodes{}
		kept.nodes[e] = nodes
	}
	return nodes
}

// node is log of a bound on V(x), remembered.
func (d controlDirection) node(x float64, by effort) float64 {
	n, question := d.nodes, nodeAt{x, by}
	n.lock.Lock()
	value, known := n.asked[question]
	n.lock.Unlock()
	if known {
		return value
	}
	value = d.logDeltaBy(x, by)
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.asked == nil || len(n.asked) >= mostAsked {
		n.asked = map[nodeAt]float64{}
	}
	n.asked[question] = value
	return value
}

// chords returns where chords of the profile end, all whole multiples of the first, and log of a
// bound on V there.
func (d controlDirection) chords() (epsilon, logDelta []float64) {
	last := d.mu*d.mu/2 + chordReach*d.mu
	step := d.chordStep()
	least := d.node(0, rough) - chordFall
	for i, stride := 0.0, 1.0; ; i += stride {
		x := step * i
		value := d.node(x, rough)
		epsilon, logDelta = append(epsilon, x), append(logDelta, value)
		if value < chordLeast || len(epsilon) > 3*chordMost {
			return epsilon, logDelta
		}
		if x < last {
			continue
		}
		stride = math.Ceil(chordGrowth * stride)
		if value > least && len(epsilon) < 2*chordMost {
			stride = math.Max(1, math.Min(stride, math.Floor(i/chordPart)))
		}
	}
}

func (d controlDirection) chordStep() float64 {
	return math.Max(chordShare*d.mu, (d.mu*d.mu/2+chordReach*d.mu)/chordMost)
}

// asked is the direction for hundreds of ε: it answers roughly, and of its composition with a
// Gaussian mechanism it has chords between the ends of chords.
func (d controlDirection) asked() controlDirection {
	d.often = sync.OnceValue(func() []float64 {
		list, _ := d.chords()
		return list
	})
	return d
}

func (n *controlNodes) get(d controlDirection) *controlNodes {
	n.once.Do(func() {
		n.offset = math.Log1p(d.path.rate.most(0, d.path.top))
		last := n.offset + d.mu*d.mu/2 + renyiReach*d.mu
		n.step = math.Max(renyiShare*d.mu, last/renyiMost)
		for s := 0.0; s < last+n.step; s += n.step {
			n.logDelta = append(n.logDelta, d.node(s, sharp))
			n.ceiling = append(n.ceiling, d.ceiling.logDelta(s))
		}
	})
	return n
}
