package expect

import (
	"math"
	"slices"

	"cloister/core/data"
)

// fresh are records to score on, whose labels' chances are known.
type fresh struct {
	truth
	kind   data.LabelType
	x      *data.Matrix
	scores [][]float64
}

// score is the share that is expected to be predicted right, or explained.
func (t *fresh) score(theta [][]float64) float64 {
	if t.kind == data.NumericLabel {
		return t.explained(theta[0])
	}
	right := 0.0
	for i, z := range t.scores {
		row, class := t.x.Row(i), 0
		if len(theta) == 1 {
			if row.Dot(theta[0]) >= 0 {
				class = 1
			}
		} else {
			best := math.Inf(-1)
			for k := range theta {
				if margin := row.Dot(theta[k]); margin > best {
					best, class = margin, k
				}
			}
		}
		right += t.chances(z)[class]
	}
	return right / float64(len(t.scores))
}

// explained is 1 − E(y − ŷ)²/Var(y), predictions moved into the bounds; 0 if it
// is below.
func (t *fresh) explained(theta []float64) float64 {
	deviation := t.deviation()
	sum, squares, errors := 0.0, 0.0, 0.0
	for i, z := range t.scores {
		mean := t.mean(z)
		predicted := math.Min(math.Max(t.x.Row(i).Dot(theta), -1), 1)
		sum += mean
		squares += mean * mean
		errors += (mean - predicted) * (mean - predicted)
	}
	n := float64(len(t.scores))
	variance := squares/n - sum/n*(sum/n) + deviation*deviation
	return math.Max(0, 1-(errors/n+deviation*deviation)/variance)
}

// weigh sets the offset so that the classes have these shares among the fresh records.
func (t *fresh) weigh(rarer float64) {
	if rarer == 0 {
		return
	}
	low, high := -50.0, 50.0
	for range 60 {
		t.offset = (low + high) / 2
		if t.shares()[1] < rarer {
			low = t.offset
		} else {
			high = t.offset
		}
	}
}

// shares are those of the classes.
func (t *fresh) shares() []float64 {
	var out []float64
	for _, z := range t.scores {
		chances := t.chances(z)
		if out == nil {
			out = make([]float64, len(chances))
		}
		for k, p := range chances {
			out[k] += p / float64(len(t.scores))
		}
	}
	return out
}

// known is what naming the largest class, or the mean, scores.
func (t *fresh) known() float64 {
	if t.kind == data.NumericLabel {
		return 0
	}
	return slices.Max(t.shares())
}
