package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/account/objective"
)

// What a loss of base adds to the rounding of a bin's, the larger the base.
func TestAllowanceOfLargeLosses(t *testing.T) {
	const a, b, mu, base = -0.3, 0.4, 0.5, 1e6 + 0.1
	p := &linear{base: base, mu: mu, weight: 1, from: math.Inf(-1)}
	_, low, high := p.bin(a, b)
	moved := normalOf(plus(number(a), number(mu)), plus(number(b), number(mu)))
	exact := plus(
		logOf(over(normalOf(number(a), number(b)), moved)), minus(number(base), number(mu*mu/2)),
	)
	assert.Greater(t, float(minus(number(high), exact)), 0x1p-52*base)
	assert.Greater(t, float(minus(exact, number(low))), 0x1p-52*base)
}

// The loss of a sampled step lies well within the bounds of its bin.
func TestAllowanceOfSampledBins(t *testing.T) {
	random := draw(29)
	for range 60 {
		a := 4*random.next() - 2
		b, q, shift := a+random.between(1e-3, 1), random.between(1e-3, 0.45), random.between(0.1, 2)
		s := &subsampled{q: q, shift: shift}
		_, low, high := s.split(a, b)
		plain := normalOf(number(a), number(b))
		moved := normalOf(minus(number(a), number(shift)), minus(number(b), number(shift)))
		ratio := plus(minus(number(1), number(q)), times(number(q), over(moved, plain)))
		exact := logOf(ratio)
		least := math.Abs(float(exact)) * 0x1.6p-47
		assert.Greater(t, float(minus(number(high), exact)), least, "%v from %v to %v", s, a, b)
		assert.Greater(t, float(minus(exact, number(low))), least, "%v from %v to %v", s, a, b)
	}
}

// Positions on a curved loss are before it by more than it is known to, and what is left
// of it is bounded as well as a bin is.
func TestAllowanceOfCurvedPositions(t *testing.T) {
	_, c := curved(t)
	for _, x := range []float64{0.3, 1, 2, 4} {
		level := c.f.Loss(c.from + x)
		got := level - c.f.Loss(c.position(level))
		assert.Greater(t, got, 2*objective.LossSlack(c.from, level), "at %v", x)
	}
	_, low, high := c.bin(c.linear+1, math.Inf(1))
	slack := objective.LossSlack(c.linear+1, c.f.Loss(c.linear+1))
	assert.Greater(t, high-low, slack)
}

// Atoms that are taken together have a loss that is a logarithm of a sum.
func TestAllowanceOfStaircases(t *testing.T) {
	s := staircase{
		atoms: []atom{{loss: 0.1, mass: 0.3}, {loss: 0.7, mass: 0.2}, {loss: 0.9, mass: 0.1}},
	}
	_, low, high := s.bin(0, 3)
	all, other := number(0), number(0)
	for _, a := range s.atoms {
		all = plus(all, number(a.mass))
		other = plus(other, times(number(a.mass), expOf(number(-a.loss))))
	}
	exact := logOf(over(all, other))
	assert.Greater(t, float(minus(number(high), exact)), 0x1p-48)
	assert.Greater(t, float(minus(exact, number(low))), 0x1p-48)
}

// An atom off the grid is divided between its neighbours as if its loss were a little
// larger.
func TestAllowanceOfAtomsOffTheGrid(t *testing.T) {
	const step, far = 0.001, 1.00037
	l := &loss{atoms: []atom{{loss: 0, mass: 0.9}, {loss: far, mass: 0.1}}}
	m := l.upper(
		&layout{step: step, low: 1e-9, high: 1e-9, runs: 1, views: [2]view{{most: math.Inf(1)}}},
	)
	last := len(m.mass) - 1
	bottom := m.offset + float64(last-1)*step
	share := over(
		minus(number(1), expOf(minus(number(bottom), number(far)))),
		minus(number(1), expOf(number(-step))),
	)
	assert.Greater(t, m.mass[last]/0.1-float(share), 0x1p-51*far/step)
}

// Chernoff's bound, by a moment and an exponent that nearly cancel.
func TestAllowanceOfChernoff(t *testing.T) {
	const k, r, epsilon = 1000.0, 10.0, 103.0
	e := &end{moments: [3]float64{k, k, k}}
	e.below, e.tilt, e.above = r, r, r
	most := minus(scaled(logOf(over(number(r), number(r+1))), r), logOf(number(r+1)))
	exact := plus(minus(number(k), number(r*epsilon)), most)
	assert.Greater(t, float(minus(number(e.chernoff(epsilon)), exact)), 0x1p-51*(k+r*epsilon))
}

// Sums over a window, and of what has a jump with what has none.
func TestAllowanceOfSheets(t *testing.T) {
	added, _ := subsampledLosses(0.01, 1)
	w := window{from: -16, to: 16, length: 1 << 14, tilt: 0.5, below: -3, above: 3}
	grid := &layout{
		step:  32.0 / (1 << 14),
		low:   1e-9,
		high:  1e-12,
		runs:  100,
		views: [2]view{{most: math.Inf(1)}},
	}
	parts := []component{{undivided(added.upper(grid)), undivided(added.lower(grid)), 100}}
	s := compose(parts, &w)
	for _, end := range []struct {
		done  *end
		fresh *end
	}{{s.upper, newEnd(&w, parts, upperSide)}, {s.lower, newEnd(&w, parts, lowerSide)}} {
		assert.Greater(t, end.done.slack-end.fresh.slack, float64(w.length)*0x1p-51)
		assert.Greater(t, end.done.slip, 100*0x1p-50*parts[0].upper.whole.reach()/2)
	}
	both := &sheet{upper: s.upper, lower: s.lower, body: s}
	const epsilon = 1.0
	assert.Greater(t, both.logDeltaUpper(epsilon)-s.logDeltaUpper(epsilon)-math.Ln2, massError/2)
	assert.Greater(t, s.logDeltaLower(epsilon)+math.Ln2-both.logDeltaLower(epsilon), massError/2)

	gamma := transformOf(1 << 14).relativeError()
	for _, k := range []float64{1, 100, 1e6} {
		grown, power := powerError(k, gamma)
		assert.GreaterOrEqual(t, grown, 4*k*gamma, "2Ke, e ≥ 2γ")
		assert.GreaterOrEqual(t, power, 16*k*0x1p-53)
	}
}
