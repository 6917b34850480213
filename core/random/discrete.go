package random

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
)

// Range of sigma/grid that [NewDiscreteGaussian] takes.
const (
	// MinGridRatio: with it the distribution is the point 0, except for a probability
	// below e^(-2^62).
	MinGridRatio = 0x1p-32

	// MaxGridRatio leaves 64 standard deviations on either side within int64.
	MaxGridRatio = 0x1p+57
)

// ErrRange says that a draw does not fit an int64. At the largest sigma/grid
// allowed that is a draw more than 64 standard deviations out, with
// probability below e^-2047.
var ErrRange = errors.New("random: a discrete Gaussian draw does not fit 64 bits")

// DiscreteGaussian draws from the discrete Gaussian distribution on the
// lattice grid·ℤ, exactly: with s = sigma/grid,
//
//	P[k] = e^(−k²/(2s²)) / Σ_j e^(−j²/(2s²)),   k the index, k·grid the value.
//
// No probability is rounded anywhere: all decisions are made in whole-number
// arithmetic on random words (Canonne, Kamath & Steinke 2020, "The Discrete
// Gaussian for Differential Privacy", algorithms 1–3). So if the words of the
// source are uniform, the law of the draws is P to the last digit, except that
// a draw is replaced by an error in events (ErrStuck, ErrRange) of total
// probability below 2^-280.
//
// sigma is the parameter of the formula. For s ≥ 1 it is the standard
// deviation to a relative 2e-7, for s ≥ 3 to 1e-70.
//
// A DiscreteGaussian keeps no state between draws but its constants; it may be
// used by several goroutines if the source may.
type DiscreteGaussian struct {
	t uint64 // ⌊s⌋ + 1, scale of the proposal

	// With s² = n/d: accept Y with probability e^-γ,
	// γ = (|Y| − s²/t)²/(2s²) = (|Y|·td − n)² / (2·n·d·t²).
	n, td, den *big.Int

	s, shift float64 // s, and s/t to a relative 2^-53
}

// NewDiscreteGaussian prepares draws with parameter sigma on the lattice
// grid·ℤ, both in the same unit. grid must be a power of two, so that
// sigma/grid is exact: the float64 sigma is taken for the binary fraction it
// is. The ratio must lie in [MinGridRatio, MaxGridRatio]. Anything else is a
// *ParameterError.
func NewDiscreteGaussian(sigma, grid float64) (*DiscreteGaussian, error) {
	half, gridExponent := math.Frexp(grid)
	if half != 0.5 {
		return nil, &ParameterError{Field: "grid", Value: number(grid), Want: "a power of two"}
	}
	if !(sigma > 0) || math.IsInf(sigma, 1) {
		return nil, &ParameterError{
			Field: "sigma",
			Value: number(sigma),
			Want:  "a finite number above 0",
		}
	}
	// grid = 2^(gridExponent−1); the quotient is exact wherever it is in range.
	fraction, exponent := math.Frexp(sigma)
	exponent -= gridExponent - 1
	if exponent < -64 || exponent > 64 {
		exponent = min(max(exponent, -64), 64) // out of range either way
	}
	s := math.Ldexp(fraction, exponent)
	if s < MinGridRatio || s > MaxGridRatio {
		return nil, &ParameterError{
			Field: "sigma", Value: number(sigma),
			Want: "between 2^-32 and 2^57 times the grid, which is " + number(grid),
		}
	}
	return newDiscreteGaussian(s), nil
}

func newDiscreteGaussian(s float64) *DiscreteGaussian {
	// s = m·2^e with m odd.
	fraction, exponent := math.Frexp(s)
	m := uint64(math.Ldexp(fraction, 53))
	zeros := bits.TrailingZeros64(m)
	m >>= zeros
	e := exponent - 53 + zeros

	n := new(big.Int).SetUint64(m)
	n.Mul(n, n)
	d := big.NewInt(1)
	if e >= 0 {
		n.Lsh(n, uint(2*e))
	} else {
		d.Lsh(d, uint(-2*e))
	}
	t := uint64(s) + 1
	bigT := new(big.Int).SetUint64(t)
	td := new(big.Int).Mul(bigT, d)
	den := new(big.Int).Mul(n, td)
	den.Mul(den, bigT).Lsh(den, 1)
	return &DiscreteGaussian{t: t, n: n, td: td, den: den, s: s, shift: s / float64(t)}
}

// Sample draws one lattice index k. The value drawn is k·grid; |k| may exceed
// 2^53, so convert with care. An error means that nothing was drawn.
//
// A proposal Y is discrete Laplace with scale t and is accepted with
// probability e^(−Y²/(2s²))·e^(|Y|/t)·e^(−s²/(2t²)), which leaves the discrete
// Gaussian. Over all Y that is
//
//	tanh(1/(2t))·e^(−s²/(2t²))·Σ e^(−k²/(2s²)),   the sum ≥ max(1, s√(2π)):
//
// 0.76 for large s, and never less than 0.42 (at s ≈ 0.4).
func (g *DiscreteGaussian) Sample(src Source) (int64, error) {
	for range maxAttempts {
		y, negative, err := discreteLaplace(src, g.t)
		if err != nil {
			return 0, err
		}
		accept, err := g.accept(src, y)
		if err != nil {
			return 0, err
		}
		if !accept {
			continue
		}
		if y.high > 0 || y.low > math.MaxInt64 {
			return 0, ErrRange
		}
		if negative {
			return -int64(y.low), nil
		}
		return int64(y.low), nil
	}
	return 0, ErrStuck
}

// accept is true with probability exactly e^-γ for this proposal. γ is taken in float64
// where that decides, and in whole numbers where it does not: the same words give the same
// answer either way.
func (g *DiscreteGaussian) accept(src Source, y magnitude) (bool, error) {
	num := func() *big.Int {
		gap := y.big()
		gap.Mul(gap, g.td)
		gap.Sub(gap, g.n)
		return gap.Mul(gap, gap)
	}
	if gamma, quick := g.gamma(y); quick {
		return bernoulliExpNear(src, gamma, num, g.den)
	}
	return bernoulliExpBig(src, num(), g.den)
}

// gamma is γ in float64, and whether that is within 2^-42 of it. γ = u²/2 with
// u = |Y|/s − s/t. For |Y| ≤ 16s both quotients lose a relative 2^-52 at most, of 16 and of
// 1, and their difference 2^-53 of 16: u is right to 2^-47.3. With |u| ≤ 16, γ is right to
// 16·2^-47.3, the square of 2^-47.3, and 128·2^-53 for its own rounding: below 2^-43.
func (g *DiscreteGaussian) gamma(y magnitude) (gamma float64, quick bool) {
	ratio := float64(y.low) / g.s
	u := ratio - g.shift
	return u * u / 2, y.high == 0 && ratio <= 16
}
