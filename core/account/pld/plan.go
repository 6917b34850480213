package pld

import (
	"math"

	"cloister/core/special"
)

// A run is one direction of one event, composed count times.
type run struct {
	source
	count int
}

// target is what a sheet is to be made for: the neighbourhood of ε.
type target struct {
	c     cumulant // of the losses, or of those that are no jumps
	jump  cumulant // of jumps, where only outcomes with a jump matter; else nil
	total float64  // number of runs

	windowLoss, cut float64
	leastTilt       float64 // of a window, in units of 1/deviation
	deviation       float64 // standard deviation of the composition, untilted
	low, high       float64 // P-mass of single runs that may be cut off

	epsilon, logDelta float64
	slope             float64 // −(log δ)' near ε: the exponent at which the tilted mean is ε
	best              window
}

// step returns a grid step with which an interval of width nats is likely for
// ε: a step h adds up to h²/4 to each run's variance at one end and takes up to
// h²/3 at the other, on average h²/6 and h²/12, and variance moves ε by half of
// it times slope + 1; as long as it does not change by much. A step that is a
// part of width for every run is always fine enough.
func (g *target) step(width float64) float64 {
	h := math.Sqrt(4 * width / (g.total * (g.slope + 1)))
	if g.jump == nil {
		h = math.Min(h, g.deviation/math.Sqrt(g.total))
	}
	return math.Max(h, width/g.total/2)
}

// Parts of δ that cutting off far tails may cost: an interval, an estimate.
const (
	intervalCut = 1e-5
	estimateCut = 1e-11
)

func tables(runs []run, logDelta, cut float64) *target {
	g := &target{windowLoss: windowLoss, cut: cut, leastTilt: 0.05}
	if (&direction{runs: runs}).exact() {
		g.windowLoss = exactLoss
	}
	for _, r := range runs {
		g.total += float64(r.count)
	}
	g.logDelta = math.Min(0, logDelta)
	g.low = 1e-5 * cut / g.total
	g.high = math.Max(1e-306, math.Exp(g.logDelta)*cut/g.total)
	for _, r := range runs {
		omega, weight := r.table(g.low, g.high, coarse)
		g.c = append(g.c, newNodes(omega, weight, r.count))
	}
	_, _, variance := g.at(0)
	g.deviation = math.Sqrt(variance)
	// A loss that hardly varies still needs a scale.
	size := 0.0
	for _, n := range g.c {
		size += n.count * math.Max(math.Abs(n.least), math.Abs(n.most))
	}
	if least := 1e-7*size + 1e-300; !(g.deviation > least) {
		g.deviation = least
	}
	return g
}

// aim returns a first target for a δ (given as its logarithm): the least ε that
// a Rényi bound allows. Where the loss is far from normal, the true ε may lie
// far below.
func aim(runs []run, logDelta, cut float64) *target {
	g := tables(runs, logDelta, cut)
	bound := func(logT float64) float64 {
		t := math.Exp(logT)
		return (g.value(t) - logDelta - t*math.Log1p(1/t) - math.Log1p(t)) / t
	}
	// Losses far from normal have their best exponent far below that of a normal
	// one, some multiple of 1/deviation.
	normal := -math.Log(g.deviation)
	at, best := normal, math.Inf(1)
	for logT := math.Min(-3, normal-2); logT < normal+7; logT++ {
		if value := bound(logT); value < best {
			at, best = logT, value
		}
	}
	logT, epsilon := special.GoldenSection(bound, at-1, at+1, 6)
	g.epsilon, g.slope = math.Max(0, epsilon), math.Exp(logT)
	return g.choose()
}

// aimAt returns a target for a given ε: a first guess of δ(ε) is that of a
// saddle-point approximation, which is not below it by much.
func aimAt(runs []run, epsilon, cut float64) *target {
	g := tables(runs, -30, cut)
	if epsilon < g.ceiling(runs) {
		g.logDelta = -1
		g = g.toward(epsilon)
		guess := g.saddlePoint()
		if guess > -30 {
			g.logDelta = guess
			return g.toward(epsilon)
		}
	}
	g = tables(runs, leastLogDelta, cut)
	if epsilon >= g.ceiling(runs) {
		g.epsilon, g.logDelta = epsilon, leastLogDelta
		return g
	}
	g = g.toward(epsilon)
	guess := math.Max(leastLogDelta, g.saddlePoint())
	g = tables(runs, guess, cut)
	g.logDelta = guess
	return g.toward(epsilon)
}

