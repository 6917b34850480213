package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
)

// chargeAt is W at an offset c, and not at β.
func (p control) chargeAt(c, a, epsilon float64) float64 {
	return p.charge(c-p.m*p.rate.travel(a), a, epsilon)
}

// at is what levels between two are charged at an offset: the midpoint rule with two steps,
// extrapolated.
func (p control) at(c, low, high, epsilon float64) float64 {
	rule := func(n int) float64 {
		sum := 0.0
		for i := range n {
			sum += p.chargeAt(c, low+(high-low)*(float64(i)+0.5)/float64(n), epsilon)
		}
		return sum * (high - low) / float64(n)
	}
	return (4*rule(4000) - rule(2000)) / 3
}

// searchOf is a search as it begins, with its lowest level, what is below that, and its valley.
func searchOf(p control, epsilon float64) (s *search, first, rest float64, lower, upper level) {
	s = p.begin(epsilon, logGaussianDelta(epsilon, p.m*p.top))
	first, rest = s.lowest()
	lower, upper = s.valley(first)
	s.last = s.place(p.top)
	if math.IsInf(s.last.x, 1) {
		at, _ := s.highest(upper.a)
		s.last = at.place
	}
	s.arrival, _, _, _ = s.none(s.last.a)
	return s, first, rest, lower, upper
}

// steepControl is a problem at a λ so small that a path can fall at once, where Ψ of two levels
// nearly cancel.
func steepControl(uniform func() float64) (p control, epsilon float64) {
	p = control{m: math.Exp(-4 + 5*uniform()), top: 1}
	scale := math.Exp(4 + 8*uniform())
	p.rate = logisticRate(scale)
	if uniform() < 0.3 {
		p.rate = constantRate(scale / 4)
	}
	return p, math.Log1p(scale/4) * (0.3 + 0.9*uniform())
}

// Where the charge of a level is largest, and where it begins, is where they are said to be; as a
// rises the former falls, and then rises: the lemma that the bound rests on.
func TestControlLevels(t *testing.T) {
	uniform := uniformOf(23)
	inner := 0
	for range 300 {
		p, epsilon := randomControl(uniform)
		s := p.begin(epsilon, logGaussianDelta(epsilon, p.m*p.top))
		before, rising := level{}, false
		const n = 60
		for i := 1; i < n; i++ {
			a := p.top * float64(i) / n
			at := s.level(a)
			if at.inside {
				most := p.chargeAt(at.best, a, epsilon)
				largest := p.largest(a, math.Inf(-1), math.Inf(1), epsilon)
				if largest > 1e-200 {
					inner++
					require.InEpsilon(t, largest, most, 1e-6)
					require.InDelta(t, math.Log(largest), s.logMost(at), 1e-6)
				}
				u, v := s.at(at.place, at.best)
				require.InDelta(t, at.u, u, 1e-9*(1+math.Abs(at.u)))
				kappa, _ := p.rate.at(a)
				require.InDelta(t, v, math.Log1p(kappa)-at.t, 1e-7*(1+epsilon))
			}
			if i > 1 {
				slack := 1e-9 * (1 + math.Abs(at.best))
				require.False(
					t, rising && at.best < before.best-slack, "%+v %v: falls again at %v", p, epsilon, a,
				)
				rising = rising || at.best > before.best+slack
				if before.falls == at.falls {
					require.Equal(t, at.falls, at.best < before.best, "%+v %v at %v", p, epsilon, a)
				}
			}
			before = at
			offset, _, derivative, _ := s.none(a)
			require.Less(t, offset, at.best+1e-9)
			other, x, _, _ := s.none(a * (1 + 1e-6))
			start := p.m * p.rate.travel(a)
			require.InDelta(t, derivative, (other-offset)/(x-start), 1e-3*(1+math.Abs(derivative)))
			kappa, _ := p.rate.at(a)
			if low := epsilon - math.Log1p(kappa); low > 0 { // else all offsets below are charged
				charge := p.chargeAt(offset-1e-3*math.Abs(at.u), a, epsilon)
				require.Less(t, charge, 1e-290, "%+v %v at %v", p, epsilon, a)
			}
			charged := p.chargeAt(at.best, a, epsilon) > 1e-200
			if kappa > 1e-4 && epsilon > math.Log1p(kappa) && charged {
				charge := p.chargeAt(offset+0.02*(at.best-offset), a, epsilon)
				require.Positive(t, charge, "%+v %v at %v: %v %+v", p, epsilon, a, offset, at)
			}
		}
	}
	assert.Greater(t, inner, 2000)
}

// A strip of levels, and what is above its end, is at least what it is charged, integrated, and
// near it, also where its two sides nearly cancel.
func TestControlStrips(t *testing.T) {
	uniform := uniformOf(41)
	looked, cancelled := 0, 0
	for i := range 300 {
		p, epsilon := randomControl(uniform)
		if i%2 == 0 {
			p, epsilon = steepControl(uniform)
		}
		s, _, _, lower, _ := searchOf(p, epsilon)
		if s.reference < -600 {
			continue
		}
		c := lower.best + uniform()*uniform()*2*p.m
		e := s.endAt(c, lower.place, s.last)
		offset, _, _, _ := s.none(e.low.a)
		require.LessOrEqual(t, offset, c, "%+v %v", p, epsilon)
		if offset, _, _, _ = s.none(e.high.a); e.high.a < s.last.a {
			require.Greater(t, offset, c, "%+v %v", p, epsilon)
		}
		exact := p.at(c, lower.a, e.high.a, epsilon) / math.Exp(s.reference)
		got := s.strip(lower.place, e.low, c)
		require.GreaterOrEqual(t, got+e.tail, exact*(1-2e-4)-1e-9, "%+v %v %v", p, epsilon, c)
		require.LessOrEqual(t, got+e.tail, exact*(1+2e-3)+1e-6, "%+v %v %v", p, epsilon, c)
		low := s.place(lower.a + uniform()*(s.last.a-lower.a))
		high := s.place(low.a + uniform()*uniform()*(s.last.a-low.a))
		most := p.at(c, low.a, high.a, epsilon) / math.Exp(s.reference)
		require.GreaterOrEqual(t, s.most(c, low, high), most*(1-1e-4)-1e-12, "%+v %v %v", p, epsilon, c)
		looked++
		if value, _ := s.hockey(e.low, c); math.Abs(value) > 1e4*got && got > 1e-6 {
			cancelled++
		}
	}
	t.Logf("%d, of which %d cancel", looked, cancelled)
	assert.Greater(t, cancelled, 5)
}

