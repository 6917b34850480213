package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// charge is W(β, a) as the theorem states it, without logarithms.
func (p control) charge(beta, a, epsilon float64) float64 {
	m := p.m
	right := epsilon/(m*a) + m*a/2
	density := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	if beta >= right {
		return m * density(right-m*a)
	}
	kappa, _ := p.rate.at(a)
	return m / kappa * math.Max(0, density(beta-m*a)*(1+kappa)-math.Exp(epsilon)*density(beta))
}

// most is the largest charge of level a over offsets from low to high: on either side of
// its one maximum left of β₀ it is monotone.
func (p control) largest(a, low, high, epsilon float64) float64 {
	x := p.m * p.rate.travel(a)
	right := epsilon/(p.m*a) + p.m*a/2
	kappa, _ := p.rate.at(a)
	left := (epsilon-math.Log1p(kappa))/(p.m*a) + p.m*a/2
	peak := right
	if u := right - p.m*a; u > p.m*a/kappa {
		from, to := left, right
		for range 40 {
			one, two := from+(to-from)/3, to-(to-from)/3
			if p.charge(one, a, epsilon) < p.charge(two, a, epsilon) {
				from = one
			} else {
				to = two
			}
		}
		peak = from
	}
	return p.charge(math.Max(low-x, math.Min(high-x, peak)), a, epsilon)
}

// over integrates the largest charges of levels by the midpoint rule.
func (p control) over(low, high, least, most, epsilon float64) float64 {
	const n = 60
	sum := 0.0
	for i := range n {
		sum += p.largest(low+(high-low)*(float64(i)+0.5)/n, least, most, epsilon)
	}
	return sum * (high - low) / n
}

// randomControl is a problem of any kind, and an ε at which it is of interest.
func randomControl(uniform func() float64) (p control, epsilon float64) {
	p.m, p.top = math.Exp(-3+3.5*uniform()), 1
	epsilon = p.m * (0.2 + 3*uniform())
	scale := math.Exp(-2+3*uniform()) * (epsilon + p.m*p.m/2)
	switch {
	case uniform() < 0.3:
		p.rate = constantRate(scale / 4)
	case uniform() < 0.2:
		p.rate = hingeRate(scale)
	default:
		p.rate = logisticRate(scale)
		if uniform() < 0.5 {
			p.top = 0.3 + 0.6*uniform()
		}
	}
	return p, epsilon
}

func uniformOf(seed uint64) func() float64 {
	source := randomtest.New(seed)
	return func() float64 {
		bits, _ := source.Uint64() // the seeded source does not fail
		return float64(bits>>11) / (1 << 53)
	}
}

// Every bound of a piece is above what it bounds, integrated, and for short pieces near it.
func TestPiecesAreBounds(t *testing.T) {
	uniform := uniformOf(4)
	tight, looked := 0, 0
	for range 300 {
		p, epsilon := randomControl(uniform)
		s := p.begin(epsilon, logGaussianDelta(epsilon, p.m*p.top))
		low := p.top * (0.1 + 0.85*uniform())
		length := math.Min(p.top-low, 0.2*uniform()*uniform()*p.top)
		one := s.newPiece(low, low+length)
		inf := math.Inf(1)
		exact := p.over(low, low+length, -inf, inf, epsilon) / math.Exp(s.reference)
		require.GreaterOrEqual(t, one.free, exact*(1-1e-4), "%+v %v %+v", p, epsilon, one)
		if length < 0.02*p.top {
			looked++
			if one.free < exact*1.01 {
				tight++
			}
		}
	}
	assert.Greater(t, looked, 60)
	assert.Greater(t, float64(tight), 0.75*float64(looked), "and they are near")
}

