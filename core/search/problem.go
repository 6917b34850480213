package search

import (
	"fmt"
	"slices"
)

// Problem is a shape and what was counted. Positives and Negatives have an entry
// for each cell, numbered with the last attribute's level running fastest. Counts may be
// below 0, as noisy ones are.
type Problem struct {
	Shape
	Positives, Negatives []int64

	// Order in which attributes are searched; nil is Shape.Order. The result does
	// not depend on it.
	Order []int
}

// Points are the points of a scorecard, attribute by attribute and level by
// level, in the order of the shape.
type Points []int8

// Before is the public order by which ties go: the smaller point at the first
// level where two scorecards differ.
func (w Points) Before(u Points) bool { return slices.Compare(w, u) < 0 }

// mostCounted bounds the sum of the sizes of all counts, and of all costs.
const mostCounted = 1 << 40

// MostDenominator is the largest T.
const MostDenominator = 1 << 20

func (p Problem) check() error {
	if err := p.Shape.Check(); err != nil {
		return err
	}
	cells := p.Cells()
	if len(p.Positives) != cells || len(p.Negatives) != cells {
		return fmt.Errorf(
			"search: %d and %d counts for %d cells", len(p.Positives), len(p.Negatives), cells,
		)
	}
	sum := int64(0)
	for i := range cells {
		for _, n := range [2]int64{p.Positives[i], p.Negatives[i]} {
			if n < -mostCounted || n > mostCounted {
				return fmt.Errorf("search: the count %d of cell %d is beyond 2^40", n, i)
			}
			if sum += max(n, -n); sum > mostCounted {
				return fmt.Errorf("search: the counts are more than 2^40 together")
			}
		}
	}
	if p.Order != nil {
		sorted := slices.Clone(p.Order)
		slices.Sort(sorted)
		if len(sorted) != len(p.Levels) {
			return fmt.Errorf(
				"search: the order names %d attributes of %d", len(sorted), len(p.Levels),
			)
		}
		for g, at := range sorted {
			if g != at {
				return fmt.Errorf("search: the order %v does not name each attribute once", p.Order)
			}
		}
	}
	return nil
}

// Loss is the number of records that a scorecard gets wrong, cell by cell: the
// negatives where the score is 1 or more and the positives elsewhere. It shares
// no code with the search.
func (p Problem) Loss(w Points) int64 {
	loss := int64(0)
	level := make([]int, len(p.Levels))
	for cell := range p.Positives {
		score, first := 0, 0
		for g, n := range p.Levels {
			score += int(w[first+level[g]])
			first += n
		}
		if score >= 1 {
			loss += p.Negatives[cell]
		} else {
			loss += p.Positives[cell]
		}
		for g := len(level) - 1; g >= 0; g-- {
			if level[g]++; level[g] < p.Levels[g] {
				break
			}
			level[g] = 0
		}
	}
	return loss
}
