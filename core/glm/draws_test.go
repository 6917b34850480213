package glm

import (
	"math"

	"cloister/core/random/randomtest"
)

// draws makes test inputs; nothing here is noise that protects anybody.
type draws struct{ source *randomtest.Seeded }

func seeded(seed uint64) draws { return draws{randomtest.New(seed)} }

// Float64 is uniform on [0, 1).
func (d draws) Float64() float64 {
	word, _ := d.source.Uint64()
	return float64(word>>11) * 0x1p-53
}

// NormFloat64 is standard normal.
func (d draws) NormFloat64() float64 {
	return math.Sqrt(-2*math.Log1p(-d.Float64())) * math.Cos(2*math.Pi*d.Float64())
}

// IntN is uniform on {0, …, n−1}, near enough.
func (d draws) IntN(n int) int { return int(d.Float64() * float64(n)) }