// saddlePoint approximates log δ(ε).
func (g *target) saddlePoint() float64 {
	value, mean, variance := g.at(g.slope)
	log := value - g.slope*math.Max(g.epsilon, mean) - math.Log1p(g.slope)
	return math.Min(-0.01, log-math.Max(0, math.Log(2*math.Pi*variance*g.slope*g.slope)/2))
}

// ceiling is the largest loss that is left when no more than g.high of every
// run is cut off.
func (g *target) ceiling(runs []run) float64 {
	total := 0.0
	for _, r := range runs {
		total += float64(r.count) * r.ceiling(g.high)
	}
	return total
}

func (g *target) clone() *target {
	h := *g
	return &h
}

// toward returns the target for a given ε and the δ expected there. Of all
// exponents up to the one at which the tilted mean is ε, which makes rounding
// count least, it takes the one that needs the shortest window while rounding
// stays negligible.
func (g *target) toward(epsilon float64) *target {
	g = g.clone()
	g.epsilon = epsilon
	excess := func(logT float64) float64 {
		_, mean, _ := g.at(math.Exp(logT))
		return epsilon - mean
	}
	low := math.Log(0.1 / math.Max(g.deviation, epsilon))
	high := math.Log(5 / g.deviation)
	for range 60 {
		if !(excess(high) > 0) {
			break
		}
		high++
	}
	saddle := low
	if excess(low) > 0 {
		if root, err := special.ConservativeRoot(excess, low, high, 0.02); err == nil {
			saddle = root
		}
	}
	g.slope = math.Exp(saddle)
	return g.choose()
}

// choose finds the best window for exponents down from slope. For losses close
// to normal it is that of slope itself; for others it may be far shorter.
func (g *target) choose() *target {
	shortest := math.Inf(1)
	for t := g.slope; ; t /= 2 {
		w := g.window(t)
		if cost := math.Log(w.to-w.from) + w.noise; t == g.slope || cost < shortest {
			shortest, g.best = cost, w
		}
		if w.noise == 0 && w.to-w.from < 14*w.deviation ||
			!(t > g.leastTilt/math.Max(g.deviation, g.epsilon) && t <= math.MaxFloat64) {
			return g
		}
	}
}

// value is log of the moment generating function at t, and at also has its first
// two derivatives: of everything, or of the outcomes with a jump (see
// composedMoment).
func (g *target) value(t float64) float64 {
	value, logGain := 0.0, math.Inf(-1)
	for i := range g.c {
		body := &g.c[i]
		a := body.logMoment(t)
		value += body.count * a
		if g.jump != nil {
			logGain = special.LogAddExp(logGain, logGainOf(body.count, g.jump[i].logMoment(t)-a))
		}
	}
	if g.jump != nil {
		value += math.Exp(logGain) + logJump(logGain)
	}
	return value
}

func (g *target) at(t float64) (value, mean, variance float64) {
	// With gain G: log M = log Π A^k + log(e^G − 1).
	logGain, rise, bend := math.Inf(-1), 0.0, 0.0
	for i := range g.c {
		body := &g.c[i]
		k := body.count
		a, aMean, aVariance := body.at(t)
		value, mean, variance = value+k*a, mean+k*aMean, variance+k*aVariance
		if g.jump != nil && len(g.jump[i].omega) > 0 {
			b, bMean, bVariance := g.jump[i].at(t)
			share, apart := 1/(1+math.Exp(a-b)), bMean-aMean
			logGain = special.LogAddExp(logGain, logGainOf(k, b-a))
			rise += k * share * apart
			bend += k * share * (bVariance - aVariance + (1-share)*apart*apart)
		}
	}
	if g.jump == nil {
		return value, mean, variance
	}
	part := math.Exp(logJump(logGain)) + math.SmallestNonzeroFloat64
	rise /= part
	return value + math.Exp(logGain) + logJump(logGain), mean +
		rise, math.Max(0, variance+bend/part-rise*rise*(1-part))
}

// windowLoss is −log of the part of δ(ε) that may wrap into a window; exactLoss
// where all else is exact.
const (
	windowLoss = 11
	exactLoss  = 28
)

