package pld

import (
	"math"

	"cloister/core/special"
)

// This file is about estimates: moment generating functions by quadrature, and
// what saddle-point approximations make of them. They choose grids, tilts and
// windows, and never enter a certificate.

type interval struct{ from, to float64 }

const (
	normalPanel = 0.75 // panel width in standard deviations
	normalReach = 40.0 // beyond it a normal density underflows
)

// A mesh says how finely quadrature resolves a loss: wide panels with few
// nodes to plan by, narrow ones for estimates.
type mesh struct {
	rule  special.Rule
	panel float64 // multiple of the pieces' own panels
}

var (
	coarse = mesh{special.GaussLegendre(5), 3}
	fine   = mesh{special.GaussLegendre(12), 1}
)

// split appends intervals of at most the given width that cover [from, to]. An
// infinite end is taken at normalReach.
func split(list []interval, from, to, width float64) []interval {
	from = math.Max(from, -normalReach)
	if math.IsInf(to, 1) {
		to = math.Max(from, 0) + normalReach
	}
	if !(from < to) {
		return list
	}
	n := math.Min(4096, math.Ceil((to-from)/width))
	for i := 0.0; i < n; i++ {
		list = append(list, interval{from + (to-from)*i/n, from + (to-from)*(i+1)/n})
	}
	return list
}

// table leaves out tails of P-mass low and high.
func (l *loss) table(low, high float64, m mesh) (omega, weight []float64) {
	// Many atoms are taken together to plan by, but for the outermost.
	group := 1
	if m.panel > 1 {
		group = 1 + len(l.atoms)/512
	}
	left := 0
	for i, a := range l.atoms {
		if !(a.mass > 0) {
			continue
		}
		if n := len(omega) - 1; left > 0 && i < len(l.atoms)-1 {
			left--
			weight[n] += a.mass
			omega[n] += a.mass / weight[n] * (a.loss - omega[n])
			continue
		}
		omega, weight = append(omega, a.loss), append(weight, a.mass)
		if i > 0 {
			left = group - 1
		}
	}
	for _, p := range l.pieces {
		from, to := p.trim(low, high)
		for _, panel := range p.panels(from, to, m.panel) {
			width := panel.to - panel.from
			for i, u := range m.rule.Nodes {
				x := panel.from + width*u
				if w := width * m.rule.Weights[i] * p.density(x); w > 0 {
					omega = append(omega, p.at(x))
					weight = append(weight, w)
				}
			}
		}
	}
	return omega, weight
}

// nodes is a loss as a finite sum, Σ weight·f(ω) ≈ E[f(ω); ω finite], that is
// composed count times.
type nodes struct {
	omega, weight []float64
	count         float64
	least, most   float64 // of omega
}

// newNodes puts the nodes in order: they are, but for an atom or two.
func newNodes(omega, weight []float64, count int) nodes {
	for i := range omega {
		x, w := omega[i], weight[i]
		for i > 0 && omega[i-1] > x {
			omega[i], weight[i] = omega[i-1], weight[i-1]
			i--
		}
		omega[i], weight[i] = x, w
	}
	n := nodes{omega: omega, weight: weight, count: float64(count)}
	n.limit()
	return n
}

// cut divides nodes in order by their losses.
func (n *nodes) cut(split float64) (below, above nodes) {
	i := len(n.omega)
	for i > 0 && n.omega[i-1] > split {
		i--
	}
	below, above = *n, *n
	below.omega, below.weight = n.omega[:i], n.weight[:i]
	above.omega, above.weight = n.omega[i:], n.weight[i:]
	below.limit()
	above.limit()
	return below, above
}

// limit sets least and most of nodes in order.
func (n *nodes) limit() {
	if last := len(n.omega) - 1; last >= 0 {
		n.least, n.most = n.omega[0], n.omega[last]
	}
}

// top is the largest exponent tω.
func (n *nodes) top(t float64) float64 {
	if t < 0 {
		return t * n.least
	}
	return t * n.most
}

// forgotten is how far below the largest exponent a node may be and count: with
// weights down to e^−700 at the other end of the scale.
const forgotten = -740

// logMoment returns log E[e^{tω}].
func (n *nodes) logMoment(t float64) float64 {
	if len(n.omega) == 0 {
		return math.Inf(-1)
	}
	top, sum := n.top(t), 0.0
	for i, x := range n.omega {
		if y := t*x - top; y > forgotten {
			sum += n.weight[i] * math.Exp(y)
		}
	}
	return top + math.Log(sum)
}

// cumulant is K(t) = Σ count·log E[e^{tω}], the cumulant generating function of
// a composition, by quadrature.
type cumulant []nodes

// at returns log E[e^{tω}] of one run and its first two derivatives.
func (n *nodes) at(t float64) (value, mean, variance float64) {
	top := n.top(t)
	var sum, first, second float64
	for i, x := range n.omega {
		if y := t*x - top; y > forgotten {
			w := n.weight[i] * math.Exp(y)
			sum += w
			first += w * (x - n.least)
			second += w * (x - n.least) * (x - n.least)
		}
	}
	first /= sum
	spread := second/sum - first*first
	if spread < 1e-6*first*first {
		spread = 0
		for i, x := range n.omega {
			d := x - n.least - first
			spread += n.weight[i] * math.Exp(t*x-top) * d * d
		}
		spread /= sum
	}
	return top + math.Log(sum), n.least + first, spread
}
