// Package tested bounds the Rényi divergence of a propose-test-release at one order,
// failures of its test included. Use it where a Rényi divergence is needed and no separate
// failure probability is allowed. Otherwise the event privacy.ProposeTestRelease, which
// adds the failure probability to δ, is sharper, unless a release after a wrong pass costs
// only a little more.
//
// # Theorem (ptr.md §1.7)
//
// A test passes X with probability p and a neighbour X′ with p′. On a pass, what is released has
// Rényi divergence ε at order α where X is sound, and ε̃ where it is not; then p ≤ δ′. On a
// fail nothing is. With u = (1−p)^α (1−p′)^{1−α} and v = p^α p′^{1−α},
//
//	D_α ≤ log max{sup_{sound} u + v e^{(α−1)ε}, sup_{p ≤ δ′} u + v e^{(α−1)ε̃}}/(α−1).
//
// Redberg's thesis, Theorem B.2.5, has δ′e^{(α−1)ε̃} + (1−δ′)e^{(α−1)ε} beside the test's own
// divergence. That is false: tests differ most where passing is rare
// (TestTheRenyiPriceOfATestAsPublishedIsNone of package account, and here).
package tested

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// Gaussian is a test that passes where a number with normal noise is large enough: p = Φ(z),
// p′ = Φ(z ± Ratio) for some z.
type Gaussian struct {
	Ratio   float64 // m > 0: what one record moves the number by, over the noise
	Failure float64 // δ′: unsound data pass with this probability at most, from 1e-300 to ½
}

// Renyi returns an upper bound on the Rényi divergence of order alpha > 1 of the test and what
// is released, of divergence sound ≥ 0 on sound data and unsound ≥ sound on others. It is above
// the supremum by a relative 1e-7 of e^{(α−1)D}−1 at most, and by 2^-40; +Inf where it cannot be
// computed.
func (g Gaussian) Renyi(alpha, sound, unsound float64) float64 {
	s := alpha - 1
	if !(alpha > 1 && sound >= 0 && unsound >= sound && g.Ratio > 0 && g.Ratio < 100 &&
		g.Failure >= 1e-300 && g.Failure <= 0.5) || math.IsInf(unsound, 1) {
		return math.Inf(1)
	}
	most := math.Inf(-1)
	limit := farthest(g.Failure)
	for _, m := range []float64{g.Ratio, -g.Ratio} {
		pair := pair{alpha, m}
		most = math.Max(most, pair.most(s*sound, math.Inf(1)))
		most = math.Max(most, pair.most(s*unsound, limit))
	}
	return curve.RenyiUp(math.Max(0, most)/s + 0x1p-42*(1+1/s))
}

// farthest is no less than the z with Φ(z) = failure.
func farthest(failure float64) float64 { return special.NormalQuantile(failure) + 0x1p-40 }

// Closed is the closed form for any test, of Rényi divergence test at alpha and testBeta at
// beta > alpha: by Hölder's inequality v ≤ δ′^{(β−α)/(β−1)} e^{(α−1)·testBeta}, so that
//
//	D_α ≤ max{test + sound, log(e^{(α−1)test} + v(e^{(α−1)unsound} − 1))/(α−1)}.
func Closed(alpha, beta, test, testBeta, sound, unsound, failure float64) float64 {
	if !(alpha > 1 && beta > alpha && failure > 0 && failure < 1 && unsound >= sound &&
		sound >= 0 && test >= 0 && testBeta >= 0) {
		return math.Inf(1)
	}
	s := alpha - 1
	v := (beta-alpha)/(beta-1)*math.Log(failure) + s*testBeta
	bad := s * test
	if unsound > 0 {
		bad = special.LogAddExp(s*test, v+special.LogExpm1(s*unsound))
	}
	return curve.RenyiUp(math.Max(test+sound, bad/s) * (1 + 0x1p-42))
}

// pair are the probabilities p = Φ(z) and p′ = Φ(z + shift).
type pair struct{ alpha, shift float64 }

// at is F(z) = log(u + v e^weight).
func (p pair) at(z, weight float64) float64 {
	u, v := p.logs(z)
	return special.LogAddExp(u, v+weight)
}

func (p pair) logs(z float64) (u, v float64) {
	u, v, _ = p.terms(z)
	return u, v
}

