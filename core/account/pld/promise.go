package pld

import (
	"math"
	"sort"

	"cloister/core/account/curve"
)

// promise is an event of which only an upper bound on its privacy profile is
// known, and of which floor is an example: a mechanism that keeps the same
// promise, so that nothing better holds for all that do.
type promise struct {
	profile curve.Profile
	often   curve.Profile // the like of it for grids, which ask at hundreds of ε, if any
	floor   *loss
	load    int // what asking the profile costs: a part of mostLoad

	vertices []vertex            // what the profile has been asked; see ask
	reach    map[float64]float64 // what reaches has answered
	sought   map[float64]float64 // what the profile has been asked for that
}

func (p *promise) spacing() float64             { return 0 }
func (p *promise) ceiling(high float64) float64 { return p.reaches(logarithm(high)) }

func (p *promise) lower(g *layout) *measure { return p.floor.lower(g) }

func (p *promise) logDelta(epsilon float64) (lower, upper float64) {
	return p.logDeltaLower(epsilon), curve.CertifiedLogDelta(p.at(epsilon))
}

func (p *promise) logDeltaLower(epsilon float64) float64 {
	return p.floor.logDeltaLower(epsilon)
}

// logDeltaCoarse is by the envelope of what was asked before, which is above the profile
// everywhere; beyond its ends, δ(ε) does not increase and is 1 at most.
func (p *promise) logDeltaCoarse(epsilon float64) float64 {
	n := len(p.vertices)
	if n == 0 || math.IsNaN(epsilon) {
		return curve.CertifiedLogDelta(p.at(epsilon))
	}
	k := sort.Search(n, func(i int) bool { return p.vertices[i].epsilon >= epsilon })
	switch {
	case k == 0 && p.vertices[0].epsilon > epsilon:
		return 0
	case k == n:
		return curve.RoundUp(math.Log(p.vertices[n-1].y))
	case p.vertices[k].epsilon == epsilon:
		return curve.RoundUp(math.Log(p.vertices[k].y))
	}
	return curve.RoundUp(math.Log(p.vertices[k-1].between(p.vertices[k], epsilon)))
}

// at is the profile, at ε < 0 sharpened by that of the opposite direction, which is the same:
// H_{e^ε}(P‖Q) = 1 − e^ε + e^ε H_{e^{−ε}}(Q‖P).
func (p *promise) at(epsilon float64) float64 {
	log := math.Min(0, p.profile.LogDeltaUpper(epsilon))
	if epsilon < 0 {
		other := math.Exp(p.profile.LogDeltaUpper(-epsilon))
		log = math.Min(log, math.Log1p(-math.Exp(epsilon)*(1-math.Min(1, other))))
	}
	return log
}

func (p *promise) forGrids() curve.Profile {
	if p.often != nil {
		return p.often
	}
	return p.profile
}

// mostPoints is at how many ε > 0 a profile is asked, once for all grids: an answer may
// take milliseconds.
const mostPoints = 320

// vertex is a point of a convex function of e^ε.
type vertex struct{ epsilon, y float64 }

// ask returns the lower convex envelope, as a function of e^ε, of the bound at 0 and at
// mostPoints ε on either side of it, as far as reach, in their order; what was asked
// before, if that will do.
func (p *promise) ask(reach float64) []vertex {
	if n := len(p.vertices); n > 0 {
		if last := p.vertices[n-1].epsilon; last >= reach && last <= 3*reach {
			return p.vertices
		}
	}
	const u = 1 + 0x1p-50
	points := make([]vertex, 2*mostPoints+1)
	step := reach / mostPoints * (1 + 0x1p-50) // so that the last is not below reach
	values := curve.Sample(p.forGrids(), step, mostPoints)
	for i := range mostPoints + 1 {
		epsilon := step * float64(i)
		delta := curve.ExpUp(values[i])
		points[mostPoints+i] = vertex{epsilon, delta}
		// H_{e^{−ε}}(P‖Q) = 1 − e^{−ε} + e^{−ε}·H_{e^ε}(Q‖P).
		points[mostPoints-i] = vertex{
			-epsilon,
			math.Min(1, (delta-math.Expm1(-epsilon)*(1-delta))*u),
		}
	}
	slope := func(a, b vertex) float64 {
		return (b.y - a.y) / math.Expm1(b.epsilon-a.epsilon) * math.Exp(-reach-a.epsilon)
	}
	hull := points[:0]
	for _, next := range points {
		for n := len(hull); n > 1 && slope(hull[n-2], hull[n-1]) >= slope(hull[n-1], next); n-- {
			hull = hull[:n-1]
		}
		hull = append(hull, next)
	}
	p.vertices = hull
	return hull
}

// between returns the envelope between two vertices, rounded up: with t = e^ε it is
// y₁ + (y₀ − y₁)(t₁ − t)/(t₁ − t₀), of which nothing cancels as it is taken here.
func (a vertex) between(b vertex, epsilon float64) float64 {
	part := math.Expm1(epsilon-b.epsilon) / math.Expm1(a.epsilon-b.epsilon)
	return (b.y + (a.y-b.y)*math.Max(0, math.Min(1, part))) * (1 + 0x1p-49)
}

