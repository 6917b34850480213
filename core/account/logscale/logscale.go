// Package logscale prices a release of two steps: first the logarithm of a data-dependent
// sensitivity, with noise; then a vector, with noise of the scale that the first step
// released. Use it where one record moves that logarithm by a bounded amount, whatever the
// data. Then nothing has to be tested, and no failure probability is paid.
//
// # Theorem (ptr.md §1.9)
//
// For all neighbours X and X′ let |f(X) − f(X′)| ≤ Δ and ‖θ(X) − θ(X′)‖ ≤ e^{f(X)}. Release
// y = f + N(0, σ²), and then θ + N(0, k²e^{2y}I). Then for every X, with v ~ N(0, 1),
//
//	δ(ε) = sup_{|s| ≤ Δ} E[δ_G(ε + sv/σ − s²/(2σ²); e^{−σv}/k)].
//
// Proof. Under X, y = f + σv, and y's loss against f′ = f + s is −sv/σ + s²/(2σ²). Given y,
// the second step is a Gaussian mechanism of ratio e^f/(k e^y) = e^{−σv}/k at most. ∎
package logscale

import (
	"math"
	"slices"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Release is the pair of releases, as the package comment has it. It is a curve.Curve.
type Release struct {
	Neighbours  privacy.Adjacency
	Sensitivity float64 // Δ > 0 of the logarithm, for all data
	Sigma       float64 // σ > 0 of the logarithm's noise
	Factor      float64 // k > 0: the vector's noise is k times what was released
}

// Adjacency implements curve.Curve.
func (r Release) Adjacency() privacy.Adjacency { return r.Neighbours }

// LogDeltaUpper implements curve.Profile. The supremum is bounded on cells of s: on one from
// s₁ to s₂ no sv/σ − s²/(2σ²) is below min(s₁v, s₂v)/σ − max(s₁², s₂²)/(2σ²), and δ_G falls
// in ε. The cell with the largest bound is halved until what is found is within 1e-8 of what is
// attained at s = ±Δ, or 400 times. One of the two was the worst wherever it was looked at, but
// that is not proved, and nothing here assumes it. For ε < 0 it is 1 − e^ε + e^ε δ(−ε), by the
// pair with its sides exchanged, for which the theorem holds too.
func (r Release) LogDeltaUpper(epsilon float64) float64 {
	if !(r.Sensitivity > 0 && r.Sigma > 0 && r.Factor > 0) || math.IsNaN(epsilon) ||
		math.IsInf(r.Sensitivity/r.Sigma, 1) {
		return 0
	}
	if epsilon < 0 {
		return curve.RoundUp(special.LogAddExp(
			special.Log1mExp(epsilon), epsilon+r.LogDeltaUpper(-epsilon)))
	}
	type cell struct{ low, high, bound float64 }
	bounded := func(low, high float64) cell { return cell{low, high, r.over(low, high, epsilon)} }
	d := r.Sensitivity
	attained := math.Max(r.over(d, d, epsilon), r.over(-d, -d, epsilon))
	cells := []cell{bounded(-d, -d/2), bounded(-d/2, 0), bounded(0, d/2), bounded(d/2, d)}
	for range 400 {
		k := worst(cells, func(c cell) float64 { return c.bound })
		c := cells[k]
		middle := c.low + (c.high-c.low)/2
		if c.bound <= attained+1e-8 || !(c.low < middle && middle < c.high) {
			break
		}
		cells[k] = bounded(c.low, middle)
		cells = append(cells, bounded(middle, c.high))
	}
	k := worst(cells, func(c cell) float64 { return c.bound })
	return curve.RoundUp(math.Min(0, cells[k].bound))
}

func worst[T any](list []T, of func(T) float64) int {
	at := 0
	for k, x := range list {
		if of(x) > of(list[at]) {
			at = k
		}
	}
	return at
}

// reach is how far v is followed: what lies beyond, Φ(−37) on each side, is added.
const reach = 37.0

// square is max(low², high²)/(2σ²), rounded up.
func (r Release) square(low, high float64) float64 {
	return math.Max(low*low, high*high) / (2 * r.Sigma * r.Sigma) * (1 + 0x1p-50)
}

// given is what is left of ε where y is σv off, rounded down, and the ratio of the second step
// there, rounded up. That of e^{−σv} is to some units in the last place, and to σ|v| times half a
// one for the rounding of σv.
func (r Release) given(v, low, high, square, epsilon float64) (at, mu float64) {
	left := math.Min(low*v, high*v) / r.Sigma
	at = epsilon + left - square
	at -= 0x1p-50 * (epsilon + math.Abs(left) + square)
	return at, math.Exp(-r.Sigma*v) / r.Factor * (1 + 0x1p-46 + 0x1p-52*math.Abs(r.Sigma*v))
}

// over bounds log E[…] over all s from low to high.
func (r Release) over(low, high, epsilon float64) float64 {
	square := r.square(low, high)
	logAt := func(v float64) float64 {
		at, mu := r.given(v, low, high, square, epsilon)
		if mu > 1e6 {
			return special.LogNormalDensity(v)
		}
		return special.LogNormalDensity(v) +
			objective.GaussianLogDeltaUpper(at, math.Max(mu, 1e-300))
	}
	knots := []float64{}
	for v := -reach; v <= reach; v += 0.5 {
		knots = append(knots, v)
	}
	// Where the loss of y alone comes to ε, the integrand turns, the faster the smaller μ is.
	for _, s := range []float64{low, high} {
		turn := (square - epsilon) * r.Sigma / s
		if math.IsNaN(turn) || math.Abs(turn) > reach {
			continue
		}
		width := math.Exp(-r.Sigma*turn) / r.Factor * r.Sigma / math.Abs(s)
		for _, w := range []float64{-16, -4, -1, 0, 1, 4, 16} {
			if v := turn + w*width; math.Abs(v) < reach {
				knots = append(knots, v)
			}
		}
	}
	slices.Sort(knots)
	knots = slices.Compact(knots)
	reference := math.Inf(-1)
	for _, v := range knots {
		reference = math.Max(reference, logAt(v))
	}
	value, bound, err := special.Adaptive(func(v float64) float64 {
		return math.Exp(logAt(v) - reference)
	}, knots, 1e-11, 0)
	if err != nil && !(bound < 1e-3*value) {
		return 0
	}
	tails := special.LogNormalSurvival(reach) + math.Ln2
	return special.LogAddExp(reference+math.Log(value+bound), tails)
}
