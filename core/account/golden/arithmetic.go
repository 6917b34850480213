package golden

import (
	"math"
	"math/big"
)

// Bits is the precision of the arithmetic here, which shares nothing with what the
// accountant computes with.
const Bits = 400

// Big is x itself.
func Big(x float64) *big.Float { return new(big.Float).SetPrec(Bits).SetFloat64(x) }

// Float is the float64 next to x.
func Float(x *big.Float) float64 { y, _ := x.Float64(); return y }

// Plus is x + y, rounded to Bits, as are the next three.
func Plus(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(Bits).Add(x, y) }

// Minus is x − y.
func Minus(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(Bits).Sub(x, y) }

// Times is x·y.
func Times(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(Bits).Mul(x, y) }

// Over is x/y.
func Over(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(Bits).Quo(x, y) }

// Exp is e^x by Taylor's series after halving x often enough.
func Exp(x *big.Float) *big.Float {
	halvings := max(0, x.MantExp(nil)) + 16
	y := new(big.Float).SetMantExp(x, -halvings)
	sum, term := Big(1), Big(1)
	for i := 1; i < 40; i++ {
		term = Over(Times(term, y), Big(float64(i)))
		sum = Plus(sum, term)
	}
	for range halvings {
		sum = Times(sum, sum)
	}
	return sum
}

// Log is log x by Newton's method from float64's.
func Log(x *big.Float) *big.Float {
	mantissa := new(big.Float)
	exponent := x.MantExp(mantissa)
	start, _ := mantissa.Float64()
	y := Big(math.Log(start) + float64(exponent)*math.Ln2)
	for range 5 { // e^{-y}x − 1 squares its error every time
		y = Plus(y, Minus(Times(Exp(new(big.Float).Neg(y)), x), Big(1)))
	}
	return y
}
