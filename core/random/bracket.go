package random

import (
	"math/big"
	"math/bits"
)

// bracket is an interval of big floats that holds a number ≥ 0. Its lower end
// was only ever rounded down and its upper end only ever up, so it holds the
// number whatever the precision, and shrinks to it as the precision grows.
// The samplers of maxima decide by brackets what float64 cannot.
type bracket struct{ lower, upper *big.Float }

// firstPrecision and lastPrecision are those, in bits, that decisions are tried at; each try
// doubles it. A decision still open at the last one has probability below 2^-200 and is a fault.
const (
	firstPrecision = 192
	lastPrecision  = 192 << 6
)

func down(precision uint) *big.Float {
	return new(big.Float).SetPrec(precision).SetMode(big.ToNegativeInf)
}

func up(precision uint) *big.Float {
	return new(big.Float).SetPrec(precision).SetMode(big.ToPositiveInf)
}

func exactly(precision uint, x *big.Int) bracket {
	return bracket{down(precision).SetInt(x), up(precision).SetInt(x)}
}

func whole(precision uint, n uint64) bracket {
	return exactly(precision, new(big.Int).SetUint64(n))
}

func (a bracket) precision() uint { return a.lower.Prec() }

func (a bracket) plus(b bracket) bracket {
	p := a.precision()
	return bracket{down(p).Add(a.lower, b.lower), up(p).Add(a.upper, b.upper)}
}

func (a bracket) times(b bracket) bracket {
	p := a.precision()
	return bracket{down(p).Mul(a.lower, b.lower), up(p).Mul(a.upper, b.upper)}
}

// over is a/b, where b's lower end is above 0.
func (a bracket) over(b bracket) bracket {
	p := a.precision()
	return bracket{down(p).Quo(a.lower, b.upper), up(p).Quo(a.upper, b.lower)}
}

// rest is 1 − a, for a number a that is at most 1; what rounding took below 0 is cut off.
func (a bracket) rest() bracket {
	p, one := a.precision(), big.NewFloat(1)
	left := bracket{down(p).Sub(one, a.upper), up(p).Sub(one, a.lower)}
	if left.lower.Sign() < 0 {
		left.lower = down(p)
	}
	return left
}

// power is aⁿ, by squaring.
func (a bracket) power(n uint64) bracket {
	result := whole(a.precision(), 1)
	for i := bits.Len64(n) - 1; i >= 0; i-- {
		result = result.times(result)
		if n>>i&1 == 1 {
			result = result.times(a)
		}
	}
	return result
}

// decay is e^−a. With t = a/2^s ≤ 2^-8 it sums the series of e^t, whose terms
// are all above 0, bounds its rest by twice the first term left out, squares s
// times and inverts.
func (a bracket) decay() bracket {
	p := a.precision()
	s := max(0, a.upper.MantExp(nil)+8)
	t := bracket{
		down(p).SetMantExp(a.lower, -s),
		up(p).SetMantExp(a.upper, -s),
	}
	sum, term := whole(p, 1), whole(p, 1)
	for j := uint64(1); ; j++ {
		term = term.times(t).over(whole(p, j))
		if term.upper.Sign() == 0 || term.upper.MantExp(nil) < -int(p)-4 {
			break
		}
		sum = sum.plus(term)
	}
	sum.upper.Add(sum.upper, up(p).SetMantExp(term.upper, 1))
	for range s {
		sum = sum.times(sum)
	}
	return whole(p, 1).over(sum)
}

// minusLog is −ln a, for a number a in (0, 1]. With a = m·2^−e, 1/2 ≤ m < 1, it
// is e·ln 2 + 2·artanh((1−m)/(1+m)), and ln 2 = 2·artanh(1/3).
func (a bracket) minusLog() bracket {
	p := a.precision()
	at := func(x *big.Float) bracket {
		mantissa := new(big.Float)
		e := -x.MantExp(mantissa)
		m := bracket{down(p).Set(mantissa), up(p).Set(mantissa)}
		result := m.rest().over(whole(p, 1).plus(m)).doubleArtanh()
		if e < 0 { // x = 1 alone: m = 1/2, e = −1
			return whole(p, 0)
		}
		ln2 := whole(p, 1).over(whole(p, 3)).doubleArtanh()
		return result.plus(whole(p, uint64(e)).times(ln2))
	}
	return bracket{at(a.upper).lower, at(a.lower).upper}
}

// doubleArtanh is 2·artanh(z) = 2·Σ z^(2j+1)/(2j+1), for 0 ≤ z ≤ 1/3: the terms
// left out are together less than twice the first of them.
func (z bracket) doubleArtanh() bracket {
	p := z.precision()
	square, power, sum := z.times(z), z, whole(p, 0)
	for j := uint64(1); ; j += 2 {
		term := power.over(whole(p, j))
		if term.upper.Sign() == 0 || term.upper.MantExp(nil) < z.upper.MantExp(nil)-int(p)-4 {
			sum.upper.Add(sum.upper, up(p).SetMantExp(term.upper, 1))
			break
		}
		sum = sum.plus(term)
		power = power.times(square)
	}
	return sum.plus(sum)
}
