package pld

import (
	"math"

	"cloister/core/account/objective"
	"cloister/core/special"
)

// convexLoss is a loss given as a nondecreasing convex function of v ~ N(0, 1)
// under P, of which only values and levels are known: theory §4.3's g, a
// maximum of lines in v. limit is the slope that it approaches.
func convexLoss(f objective.LossFunction, limit float64) *loss {
	l := &loss{}
	base := f.Loss(math.Inf(-1))
	from := f.Level(base)
	if from > -normalReach {
		l.atoms = []atom{{loss: base, mass: special.NormalCDF(from)}}
	} else {
		from = -normalReach
	}
	c := &convex{f: f, from: from, limit: limit}
	// Beyond linear the loss is a line but for rounding.
	end := from + 2*normalReach
	line := func(v float64) bool {
		return f.Loss(v) <= f.Loss(end)-limit*(end-v)+2*objective.LossSlack(end, f.Loss(end))
	}
	c.linear, _ = special.SmallestTrue(line, from, end, 1e-6)
	l.pieces = []piece{c}
	return l
}

// convex is the part of a convexLoss above its least value.
type convex struct {
	f            objective.LossFunction
	from, linear float64
	limit        float64
}

func (c *convex) trim(low, high float64) (from, to float64) {
	to = math.Inf(1)
	if high > 0 {
		to = math.Max(c.from, -special.NormalQuantile(math.Min(0.5, high)))
	}
	return c.from, to
}

func (c *convex) at(x float64) float64 { return c.f.Loss(x) }

func (c *convex) position(level float64) float64 {
	x := c.f.Level(level - 2*objective.LossSlack(c.from, level))
	if math.IsInf(x, 1) {
		return x
	}
	x -= 0x1p-46 * (1 + math.Abs(x))
	if !(x > c.from) {
		return c.from
	}
	if over := c.f.Loss(x) - level; over > 0 { // a level that rounding took too far
		x = math.Max(c.from, x-2*over/c.limit)
	}
	return x
}

// bin encloses E[e^{−ω}; a < v < b] by lines: on either half of the bin the loss
// is below its chord and, being convex, above the line that continues the other
// half's chord. Bins in which the two differ by much are halved.
func (c *convex) bin(a, b float64) (mass, low, high float64) {
	if math.IsInf(b, 1) {
		return c.rest(a)
	}
	mass = shiftedMass(a, b, 0)
	start, end := c.f.Loss(a), c.f.Loss(b)
	slack := objective.LossSlack(math.Max(math.Abs(a), math.Abs(b)), end) + 0x1p-48
	if mass < 1e-300 || !(end > start) { // the same but for rounding
		return mass, math.Min(start, end) - slack, math.Max(start, end) + slack
	}
	tolerance := 0.004 * (end - start) * (end - start)
	least, most := c.enclose(a, b, start, end, start, tolerance, 12)
	low, high = start-math.Log(most/mass)-slack, start-math.Log(least/mass)+slack
	return mass, math.Max(low, start-slack), math.Min(high, end+slack)
}

// enclose returns bounds of E[e^{anchor−ω}; a < v < b].
func (c *convex) enclose(
	a, b, start, end, anchor, tolerance float64, depth int,
) (least, most float64) {
	if a >= c.linear {
		e := lineMean(a, b, a, start-anchor, c.limit)
		return e, e
	}
	middle := a + (b-a)/2
	at := c.f.Loss(middle)
	left, right := (at-start)/(middle-a), (end-at)/(b-middle)
	if gap := (right - left) * (b - a) / 2; gap > tolerance && depth > 0 {
		least, most = c.enclose(a, middle, start, at, anchor, tolerance, depth-1)
		upperLeast, upperMost := c.enclose(middle, b, at, end, anchor, tolerance, depth-1)
		return least + upperLeast, most + upperMost
	}
	least = lineMean(a, middle, middle, at-anchor, left) +
		lineMean(middle, b, middle, at-anchor, right)
	most = lineMean(a, middle, middle, at-anchor, right) +
		lineMean(middle, b, middle, at-anchor, left)
	return least, most
}

// lineMean is ∫ φ(v) e^{−(value + slope·(v − at))} dv from a to b.
func lineMean(a, b, at, value, slope float64) float64 {
	exponent := slope*at + slope*slope/2 - value
	if exponent < 600 {
		return math.Exp(exponent) * shiftedMass(a, b, slope)
	}
	return math.Exp(exponent + logShiftedMass(a, b, slope))
}

// rest is bin for b = ∞: panels up to where nothing is left, and from there the
// line of the limiting slope.
func (c *convex) rest(a float64) (mass, low, high float64) {
	anchor := c.f.Loss(a)
	mass = special.NormalSurvival(a)
	var least, most float64
	for x := a; x < c.linear; {
		next := math.Min(c.linear, math.Max(x+0.125, -12))
		if x > math.Max(0, a)+12 {
			next = c.linear
		}
		p, low, high := c.bin(x, next)
		least += p * math.Exp(anchor-high)
		most += p * math.Exp(anchor-low)
		x = next
	}
	x := math.Max(a, c.linear)
	end := lineMean(x, math.Inf(1), x, c.f.Loss(x)-anchor, c.limit)
	slack := objective.LossSlack(a, anchor) + 0x1p-47
	return mass, anchor - math.Log((most+end)/mass) - slack, anchor - math.Log((least+end)/mass) +
		slack
}

func (c *convex) logMass(a, b float64) float64 { return logShiftedMass(a, b, 0) }

func (c *convex) density(x float64) float64 { return special.NormalDensity(x) }

// panels are narrow where the loss is curved.
func (c *convex) panels(from, to, scale float64) []interval {
	list := split(nil, from, math.Min(to, c.linear), normalPanel*scale/8)
	return split(list, math.Max(from, c.linear), to, normalPanel*scale)
}

func (c *convex) heavyHigh() bool { return false }
