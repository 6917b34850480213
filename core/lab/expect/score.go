package expect

import (
	"math"

	"cloister/core/data"
)

// fresh are records to score on, whose labels' chances are known.
type fresh struct {
	kind   data.LabelType
	signal Signal
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
		right += t.signal.chances(z)[class]
	}
	return right / float64(len(t.scores))
}

// explained is 1 − E(y − ŷ)²/Var(y), predictions moved into the bounds; 0 if it
// is below.
func (t *fresh) explained(theta []float64) float64 {
	deviation := t.signal.deviation()
	sum, squares, errors := 0.0, 0.0, 0.0
	for i, z := range t.scores {
		mean := t.signal.mean(z)
		predicted := math.Min(math.Max(t.x.Row(i).Dot(theta), -1), 1)
		sum += mean
		squares += mean * mean
		errors += (mean - predicted) * (mean - predicted)
	}
	n := float64(len(t.scores))
	variance := squares/n - sum/n*(sum/n) + deviation*deviation
	return math.Max(0, 1-(errors/n+deviation*deviation)/variance)
}