// chargeAt is W at an offset c, and not at β.
func (p control) chargeAt(c, a, epsilon float64) float64 {
	return p.charge(c-p.m*p.rate.travel(a), a, epsilon)
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
			at, inside := s.level(a)
			if inside {
				most := p.chargeAt(at.c, a, epsilon)
				if largest := p.largest(a, math.Inf(-1), math.Inf(1), epsilon); largest > 1e-200 {
					inner++
					require.InEpsilon(t, largest, most, 1e-6)
				}
				require.InDelta(t, at.v, epsilon-p.m*a*(at.u+p.m*a/2), 1e-9*(1+epsilon))
			}
			if i > 1 {
				slack := 1e-9 * (1 + math.Abs(at.c))
				require.False(t, rising && at.c < before.c-slack, "%+v %v: falls again at %v", p, epsilon, a)
				rising = rising || at.c > before.c+slack
				if before.falls == at.falls {
					require.Equal(t, at.falls, at.c < before.c, "%+v %v at %v", p, epsilon, a)
				}
			}
			before = at
			offset, _, derivative, _ := s.none(a)
			require.Less(t, offset, at.c+1e-9)
			other, x, _, _ := s.none(a * (1 + 1e-6))
			start := p.m * p.rate.travel(a)
			require.InDelta(t, derivative, (other-offset)/(x-start), 1e-3*(1+math.Abs(derivative)))
			kappa, _ := p.rate.at(a)
			if low := epsilon - math.Log1p(kappa); low > 0 { // else all offsets below are charged
				require.Less(t, p.chargeAt(offset-1e-3*math.Abs(at.u), a, epsilon), 1e-290, "%+v %v at %v", p, epsilon, a)
			}
			if kappa > 1e-4 && epsilon > math.Log1p(kappa) && p.chargeAt(at.c, a, epsilon) > 1e-200 {
				require.Positive(t, p.chargeAt(offset+0.02*(at.c-offset), a, epsilon), "%+v %v at %v: %v %+v", p, epsilon, a, offset, at)
			}
		}
	}
	assert.Greater(t, inner, 2000)
}

// F(c) of a node is at least what paths of that offset are charged, integrated, and near it; and
// so is the bound between two nodes, with slopes on either side of the true one.
func TestControlNodes(t *testing.T) {
	uniform := uniformOf(9)
	looked, turning, tops := 0, 0, 0
	for range 60 {
		p, epsilon := randomControl(uniform)
		s := p.begin(epsilon, logGaussianDelta(epsilon, p.m*p.top))
		unit := math.Exp(s.reference)
		first, rest := s.lowest()
		lower, upper := s.valley(first)
		if !lower.falls {
			continue
		}
		exact := func(c, a float64) float64 {
			const n = 12000
			sum := 0.0
			for i := range n {
				sum += p.chargeAt(c, a+(p.top-a)*(float64(i)+0.5)/n, epsilon)
			}
			return sum * (p.top - a) / n / unit
		}
		low := first + (lower.a-first)*uniform()
		high := low + (lower.a-low)*uniform()*0.9
		one := s.newPiece(low, high)
		start, _ := s.level(low)
		after, _ := s.level(high)
		before := s.node(start, rest, lower.a, p.top)
		next := s.node(after, rest+one.free, lower.a, before.end.high)
		for _, n := range []node{before, next} {
			want := n.below + exact(n.c, n.a)
			require.GreaterOrEqual(t, n.charge, want*(1-4e-4)-1e-6, "%+v %v %+v", p, epsilon, n)
			require.LessOrEqual(t, n.charge, want*(1+1e-3)+1e-6, "%+v %v %+v", p, epsilon, n)
		}
		least, most := s.gain(next.end, before.end)
		if before.end.top {
			tops++
		}
		s.target, s.looks = 0, mostLooks // what it is without more nodes
		bound := s.between(before, next, one)
		for i := 1; i < 4; i++ {
			a := low + (high-low)*float64(i)/4
			at, _ := s.level(a)
			below := rest + p.over(low, a, math.Inf(-1), math.Inf(1), epsilon)/unit
			require.GreaterOrEqual(t, bound, (below+exact(at.c, a))*(1-4e-4)-1e-6, "%+v %v %v", p, epsilon, a)
			one, other := s.endAt(at.c, lower.a, p.top), s.endAt(at.c+1e-3, lower.a, p.top)
			slope := (other.hockey - one.hockey) / 1e-3
			if one.hockey < s.floor && other.hockey < s.floor && at.c+1e-3 < before.c {
				looked++
				slack := 1e-4 + 1e-3*math.Abs(slope)
				require.GreaterOrEqual(t, most, slope-slack, "%+v %v", p, epsilon)
				require.LessOrEqual(t, least, slope+slack, "%+v %v", p, epsilon)
			}
		}
		if bound > math.Max(before.charge, next.charge) {
			turning++
		}
		// Offsets below the valley: whatever the crossing, levels above have at most that one.
		last := s.node(lower, rest, lower.a, p.top)
		want := rest
		step := (p.top - lower.a) / 40
		for i := 0.0; i < 40; i++ {
			want += p.over(lower.a+i*step, lower.a+(i+1)*step, math.Inf(-1), lower.c, epsilon) / unit
		}
		require.GreaterOrEqual(t, s.belowValley(last, upper), want*(1-1e-3)-1e-6, "%+v %v", p, epsilon)
	}
	t.Logf("%d slopes, %d bounds above both nodes, %d at the top", looked, turning, tops)
	assert.Greater(t, looked, 40)
	assert.Greater(t, turning, 5)
	assert.Greater(t, tops, 2)
}

