package amp

import (
	"cloister/core/learn"
	"cloister/core/random"
)

// release puts theta on the lattice grid·ℤ^d with noise drawn on it
// (learn.AddLatticeNoise).
func release(theta []float64, sigma, grid float64, source random.Source) ([]float64, error) {
	return learn.AddLatticeNoise(theta, sigma, grid, source)
}
