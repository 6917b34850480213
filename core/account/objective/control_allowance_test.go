package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/nativetest"
	"cloister/core/random/randomtest"
)

// exactly is a control problem at an ε, in 400 bits: m = R/σ and κ of R²/λ are the quotients
// themselves, and what is computed rounds them too.
type exactly struct {
	m, scale, epsilon, reference *big.Float
	logistic                     bool
}

// hardProblem is a problem of any size, often where much cancels: ε next to log(1 + κ), m next to
// 0, or κ so small that offsets are large.
func hardProblem(u units) (s *search, e exactly) {
	for {
		row, sigma := u.between(1e-3, 1e3), u.between(0.3, 3)
		if u.between(1, 2) < 1.3 {
			sigma = u.between(1, 1e10)
		}
		sigma *= row
		m := row / sigma
		p := control{m: m, top: 1}
		logistic := u.between(1, 2) < 1.6
		epsilon := m * u.between(0.2, 8)
		scale := u.between(0.02, 30) * (epsilon + m*m/2)
		if u.between(1, 2) < 1.5 {
			scale = u.between(1e-6, 1e6)
			epsilon = math.Log1p(scale/4) + m*u.between(0.01, 6)
		}
		lambda := row * row / scale
		e = exactly{
			m: over(number(row), number(sigma)), epsilon: number(epsilon), logistic: logistic,
			scale: over(product(number(row), number(row)), number(lambda)),
		}
		if logistic {
			p.rate = logisticRate(row * (row / lambda))
		} else {
			p.rate = constantRate(row * row / 4 / lambda)
			e.scale = over(e.scale, number(4))
		}
		s = p.begin(epsilon, logGaussianDelta(epsilon, m))
		e.reference = number(s.reference)
		if s.reference > -150 {
			return s, e
		}
	}
}

func (e exactly) rate(level float64) (kappa, slope *big.Float) {
	if !e.logistic {
		return e.scale, number(0)
	}
	a := number(level)
	rest := minus(number(1), a)
	return product(e.scale, product(a, rest)), product(e.scale, minus(rest, a))
}

// log1p is log(1 + x).
func log1p(x *big.Float) *big.Float { return logOf(plus(number(1), x)) }

func (e exactly) offset(level float64) *big.Float {
	a := number(level)
	if !e.logistic {
		return over(product(e.m, a), e.scale)
	}
	return over(product(e.m, minus(logOf(a), logOf(minus(number(1), a)))), e.scale)
}

// at is u and v of a level at an offset.
func (e exactly) at(level, c float64) (u, v *big.Float) {
	ma := product(e.m, number(level))
	u = minus(minus(number(c), e.offset(level)), ma)
	return u, minus(e.epsilon, product(ma, plus(u, over(ma, number(2)))))
}

// hockey is Ψ in units of e^reference.
func (e exactly) hockey(level, c float64) *big.Float {
	ma := product(e.m, number(level))
	u, v := e.at(level, c)
	if v.Sign() <= 0 {
		u = minus(over(e.epsilon, ma), over(ma, number(2)))
	}
	value := minus(normalOf(negative(u)),
		product(expOf(e.epsilon), normalOf(negative(plus(u, ma)))))
	return product(value, expOf(negative(e.reference)))
}

func negative(x *big.Float) *big.Float { return new(big.Float).Neg(x) }

func squareOf(x *big.Float) *big.Float { return product(x, x) }

// density is φ(u) in units of e^reference.
func (e exactly) density(u *big.Float) *big.Float {
	return over(expOf(minus(over(squareOf(u), number(-2)), e.reference)), rootOf2Pi())
}

func rootOf2Pi() *big.Float { return new(big.Float).SetPrec(bits).Sqrt(product(number(2), pi())) }

