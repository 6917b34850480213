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
	for _, a := range l.atoms {
		if a.mass > 0 {
			omega = append(omega, a.loss)
			weight = append(weight, a.mass)
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
}

// cumulant is K(t) = Σ count·log E[e^{tω}], the cumulant generating function of
// a composition, by quadrature.
type cumulant []nodes

// at returns K(t), K'(t) and K”(t).
func (c cumulant) at(t float64) (value, mean, variance float64) {
	for _, table := range c {
		top := math.Inf(-1)
		for _, omega := range table.omega {
			top = math.Max(top, t*omega)
		}
		var sum, first, second float64
		for i, omega := range table.omega {
			w := table.weight[i] * math.Exp(t*omega-top)
			sum += w
			first += w * omega
		}
		first /= sum
		for i, omega := range table.omega {
			d := omega - first
			second += table.weight[i] * math.Exp(t*omega-top) * d * d
		}
		value += table.count * (top + math.Log(sum))
		mean += table.count * first
		variance += table.count * second / sum
	}
	return value, mean, variance
}

// value returns K(t) alone.
func (c cumulant) value(t float64) float64 {
	total := 0.0
	for _, table := range c {
		total += table.count * table.logMoment(t)
	}
	return total
}

func (n nodes) logMoment(t float64) float64 {
	top := math.Inf(-1)
	for _, omega := range n.omega {
		top = math.Max(top, t*omega)
	}
	sum := 0.0
	for i, omega := range n.omega {
		sum += n.weight[i] * math.Exp(t*omega-top)
	}
	return top + math.Log(sum)
}
