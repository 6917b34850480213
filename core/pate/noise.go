package pate

import (
	"math"

	"cloister/core/random"
)

// spread is the noise of a vote: 2^34 cells are σ, and a vote is spacing cells, so that σ is
// 2^34/spacing votes.
type spread struct{ spacing int64 }

// newSpread is the least noise of at least sigma votes, sigma from 1 to 2^34.
func newSpread(sigma float64) spread {
	spacing := int64(math.Floor(0x1p34 / sigma))
	for math.FMA(float64(spacing), sigma, -0x1p34) > 0 { // exactly
		spacing--
	}
	return spread{max(1, spacing)}
}

// sigma is σ in votes, rounded; it is off by a relative 2^-53 at most.
func (s spread) sigma() float64 { return 0x1p34 / float64(s.spacing) }

// label is the class with the most votes and noise; of a tie the first.
func (s spread) label(source random.Source, votes []int, noise []float64) (int, error) {
	if err := random.GaussianCells(source, noise, random.MaxCellBits); err != nil {
		return 0, err
	}
	best := 0
	for j, n := range votes {
		noise[j] += float64(int64(n) * s.spacing) // whole, and below 2^52
		if noise[j] > noise[best] {
			best = j
		}
	}
	return best, nil
}
