package pld

import (
	"math"

	"cloister/core/account"
)

// source is what one direction of one event is known by.
type source interface {
	// upper and lower move it onto a grid from above and from below.
	upper(*layout) *measure
	lower(*layout) *measure

	// logDelta bounds log δ(ε) of a single run.
	logDelta(epsilon float64) (lower, upper float64)

	// table approximates it by nodes, to plan by or to estimate with.
	table(low, high float64, m mesh) (omega, weight []float64)

	// ceiling is a loss beyond which lies no more than high of P.
	ceiling(high float64) float64

	// spacing is the distance of its atoms, 0 if there is none to keep.
	spacing() float64
}

func (l *loss) spacing() float64 { return l.lattice }

func (l *loss) ceiling(high float64) float64 {
	most := math.Inf(-1)
	for _, a := range l.atoms {
		most = math.Max(most, a.loss+a.reach)
	}
	for _, p := range l.pieces {
		_, to := p.trim(high, high)
		most = math.Max(most, p.at(to))
	}
	return most
}

// between is a loss of which a parameter carries the rounding of a sum: least
// and most are its losses at either end of it.
type between struct{ least, most *loss }

func (b between) spacing() float64             { return 0 }
func (b between) ceiling(high float64) float64 { return b.most.ceiling(high) }
func (b between) upper(g *layout) *measure     { return b.most.upper(g) }
func (b between) lower(g *layout) *measure     { return b.least.lower(g) }
func (b between) table(low, high float64, m mesh) (omega, weight []float64) {
	return b.most.table(low, high, m)
}

func (b between) logDelta(epsilon float64) (lower, upper float64) {
	lower, _ = b.least.logDelta(epsilon)
	_, upper = b.most.logDelta(epsilon)
	return lower, upper
}

// promise is an event of which only an upper bound on its privacy profile is
// known, and of which floor is an example: a mechanism that keeps the same
// promise, so that nothing better holds for all that do.
type promise struct {
	profile account.Profile
	reverse account.Profile // the profile of the opposite direction
	floor   *loss
}

func (p *promise) spacing() float64             { return 0 }
func (p *promise) ceiling(high float64) float64 { return p.reaches(math.Log(high)) }

func (p *promise) lower(g *layout) *measure { return p.floor.lower(g) }

func (p *promise) logDelta(epsilon float64) (lower, upper float64) {
	lower, _ = p.floor.logDelta(epsilon)
	return lower, p.at(epsilon)
}

// at is the profile, at ε < 0 sharpened by that of the opposite direction:
// H_{e^ε}(P‖Q) = 1 − e^ε + e^ε H_{e^{−ε}}(Q‖P).
func (p *promise) at(epsilon float64) float64 {
	log := math.Min(0, p.profile.LogDeltaUpper(epsilon))
	if epsilon < 0 {
		other := math.Exp(p.reverse.LogDeltaUpper(-epsilon))
		log = math.Min(log, math.Log1p(-math.Exp(epsilon)*(1-math.Min(1, other))))
	}
	return log
}

// mostPoints is at how many ε a profile is asked, which may be slow.
const mostPoints = 1024

// upper is the greatest convex function of e^ε that is nowhere above the bound
// at some grid points, 1 at e^ε = 0, and linear between them and beyond: as the true
// H is convex and below the bound at these points, it is below this function
// everywhere. Where it bends there is mass: the bend is Q's.
func (p *promise) upper(g *layout) *measure {
	top := p.reaches(math.Log(g.high))
	bottom := -p.reaches(math.Log(g.low))
	n := int(math.Ceil((top-bottom)/g.step)) + 1
	stride := max(1, n/mostPoints)
	type point struct {
		index int
		x, y  float64 // e^ε, bound on H
	}
	hull := []point{{index: -1, x: 0, y: 1}}
	slope := func(a, b point) float64 { return (b.y - a.y) / (b.x - a.x) }
	for i := 0; i < n; i += stride {
		epsilon := bottom + float64(i)*g.step
		next := point{i, math.Exp(epsilon), math.Exp(p.at(epsilon)) * (1 + 0x1p-50)}
		for len(hull) > 1 && slope(hull[len(hull)-2], hull[len(hull)-1]) >= slope(hull[len(hull)-1], next) {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, next)
	}
	m := &measure{offset: bottom, step: g.step, mass: make([]float64, n)}
	for i := 1; i < len(hull); i++ {
		before, here := hull[i-1], hull[i]
		bend := -slope(before, here)
		// A slope errs by a few 2⁻⁵³ of itself and of y/Δx; the mass is rounded up
		// by more.
		round := (before.y + here.y) / (here.x - before.x)
		if i+1 < len(hull) {
			bend += slope(here, hull[i+1])
			round += (here.y + hull[i+1].y) / (hull[i+1].x - here.x)
		}
		m.mass[here.index] = here.x * (math.Max(0, bend) + 0x1p-49*round)
	}
	m.infinite = hull[len(hull)-1].y
	return m
}

// reaches returns an ε at which the bound is at most logDelta, or where the
// search gives up.
func (p *promise) reaches(logDelta float64) float64 {
	epsilon := 1e-6
	for epsilon < 1e12 && p.profile.LogDeltaUpper(epsilon) > logDelta {
		epsilon *= 1.25
	}
	return epsilon
}

func (p *promise) table(low, high float64, m mesh) (omega, weight []float64) {
	top, bottom := p.reaches(math.Log(high)), -p.reaches(math.Log(low))
	upper := p.upper(&layout{step: (top - bottom) / 256, low: low, high: high})
	for i, mass := range upper.mass {
		if mass > 0 {
			omega = append(omega, upper.offset+float64(i)*upper.step)
			weight = append(weight, mass)
		}
	}
	return omega, weight
}
