package pate

import (
	"math"

	"cloister/core/random/randomtest"
)

// dice are for made-up votes: the same in every run.
type dice struct{ words *randomtest.Seeded }

func newDice(seed uint64) dice { return dice{randomtest.New(seed)} }

func (d dice) Float64() float64 {
	word, _ := d.words.Uint64()
	return float64(word>>11) / (1 << 53)
}

func (d dice) IntN(n int) int { return int(d.Float64() * float64(n)) }

func (d dice) ExpFloat64() float64 { return -math.Log1p(-d.Float64()) }
