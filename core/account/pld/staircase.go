package pld

import (
	"math"
	"sort"
)

// staircase makes a piece of very many atoms that do not fit a grid, for bins
// to be laid over them: atom i fills the coordinates (i, i+1), and a bin that
// ends inside takes its part of the atom's mass. For lower only, to which
// nothing matters but what lies in each bin.
type staircase struct{ atoms []atom }

func (s staircase) trim(low, high float64) (from, to float64) { return 0, float64(len(s.atoms)) }

// at runs through the atoms' losses at their middles, so that a loss between
// two atoms stands for a place between them; but is not below the loss of the
// atom at x, which any bin that begins there has at least.
func (s staircase) at(x float64) float64 {
	n := len(s.atoms)
	here := s.atoms[min(int(x), n-1)].loss
	if part := x - math.Floor(x) - 0.5; part > 0 && int(x)+1 < n {
		return here + part*(s.atoms[int(x)+1].loss-here)
	}
	return here
}

func (s staircase) position(level float64) float64 {
	n := len(s.atoms)
	i := sort.Search(n, func(i int) bool { return s.atoms[i].loss > level })
	switch i {
	case 0:
		return 0
	case n:
		return float64(n)
	}
	before, after := s.atoms[i-1].loss, s.atoms[i].loss
	return float64(i) - 0.5 + (level-before)/(after-before)
}

func (s staircase) bin(a, b float64) (mass, low, high float64) {
	first, last := int(a), min(int(b), len(s.atoms)-1)
	anchor := s.atoms[first].loss
	other := 0.0 // Q-mass times e^anchor
	for i := first; i <= last; i++ {
		part := math.Min(b, float64(i+1)) - math.Max(a, float64(i))
		mass += part * s.atoms[i].mass
		other += part * s.atoms[i].mass * math.Exp(anchor-s.atoms[i].loss)
	}
	omega := anchor + math.Log(mass/other)
	slack := 0x1p-50 * (8 + math.Abs(omega) + math.Abs(anchor))
	return mass, omega - slack, omega + slack
}

func (s staircase) logMass(a, b float64) float64 {
	mass, _, _ := s.bin(a, b)
	return math.Log(mass)
}

func (s staircase) density(x float64) float64 {
	return s.atoms[min(int(x), len(s.atoms)-1)].mass
}

func (s staircase) panels(from, to, scale float64) []interval { return split(nil, from, to, 1) }
func (s staircase) heavyHigh() bool                           { return false }
