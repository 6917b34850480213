package random

import (
	"math"
	"math/big"
	"sync"
)

// MaxCellBits is the largest number of bits that [GaussianCells] takes.
const MaxCellBits = 34

// GaussianCells fills dst with independent Gaussian noise on a lattice: for
// ideal, real-valued, independent Z₁, Z₂, … ~ N(0, 1), dst[i] is the middle of
// the cell [n, n+1), n a whole number, that 2^bits·Zᵢ lies in. So dst[i] is
// n + 1/2 exactly, and noise of standard deviation 2^bits. bits is from 4 to
// MaxCellBits.
//
// It is exact: no probability is rounded anywhere, all decisions are made on as
// many binary digits as they take. So if the words of the source are uniform,
// draws have the law of the formula to the last digit, except that a draw is
// replaced by ErrStuck in events of total probability below 2^-220.
//
// Let s be a vector of whole numbers that depends on private data. Adding a
// whole number to 2^bits·Z moves its cell by that number, so s + dst is the
// middle of the cell of s + 2^bits·Z: a function of what the ideal,
// real-valued Gaussian mechanism with noise 2^bits gives out, which looks at
// nothing else. Hence s + dst is exactly as private as that mechanism, whatever
// is composed, subsampled or selected. Sums of whole numbers and halves below
// 2^52 in magnitude are exact in float64.
//
// On an error dst is filled with NaN.
//
// # Method
//
// |Z| = (Y + R)/16 with Y a whole number from 0 up, 0 < R < 1. Y is proposed with
// probability proportional to e^(−Y²/512), R uniform, and the pair accepted with
// probability e^(−γ), γ = (2YR + R²)/512: the product is e^(−(Y+R)²/512) =
// e^(−Z²/2). Nearly all pairs (97.6 %) are accepted. Y is drawn by inversion. Of
// R and of the number U that is compared with e^(−γ), 31 and 32 binary digits are
// drawn; nearly always they settle whether U < 1 − γ ≤ e^(−γ), else math.Exp,
// trusted to a relative 2^-40, settles it but for a probability of 2^-30, and
// then more digits of both are drawn and e^(−γ) is computed to as many.
func GaussianCells(src Source, dst []float64, bits int) error {
	if bits < 4 || bits > MaxCellBits {
		return spoil(
			dst, &ParameterError{Field: "bits", Value: number(float64(bits)), Want: "from 4 to 34"},
		)
	}
	h, table, shift := halves{src: src}, halfGaussian(), uint(35-bits)
	for i := range dst {
		y, r, err := gaussianPosition(&h, table)
		if err != nil {
			return spoil(dst, err)
		}
		n := (uint64(y)<<31 | uint64(r&positionMask)) >> shift
		// ⌊−x⌋ = −⌊x⌋ − 1 where x is no whole number: the middle of the cell just
		// changes its sign.
		middle := math.Float64bits(float64(n) + 0.5)
		dst[i] = math.Float64frombits(middle | uint64(r>>31)<<63)
	}
	return nil
}

// positionMask keeps the 31 bits of a half word that are digits of R; the
// other is the sign.
const positionMask = 1<<31 - 1

// gaussianPosition draws Y, and in r a fair sign and the first 31 digits of R.
func gaussianPosition(h *halves, table *inversion) (y int, r uint32, err error) {
	for range 100 { // not enough with probability below 2^-530
		first, err := h.next()
		if err != nil {
			return 0, 0, err
		}
		if y, err = table.draw(first, h.src); err != nil {
			return 0, 0, err
		}
		if y == halfGaussianCells {
			return 0, 0, ErrStuck
		}
		if r, err = h.next(); err != nil {
			return 0, 0, err
		}
		u, err := h.next()
		if err != nil {
			return 0, 0, err
		}
		high := exponent(y, (float64(r&positionMask)+1)*0x1p-31)
		// 1 − γ is at most e^−γ; 2^-40 is more than all rounding errors.
		if (float64(u)+1)*0x1p-32 <= 1-high-0x1p-40 {
			return y, r, nil
		}
		accept, err := belowExp(y, r&positionMask, u, high, h.src)
		if accept || err != nil {
			return y, r, err
		}
	}
	return 0, 0, ErrStuck
}

// exponent is γ = (2yR + R²)/512.
func exponent(y int, r float64) float64 { return (2*float64(y) + r) * r / 512 }

