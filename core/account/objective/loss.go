package objective

import (
	"math"

	"cloister/core/special"
)

// LossFunction is a privacy loss ω, in nats, that dominates one direction of a
// mechanism, written as a nondecreasing continuous function of v ~ N(0, 1):
//
//	H_{e^ε}(P‖Q) ≤ E[1 − e^{ε−ω(v)}]₊  for every real ε.
//
// E[e^{−ω}] ≤ 1, so ω is the loss of some dominating pair (P, Q) and composes
// as one (theory §4.4; Redberg, Koskela & Wang 2023, Lemma D.6): whatever of
// Q's mass is missing lies where P has none. It has no atoms at +∞; it may have
// an atom at a finite value (an interval of v with the same loss).
//
// Values are rounded to nearest; a user who needs a bound adds LossSlack.
type LossFunction interface {
	// Loss returns ω(v), also for v = ±∞ (limits, possibly infinite).
	Loss(v float64) float64

	// Level returns sup {v : ω(v) ≤ x}, −Inf if there is no such v and +Inf if
	// every v is one. So Pr[ω ≤ x] = Φ(Level(x)).
	Level(x float64) float64
}

// LossSlack bounds the rounding error of ω = Loss(v): a few units in the last
// place of the largest term of the loss, none of which exceeds a few times
// 1 + |ω| + v².
func LossSlack(v, omega float64) float64 { return 0x1p-48 * (1 + math.Abs(omega) + 16*v*v) }

// gaussianLoss is the loss of the Gaussian mechanism, μv + μ²/2.
type gaussianLoss struct{ mu float64 }

func (g gaussianLoss) Loss(v float64) float64  { return g.mu*v + g.mu*g.mu/2 }
func (g gaussianLoss) Level(x float64) float64 { return x/g.mu - g.mu/2 }

// halfNormalLoss is c + μ²/2 + |N(0, μ²)|: theory §3.2 and §4.1.
type halfNormalLoss struct{ c, mu float64 }

// Loss rearranges |N(0, 1)| into an increasing function of v: the point with
// half of v's right tail on its right.
func (h halfNormalLoss) Loss(v float64) float64 {
	if math.IsInf(v, -1) {
		return h.c + h.mu*h.mu/2
	}
	return h.c + h.mu*h.mu/2 - h.mu*special.NormalQuantileLog(special.LogNormalSurvival(v)-math.Ln2)
}

func (h halfNormalLoss) Level(x float64) float64 {
	distance := (x - h.c - h.mu*h.mu/2) / h.mu
	if !(distance > 0) {
		return math.Inf(-1)
	}
	return -special.NormalQuantileLog(math.Min(0, special.LogNormalSurvival(distance)+math.Ln2))
}

// envelopeLoss is a loss of the shape that theory §4.2 and §4.3 have: constant
// up to some v, then along curved branches, then linear.
//
//	v ≤ flatEnd:      base
//	in between:       branches, contiguous and increasing in v
//	v ≥ linearStart:  base + c + μv + μ²/2
type envelopeLoss struct {
	base        float64
	flatEnd     float64
	branches    []branch
	linearStart float64
	c, mu       float64
}

// cutLoss is base + max(0, μv + μ²/2), theory §4.2.
func cutLoss(base, mu float64) *envelopeLoss {
	return &envelopeLoss{base: base, flatEnd: -mu / 2, linearStart: -mu / 2, mu: mu}
}

// line is the loss on the linear part, as a function on all of ℝ; it is never
// above the loss itself.
func (e *envelopeLoss) line(v float64) float64 { return e.base + (e.c + e.mu*(v+e.mu/2)) }

func (e *envelopeLoss) Loss(v float64) float64 {
	switch {
	case v <= e.flatEnd:
		return e.base
	case v >= e.linearStart:
		return e.line(v)
	}
	// Every point of every branch is a lower bound of the maximum, so that near
	// a jump both sides may be tried.
	loss := math.Max(0, e.c+e.mu*(v+e.mu/2))
	for i := range e.branches {
		if b := &e.branches[i]; v >= b.vLow-jumpWidth && v <= b.vHigh+jumpWidth {
			loss = math.Max(loss, b.best(v))
		}
	}
	return e.base + loss
}

// jumpWidth is far more than the error of a jump's place and far less than the
// scale of v.
const jumpWidth = 1e-6

func (e *envelopeLoss) Level(x float64) float64 {
	switch {
	case x < e.base:
		return math.Inf(-1)
	case x == e.base:
		return e.flatEnd
	case x >= e.line(e.linearStart):
		return (x-e.base-e.c)/e.mu - e.mu/2
	}
	for i := range e.branches {
		if b := &e.branches[i]; x-e.base <= b.lossAt(b.high) {
			return math.Min(b.vHigh, math.Max(b.vLow, b.vAt(b.levelAt(x-e.base))))
		}
	}
	return e.linearStart
}
