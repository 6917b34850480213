package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/nativetest"
	"cloister/core/random/randomtest"
)

// What all of a path may be charged, δ_G(ε; mS), what is left of it right of a node, and what is
// below the lowest level, are at least what they are.
func TestControlFloorsAreRoundedUp(t *testing.T) {
	u := units{randomtest.New(35)}
	looked, trials := 0, 500
	if testing.Short() {
		trials = 100 // all of them natively
	}
	for range trials {
		s, e := hardProblem(u)
		if x := s.epsilon/s.m - s.m/2; x > 15 {
			continue
		}
		looked++
		whole := product(gaussian(e.epsilon, e.m), expOf(negative(e.reference)))
		assert.GreaterOrEqual(t, number(s.floor).Cmp(whole), 0, "%+v %v", s.control, s.epsilon)
		first, charge := s.lowest()
		most, _ := e.rate(math.Min(first, 0.5))
		ma := product(e.m, number(first))
		from := minus(over(minus(e.epsilon, log1p(most)), ma), over(ma, number(2)))
		exact := product(ma, e.density(largerOf(number(0), from)))
		exact = minus(exact, number(math.SmallestNonzeroFloat64)) // e^−1600 is 0, of 1
		assert.GreaterOrEqual(t, number(charge).Cmp(exact), 0, "%+v %v from %v", s.control, s.epsilon,
			first)

		at := s.level(u.between(1e-2, 0.9))
		if from, v := s.at(at.place, at.best); math.Abs(from) > 15 || v > 600 {
			continue
		}
		s.last = s.place(0.999)
		late := number(s.node(at, at.best, at.place, s.last).late)
		exact = minus(whole, e.hockey(at.a, at.best))
		assert.GreaterOrEqual(t, late.Cmp(exact), 0, "%+v %v at %+v", s.control, s.epsilon, at)
	}
	assert.Greater(t, looked, trials*2/5)
}

// gaussian is δ_G(ε; μ).
func gaussian(epsilon, mu *big.Float) *big.Float {
	x := minus(over(epsilon, mu), over(mu, number(2)))
	return minus(normalOf(negative(x)), product(expOf(epsilon), normalOf(negative(plus(x, mu)))))
}

// The chords of a composition are above the functions whose logarithms they are given, where
// masses nearly cancel: within half of what curve.RoundUp adds.
func TestControlChordsAreRoundedUp(t *testing.T) {
	nativetest.Only(t)
	u := units{randomtest.New(36)}
	for range 1000 {
		mu := u.between(1e-3, 3)
		low := mu * (u.between(1, 9) - 5)
		width := u.between(0.2, 5) * mu
		epsilon, before := low+mu*(u.between(1, 7)-4), -u.between(1e-3, 40)
		value := before - u.between(1e-9, 60)
		high := low + width
		from := minus(over(minus(number(epsilon), number(high)), number(mu)), number(mu/2))
		to := minus(over(minus(number(epsilon), number(low)), number(mu)), number(mu/2))
		p := minus(normalOf(to), normalOf(from))
		q := minus(normalOf(plus(to, number(mu))), normalOf(plus(from, number(mu))))
		share := minus(p, product(expOf(minus(number(epsilon), number(high))), q))
		share = over(share, minus(number(1), expOf(minus(number(low), number(high)))))
		left, right := expOf(number(before)), expOf(number(value))
		exact := logOf(plus(product(right, p), product(minus(left, right), share)))
		got := logChord(low, high, before, value, epsilon, mu)
		above := float(minus(number(got), exact)) + 0x1p-44 + 0x1p-50*math.Abs(got)
		assert.GreaterOrEqual(t, above, 0.0, "%v to %v, %v, %v, at %v, %v", low, high, before, value,
			epsilon, mu)
	}
}

// noCeiling promises nothing, so that what is below it answers.
type noCeiling struct{}

func (noCeiling) logDelta(float64) float64                      { return math.Inf(1) }
func (noCeiling) logDeltaWithGaussian(float64, float64) float64 { return math.Inf(1) }
func (noCeiling) renyi(float64) float64                         { return math.Inf(1) }

