package amp

import (
	"errors"

	"cloister/core/learn"
	"cloister/core/random"
)

// release puts theta on the lattice grid·ℤ^d with noise drawn on it
// (learn.AddLatticeNoise).
func release(theta []float64, sigma, grid float64, source random.Source) ([]float64, error) {
	out, err := learn.AddLatticeNoise(theta, sigma, grid, source)
	if errors.Is(err, learn.ErrLattice) {
		return nil, &Refusal{Cause: CauseLattice}
	}
	return out, err
}
