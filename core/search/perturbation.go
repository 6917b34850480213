package search

import (
	"fmt"
	"math"
	"slices"

	"cloister/core/random"
)

// Perturbation is what is added to the loss before it is minimised: [None],
// [Separable] or [Noise]. The set is closed.
type Perturbation interface {
	// denominator is T: the objective counts T for each record that is wrong.
	denominator() int64
	check(Shape) error
}

// None leaves the loss as it is: T = 1. The minimiser is not private.
type None struct{}

func (None) denominator() int64 { return 1 }
func (None) check(Shape) error  { return nil }

// Separable adds a cost for the point of each level: the objective is
//
//	Denominator·f(w) + Σ_j Costs[j][w_j + B],
//
// j through all levels in the order of the shape. The proximal centre is
// Costs[j][v + B] = R·v² − y_j·v ([Centre]). Unless it is nil, Squares adds
// Squares[‖w‖²] to that, for ‖w‖² = Σ_j w_j² from 0 to dB².
type Separable struct {
	Denominator int64
	Costs       [][]int64
	Squares     []int64
}

func (s Separable) denominator() int64 { return s.Denominator }

func (s Separable) check(shape Shape) error {
	if s.Denominator < 1 || s.Denominator > MostDenominator {
		return fmt.Errorf("search: the denominator is %d: it must be from 1 to 2^20", s.Denominator)
	}
	if len(s.Costs) != shape.Dimension() {
		return fmt.Errorf("search: costs for %d levels of %d", len(s.Costs), shape.Dimension())
	}
	for j, costs := range s.Costs {
		if len(costs) != 2*shape.Bound+1 {
			return fmt.Errorf(
				"search: %d costs for the %d points of level %d", len(costs), 2*shape.Bound+1, j,
			)
		}
	}
	if most := shape.Dimension() * shape.Bound * shape.Bound; s.Squares != nil &&
		len(s.Squares) != most+1 {
		return fmt.Errorf(
			"search: %d costs for the sums of squares from 0 to %d", len(s.Squares), most,
		)
	}
	room := int64(math.MaxInt64 / 4)
	for _, costs := range append(slices.Clone(s.Costs), s.Squares) {
		largest := int64(0)
		for _, c := range costs {
			if c < -math.MaxInt64/4 || c > math.MaxInt64/4 {
				return fmt.Errorf("search: the cost %d leaves no room in 64 bits", c)
			}
			largest = max(largest, c, -c)
		}
		if room -= largest; room < 0 {
			return fmt.Errorf("search: the costs leave no room in 64 bits")
		}
	}
	return nil
}

// Centre is the costs weight·‖w‖² − ⟨centre, w⟩, for a draw of
// [random.LatticeCentre].
func Centre(denominator int64, bound int, weight int64, centre []int64) Separable {
	costs := make([][]int64, len(centre))
	for j, y := range centre {
		costs[j] = make([]int64, 2*bound+1)
		for v := -bound; v <= bound; v++ {
			costs[j][v+bound] = weight*int64(v)*int64(v) - y*int64(v)
		}
	}
	return Separable{Denominator: denominator, Costs: costs}
}

// Law is that of the noise of one point.
type Law string

const (
	// Geometric: P[g ≥ k] = e^(−k·ε/(ΔT)) in units of 1/T. Report noisy min with
	// it is permute-and-flip on a lattice: ε-DP.
	Geometric Law = "geometric"

	// Gumbel of rate ε/Δ. Report noisy min with it is the exponential mechanism,
	// P(w) ∝ e^(−ε·f(w)/Δ): ε-DP, and of bounded range ε.
	Gumbel Law = "gumbel"
)

// Noise takes an independent noise off the loss of every point, drawn where the
// search looks. Epsilon is ε, from 2^-40·Span·Denominator to 64·Span; Span is Δ ≥ 1,
// the most by which one record changes the difference of two losses; Denominator is
// T, from 1 to 2^20, and of Gumbel noise the unit of bounds, with no effect on the
// law: a smaller ε would put noise beyond all bounds, and the search would be wrong.
type Noise struct {
	Law         Law
	Epsilon     float64
	Span        int64
	Denominator int64
	Source      random.Source
}

func (n Noise) denominator() int64 { return n.Denominator }

func (n Noise) check(Shape) error {
	if n.Denominator < 1 || n.Denominator > MostDenominator {
		return fmt.Errorf("search: the denominator is %d: it must be from 1 to 2^20", n.Denominator)
	}
	if n.Span < 1 || n.Span > MostDenominator {
		return fmt.Errorf("search: the span is %d: it must be from 1 to 2^20", n.Span)
	}
	least, most := random.MinGeometricRate*float64(n.Span*n.Denominator), 64*float64(n.Span)
	if !(n.Epsilon >= least && n.Epsilon <= most) {
		return fmt.Errorf(
			"search: epsilon is %v: it must be from 2^-40·Span·Denominator, %v, to 64·Span, %v",
			n.Epsilon, least, most,
		)
	}
	if n.Source == nil {
		return fmt.Errorf("search: there is no source of randomness")
	}
	_, err := n.race()
	return err
}

func (n Noise) race() (race, error) {
	switch n.Law {
	case Geometric:
		g, err := random.NewGeometric(n.Epsilon, uint64(n.Span*n.Denominator))
		return &geometricRace{g, n.Source}, err
	case Gumbel:
		g, err := random.NewGumbel(n.Epsilon, uint64(n.Span))
		return &gumbelRace{g, n.Source, n.Denominator}, err
	}
	return nil, fmt.Errorf(`search: the noise is %q: it must be "geometric" or "gumbel"`, n.Law)
}
