package amp

import (
	"math"

	"cloister/core/random"
)

// exactIntegers bounds the lattice indices whose every value is a float64.
const exactIntegers = 1 << 53

// release rounds theta to the lattice grid·ℤ^d, adds exact discrete Gaussian
// noise with parameter sigma on it, and returns the lattice points as floats,
// exactly. No bit of theta below the lattice reaches the result.
//
// grid is a power of two, so theta/grid is exact unless it overflows or
// underflows; an underflow is below half a step and rounds to 0 all the same.
func release(theta []float64, sigma, grid float64, source random.Source) ([]float64, error) {
	noise, err := random.NewDiscreteGaussian(sigma, grid)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(theta))
	for j, t := range theta {
		nearest := math.RoundToEven(t / grid)
		if !(math.Abs(nearest) < exactIntegers) {
			return nil, &Refusal{Cause: CauseLattice}
		}
		k, err := noise.Sample(source)
		if err != nil {
			return nil, err
		}
		k += int64(nearest)
		if k <= -exactIntegers || k >= exactIntegers {
			return nil, &Refusal{Cause: CauseLattice}
		}
		out[j] = float64(k) * grid
	}
	return out, nil
}
