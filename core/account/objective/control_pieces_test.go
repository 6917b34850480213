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
