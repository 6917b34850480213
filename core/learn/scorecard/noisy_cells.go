package scorecard

import (
	"context"
	"fmt"
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/search"
)

// NoisyCells are the counts of all cells with noise: bought once, after which any
// number of scorecards may be looked for, by a search or by hand, for no more
// (post-processing). They may be published.
//
// Each count has independent noise of mass ∝ e^(−a|k|) on the whole numbers, a = ε'
// where records are added or removed, and a = ε'/2 where one is replaced, which changes two
// counts by 1; ε' is ε less a part in 2^47 (see [CountsEvent]).
type NoisyCells struct {
	Schema               *data.CellSchema
	Positives, Negatives []int64 // as data.Cells; may be below 0
	Event                privacy.Event
	Guarantee            privacy.Guarantee // δ = 0
}

// CountsEvent is what Buy does to the data: one discrete Laplace mechanism where
// records are added or removed, two where one is replaced. The cells that a record is
// not in have counts of their own, which do not change.
//
// It costs at most epsilon, with δ = 0: each mechanism is priced in closed form within
// its share, and shares add up (basic composition). The scale and the price are rounded
// against us by a few parts in 2^52; the noise is larger by a part in 2^47 to make up for
// that. A price above the share would be a *privacy.ParameterError.
func CountsEvent(epsilon float64, adjacency privacy.Adjacency) (privacy.Event, error) {
	if !(epsilon >= LeastEpsilon && epsilon <= LargestEpsilon) {
		return nil, &privacy.ParameterError{
			Field: "epsilon",
			Value: privacy.Number(epsilon),
			Want:  "a number from 2^-20 to 32",
		}
	}
	changed := privacy.SpanOf(adjacency)
	// Rounded down, so that what is priced is no more private than what is done.
	scale := math.Nextafter(float64(changed)/drawnEpsilon(epsilon), 0)
	one := privacy.DiscreteLaplace{Adjacency: adjacency, Sensitivity: 1, Scale: scale}
	if err := one.Validate(); err != nil {
		return nil, err
	}
	share := privacy.Guarantee{Epsilon: epsilon / float64(changed), Adjacency: adjacency}
	if err := kept(one, share); err != nil {
		return nil, err
	}
	if changed == 1 {
		return one, nil
	}
	return privacy.Composition{
		Adjacency: adjacency,
		Parts:     []privacy.Part{{Event: one, Count: changed}},
	}, nil
}

// drawnEpsilon is ε', by which the noise is drawn: a little below what is promised.
func drawnEpsilon(epsilon float64) float64 { return epsilon * (1 - 0x1p-47) }

// Buy charges for the counts and draws their noise. The draws are exact: a is ε', or half
// of it, as the binary fraction that it is. The guarantee is epsilon, which [CountsEvent]
// has priced.
func Buy(
	cells *data.Cells, epsilon float64, adjacency privacy.Adjacency, source random.Source,
	charge Charge,
) (*NoisyCells, error) {
	if charge == nil || source == nil {
		panic("scorecard: Buy needs a charge and a source")
	}
	event, err := CountsEvent(epsilon, adjacency)
	if err != nil {
		return nil, err
	}
	side, err := random.NewGeometric(drawnEpsilon(epsilon), uint64(privacy.SpanOf(adjacency)))
	if err != nil {
		return nil, err
	}
	if err := charge(event); err != nil {
		return nil, err
	}
	n := &NoisyCells{
		Schema: cells.Schema, Event: event,
		Guarantee: privacy.Guarantee{Epsilon: epsilon, Adjacency: adjacency},
		Positives: slices.Clone(cells.Positives), Negatives: slices.Clone(cells.Negatives),
	}
	for _, counts := range [][]int64{n.Positives, n.Negatives} {
		for i := range counts {
			// The difference of two geometric numbers of q has mass ∝ q^|k|.
			more, err := side.Maximum(source, 1)
			if err != nil {
				return nil, err
			}
			less, err := side.Maximum(source, 1)
			if err != nil {
				return nil, err
			}
			counts[i] += more - less
		}
	}
	return n, nil
}

// Keep sums the counts over all attributes but these, in the order given: a card on fewer
// attributes, for which the noise of more counts is added up. Levels that were read off the
// file cannot be left out: how many they are says how much noise was added up, and a card
// without them would not say so in its caveats.
func (n *NoisyCells) Keep(attributes []int) (*NoisyCells, error) {
	kept := *n
	schema := *n.Schema
	schema.Attributes = nil
	sizes := n.Schema.Sizes()
	stride := make([]int, len(sizes))
	cells := 1
	for i := len(attributes) - 1; i >= 0; i-- {
		g := attributes[i]
		if g < 0 || g >= len(sizes) || stride[g] != 0 {
			return nil, fmt.Errorf(
				"scorecard: %v does not name attributes from 0 to %d, each at most once",
				attributes, len(sizes)-1,
			)
		}
		stride[g] = cells
		cells *= sizes[g]
	}
	for g := range sizes {
		if a := &n.Schema.Attributes[g]; stride[g] == 0 && a.Provenance == data.Suggested {
			return nil, fmt.Errorf(
				"scorecard: the levels of %q were read off the file, and the counts depend on "+
					"them: keep it, or buy counts without it", a.Name,
			)
		}
	}
	for _, g := range attributes {
		schema.Attributes = append(schema.Attributes, n.Schema.Attributes[g])
	}
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	kept.Schema, kept.Positives, kept.Negatives = &schema, make([]int64, cells), make(
		[]int64, cells,
	)
	for cell := range n.Positives {
		at, rest := 0, cell
		for g := len(sizes) - 1; g >= 0; g-- {
			at += rest % sizes[g] * stride[g]
			rest /= sizes[g]
		}
		kept.Positives[at] += n.Positives[cell]
		kept.Negatives[at] += n.Negatives[cell]
	}
	return &kept, nil
}

// Errors is how many records a card would get wrong by these counts: an unbiased
// estimate, for any card that does not depend on the noise.
func (n *NoisyCells) Errors(points search.Points, bound int) int64 {
	return n.problem(bound).Loss(points)
}

// Best is the scorecard that gets the fewest records wrong by these counts. It
// costs nothing more, whichever bound is taken and however often. A search that is
// cancelled is an error; it may be begun again.
func (n *NoisyCells) Best(
	ctx context.Context, bound int, told func(search.Progress),
) (*Release, error) {
	problem := n.problem(bound)
	points, _, err := search.Minimise(ctx, problem, search.None{}, search.Options{Report: told})
	if err != nil {
		return nil, err
	}
	r := newRelease(
		Plan{Schema: n.Schema, Shape: problem.Shape, Event: n.Event, Guarantee: n.Guarantee},
		points,
	)
	r.FromCounts = true
	return r, nil
}

func (n *NoisyCells) problem(bound int) search.Problem {
	return search.Problem{
		Shape:     search.Shape{Levels: n.Schema.Sizes(), Bound: bound},
		Positives: n.Positives, Negatives: n.Negatives,
	}
}
