package learn

import (
	"math"

	"cloister/core/data"
)

// possible reports whether some records and noise of this scale, in records, give such numbers.
// Figures worked out of others would be those of no records: nobody is wrong all the time.
//
// Theorem. But for a chance of 2^-100 every one of m numbers is within
//
//	t = b·(log 2m + 100·log 2),   b the scale,
//
// of what is counted. So none is below −t, and one that counts among the records no more than k
// others do together is at most their sum and (k + 1)t: of the records of each bin, the sum of t,
// and of all records, those of t², e² and of the loss over its bound, none of which is above 1.
// Nor is Σ t² more than Σ t, t being from 0 to 1.
//
// Proof. Discrete Laplace noise is further than t from 0 with a chance of 2e^(−t/b) at most; that
// some of m draws is has one of 2m·e^(−t/b). What is moved to the lattice's end comes nearer. ∎
func (a *Assessment) possible(kind data.LabelType, scale float64) bool {
	counts, others := 0.0, 0.0 // how many
	total, second := 0.0, 0.0  // of the records, and of t
	for _, row := range a.Cells {
		for j, x := range row {
			if kind == data.NumericLabel && j > 0 {
				others, second = others+1, second+x
			} else {
				counts, total = counts+1, total+x
			}
		}
	}
	others += float64(len(a.Sums))
	t := scale * (math.Log(2*(counts+others)) - math.Log(leastChance))
	within := func(x, most, terms float64) bool {
		return x >= -t && x <= most+(terms+1)*t+math.Abs(most)*0x1p-40
	}
	for _, row := range a.Cells {
		for j, x := range row {
			most, terms := math.Inf(1), 0.0
			if kind == data.NumericLabel && j > 0 {
				most, terms = row[0], 1
			}
			if !within(x, most, terms) {
				return false
			}
		}
	}
	for _, x := range a.Sums {
		if !within(x, total, counts) {
			return false
		}
	}
	return kind != data.NumericLabel || within(a.Sums[0], second, counts)
}
