package search

import (
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// long is whether the tests of make audit run.
func long() bool { return os.Getenv("CLOISTER_AUDIT") == "long" }

// falseAlarm is the probability that a statistical check here fails by chance;
// there are fewer than a hundred.
const falseAlarm = 1e-8

// chiSquare is the p-value of Pearson's statistic, cells of an expectation below
// 25 being taken together.
func chiSquare(observed []int, expected []float64) float64 {
	order := make([]int, len(expected))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if expected[a] < expected[b] {
			return -1
		}
		return 1
	})
	statistic, cells, o, e := 0.0, 0, 0.0, 0.0
	for i, at := range order {
		o, e = o+float64(observed[at]), e+expected[at]
		if e >= 25 || i == len(order)-1 && e > 0 {
			statistic += (o - e) * (o - e) / math.Max(e, 1)
			cells, o, e = cells+1, 0, 0
		}
	}
	return mathext.GammaIncRegComp(float64(cells-1)/2, statistic/2)
}

// dice draws small numbers for problems.
type dice struct{ src random.Source }

func newDice(seed uint64) dice { return dice{randomtest.New(seed)} }

// upTo is uniform on {0, …, n}.
func (d dice) upTo(n int) int {
	k, err := random.Below(d.src, uint64(n)+1)
	if err != nil {
		panic(err)
	}
	return int(k)
}

// problem has at most so many points to choose from; a third of the cells are
// empty, and small counts make ties common.
func (d dice) problem(most uint64) Problem {
	for {
		shape := Shape{Bound: 1 + d.upTo(3)/3}
		for range 1 + d.upTo(3) {
			shape.Levels = append(shape.Levels, 1+d.upTo(3))
		}
		if shape.Check() != nil || shape.Size() > most {
			continue
		}
		p := Problem{Shape: shape}
		largest := []int{1, 3, 8, 100}[d.upTo(3)]
		for range shape.Cells() {
			positives, negatives := int64(d.upTo(largest)), int64(d.upTo(largest))
			if d.upTo(2) == 0 {
				positives, negatives = 0, 0
			}
			p.Positives, p.Negatives = append(p.Positives, positives), append(
				p.Negatives, negatives,
			)
		}
		return p
	}
}

// permutations of 0, …, n−1.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return all
}

// scorecards are all points of W, in the public order.
func scorecards(s Shape) (all []Points) {
	w := make(Points, s.Dimension())
	for j := range w {
		w[j] = int8(-s.Bound)
	}
	for {
		all = append(all, slices.Clone(w))
		j := len(w) - 1
		for ; j >= 0 && int(w[j]) == s.Bound; j-- {
			w[j] = int8(-s.Bound)
		}
		if j < 0 {
			return all
		}
		w[j]++
	}
}

func losses(p Problem) (all []int64) {
	for _, w := range scorecards(p.Shape) {
		all = append(all, p.Loss(w))
	}
	return all
}

func testLong(t *testing.T, usual, full int) int {
	t.Helper()
	switch {
	case long():
		return full
	case testing.Short():
		return usual / 4
	}
	return usual
}
