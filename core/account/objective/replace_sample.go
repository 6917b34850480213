package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// Sample implements curve.Sampled. ε and ε₁ are taken from one grid, so that each
// direction is asked once a grid point, and not once for each pair of ε and ε₁. Any ε₁
// gives a bound. The best one is followed from each ε to the next, since it moves by no
// more than ε does, and sought anew at each of some anchors.
func (r replaceOne) Sample(step float64, n int) []float64 {
	const anchors = 5
	values := make([]float64, n+1)
	guide := newGridPair(r.guide, step, n)
	pair := guide
	if r.other {
		pair = newGridPair(r.pair, step, n)
	}
	for _, order := range r.orders() {
		from, first := guide.of(order), 0
		for i := range values {
			if i%(n/anchors+1) == 0 || r.same {
				where, _ := r.split(order, step*float64(i))
				first = guide.added.nearest(where)
			}
			first = from.descend(i, first)
			value := pair.of(order).through(i, first)
			if by, gain := from.between(i, first); gain > worthwhile {
				value = math.Min(value, order.of(r.pair).through(
					step*float64(i), step*(float64(first)+by)))
			}
			values[i] = math.Min(values[i], value)
		}
	}
	for i, value := range values {
		values[i] = curve.RoundUp(value)
	}
	return values
}

// worthwhile is how much smaller log δ has to be between two points of the grid for the
// profiles to be asked there.
const worthwhile = 1e-3

// gridPair has the directions of a Pair on a grid.
type gridPair struct{ added, removed *gridProfile }

func newGridPair(p curve.Pair, step float64, n int) gridPair {
	on := func(p curve.Profile) *gridProfile {
		return &gridProfile{profile: p, step: step, most: 8 * n, known: map[int]float64{}}
	}
	return gridPair{on(p.Added), on(p.Removed)}
}

func (p gridPair) of(o order) gridSteps {
	if o == throughAbove {
		return gridSteps{p.removed, p.added}
	}
	return gridSteps{p.added, p.removed}
}

// gridSteps is steps on a grid.
type gridSteps [2]*gridProfile

// through is steps.through for ε = i·step and ε₁ = first·step.
func (s gridSteps) through(i, first int) float64 {
	return special.LogAddExp(s[0].at(first), float64(first)*s[0].step+s[1].at(i-first))
}

// descend returns the grid point of least bound, downhill from one.
func (s gridSteps) descend(i, first int) int {
	value := s.through(i, first)
	for _, way := range [2]int{1, -1} {
		for {
			next := s.through(i, first+way)
			if !(next < value) {
				break
			}
			first, value = first+way, next
		}
	}
	return first
}

// between returns where, from the grid point of least bound, the bound is least between
// grid points, and how much less log δ is there, by the parabola through its neighbours.
func (s gridSteps) between(i, first int) (by, gain float64) {
	left, right := s.through(i, first-1), s.through(i, first+1)
	slope, bend := (right-left)/2, left+right-2*s.through(i, first)
	if by = -slope / bend; !(math.Abs(by) <= 1) {
		return 0, 0
	}
	return by, slope * slope / (2 * bend)
}

// gridProfile remembers what a profile was asked on a grid, of which it knows the points
// from −most to most.
type gridProfile struct {
	profile curve.Profile
	step    float64
	most    int
	known   map[int]float64
}

// at is the bound a little below k·step: by more than what i·step − j·step is off, as
// float64s, for i − j = k and |i|, |j| ≤ most. Each product is off by 2⁻⁵³ of itself at
// most, and so is k·step.
func (p *gridProfile) at(k int) float64 {
	if k < -p.most || k > p.most {
		return math.Inf(1)
	}
	value, ok := p.known[k]
	if !ok {
		value = p.profile.LogDeltaUpper(p.step * (float64(k) - 0x1p-50*float64(p.most)))
		p.known[k] = value
	}
	return value
}

// nearest is the grid point next to an ε.
func (p *gridProfile) nearest(epsilon float64) int {
	most := float64(p.most)
	return int(math.Round(math.Max(-most, math.Min(most, epsilon/p.step))))
}
