package random

import (
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

// bernoulliRest goes on where the first digit of rest/den·2^-64 and so on are
// to be compared: it is true with probability exactly rest/den.
func bernoulliRest(src Source, rest, den *big.Int) (bool, error) {
	digit, rest := new(big.Int), new(big.Int).Set(rest)
	for rest.Sign() > 0 {
		word, err := src.Uint64()
		if err != nil {
			return false, err
		}
		digit.QuoRem(rest.Lsh(rest, 64), den, rest)
		if d := digit.Uint64(); word != d {
			return word < d, nil
		}
	}
	return false, nil
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
	hopeless := whole.BitLen() > 8 // 256 = maxSuccesses or more
	successes := whole.Uint64()
	if hopeless {
		successes = maxSuccesses
	}
	for range successes {
		ok, err := bernoulliExp(src, 1, 1)
		if !ok || err != nil {
			return false, err
		}
	}
	if hopeless {
		return false, ErrStuck
	}
	digit, rest := whole.QuoRem(rest.Lsh(rest, 64), den, rest)
	first := digit.Uint64()
	return expSeries(src, func() (bool, error) {
		word, err := src.Uint64()
		if err != nil {
			return false, err
		}
		if word != first {
			return word < first, nil
		}
		return bernoulliRest(src, rest, den)
	})
}