// parabola is ∫ e^{st}(1 + E·t²/h²) dt from −h to h, E = e^{Bh²/2} − 1.
func (e exactly) parabola(s, bend, h *big.Float) *big.Float {
	rise := minus(expOf(over(product(bend, squareOf(h)), number(2))), number(1))
	y := product(s, h)
	y.Abs(y)
	if y.Sign() == 0 {
		return product(product(number(2), h), plus(number(1), over(rise, number(3))))
	}
	up, down := expOf(y), expOf(negative(y))
	sinh, cosh := over(minus(up, down), number(2)), over(plus(up, down), number(2))
	square := product(plus(squareOf(y), number(2)), sinh)
	square = minus(square, product(number(2), product(y, cosh)))
	sum := plus(over(sinh, y), product(rise, over(square, product(y, squareOf(y)))))
	return product(product(number(2), h), sum)
}

// half is how far from its middle a piece reaches.
func half(one piece) *big.Float {
	left := minus(number(one.middle), number(one.low))
	right := minus(number(one.high), number(one.middle))
	if left.Cmp(right) > 0 {
		return left
	}
	return right
}

// standing is a piece's bound for K = 0.
func (e exactly) standing(one piece, slope float64) *big.Float {
	w, a := number(slope), number(one.middle)
	bend := product(plus(squareOf(w), w), squareOf(e.m))
	value := over(product(bend, squareOf(a)), number(2))
	value = minus(minus(value, product(w, e.epsilon)), e.reference)
	free := product(expOf(value), e.parabola(product(bend, a), bend, half(one)))
	return over(product(e.m, free), rootOf2Pi())
}

// dual is a piece's bound for a slope −w.
func (e exactly) dual(one piece, slope float64) *big.Float {
	w, a, i := number(slope), number(one.middle), number(1)
	kappa, change := e.rate(one.middle)
	square := product(plus(squareOf(w), w), squareOf(e.m))
	k := product(w, minus(log1p(kappa), log1p(over(i, w))))
	k = plus(k, minus(log1p(over(i, kappa)), log1p(w)))
	value := minus(over(product(square, squareOf(a)), number(2)), product(w, e.epsilon))
	value = minus(plus(value, k), e.reference)
	steep := plus(product(square, a), over(product(plus(i, w), change), plus(i, kappa)))
	steep = minus(steep, over(change, kappa))
	bend := square
	if e.logistic {
		low, rest := number(one.low), minus(i, number(one.high))
		bend = plus(bend, plus(over(i, squareOf(low)), over(i, squareOf(rest))))
	}
	free := product(expOf(value), e.parabola(steep, bend, half(one)))
	return over(product(e.m, free), rootOf2Pi())
}

// A piece's bound is at least what its formula is, with room for every rounding in it: of m and κ
// from the event's numbers, of what cancels in its exponent, of its middle and its length.
func TestControlPiecesAreRoundedUp(t *testing.T) {
	nativetest.Only(t)
	u := units{randomtest.New(31)}
	looked, worst := 0, math.Inf(1)
	for range 1500 {
		s, e := hardProblem(u)
		low := u.between(1e-3, 1)
		if u.between(1, 2) < 1.3 {
			low = 1 - u.between(1e-12, 0.3)
		}
		low = math.Min(low, 1-1e-12)
		one := piece{low: low, high: low + math.Min(1-low, low)*u.between(1e-9, 0.9)}
		one.middle = one.low + (one.high-one.low)/2
		if !(one.high < 1 && one.middle > one.low) {
			continue
		}
		at := s.level(one.middle)
		check := func(got float64, of func() *big.Float, name string) {
			t.Helper()
			if !(got > 1e-280 && got < 1e280) {
				return
			}
			looked++
			exact := of()
			above := float(over(minus(number(got), exact), exact))
			worst = math.Min(worst, above)
			assert.GreaterOrEqual(t, above, 0.0, "%s %+v %+v", name, s.control, one)
		}
		if at.inside {
			check(s.dual(one, at.w, at.t).free, func() *big.Float { return e.dual(one, at.w) }, "dual")
			w := at.w * u.between(0.5, 2)
			check(s.dual(one, w, math.Log1p(1/w)).free, func() *big.Float { return e.dual(one, w) },
				"dual elsewhere")
		}
		a := s.m * one.middle
		w := math.Min(s.epsilon/a/a-0.5, 1/s.rate.most(one.low, one.high))
		check(s.standing(one, w).free, func() *big.Float { return e.standing(one, w) }, "standing")
	}
	t.Logf("%d, the least %g above", looked, worst)
	assert.Greater(t, looked, 1500)
}

