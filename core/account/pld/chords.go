package pld

import (
	"math"
	"sync"

	"cloister/core/account/curve"
)

// chords is an event of which a bound on the privacy profile H is known, that is the profile of
// some pair and so convex in t = e^ε: it lies below its chords between any ε₁ < … < εₙ, below
// H(εₙ) beyond, and below the line to 1 at t = 0. What is linear in between is the profile of
// finitely many losses, whose bends are their masses (Q's): these dominate the event's, and
// compose as any. Alone, the event has its profile.
type chords struct {
	profile  curve.Chorded
	opposite curve.Profile // for ε < 0: H_{e^{−ε}}(P‖Q) = 1 − e^{−ε} + e^{−ε}·H_{e^ε}(Q‖P)

	once sync.Once
	both between // once asked for: see losses
}

// losses are those of the chords. A profile that says next to nothing may have none that add up:
// then all of P is at +∞.
func (c *chords) losses() between {
	c.once.Do(func() {
		epsilon, values := c.profile.Chords()
		above, below := make([]vertex, len(epsilon)), make([]vertex, len(epsilon))
		for i, x := range epsilon {
			above[i] = vertex{x, curve.ExpUp(values[i])}
			y := fadeUp(curve.ExpUp(c.opposite.LogDeltaUpper(x)), x)
			below[len(below)-1-i] = vertex{-x, y}
		}
		// At 0 the two are the same.
		least := math.Min(above[0].y, below[len(below)-1].y)
		above[0].y, below[len(below)-1].y = least, least
		above, below = envelope(above), envelope(below)
		c.both = between{least: chordLoss(below, above, -1), most: chordLoss(below, above, 1)}
		c.both.least.lattice, c.both.most.lattice = epsilon[1], epsilon[1]
		if !c.both.most.whole() {
			c.both.most = &loss{infinite: 1}
		}
	})
	return c.both
}

// fadeUp is e^{−x}·y, rounded up.
func fadeUp(y, x float64) float64 {
	return math.Exp(-x)*y*(1+0x1p-50) + math.SmallestNonzeroFloat64
}

// envelope leaves out what is above a chord of others; the ends stay.
func envelope(points []vertex) []vertex {
	var hull []vertex
	for _, next := range points {
		for n := len(hull); n > 1 &&
			hull[n-1].y >= hull[n-2].between(next, hull[n-1].epsilon); n-- {
			hull = hull[:n-1]
		}
		hull = append(hull, next)
	}
	return hull
}

// chordLoss are the losses of what is linear between vertices: H above 0, and H − 1 + t below,
// of which the slope is smaller by 1. The slope of a chord times t is Δy/(1 − e^{−Δε}) at its
// upper end, and Δy/(e^{Δε} − 1) at its lower one, so that nothing overflows; P's mass is the
// difference of two, and masses are rounded up (way = 1) or down (−1). More mass anywhere makes
// H no smaller.
func chordLoss(below, above []vertex, way float64) *loss {
	n := len(below) - 1
	all := append(append([]vertex{}, below...), above[1:]...)
	l := &loss{infinite: all[len(all)-1].y, exact: true}
	rise := all[0].y // the slope before a vertex, from t = 0 on
	for i, v := range all {
		fall, next := 0.0, 0.0
		if i+1 < len(all) {
			width := all[i+1].epsilon - v.epsilon
			change := all[i+1].y - v.y
			fall, next = change/math.Expm1(width), -change/math.Expm1(-width)
		}
		mass := fall - rise
		round := math.Abs(fall) + math.Abs(rise)
		if i == n {
			mass, round = mass+1, round+1
		}
		mass += way * 0x1p-50 * round
		if mass > 0 {
			l.atoms = append(l.atoms, atom{loss: v.epsilon, mass: mass})
		}
		rise = next
	}
	return l
}

func (c *chords) spacing() float64             { return c.losses().most.lattice }
func (c *chords) ceiling(high float64) float64 { return c.losses().ceiling(high) }
func (c *chords) upper(g *layout) *measure     { return c.losses().upper(g) }
func (c *chords) lower(g *layout) *measure     { return c.losses().lower(g) }

func (c *chords) table(low, high float64, m mesh) (omega, weight []float64) {
	return c.losses().table(low, high, m)
}

func (c *chords) logDelta(epsilon float64) (lower, upper float64) {
	upper = curve.CertifiedLogDelta(c.profile.LogDeltaUpper(epsilon))
	return upper - 2*massError, upper
}

func (c *chords) logDeltaLower(epsilon float64) float64 {
	lower, _ := c.logDelta(epsilon)
	return lower
}

func (c *chords) logDeltaCoarse(epsilon float64) float64 {
	return c.losses().logDeltaCoarse(epsilon)
}