// belowExp reports whether U < e^−γ, given the first 31 digits r of R and 32
// digits u of U; high is the largest that γ can be.
func belowExp(y int, r, u uint32, high float64, src Source) (bool, error) {
	if (float64(u)+1)*0x1p-32 <= math.Exp(-high)*(1-0x1p-40) {
		return true, nil
	}
	if float64(u)*0x1p-32 >= math.Exp(-exponent(y, float64(r)*0x1p-31))*(1+0x1p-40) {
		return false, nil
	}
	position, uniform, word := new(big.Int).SetUint64(uint64(r)),
		new(big.Int).SetUint64(uint64(u)),
		new(big.Int)
	one := big.NewInt(1)
	for places := uint(64); places <= maxDigits; places += 64 {
		for _, x := range []*big.Int{position, uniform} {
			w, err := src.Uint64()
			if err != nil {
				return false, err
			}
			x.Lsh(x, 64).Add(x, word.SetUint64(w))
		}
		// R has places + 31 digits and U has places + 32; e^−γ falls with R.
		scale := places + 32
		below := expDigits(y, new(big.Int).Add(position, one), places+31, scale)
		above := expDigits(y, position, places+31, scale)
		if word.Add(uniform, one).Cmp(below) <= 0 {
			return true, nil
		}
		if uniform.Cmp(above.Add(above, two)) >= 0 {
			return false, nil
		}
	}
	return false, ErrStuck
}

// expDigits returns a whole number l with l ≤ e^(−γ)·2^scale < l + 1 + 2^-20, for
// R = position·2^-places.
func expDigits(y int, position *big.Int, places, scale uint) *big.Int {
	// 512γ = R(2y + R), exactly, in units of 2^(−2·places).
	gamma := new(big.Int).Lsh(big.NewInt(2*int64(y)), places)
	gamma.Add(gamma, position).Mul(gamma, position)
	e := expFixed(gamma, 2*places+9, scale+guardDigits)
	return e.Sub(e, big.NewInt(expSlack)).Rsh(e, guardDigits)
}

// expSlack bounds the error of expFixed, in units of its last digit.
const expSlack = 1 << 13

// expFixed returns e^(−x)·2^scale, for x = numerator·2^-places from 0 to 2 and
// scale up to 1000, to within expSlack: each term of the Taylor series is
// rounded down twice, which with what it has from the one before leaves it less
// than 2e² off, and there are fewer than 300.
func expFixed(numerator *big.Int, places, scale uint) *big.Int {
	term := new(big.Int).Lsh(big.NewInt(1), scale)
	sum := new(big.Int).Set(term)
	for k := int64(1); term.Sign() > 0; k++ {
		term.Mul(term, numerator).Rsh(term, places).Quo(term, big.NewInt(k))
		if k&1 == 1 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	return sum
}

// halfGaussianCells is how many values Y has: the rest, beyond 18 standard
// deviations, has probability below 2^-230 and counts as a fault of the source.
const halfGaussianCells = 288

// halfGaussianOnce computes halfGaussianTable. (Go's sync.OnceValue turns what
// it returns into an interface, after which the linker keeps all of math/big.)
var (
	halfGaussianOnce  sync.Once
	halfGaussianTable *inversion
)

// halfGaussian returns the table of Y.
func halfGaussian() *inversion {
	halfGaussianOnce.Do(func() {
		low := make([]uint64, halfGaussianCells)
		for y, c := range halfGaussianDigits(64) {
			low[y] = c.Uint64()
		}
		halfGaussianTable = newInversion(low, halfGaussianDigits)
	})
	return halfGaussianTable
}

// halfGaussianDigits returns the sums of e^(−i²/512) up to i = y, divided by
// that over all i ≥ 0, as the digits of an inversion.
//
// In units of the last digit kept, e^(−1/512) is within 2^13, e^(−(2i+1)/512)
// within 2^15·i, e^(−i²/512) within 2^15·i² < 2^35, sums of them within 2^45, and
// the quotients, whose denominator is above 20, within 2^42. Beyond i = 700 terms
// add up to less than 2^-1300.
func halfGaussianDigits(places uint) []*big.Int {
	const terms, guard, slack = 700, 2 * guardDigits, 1 << 43
	scale := places + guard
	r := expFixed(big.NewInt(1), 9, scale)
	square := new(big.Int).Mul(r, r)
	square.Rsh(square, scale)
	step, power := r, new(big.Int).Lsh(big.NewInt(1), scale)
	sum, sums := new(big.Int), make([]*big.Int, halfGaussianCells)
	for i := range terms {
		sum.Add(sum, power)
		if i < halfGaussianCells {
			sums[i] = new(big.Int).Set(sum)
		}
		power.Mul(power, step).Rsh(power, scale)
		step.Mul(step, square).Rsh(step, scale)
	}
	for _, c := range sums {
		c.Lsh(c, scale).Quo(c, sum)
		c.Sub(c, big.NewInt(slack)).Rsh(c, guard)
	}
	return sums
}
