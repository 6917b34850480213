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
	for range 150 {
		p, epsilon := randomControl(uniform)
		reference := logGaussianDelta(epsilon, p.m*p.top)
		low := p.top * (0.1 + 0.85*uniform())
		length := math.Min(p.top-low, 0.2*uniform()*uniform()*p.top)
		s := p.newPiece(low, low+length, epsilon, reference)
		unit := math.Exp(reference)
		inf := math.Inf(1)
		exact := p.over(s.low, s.high, -inf, inf, epsilon) / unit
		require.GreaterOrEqual(t, s.free, exact*(1-1e-4), "free %+v %v %+v", p, epsilon, s)
		require.GreaterOrEqual(
			t, s.plateau, p.over(s.low, s.high, 1e9, inf, epsilon)/unit*(1-1e-4), "plateau",
		)
		for range 3 {
			c := s.best + (uniform()-0.5)*2
			wide := uniform() * 0.3
			bound, eta := p.atMost(s, c, c+wide, epsilon, reference)
			for _, offset := range []float64{c - wide, c, c + wide} {
				exact := p.over(s.low, s.high, -inf, offset, epsilon) / unit
				got := bound * math.Exp(eta*(offset-c))
				require.GreaterOrEqual(t, got, exact*(1-1e-4), "at most %v: %+v %v %+v", offset, p, epsilon, s)
				if offset == c && exact > 0.5*s.free && length < 0.02*p.top {
					looked++
					if got < exact*1.01 {
						tight++
					}
				}
			}
			bound, eta, _ = p.atLeast(s, c, c-wide, c+wide, epsilon, reference)
			for _, offset := range []float64{c - wide, c, c + wide} {
				exact := p.over(s.low, s.high, offset, inf, epsilon) / unit
				got := bound * math.Exp(eta*(offset-c))
				require.GreaterOrEqual(t, got, exact*(1-1e-4), "at least %v: %+v %v %+v", offset, p, epsilon, s)
			}
		}
	}
	assert.Greater(t, looked, 20)
	assert.Greater(t, float64(tight), 0.8*float64(looked), "and they are near")
}

// The bound of a box is above the charges of levels for every crossing in it: above the
// crossing offsets are at most its own, below at least.
func TestBoxesAreBounds(t *testing.T) {
	uniform := uniformOf(9)
	for range 25 {
		p, epsilon := randomControl(uniform)
		reference := logGaussianDelta(epsilon, p.m*p.top)
		first, _ := p.lowest(epsilon, reference)
		list := p.pieces(first, epsilon, reference)
		require.NotNil(t, list)
		n := len(list)
		from := int(uniform() * float64(n-1))
		to := from
		if uniform() < 0.8 {
			to++
		}
		if uniform() < 0.3 {
			to = min(n-1, to+3)
		}
		halves := mostHalves
		b := box{
			from: from, to: to, low: list[from].low, high: list[to].low, scale: 1, halves: &halves,
		}
		b.least = list[from].best - 0.1*uniform()
		b.most = b.least + 0.3*uniform()
		if to == from+1 && uniform() < 0.5 {
			b.low, b.high = b.low+0.3*(b.high-b.low), b.low+0.8*(b.high-b.low)
		}
		p.overBox(list, &b, epsilon, reference)
		for i := range 4 {
			part := float64(i) / 3
			q, c := b.low+part*(b.high-b.low), b.least+part*(b.most-b.least)
			sum := 0.0
			for _, s := range list {
				if end := math.Min(s.high, q); end > s.low {
					sum += p.over(s.low, end, c, math.Inf(1), epsilon)
				}
				if start := math.Max(s.low, q); start < s.high {
					sum += p.over(start, s.high, math.Inf(-1), c, epsilon)
				}
			}
			require.GreaterOrEqual(
				t, b.bound, sum/math.Exp(reference)*(1-5e-5), "%+v %v %+v: %v", p, epsilon, b, part,
			)
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
		kappa, _ := p.rate.at(low)
		multiplier := 20 * (uniform() - 0.5) * kappa
		bound := p.rate.bend(low, high, multiplier)
		value := func(a float64) float64 {
			kappa, _ := p.rate.at(a)
			return -math.Log(kappa) - multiplier*p.rate.travel(a)
		}
		const h = 1e-3
		for i := range 11 {
			a := low + (high-low)*float64(i)/10
			second := (value(a+h) - 2*value(a) + value(a-h)) / (h * h)
			slack := 1e-2 * (1 + math.Abs(second) + math.Abs(bound))
			require.GreaterOrEqual(
				t, bound, second-slack, "%+v [%v, %v] t = %v at %v", p, low, high, multiplier, a,
			)
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
			got := math.Exp(logParabola(s, bend, h))
			assert.GreaterOrEqual(t, got, exact*(1-1e-5), "%v, %v", s, bend)
			if bend == 0 {
				assert.InEpsilon(t, exact, got, 3e-5, "%v", s)
			}
		}
	}
}