// terms also returns what the two are differences of, added up. Each of them is right to some
// units in its last place, which for large orders is more than what is left of them.
func (p pair) terms(z float64) (u, v, size float64) {
	s := p.alpha - 1
	failed, passed := p.alpha*special.LogNormalSurvival(z), p.alpha*special.LogNormalCDF(z)
	other, moved := s*special.LogNormalSurvival(z+p.shift), s*special.LogNormalCDF(z+p.shift)
	// z + shift is rounded, by which log Φ changes as it is steep: by z² at most.
	size = -failed - passed - other - moved + s*(z*z+p.shift*p.shift+1)
	return failed - other, passed - moved, size
}

// over bounds F on the stretch from low to high, of length h, by its Taylor series about the
// middle,
//
//	F ≤ F(mid) + |F′(mid)| h/2 + (h²/8)·sup F″,   F″ ≤ α − 1 + ¼ sup (log u − log v)′²:
//
// F is the logarithm of a sum of exponentials, and each of log u and log v has a second
// derivative between −α and α − 1, because that of log Φ is between −1 and 0.
func (p pair) over(low, high, weight float64) float64 {
	h, z, s := high-low, low+(high-low)/2, p.alpha-1
	u, v, size := p.terms(z)
	v += weight
	du := -p.alpha/special.Mills(z) + s/special.Mills(z+p.shift)
	dv := p.alpha/special.Mills(-z) - s/special.Mills(-z-p.shift)
	value := special.LogAddExp(u, v)
	slope := math.Exp(u-value)*du + math.Exp(v-value)*dv
	apart := math.Abs(du-dv) + h*(p.alpha+s)
	allowance := 0x1p-49 * (size + weight)
	return value + math.Abs(slope)*h/2 + h*h/8*(s+apart*apart/4) + allowance
}

// most bounds the largest log(u + v e^weight) for z up to limit. Beyond 12 and more on either
// side Hölder's inequality of order 2α bounds what the rarer outcome adds,
// P^{α/(2α−1)} e^{(α−1)αm²}, and the other is u ≤ (1−p′)^{1−α}. Between, cells are halved
// until the largest bound is as near to a value that is attained as is said at Renyi.
func (p pair) most(weight, limit float64) float64 {
	s, m := p.alpha-1, math.Abs(p.shift)
	// So far out that Hölder's bound is below e^-60 of 1.
	reach := math.Sqrt(2*(2*p.alpha-1)/p.alpha*(s*p.alpha*m*m+weight+60)) + m
	holder := func(log float64) float64 { return p.alpha/(2*p.alpha-1)*log + s*p.alpha*m*m }
	left := special.LogAddExp(
		-s*special.LogNormalSurvival(-reach+p.shift), holder(special.LogNormalCDF(-reach))+weight)
	most := left
	if limit > reach {
		right := special.LogAddExp(
			holder(special.LogNormalSurvival(reach)), weight-s*special.LogNormalCDF(reach+p.shift))
		most, limit = math.Max(most, right), reach
	}
	if limit <= -reach {
		return most
	}
	return math.Max(most, p.search(-reach, limit, weight))
}

// mostCells ends a search that does not come to its end: what is left has the bound it has.
const mostCells = 100_000

// search bounds log(u + v e^weight) on the stretch from low to high.
func (p pair) search(low, high, weight float64) float64 {
	const first = 64
	attained, bound := math.Inf(-1), math.Inf(-1)
	for k := range first + 1 {
		z := low + (high-low)*float64(k)/first
		attained = math.Max(attained, p.at(z, weight))
	}
	type cell struct{ low, high float64 }
	var open []cell
	for k := range first {
		open = append(open, cell{
			low + (high-low)*float64(k)/first, low + (high-low)*float64(k+1)/first,
		})
	}
	for made := 0; len(open) > 0; made++ {
		c := open[len(open)-1]
		open = open[:len(open)-1]
		at := p.over(c.low, c.high, weight)
		middle := c.low + (c.high-c.low)/2
		near := attained + 1e-7*-math.Expm1(-math.Max(0, attained)) + 0x1p-42
		switch {
		case math.IsNaN(at):
			return math.Inf(1)
		case at <= near || made > mostCells || !(c.low < middle && middle < c.high):
			bound = math.Max(bound, at)
		default:
			attained = math.Max(attained, p.at(middle, weight))
			open = append(open, cell{c.low, middle}, cell{middle, c.high})
		}
	}
	return bound
}