// The bound of all is above any one path's charge: of paths that fall at full rate at one offset
// from the top on, and below some level have the best one.
func TestControlIsAbovePaths(t *testing.T) {
	uniform := uniformOf(31)
	for range 40 {
		p, epsilon := randomControl(uniform)
		reference := logGaussianDelta(epsilon, p.m*p.top)
		value := p.begin(epsilon, reference).value()
		s := p.begin(epsilon, reference)
		first, _ := s.lowest()
		lower, _ := s.valley(first)
		const n = 400
		for _, share := range []float64{0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97} {
			at, _ := s.level(lower.a * share)
			sum := 0.0
			for i := range n {
				a := p.top * (float64(i) + 0.5) / n
				if a < at.a {
					sum += p.largest(a, math.Inf(-1), math.Inf(1), epsilon)
				} else {
					sum += p.chargeAt(at.c, a, epsilon)
				}
			}
			require.GreaterOrEqual(t, value, sum*p.top/n/math.Exp(reference)*(1-5e-3), "%+v %v", p, epsilon)
		}
	}
}

// bend is at least what it bounds, by second differences.
func TestPiecesBend(t *testing.T) {
	uniform := uniformOf(17)
	for range 400 {
		p, _ := randomControl(uniform)
		low := 0.05 + 0.8*uniform()
		high := low + (0.95-low)*uniform()
		bound := p.rate.bend(low, high)
		value := func(a float64) float64 {
			kappa, _ := p.rate.at(a)
			return -math.Log(kappa)
		}
		const h = 1e-3
		for i := range 11 {
			a := low + (high-low)*float64(i)/10
			second := (value(a+h) - 2*value(a) + value(a-h)) / (h * h)
			slack := 1e-2 * (1 + math.Abs(second) + math.Abs(bound))
			require.GreaterOrEqual(t, bound, second-slack, "%+v [%v, %v] at %v", p, low, high, a)
			require.InEpsilon(t, a, p.rate.level(p.rate.travel(a)), 1e-12)
		}
	}
}

// e^{st + Bt²/2} is integrated from above.
func TestParabolas(t *testing.T) {
	for _, s := range []float64{0, 1e-3, 0.29, 0.31, -2, 40} {
		for _, bend := range []float64{-30, -1, 0, 0.3, 5} {
			const n = 4000
			exact, h := 0.0, 0.7
			for i := range n {
				x := h * (2*(float64(i)+0.5)/n - 1)
				exact += math.Exp(s*x+bend*x*x/2) * 2 * h / n
			}
			exponent, factor := parabola(s, bend, h)
			got := factor * math.Exp(exponent)
			assert.GreaterOrEqual(t, got, exact*(1-1e-5), "%v, %v", s, bend)
			if bend == 0 {
				assert.InEpsilon(t, exact, got, 3e-5, "%v", s)
			}
		}
	}
}