// upper is the greatest convex function of e^ε that is nowhere above the envelope of what
// was asked at the grid points next to its vertices, 1 at e^ε = 0, and linear between
// them and beyond: as the true H is convex and below the bound at the vertices, it is
// below this function everywhere. Where it bends there is mass: the bend is Q's.
func (p *promise) upper(g *layout) *measure {
	top := p.reaches(logarithm(g.high))
	bottom := -p.reaches(logarithm(g.low))
	// A grid of more cells than any other has, or of none, says nothing.
	if !((top-bottom)/g.step <= 2*mostCells) {
		return &measure{step: g.step, mass: []float64{1}, infinite: 1}
	}
	n := int(math.Ceil((top-bottom)/g.step)) + 1
	type point struct {
		index int
		x, y  float64 // e^ε, bound on H
	}
	// The width of a stretch of e^ε, without a difference of next to equal numbers.
	width := func(a, b point) float64 {
		if a.index < 0 {
			return b.x
		}
		return a.x * math.Expm1(float64(b.index-a.index)*g.step)
	}
	slope := func(a, b point) float64 { return (b.y - a.y) / width(a, b) }
	hull := []point{{index: -1, x: 0, y: 1}}
	take := func(index int, y float64) {
		if index <= hull[len(hull)-1].index || index >= n {
			return
		}
		next := point{index, math.Exp(bottom + float64(index)*g.step), y}
		for n := len(hull); n > 1 && slope(hull[n-2], hull[n-1]) >= slope(hull[n-1], next); n-- {
			hull = hull[:n-1]
		}
		hull = append(hull, next)
	}
	vertices := p.ask(math.Max(-bottom, top))
	for k := 1; k < len(vertices); k++ {
		a, b := vertices[k-1], vertices[k]
		from := math.Max(0, math.Ceil((a.epsilon-bottom)/g.step))
		to := math.Floor((b.epsilon - bottom) / g.step)
		for _, i := range [2]float64{from, to} {
			if epsilon := bottom + i*g.step; a.epsilon <= epsilon && epsilon <= b.epsilon {
				take(int(i), a.between(b, epsilon))
			}
		}
	}
	take(n-1, vertices[len(vertices)-1].y)
	m := &measure{offset: bottom, step: g.step, mass: make([]float64, n)}
	for i := 1; i < len(hull); i++ {
		before, here := hull[i-1], hull[i]
		bend := -slope(before, here)
		// A slope errs by a few 2⁻⁵³ of itself and of y/Δx; the mass is rounded up
		// by more.
		round := (before.y + here.y) / width(before, here)
		if i+1 < len(hull) {
			bend += slope(here, hull[i+1])
			round += (here.y + hull[i+1].y) / width(here, hull[i+1])
		}
		m.mass[here.index] = here.x * (math.Max(0, bend) + 0x1p-49*round)
	}
	m.infinite = hull[len(hull)-1].y
	return m.orEverything()
}

// reaches returns an ε > 0 at which the bound is at most logDelta, no further beyond
// the least one than a quarter of it where the bound does not increase; +Inf if there is
// none below mostReach. Whatever is concluded from it, such as that no loss above it
// counts, holds of the bound itself: an ε at which the search gave up would not do.
func (p *promise) reaches(logDelta float64) float64 {
	if known, ok := p.reach[logDelta]; ok {
		return known
	}
	epsilon := p.seekReach(logDelta)
	if p.reach == nil {
		p.reach = map[float64]float64{}
	}
	p.reach[logDelta] = epsilon
	return epsilon
}

func (p *promise) seekReach(logDelta float64) float64 {
	profile := p.forGrids()
	if p.sought == nil {
		p.sought = map[float64]float64{}
	}
	within := func(epsilon float64) bool {
		log, ok := p.sought[epsilon]
		if !ok {
			log = profile.LogDeltaUpper(epsilon)
			p.sought[epsilon] = log
		}
		return log <= logDelta
	}
	at := func(k int) float64 { return 1e-6 * math.Pow(1e3, float64(k)) }
	k, ok := first(5, 76, func(k int) bool { return within(at(k)) }) // at(76) is above mostReach
	switch {
	case !ok:
		return math.Inf(1)
	case k == 0:
		return at(0)
	}
	epsilon, below := at(k), at(k-1)
	for epsilon > 1.25*below {
		if middle := math.Sqrt(below) * math.Sqrt(epsilon); within(middle) {
			epsilon = middle
		} else {
			below = middle
		}
	}
	return epsilon
}

// mostReach is above any ε that a profile of an event within its ranges needs for a δ
// of a float64: αρ with ρ up to LargestRho times LargestCount runs is below 1e216, and
// squares of ratios are.
const mostReach = 1e220

func (p *promise) table(low, high float64, m mesh) (omega, weight []float64) {
	top, bottom := p.reaches(logarithm(high)), -p.reaches(logarithm(low))
	upper := p.upper(&layout{step: (top - bottom) / 256, low: low, high: high})
	for i, mass := range upper.mass {
		if mass > 0 {
			omega = append(omega, upper.offset+float64(i)*upper.step)
			weight = append(weight, mass)
		}
	}
	return omega, weight
}
