package random

import (
	"math/big"
	"math/bits"
	"strconv"
)

// magnitude is a whole number from 0: high·2^64 + low.
type magnitude struct{ high, low uint64 }

func (m magnitude) big() *big.Int {
	n := new(big.Int).SetUint64(m.high)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(m.low))
}

// discreteLaplace draws Y with P[Y = y] = (1 − e^(−1/t))/(1 + e^(−1/t))·e^(−|y|/t)
// on the whole numbers, exactly, t ≥ 1. It returns |Y| and whether Y < 0.
//
// Canonne, Kamath & Steinke 2020, algorithm 2: |Y| = U + tV with U uniform on
// {0, …, t−1} kept with probability e^(−U/t), V the number of successes of
// probability e^-1 before the first failure, and a fair sign; the pair
// "negative and 0" is drawn anew, or 0 would come twice as often as it should.
func discreteLaplace(src Source, t uint64) (y magnitude, negative bool, err error) {
	for range maxAttempts {
		u, err := below(src, t)
		if err != nil {
			return magnitude{}, false, err
		}
		keep, err := bernoulliExp(src, u, t)
		if err != nil {
			return magnitude{}, false, err
		}
		if !keep {
			continue
		}
		v, err := geometric(src)
		if err != nil {
			return magnitude{}, false, err
		}
		word, err := src.Uint64()
		if err != nil {
			return magnitude{}, false, err
		}
		negative := word>>63 == 1
		if negative && u == 0 && v == 0 {
			continue
		}
		high, low := bits.Mul64(t, v) // v < 2^8
		low, carry := bits.Add64(low, u, 0)
		return magnitude{high + carry, low}, negative, nil
	}
	return magnitude{}, false, ErrStuck
}

// maxAttempts is how many rejections in a row are taken for a fault of the
// source. Both rejection loops of this package accept with probability at
// least 0.42 at each attempt (see DiscreteGaussian), so a working source is
// rejected so often with probability below 2^-400.
const maxAttempts = 512

// maxSuccesses is how many successes of probability e^-1 in a row are taken
// for a fault of the source; a working one gives them with probability 2^-369.
const maxSuccesses = 256

// geometric draws V with P[V = v] = (1 − e^-1)·e^-v, or fails with ErrStuck
// when V would reach maxSuccesses.
func geometric(src Source) (uint64, error) {
	for v := uint64(0); v < maxSuccesses; v++ {
		ok, err := bernoulliExp(src, 1, 1)
		if err != nil {
			return 0, err
		}
		if !ok {
			return v, nil
		}
	}
	return 0, ErrStuck
}

// MaxLaplaceScale is the largest scale that DiscreteLaplace takes: draws then
// fit an int64.
const MaxLaplaceScale = 1 << 54

// DiscreteLaplace draws a whole number k with probability proportional to
// e^(−|k|/scale), exactly, for a whole scale from 1 to MaxLaplaceScale; another
// is a *ParameterError. A draw is replaced by ErrStuck with probability below
// 2^-300.
func DiscreteLaplace(src Source, scale uint64) (int64, error) {
	if scale < 1 || scale > MaxLaplaceScale {
		return 0, &ParameterError{
			Field: "scale",
			Value: strconv.FormatUint(scale, 10),
			Want:  "a whole number from 1 to 2^54",
		}
	}
	y, negative, err := discreteLaplace(src, scale)
	if err != nil {
		return 0, err
	}
	if negative {
		return -int64(y.low), nil
	}
	return int64(y.low), nil
}
