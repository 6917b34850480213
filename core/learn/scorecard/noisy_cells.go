package scorecard

import (
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random"
)

// NoisyCells are the counts of all cells with noise: bought once, after which any
// number of scorecards may be looked for, by a search or by hand, for no more
// (post-processing). They may be published.
//
// Each count has independent noise of mass ∝ e^(−a|k|) on the whole numbers, a = ε'
// where records are added or removed, and a = ε'/2 where one is replaced, which changes two
// counts by 1; ε' is ε less a part in 2^47 (see [CountsEvent]).
type NoisyCells struct {
	Library              string
	Schema               *data.CellSchema
	Positives, Negatives []int64 // as data.Cells; may be below 0
	Event                privacy.Event
	Promise

	bought int // cells that were, of which Keep adds some up
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
		Library: privacy.LibraryVersion, Schema: cells.Schema, Event: event,
		Promise: promiseOf(
			cells.Schema, privacy.Guarantee{Epsilon: epsilon, Adjacency: adjacency},
		),
		bought:    len(cells.Positives),
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
