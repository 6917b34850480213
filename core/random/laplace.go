package random

import (
	"math/big"
	"strconv"
)

// discreteLaplace draws Y with P[Y = y] = (1 − e^(−1/t))/(1 + e^(−1/t))·e^(−|y|/t)
// on the whole numbers, exactly, t ≥ 1. It stores |Y| in magnitude and returns
// whether Y < 0.
//
// Canonne, Kamath & Steinke 2020, algorithm 2: |Y| = U + tV with U uniform on
// {0, …, t−1} kept with probability e^(−U/t), V the number of successes of
// probability e^-1 before the first failure, and a fair sign; the pair
// "negative and 0" is drawn anew, or 0 would come twice as often as it should.
func discreteLaplace(src Source, t uint64, magnitude *big.Int) (negative bool, err error) {
	for range maxAttempts {
		u, err := below(src, t)
		if err != nil {
			return false, err
		}
		keep, err := bernoulliExp(src, u, t)
		if err != nil {
			return false, err
		}
		if !keep {
			continue
		}
		v, err := geometric(src)
		if err != nil {
			return false, err
		}
		word, err := src.Uint64()
		if err != nil {
			return false, err
		}
		negative := word>>63 == 1
		if negative && u == 0 && v == 0 {
			continue
		}
		var scale, offset big.Int
		magnitude.Mul(scale.SetUint64(t), magnitude.SetUint64(v))
		magnitude.Add(magnitude, offset.SetUint64(u))
		return negative, nil
	}
	return false, ErrStuck
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
		return 0, &ParameterError{Field: "scale", Value: strconv.FormatUint(scale, 10), Want: "a whole number from 1 to 2^54"}
	}
	var magnitude big.Int
	negative, err := discreteLaplace(src, scale, &magnitude)
	if err != nil {
		return 0, err
	}
	if negative {
		return -magnitude.Int64(), nil
	}
	return magnitude.Int64(), nil
}
