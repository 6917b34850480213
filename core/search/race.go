package search

import (
	"math"

	"cloister/core/random"
)

// noise is the largest noise of the points below a node: between lower and
// upper in units of 1/T. Geometric noise is known exactly, so the two are equal;
// of Gumbel noise arrival knows the rest.
type noise struct {
	lower, upper int64
	arrival      random.Arrival
}

// race draws noises from the top down.
type race interface {
	// start draws the largest of n noises.
	start(n uint64) (noise, error)

	// owner draws which of the parts, of these sizes, has the largest noise of all.
	owner(parent noise, counts []uint64) (int, error)

	// limit is an upper bound on what part draws, given the owner.
	limit(parent noise, part, owner int) int64

	// draw draws the largest noise of a part other than the owner, of n points.
	draw(parent noise, n uint64, part, owner int) (noise, error)

	// before is whether a point whose objective without noise is more above
	// that of another comes before it, by their noises, when their bounds do not say.
	// equal is whether they tie.
	before(more int64, a, b noise) (before, equal bool, err error)
}

// still is no noise at all.
type still struct{}

func (still) start(uint64) (noise, error)                 { return noise{}, nil }
func (still) owner(noise, []uint64) (int, error)          { return 0, nil }
func (still) limit(noise, int, int) int64                 { return 0 }
func (still) draw(noise, uint64, int, int) (noise, error) { return noise{}, nil }
func (still) before(more int64, _, _ noise) (before, equal bool, err error) {
	return more < 0, more == 0, nil
}

// geometricRace counts noise in units of 1/T as it is drawn.
type geometricRace struct {
	geometric *random.Geometric
	source    random.Source
}

func (r *geometricRace) exactly(k int64, err error) (noise, error) {
	return noise{lower: k, upper: k}, err
}

func (r *geometricRace) start(n uint64) (noise, error) {
	return r.exactly(r.geometric.Maximum(r.source, n))
}

func (r *geometricRace) owner(parent noise, counts []uint64) (int, error) {
	return r.geometric.First(r.source, parent.upper, counts)
}

// limit: the parts before the first that reaches the maximum do not reach it.
func (r *geometricRace) limit(parent noise, part, owner int) int64 {
	if part < owner {
		return parent.upper - 1
	}
	return parent.upper
}

func (r *geometricRace) draw(parent noise, n uint64, part, owner int) (noise, error) {
	return r.exactly(r.geometric.AtMost(r.source, n, r.limit(parent, part, owner)))
}

func (r *geometricRace) before(more int64, a, b noise) (before, equal bool, err error) {
	more -= a.upper - b.upper
	return more < 0, more == 0, nil
}

// gumbelRace knows noise to a bound in units of 1/T, and compares points exactly.
type gumbelRace struct {
	gumbel      *random.Gumbel
	source      random.Source
	denominator int64
}

// far is beyond every noise in units of 1/T, and stands for a bound that float64 does not
// know. [Noise] admits rates of 2^-40·T and more. So noise of far = 2^60 is an arrival below
// e^(−2^20), which the first of 2^63 is with probability below 2^-(10^6).
const far = math.MaxInt64 / 8

func (r *gumbelRace) bounded(a random.Arrival, err error) (noise, error) {
	if err != nil {
		return noise{}, err
	}
	lower, upper := r.gumbel.Noise(a)
	within := func(x float64) int64 { return int64(math.Max(-far, math.Min(far, x))) }
	return noise{
		lower:   within(math.Floor(lower*float64(r.denominator)) - 1),
		upper:   within(math.Ceil(upper*float64(r.denominator)) + 1),
		arrival: a,
	}, nil
}

func (r *gumbelRace) start(n uint64) (noise, error) {
	return r.bounded(r.gumbel.First(r.source, n))
}

func (r *gumbelRace) owner(_ noise, counts []uint64) (int, error) {
	return r.gumbel.Owner(r.source, counts)
}

func (r *gumbelRace) limit(parent noise, _, _ int) int64 { return parent.upper }

func (r *gumbelRace) draw(parent noise, n uint64, _, _ int) (noise, error) {
	return r.bounded(r.gumbel.Later(r.source, parent.arrival, n))
}

func (r *gumbelRace) before(more int64, a, b noise) (before, equal bool, err error) {
	before, err = r.gumbel.Before(r.source, more/r.denominator, a.arrival, b.arrival)
	return before, false, err
}
