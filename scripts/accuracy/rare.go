package main

import (
	"math"
	"sort"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
)

// weighted is the logistic loss with a weight, or with that which balances the classes: their
// ratio to one digit, as somebody knows it who has not counted.
func weighted(text string, all *data.Dataset) (glm.Loss, error) {
	if text != "balance" {
		ratio, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		return learn.ParseLoss(learn.WeightedLoss, ratio)
	}
	positive := shareOf(all, 1)
	return learn.ParseLoss(learn.WeightedLoss, oneDigit(1/positive-1))
}

func shareOf(d *data.Dataset, class float64) float64 {
	n := 0.0
	for _, y := range d.Y {
		if y == class {
			n++
		}
	}
	return n / float64(len(d.Y))
}

// ofRare is a figure of a model of two classes: see the flag.
func ofRare(m learn.Model, test *data.Dataset, figure string) float64 {
	rare := 1.0
	if shareOf(test, 1) > 0.5 {
		rare = -1
	}
	type scored struct{ margin, y float64 }
	var all []scored
	counts := map[[2]bool]float64{} // is rare, is called rare
	for i, y := range test.Y {
		p := m.PredictRow(test.X.Row(i))
		all = append(all, scored{rare * p.Margins[0], rare * y})
		counts[[2]bool{y == rare, p.Positive() == (rare > 0)}]++
	}
	found := counts[[2]bool{true, true}] /
		(counts[[2]bool{true, true}] + counts[[2]bool{true, false}])
	passed := counts[[2]bool{false, false}] /
		(counts[[2]bool{false, true}] + counts[[2]bool{false, false}])
	switch figure {
	case "balanced":
		return (found + passed) / 2
	case "moved":
		limit := shareOf(test, 1)
		limit = 1 / (1 + oneDigit(1/limit-1))
		right := map[float64]float64{}
		for i, y := range test.Y {
			if (m.PredictRow(test.X.Row(i)).Probability() >= limit) == (y > 0) {
				right[y] += 0.5 / shareOf(test, y) / float64(len(test.Y))
			}
		}
		return right[1] + right[-1]
	case "found":
		return found
	case "right":
		called := counts[[2]bool{true, true}] + counts[[2]bool{false, true}]
		return counts[[2]bool{true, true}] / math.Max(1, called)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].margin < all[j].margin })
	ranks, rares, others := 0.0, 0.0, 0.0
	for i := 0; i < len(all); { // equals have their mean rank
		end := i
		for end < len(all) && all[end].margin == all[i].margin {
			end++
		}
		for _, s := range all[i:end] {
			if s.y > 0 {
				ranks += float64(i+end-1)/2 + 1
				rares++
			} else {
				others++
			}
		}
		i = end
	}
	return (ranks - rares*(rares+1)/2) / (rares * others)
}
