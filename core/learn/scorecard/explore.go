package scorecard

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/search"
)

// Keep sums the counts over all attributes but these, in the order given: a card on fewer
// attributes, for which the noise of more counts is added up. Levels that were read off the
// file cannot be left out: how many they are says how much noise was added up, and a card
// without them would not say so in its caveats. Errors are *privacy.ParameterError, and those
// of [data.CellSchema.Validate].
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
			return nil, &privacy.ParameterError{
				Field: "attributes", Value: fmt.Sprint(attributes),
				Want: "some of 0 to " + strconv.Itoa(len(sizes)-1) + ", each at most once",
			}
		}
		stride[g] = cells
		cells *= sizes[g]
	}
	for g := range sizes {
		if a := &n.Schema.Attributes[g]; stride[g] == 0 && a.Provenance == data.Suggested {
			return nil, &privacy.ParameterError{
				Field: "attributes", Value: "without " + strconv.Quote(a.Name),
				Want: "with it: its levels were read off the file, and the counts depend on them; " +
					"or buy counts without it",
			}
		}
	}
	for _, g := range attributes {
		schema.Attributes = append(schema.Attributes, n.Schema.Attributes[g])
	}
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	kept.Promise = promiseOf(&schema, n.Guarantee)
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

// Records is how many records there are by these counts: an unbiased estimate.
func (n *NoisyCells) Records() (sum int64) {
	for i := range n.Positives {
		sum += n.Positives[i] + n.Negatives[i]
	}
	return sum
}

// Deviation is that of [Deviation] for these counts.
func (n *NoisyCells) Deviation() float64 {
	return Deviation(n.bought, n.Guarantee.Epsilon, n.Guarantee.Adjacency)
}

// Deviation is the standard deviation of the noise in [NoisyCells.Errors] of a card that is
// fixed without a look at the counts, where so many cells are bought at epsilon. One count of
// each is added up, however few attributes are kept; it is √2 times this in
// [NoisyCells.Records].
//
// The variance of one is 2q/(1−q)², q = e^(−a), which is 1/(2 sinh²(a/2)); noises are
// independent.
func Deviation(cells int, epsilon float64, adjacency privacy.Adjacency) float64 {
	a := drawnEpsilon(epsilon) / float64(privacy.SpanOf(adjacency))
	return math.Sqrt(float64(cells)/2) / math.Sinh(a/2)
}

// Errors is how many records a card would get wrong by these counts: an unbiased
// estimate, for any card that does not depend on the noise.
func (n *NoisyCells) Errors(points search.Points, bound int) int64 {
	return n.problem(bound).Loss(points)
}

// Best is the scorecard that gets the fewest records wrong by these counts, and how many
// that is: fewer than it truly does, on average, since it was chosen by their noise. It
// costs nothing more, whichever bound is taken and however often. A search that is
// cancelled is an error; it may be begun again. Other errors are those of [Admit].
func (n *NoisyCells) Best(
	ctx context.Context, bound int, told func(search.Progress),
) (*Release, int64, error) {
	if _, err := Admit(n.Schema, bound); err != nil {
		return nil, 0, err
	}
	problem := n.problem(bound)
	points, found, err := search.Minimise(ctx, problem, search.None{}, search.Options{Report: told})
	if err != nil {
		return nil, 0, err
	}
	return n.release(problem.Shape, points), found.Loss, nil
}

// Card is the scorecard with these points, by attribute and level, from −bound to bound, and
// how many records it gets wrong by these counts. Whoever chose them by these counts alone, or
// by what is public, has spent nothing more. Errors are those of [Admit], and a
// *privacy.ParameterError for points that are none of the levels' or beyond the bound.
func (n *NoisyCells) Card(points [][]int, bound int) (*Release, int64, error) {
	shape, err := Admit(n.Schema, bound)
	if err != nil {
		return nil, 0, err
	}
	card := &Release{Schema: n.Schema, Points: points, Bound: bound}
	if err := card.fits(); err != nil {
		return nil, 0, err
	}
	if err := card.withinBound(); err != nil {
		return nil, 0, err
	}
	var flat search.Points
	for _, of := range points {
		for _, value := range of {
			flat = append(flat, int8(value))
		}
	}
	return n.release(shape, flat), n.Errors(flat, bound), nil
}

func (n *NoisyCells) release(shape search.Shape, points search.Points) *Release {
	r := newRelease(
		Plan{Schema: n.Schema, Shape: shape, Event: n.Event, Guarantee: n.Guarantee}, points,
	)
	r.FromCounts = true
	return r
}

func (n *NoisyCells) problem(bound int) search.Problem {
	return search.Problem{
		Shape:     search.Shape{Levels: n.Schema.Sizes(), Bound: bound},
		Positives: n.Positives, Negatives: n.Negatives,
	}
}
