package random

import (
	"math"
	"math/big"
	"math/bits"
)

// Every function here decides an event of rational (or e to a rational)
// probability exactly. The one comparison behind them: for U uniform on (0, 1)
// and p in [0, 1], the first base-2^64 digit in which U and p differ says
// whether U < p, and digits of U are words of the source. The first word
// decides unless it equals the digit of p, which has probability 2^-64.

// bernoulli is true with probability exactly num/den, for 0 ≤ num ≤ den,
// 0 < den.
func bernoulli(src Source, num, den uint64) (bool, error) {
	if num == den {
		return true, nil
	}
	for num > 0 {
		var digit uint64
		digit, num = bits.Div64(num, 0, den)
		word, err := src.Uint64()
		if err != nil {
			return false, err
		}
		if word != digit {
			return word < digit, nil
		}
	}
	return false, nil // all digits of U that p has are equal, and p has no more
}

// bernoulliAfter is bernoulli for 0 ≤ rest < den of any size, once the first word has been
// read; it changes neither.
func bernoulliAfter(src Source, word uint64, rest, den *big.Int) (bool, error) {
	digit, rest := new(big.Int), new(big.Int).Set(rest)
	for {
		digit.QuoRem(rest.Lsh(rest, 64), den, rest)
		if d := digit.Uint64(); word != d {
			return word < d, nil
		}
		if rest.Sign() == 0 {
			return false, nil // all digits of U that rest/den has are equal, and it has no more
		}
		var err error
		if word, err = src.Uint64(); err != nil {
			return false, err
		}
	}
}

// maxSeries is the K of expSeries that is taken for a fault of the source; a
// working one exceeds it with probability 1/64! < 2^-295.
const maxSeries = 64

// expSeries is true with probability exactly e^-γ, for γ in [0, 1], given a
// function that is true with probability γ, independently at each call.
//
// Canonne, Kamath & Steinke 2020, algorithm 1: with A₁, A₂, … independent,
// P[A_k] = γ/k, and K the first k for which A_k is false,
// P[K odd] = Σ (−γ)^j/j! = e^-γ. Here A_k is the conjunction of an event of
// probability 1/k and one of probability γ.
func expSeries(src Source, gamma func() (bool, error)) (bool, error) {
	for k := uint64(1); k <= maxSeries; k++ {
		more, err := bernoulli(src, 1, k)
		if more && err == nil {
			more, err = gamma()
		}
		if err != nil {
			return false, err
		}
		if !more {
			return k&1 == 1, nil
		}
	}
	return false, ErrStuck
}

// bernoulliExp is true with probability exactly e^(−num/den), for
// 0 ≤ num ≤ den, 0 < den.
func bernoulliExp(src Source, num, den uint64) (bool, error) {
	return expSeries(src, func() (bool, error) { return bernoulli(src, num, den) })
}

// bernoulliExpBig is true with probability exactly e^(−num/den), for any
// num ≥ 0, den > 0; it changes neither. The error is ErrStuck, with probability
// below 2^-290, or the source's own.
func bernoulliExpBig(src Source, num, den *big.Int) (bool, error) {
	// e^-(i+f) is e^-1 i times and e^-f once, all of them true.
	whole, rest := new(big.Int).QuoRem(num, den, new(big.Int))
	if whole.BitLen() > 8 { // 256 = maxSuccesses or more
		if ok, err := bernoulliExpWhole(src, maxSuccesses); !ok || err != nil {
			return false, err
		}
		return false, ErrStuck
	}
	if ok, err := bernoulliExpWhole(src, whole.Uint64()); !ok || err != nil {
		return false, err
	}
	return expSeries(src, func() (bool, error) {
		word, err := src.Uint64()
		if err != nil {
			return false, err
		}
		return bernoulliAfter(src, word, rest, den)
	})
}

// bernoulliExpWhole is true with probability exactly e^-n.
func bernoulliExpWhole(src Source, n uint64) (bool, error) {
	for range n {
		if ok, err := bernoulliExp(src, 1, 1); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// nearby is more than a γ of bernoulliExpNear is off, and a word of 64 bits in float64.
const nearby = 0x1p-36

// bernoulliExpNear is bernoulliExpBig for a γ = num()/den below 256 that is known to
// nearby/2 in float64, and reads the same words. num is asked only for a word, or a γ, for
// which that is too little: for one in 2^34 or so.
func bernoulliExpNear(
	src Source, gamma float64, num func() *big.Int, den *big.Int,
) (bool, error) {
	whole := math.Floor(gamma)
	fraction := gamma - whole // exact
	if fraction < nearby || fraction > 1-nearby {
		return bernoulliExpBig(src, num(), den)
	}
	if ok, err := bernoulliExpWhole(src, uint64(whole)); !ok || err != nil {
		return false, err
	}
	return expSeries(src, func() (bool, error) {
		word, err := src.Uint64()
		if err != nil {
			return false, err
		}
		if x := float64(word) * 0x1p-64; math.Abs(x-fraction) > nearby {
			return x < fraction, nil
		}
		rest := num()
		return bernoulliAfter(src, word, rest.Rem(rest, den), den)
	})
}
