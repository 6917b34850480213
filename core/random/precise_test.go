package random

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Elementary functions in 220-bit arithmetic, to judge float64 results by.
// They sum the textbook series, share no code with package math, and are
// themselves checked against published digits.

const precision = 220

func precise(x float64) *big.Float { return newPrecise().SetFloat64(x) }

func newPrecise() *big.Float { return new(big.Float).SetPrec(precision) }

func parsePrecise(t *testing.T, digits string) *big.Float {
	x, _, err := big.ParseFloat(digits, 10, precision, big.ToNearestEven)
	require.NoError(t, err)
	return x
}

// preciseArtanhSeries returns 2·artanh(z) = 2 Σ z^(2j+1)/(2j+1) for |z| ≤ 1/3.
func preciseArtanhSeries(z *big.Float) *big.Float {
	square := newPrecise().Mul(z, z)
	power, sum, term := newPrecise().Set(z), newPrecise(), newPrecise()
	for j := int64(1); power.Sign() != 0; j += 2 {
		term.Quo(power, newPrecise().SetInt64(j))
		sum.Add(sum, term)
		if sum.MantExp(nil)-term.MantExp(nil) > precision {
			break
		}
		power.Mul(power, square)
	}
	return sum.Mul(sum, precise(2))
}

var preciseLn2 = preciseArtanhSeries(newPrecise().Quo(precise(1), precise(3)))

// preciseLog returns ln x for x > 0. Near 1 it loses nothing: there x is
// split as 2^0·x.
func preciseLog(x *big.Float) *big.Float {
	mantissa := newPrecise()
	exponent := x.MantExp(mantissa) // mantissa in [1/2, 1)
	if mantissa.Cmp(precise(0.75)) < 0 {
		mantissa.Mul(mantissa, precise(2))
		exponent--
	}
	z := newPrecise().Quo(
		newPrecise().Sub(mantissa, precise(1)), newPrecise().Add(mantissa, precise(1)),
	)
	logarithm := preciseArtanhSeries(z)
	return logarithm.Add(
		logarithm, newPrecise().Mul(preciseLn2, newPrecise().SetInt64(int64(exponent))),
	)
}

// preciseLog1p returns ln(1+x) for |x| ≤ 1/2 with full relative precision.
func preciseLog1p(x *big.Float) *big.Float {
	return preciseArtanhSeries(newPrecise().Quo(x, newPrecise().Add(x, precise(2))))
}

// preciseSincos sums the Taylor series, for 0 < x < 1.
func preciseSincos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = newPrecise(), newPrecise()
	term := precise(1) // x^j/j!
	for j := int64(0); j < 80; j++ {
		to := cos
		if j&1 == 1 {
			to = sin
		}
		if j&2 == 0 {
			to.Add(to, term)
		} else {
			to.Sub(to, term)
		}
		term.Mul(term, x)
		term.Quo(term, newPrecise().SetInt64(j+1))
	}
	return sin, cos
}

var precisePi = func() *big.Float {
	// Machin: π = 16 arctan(1/5) − 4 arctan(1/239).
	arctan := func(n int64) *big.Float {
		x := newPrecise().Quo(precise(1), newPrecise().SetInt64(n))
		square := newPrecise().Mul(x, x)
		sum, power := newPrecise(), x
		for j := int64(0); j < 120; j++ {
			term := newPrecise().Quo(power, newPrecise().SetInt64(2*j+1))
			if j&1 == 1 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power = newPrecise().Mul(power, square)
		}
		return sum
	}
	pi := newPrecise().Mul(precise(16), arctan(5))
	return pi.Sub(pi, newPrecise().Mul(precise(4), arctan(239)))
}()

// relativeError returns |x − want|/|want| as a float64.
func relativeError(x float64, want *big.Float) float64 {
	difference := newPrecise().Sub(precise(x), want)
	ratio, _ := newPrecise().Quo(difference, want).Float64()
	return math.Abs(ratio)
}

func TestPreciseFunctionsAgainstPublishedDigits(t *testing.T) {
	half, tenth := precise(0.5), newPrecise().Quo(precise(1), precise(10))
	sinHalf, cosHalf := preciseSincos(half)
	for _, c := range []struct {
		name, digits string
		got          *big.Float
	}{
		// OEIS A002162, A000796, A002392; the rest by Python 3's decimal module
		// with 70 digits.
		{"ln 2", "0.693147180559945309417232121458176568075500134360255254120680", preciseLn2},
		{"π", "3.14159265358979323846264338327950288419716939937510582097494", precisePi},
		{"ln 10", "2.30258509299404568401799145468436420760110148862877297603333", preciseLog(precise(10))},
		{"sin 1/2", "0.479425538604203000273287935215571388081803367940600675188617", sinHalf},
		{"cos 1/2", "0.877582561890372716116281582603829651991645197109744052997610", cosHalf},
		{"ln 1.1", "0.0953101798043248600439521232807650922206053653086441991852398", preciseLog1p(tenth)},
	} {
		want := parsePrecise(t, c.digits)
		difference, _ := newPrecise().Sub(c.got, want).Float64()
		assert.LessOrEqual(t, math.Abs(difference), 1e-58, c.name)
	}
}
