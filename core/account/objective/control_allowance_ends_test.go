package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/nativetest"
	"cloister/core/random/randomtest"
)

// largest is ∫ W da between two levels by the least |u| and v of any.
func (e exactly) largest(low, high place, c float64) *big.Float {
	high1 := product(e.m, number(high.a))
	right := plus(over(e.epsilon, high1), over(high1, number(2)))
	beta := minus(number(c), e.offset(high.a))
	if beta.Cmp(right) > 0 {
		beta = right
	}
	least := plus(beta, negative(high1))
	if least.Sign() < 0 {
		least = number(0)
	}
	first, _ := e.at(low.a, c)
	if first.Sign() < 0 {
		first = number(0)
	}
	v := minus(e.epsilon, product(high1, plus(first, over(high1, number(2)))))
	most, _ := e.rate(high.a)
	if other, _ := e.rate(low.a); e.logistic && low.a < 0.5 && high.a > 0.5 {
		most, _ = e.rate(0.5)
	} else if other.Cmp(most) > 0 {
		most = other
	}
	share := minus(number(1), over(minus(expOf(v), number(1)), most))
	if share.Sign() < 0 {
		return number(0)
	}
	if share.Cmp(number(1)) > 0 {
		share = number(1)
	}
	width := minus(number(high.a), number(low.a))
	return product(product(width, e.m), product(share, e.density(least)))
}

// What is charged at an end, where shares are next to 0, is at least what its formula is; and so is
// what F(c) bends by between two offsets.
func TestControlEndsAreRoundedUp(t *testing.T) {
	nativetest.Only(t)
	u := units{randomtest.New(34)}
	ends, bends, second := 0, 0, 0
	for range 1200 {
		s, e := hardProblem(u)
		low := s.place(u.between(1e-3, 0.9))
		high := s.place(low.a + (0.999-low.a)*u.between(1e-9, 1e-2))
		offset, _, _, _ := s.none(low.a)
		c := offset + u.between(1e-6, 1)
		if from, _ := s.at(low, c); math.Abs(from) > 16 {
			continue
		}
		if got := s.most(c, low, high); got > 1e-250 {
			ends++
			exact := e.largest(low, high, c)
			assert.GreaterOrEqual(t, number(got).Cmp(exact), 0, "%+v %v from %v to %v at %v",
				s.control, s.epsilon, low, high, c)
		}
		to := c + u.between(1e-9, 1e-1)
		high = s.place(low.a + (0.999-low.a)*u.between(1e-9, 1))
		if from, _ := s.at(high, c); math.Abs(from) > 16 {
			continue
		}
		_, v := s.at(low, to)
		_, other := s.at(high, to)
		if math.Abs(v) < 1e-9 || math.Abs(other) < 1e-9 || v > 600 {
			continue
		}
		size := math.Abs(c) + math.Abs(to) + math.Abs(low.x) + s.m*low.a
		least := number(s.leastBend(low, c, to, size))
		assert.LessOrEqual(t, least.Cmp(e.leastBend(low.a, c, to)), 0,
			"%+v %v at %v at %v to %v", s.control, s.epsilon, low, c, to)
		s.last, s.arrival = high, math.Inf(1)
		first, narrow := e.bends(low.a, high.a, c, to)
		got := number(s.bend(low, high, high, c, to))
		bends++
		if v <= 0 || narrow.Cmp(first) > 0 {
			narrow = first
		} else {
			second++
		}
		assert.GreaterOrEqual(t, got.Cmp(narrow), 0, "%+v %v from %v to %v at %v to %v: %v, %v",
			s.control, s.epsilon, low, high, c, to, got, narrow)
	}
	t.Logf("%d ends, %d bends, %d of them by the second form", ends, bends, second)
	assert.Greater(t, min(ends, second, bends-second), 100)
}

// bends are the two forms of search.bend, for an end that is the last level.
func (e exactly) bends(low, last, from, to float64) (first, second *big.Float) {
	i, zero := number(1), number(0)
	u, v := e.at(last, from)
	uTo, _ := e.at(last, to)
	ma := product(e.m, number(last))
	growth, _ := e.rate(last)
	if other := minus(expOf(largerOf(zero, v)), i); other.Cmp(growth) < 0 {
		growth = other
	}
	first = zero
	if growth.Sign() > 0 {
		first = plus(product(largerOf(zero, uTo), growth), product(ma, plus(i, growth)))
		first = product(first, e.density(fartherOf(u, uTo)))
	}
	first = minus(first, e.leastBend(low, from, to))
	start, end := e.offset(low), e.offset(last)
	left, right := minus(number(from), end), minus(number(to), start)
	u, _ = e.at(last, from)
	uTo, _ = e.at(low, to)
	near, width := fartherOf(u, uTo), minus(end, start)
	most := largerOf(squareOf(left), squareOf(right))
	loss := product(expOf(e.epsilon), product(e.density(fartherOf(left, right)), width))
	loss = product(loss, largerOf(zero, minus(most, i)))
	gain := plus(width, product(e.m, minus(number(last), number(low))))
	gain = product(product(gain, e.density(near)), largerOf(zero, minus(i, squareOf(near))))
	return largerOf(zero, first), plus(loss, gain)
}

// leastBend is −Ψ” of a place at the offset where it is least.
func (e exactly) leastBend(level, from, to float64) *big.Float {
	u, v := e.at(level, from)
	uTo, vTo := e.at(level, to)
	i, zero := number(1), number(0)
	if u.Sign() < 0 {
		rise := minus(expOf(largerOf(zero, v)), i)
		return product(e.density(fartherOf(u, uTo)), product(u, rise))
	}
	if vTo.Sign() <= 0 {
		return zero
	}
	most := expOf(vTo)
	least := plus(product(u, minus(most, i)), product(product(e.m, number(level)), most))
	return product(e.density(uTo), least)
}

func fartherOf(low, high *big.Float) *big.Float {
	return largerOf(number(0), largerOf(low, negative(high)))
}

func largerOf(x, y *big.Float) *big.Float {
	if x.Cmp(y) < 0 {
		return y
	}
	return x
}