// F(c) of a node is at least what paths of that offset are charged, integrated, and near it; and
// so is the bound of a gap, for all offsets in it, and of what is below the valley.
func TestControlGaps(t *testing.T) {
	nativetest.Only(t)
	uniform := uniformOf(9)
	turning, cancelling := 0, 0
	for i := range 50 {
		p, epsilon := randomControl(uniform)
		if i%2 == 0 {
			p, epsilon = steepControl(uniform)
		}
		s, first, rest, lower, upper := searchOf(p, epsilon)
		if s.reference < -600 {
			continue
		}
		unit := math.Exp(s.reference)
		nodes := s.nodes(first, lower, math.Max(lower.best, s.level(s.last.a).best))
		pieces := s.pieces(first, nodes)
		require.NotNil(t, nodes)
		require.NotNil(t, pieces)
		open := s.gaps(nodes, pieces, rest)
		for range 6 {
			if len(open) == 0 {
				break
			}
			g := open[int(uniform()*float64(len(open)))]
			if left, right := s.cut(g); left != nil {
				open = append(open, left, right)
			}
		}
		below := func(a float64) float64 {
			const n = 8
			sum := rest
			for i := 0.0; i < n && a > first; i++ {
				step := (a - first) / n
				low, high := first+i*step, first+(i+1)*step
				sum += p.over(low, high, math.Inf(-1), math.Inf(1), epsilon) / unit
			}
			return sum
		}
		for _, g := range open {
			for _, n := range []node{g.right} {
				want := below(n.a) + p.at(n.c, n.a, n.end.high.a, epsilon)/unit
				require.GreaterOrEqual(t, n.charge(), want*(1-1e-3)-1e-6, "%+v %v %+v", p, epsilon, n)
			}
			// Levels up to the left node's are charged more than those up to a(c).
			for i := 1.0; i < 4; i++ {
				c := g.left.c + (g.right.c-g.left.c)*i/4
				levels := p.at(c, g.left.a, g.right.end.high.a, epsilon) / unit
				want := g.left.below + levels
				require.GreaterOrEqual(
					t, g.bound, want*(1-2e-4)-1e-7, "%+v %v from %v to %v at %v", p, epsilon, g.left.c,
					g.right.c, i,
				)
			}
			if g.bound > math.Max(g.left.charge(), g.right.charge())*(1+1e-6) {
				turning++
			}
			h := (g.right.c - g.left.c) / 8
			if g.left.end.low.a == s.last.a && h > 1e-3 && h < 0.1 {
				psi := func(c float64) float64 { return s.strip(g.left.place, s.last, c) }
				c := g.left.c + 4*h
				second := (2*psi(c) - psi(c-h) - psi(c+h)) / (h * h)
				bend := s.bend(g.left.place, s.last, s.last, g.left.c, g.right.c)
				cancelling++
				require.GreaterOrEqual(t, bend, second*(1-1e-6)-1e-5, "%+v %v at %v", p, epsilon, c)
			}
		}
		last := nodes[0]
		want := rest
		step := (s.last.a - first) / 60
		for i := 0.0; i < 60; i++ {
			a, offset := first+i*step, lower.best
			if a < lower.a {
				offset = math.Inf(1)
			}
			want += p.over(a, a+step, math.Inf(-1), offset, epsilon) / unit
		}
		require.GreaterOrEqual(t, s.belowValley(last, upper), want*(1-2e-3)-1e-5, "%+v %v", p, epsilon)
	}
	t.Logf("%d bounds above both nodes, %d second differences", turning, cancelling)
	assert.Greater(t, turning, 20)
	assert.Greater(t, cancelling, 15)
}

// The bound of all is above any one path's charge: of paths that fall at full rate at one offset
// from the top on, and below some level have the best one. The best of these comes near it.
func TestControlIsAbovePaths(t *testing.T) {
	uniform := uniformOf(31)
	near := 0
	for i := range 60 {
		p, epsilon := randomControl(uniform)
		if i%3 == 0 {
			p, epsilon = steepControl(uniform)
		}
		s, first, _, lower, _ := searchOf(p, epsilon)
		if s.reference < -600 {
			continue
		}
		value := p.begin(epsilon, logGaussianDelta(epsilon, p.m*p.top)).value()
		best := s.floor
		const n = 400
		for _, share := range []float64{0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99, 1} {
			at := s.level(math.Max(first, lower.a*share))
			sum := 0.0
			for i := range n {
				a := p.top * (float64(i) + 0.5) / n
				if a < at.a {
					sum += p.largest(a, math.Inf(-1), math.Inf(1), epsilon)
				} else {
					sum += p.chargeAt(at.best, a, epsilon)
				}
			}
			sum *= p.top / n / math.Exp(s.reference)
			best = math.Max(best, sum)
			require.GreaterOrEqual(t, value, sum*(1-5e-3), "%+v %v", p, epsilon)
		}
		if value < 1.05*best {
			near++
		}
	}
	assert.Greater(t, near, 45)
}