// renyiOfChords is D_α of chords between nodes, as controlDirection.renyi has it.
func renyiOfChords(n *controlNodes, mu, t float64) *big.Float {
	i, order := number(1), plus(number(1), number(t))
	square := product(product(order, number(t)), over(squareOf(number(mu)), number(2)))
	shift := product(minus(order, number(0.5)), number(mu))
	half := over(number(mu), number(2))
	sum := minus(product(expOf(square), normalOf(negative(shift))), normalOf(half))
	sum = minus(sum, product(order, minus(normalOf(negative(half)), normalOf(half))))
	h, power := number(n.step), expOf(product(number(t), number(n.step)))
	whole := over(minus(power, i), number(t))
	down := expOf(negative(h))
	share := minus(whole, over(product(down, minus(expOf(product(order, h)), i)), order))
	share = over(share, minus(i, down))
	for j := 1; j < len(n.logDelta); j++ {
		left, right := expOf(number(n.logDelta[j-1])), expOf(number(n.logDelta[j]))
		chord := plus(product(right, whole), product(minus(left, right), share))
		start := expOf(product(number(t), product(h, number(float64(j-1)))))
		sum = plus(sum, product(product(order, number(t)), product(start, chord)))
	}
	last := product(h, number(float64(len(n.logDelta)-1)))
	last = minus(shift, over(minus(last, number(n.offset)), number(mu)))
	tail := product(normalOf(last), expOf(plus(square, product(number(t), number(n.offset)))))
	return over(log1p(plus(sum, tail)), number(t))
}

// So is the Rényi curve, where powers nearly cancel, within half of what curve.RenyiUp adds.
func TestControlRenyiIsRoundedUp(t *testing.T) {
	nativetest.Only(t)
	u := units{randomtest.New(37)}
	for range 300 {
		d := controlDirection{mu: u.between(1e-3, 1), ceiling: noCeiling{}, nodes: &controlNodes{}}
		d.nodes.once.Do(func() {})
		d.nodes.offset, d.nodes.step = u.between(1e-2, 1)*d.mu, d.mu*u.between(0.05, 0.5)
		for log := -u.between(1e-3, 1e-1); log > -30; log -= u.between(0.2, 20) {
			d.nodes.logDelta = append(d.nodes.logDelta, log)
		}
		order := 1 + u.between(1e-3, 3/d.mu)
		exact := renyiOfChords(d.nodes, d.mu, math.Max(order-1, 1e-3))
		got := d.renyi(order) * (1 + 0x1p-47)
		assert.GreaterOrEqual(t, number(got).Cmp(exact), 0, "%+v at %v", d.nodes, order)
	}
}

// A tangent is that of its slope, also where steps towards the best slope do not end: next to ε =
// log(1 + κ) they double it, and slopes are tiny.
func TestControlTangentsAreThoseOfTheirSlopes(t *testing.T) {
	for _, kappa := range []float64{0.1, 1, 10} {
		for exponent := -20.0; exponent > -60; exponent-- {
			p := control{m: math.Exp2(exponent), top: 1, rate: constantRate(kappa)}
			s := p.begin(math.Log1p(kappa), logGaussianDelta(math.Log1p(kappa), p.m))
			at := s.level(0.5)
			assert.True(t, at.inside)
			assert.InEpsilon(t, math.Log1p(1/at.w), at.t, 1e-15, "κ = %v, m = 2^%v", kappa, exponent)
		}
	}
}

// What a path is charged that falls at one offset is a sum, no less than its terms, however many.
// Here one node is all there is, and nothing is left open between two.
func TestControlSumsAreRoundedUp(t *testing.T) {
	u := units{randomtest.New(38)}
	looked := 0
	for range 400 {
		s, _ := hardProblem(u)
		first, rest := s.lowest()
		lower, upper := s.valley(first)
		last := s.level(s.top)
		if math.IsInf(last.x, 1) {
			continue
		}
		s.last = last.place
		s.arrival, _, _, _ = s.none(s.last.a)
		nodes := s.nodes(first, lower, math.Max(lower.best, last.best))
		pieces := s.pieces(first, nodes)
		if len(nodes) != 1 || pieces == nil || upper.a <= lower.a {
			continue
		}
		looked++
		n := nodes[0]
		sum := plus(number(rest), number(s.newPiece(n.a, upper.a).free))
		for _, one := range pieces {
			sum = plus(sum, number(one.free))
		}
		sum = plus(sum, number(s.strip(upper.place, n.end.low, n.c)))
		sum = plus(sum, number(n.end.tail))
		value := s.control.begin(s.epsilon, logGaussianDelta(s.epsilon, s.m)).value()
		assert.GreaterOrEqual(t, number(value).Cmp(sum), 0, "%+v %v", s.control, s.epsilon)
	}
	assert.Greater(t, looked, 30)
}
