package selection

import (
	"math"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// fine is S for a number: what a record that is predicted exactly adds to the score.
const fine = learn.FineScore

// score is the sum of what the records add to it; see the package.
func score(model learn.Model, d *data.Dataset) int64 {
	total := int64(0)
	for i, y := range d.Y {
		total += added(model, d.X.Row(i), y)
	}
	return total
}

// added is what one record adds: from −S to S, by the record and the model alone. A margin
// that is no number is as wrong as can be.
func added(model learn.Model, row data.Row, y float64) int64 {
	switch model.Schema.Label.Type {
	case data.NumericLabel:
		miss := math.Max(-1, math.Min(1, model.Margin(row))) - y
		if !(math.Abs(miss) <= 2) {
			return -fine
		}
		return int64(math.Round(fine * (1 - float64(miss*miss)/2)))
	case data.TwoClasses:
		return right((model.Margin(row) >= 0) == (y > 0))
	}
	best, most := 0, math.Inf(-1)
	for k := range model.Vectors() {
		if margin := row.Dot(model.Vector(k)); margin > most {
			best, most = k, margin
		}
	}
	return right(best == int(y))
}

func right(is bool) int64 {
	if is {
		return 1
	}
	return -1
}

// within53 moves a score to what a file can write.
func within53(score int64) int64 {
	return min(max(score, -privacy.LargestCount), privacy.LargestCount)
}