// So is the integral of a parabola's exponential, where its terms cancel too, and where its series
// ends.
func TestControlParabolasAreRoundedUp(t *testing.T) {
	nativetest.Only(t)
	u := units{randomtest.New(32)}
	least := math.Inf(1)
	for i := range 4000 {
		y, rise, h := u.between(1e-3, 30), u.between(1e-9, 40), u.between(1e-3, 1)
		if i%2 == 0 {
			y = u.between(0.2, 0.6)
		}
		exponent, factor := parabola(y/h, 2*rise/(h*h), h)
		got := product(expOf(number(exponent)), number(factor))
		exact := exactly{}.parabola(number(y/h), number(2*rise/(h*h)), number(h))
		above := float(over(minus(got, exact), exact))
		least = math.Min(least, above)
		assert.Positive(t, above, "y = %v, rise %v", y, rise)
	}
	t.Logf("the least is %g above", least)
}

// What D falls by is at least Ψ' = φ(u)(e^v − 1), with room for what u and v round.
func TestControlFallsAreRoundedUp(t *testing.T) {
	nativetest.Only(t)
	u := units{randomtest.New(34)}
	looked, right := 0, 0
	for range 1500 {
		s, e := hardProblem(u)
		p := s.place(u.between(1e-3, 0.999))
		c := s.level(p.a).best + (u.between(1, 3)-2)*(1+s.m*s.m)
		from, v := s.at(p, c)
		if math.Abs(from) > 16 || math.Abs(v) > 600 {
			continue
		}
		got := s.fall(p, c)
		if from < 0 {
			assert.True(t, math.IsInf(got, 1))
			continue
		}
		if looked++; v <= 0 {
			right++
		}
		exact, over := e.at(p.a, c)
		slope := product(e.density(exact), minus(expOf(over), number(1)))
		assert.GreaterOrEqual(
			t, number(got).Cmp(slope), 0, "%+v %v at %v, %v", s.control, s.epsilon, p, c,
		)
	}
	assert.Greater(t, min(looked, 5*right), 200)
}

// What strips and late levels cost is at least the difference of two Ψ, which are far larger.
func TestControlStripsAreRoundedUp(t *testing.T) {
	nativetest.Only(t)
	u := units{randomtest.New(33)}
	looked, right, far, turns := 0, 0, 0, 0
	for i := range 1200 {
		s, e := hardProblem(u)
		low := s.place(u.between(1e-3, 0.9))
		if i%4 == 0 { // where x is next to 0
			low = s.place(0.5 + u.between(1e-9, 1e-1))
		}
		high := s.place(low.a + (0.999-low.a)*u.between(1e-9, 1))
		c := s.level(low.a).best - u.between(1e-6, 1)*(1+s.m*s.m)
		if u.between(1, 2) < 1.3 {
			offset, _, _, _ := s.none(high.a)
			c = offset + u.between(1e-6, 1)
		}
		from, v := s.at(low, c)
		to, over := s.at(high, c)
		if math.Abs(from) > 16 || math.Abs(to) > 16 || math.Abs(v) > 600 || math.Abs(over) > 600 {
			continue
		}
		looked++
		if v <= 0 {
			right++
		}
		if from < -1 {
			far++
		}
		least, most := e.hockey(low.a, c), e.hockey(high.a, c)
		value, slack := s.hockey(low, c)
		apart := minus(number(value), least)
		assert.LessOrEqual(t, math.Abs(float(apart)), slack, "%+v %v at %v, %v", s.control,
			s.epsilon, low, c)
		got := s.strip(low, high, c)
		if other, more := s.hockey(high, c); got < other-value+slack+more {
			turns++
		}
		assert.GreaterOrEqual(t, number(got).Cmp(minus(most, least)), 0,
			"%+v %v from %v to %v at %v", s.control, s.epsilon, low, high, c)
	}
	t.Logf("%d, right of β₀ %d, far left %d, by masses %d", looked, right, far, turns)
	assert.Greater(t, min(looked, 10*right, 20*far, turns), 100)
}