// window plans a window for exponent t: what lies outside shall count for no
// more than e^{−windowLoss} of δ(ε). Its edges are Chernoff bounds of the
// approximate moment generating function; any exponents would make true
// bounds, these make good ones. noise is positive where rounding, e^{−25} of
// the tilted mass in a grid point, would be more than e^{−9} of δ(ε).
func (g *target) window(t float64) window {
	value, _, variance := g.at(t)
	least := 1e-7 * g.deviation
	variance = math.Max(variance, least*least)
	w := window{tilt: t, deviation: math.Sqrt(variance)}
	reach := value - t*g.epsilon - g.logDelta
	weight := math.Log1p(t)
	if t > 0 {
		weight += t * math.Log1p(1/t)
	}
	edge := math.Max(6, reach-weight+g.windowLoss)
	w.reach, w.edge = reach, edge
	w.noise = math.Max(0, reach-math.Log(t*(t+1))-math.Log(variance)/2+math.Log(g.total)/2-25+9)
	above := func(logS float64) float64 {
		s := math.Exp(logS)
		return (g.value(t+s) - value + edge) / s
	}
	below := func(logS float64) float64 {
		s := math.Exp(logS)
		return (g.value(t-s) - value + edge) / s
	}
	scale := math.Log(2*edge/variance) / 2
	s, to := special.GoldenSection(above, scale-4, scale+2, 8)
	w.above, w.to = t+math.Exp(s), to
	s, from := special.GoldenSection(below, scale-2, scale+2, 6)
	w.below, w.from = t-math.Exp(s), -from
	return w
}

// plan is a sheet to be made.
type plan struct {
	window
	all, goal *target // everything, and what the window is for
	split     float64
	rest      *target // what has no jump, where the window is for what has; else nil
	body      window  // and the window for it
	light     bool    // Chernoff's bound may be enough for it
}

func (g *target) whole() *plan { return &plan{window: g.best, all: g, goal: g, light: true} }

// negligible says whether log is so far below log δ that it need not be known
// well.
func (g *target) negligible(log float64) bool { return log < g.logDelta-g.windowLoss }

// divided returns the plan with the shortest windows. Where a single large loss
// is what δ(ε) is about, no exponent suits everything: at that which suits sums of
// small losses, the largest loss there is outweighs all else, and at a lower one
// the small losses do. Then outcomes with a jump, a loss above some split, are
// composed apart from those without.
func (g *target) divided() *plan {
	best := g.whole()
	least := best.cost()
	if g.best.noise == 0 && g.best.reach < 10 && g.best.to-g.best.from < 30*g.best.deviation {
		return best
	}
	split := g.epsilon
	for range 15 { // to ε/200
		p := g.dividedAt(split)
		if cost := p.cost(); cost < least {
			best, least = p, cost
		}
		split *= 0.7
	}
	return best
}

// cost is the windows' length, and more where rounding will show.
func (p *plan) cost() float64 {
	cost := 0.0
	for i, w := range []*window{&p.window, &p.body} {
		if i == 0 || !p.light {
			cost += (w.to - w.from) * math.Exp(w.noise+math.Max(0, w.reach-10)/3)
		}
	}
	return cost
}

func (g *target) dividedAt(split float64) *plan {
	goal, rest := g.clone(), g.clone()
	goal.c, goal.jump = make(cumulant, len(g.c)), make(cumulant, len(g.c))
	// The body ends with a node, since there an exponent weighs most.
	last := math.Inf(-1)
	for i := range g.c {
		goal.c[i], goal.jump[i] = g.c[i].cut(split)
		if len(goal.c[i].omega) > 0 {
			last = math.Max(last, goal.c[i].most)
		}
	}
	split = last
	rest.c = goal.c
	_, _, variance := rest.at(0)
	rest.deviation = math.Max(math.Sqrt(variance), 1e-4*g.deviation)
	p := &plan{all: g, goal: goal.toward(g.epsilon), split: split, rest: rest.toward(g.epsilon)}
	p.window, p.body = p.goal.best, p.rest.best
	t := p.rest.slope
	p.light = g.negligible(p.rest.value(t) - t*g.epsilon + logMost(t) + 3)
	return p
}

// views are what sheets with these windows see of each run.
func (p *plan) views(w, body *window) [][2]view {
	beyond := p.all.value(w.tilt) - p.goal.value(w.tilt) // a sum over all runs
	views := make([][2]view, len(p.all.c))
	for i := range views {
		one := view{w.tilt, p.all.c[i].logMoment(w.tilt), w.reach + beyond, math.Inf(1)}
		two := one
		if !p.light {
			two = view{body.tilt, p.rest.c[i].logMoment(body.tilt), body.reach, p.split}
		}
		views[i] = [2]view{one, two}
	}
	return views
}
