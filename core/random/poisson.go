package random

import "math"

// Range of means that [Poisson] takes: the least keeps its parameter a fraction
// of 64-bit numbers, the largest a draw within milliseconds.
const (
	minPoissonMean = 0x1p-9
	maxPoissonMean = 0x1p+16
)

// Poisson draws a whole number from the Poisson distribution with this mean,
// from 2^-9 to 2^16, exactly: the mean is taken for the binary fraction that it
// is.
//
// The number is the sum of m independent ones of mean λ = mean/m, m the least
// power of two with λ ≤ 1/2. Each is proposed as n with probability (1 − λ)λⁿ and
// accepted with probability 1/n!, which leaves λⁿ/n! in proportion (Flajolet,
// Pelletier & Soria 2011, "On Buffon Machines and Numbers", section 4).
func Poisson(src Source, mean float64) (int, error) {
	if !(mean >= minPoissonMean && mean <= maxPoissonMean) {
		return 0, &ParameterError{Field: "mean", Value: number(mean), Want: "from 2^-9 to 2^16"}
	}
	parts := 1
	for mean/float64(parts) > 0.5 {
		parts *= 2
	}
	fraction, exponent := math.Frexp(mean / float64(parts))
	num, den := uint64(math.Ldexp(fraction, 53)), uint64(1)<<(53-exponent)
	total := 0
	for range parts {
		n, err := smallPoisson(src, num, den)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// smallPoisson draws with mean num/den ≤ 1/2. A proposal is accepted with
// probability (1 − λ)e^λ ≥ 0.82, so all are refused with probability below 2^-640.
func smallPoisson(src Source, num, den uint64) (int, error) {
	for range maxAttempts {
		n, accept := 0, true
		for {
			more, err := bernoulli(src, num, den)
			if err != nil {
				return 0, err
			}
			if !more {
				break
			}
			if n++; n > maxSuccesses {
				return 0, ErrStuck
			}
			keep, err := bernoulli(src, 1, uint64(n))
			if err != nil {
				return 0, err
			}
			accept = accept && keep
		}
		if accept {
			return n, nil
		}
	}
	return 0, ErrStuck
}

// Below draws a whole number uniform on {0, …, n−1}, 1 ≤ n ≤ 2^58, exactly.
// Another n is a *ParameterError.
func Below(src Source, n uint64) (uint64, error) {
	if n < 1 || n > 1<<58 {
		return 0, &ParameterError{Field: "n", Value: number(float64(n)), Want: "from 1 to 2^58"}
	}
	return below(src, n)
}
