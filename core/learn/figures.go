package learn

import (
	"math"

	"cloister/core/data"
)

// Interval is an estimate of an exact figure, and a range for it. The exact figure is
// that of the held-out records themselves, not of the population that they come from.
// The range covers it with probability [IntervalLevel] over the noise.
type Interval struct{ Estimate, Low, High float64 }

// IntervalLevel is the probability that an Interval's range covers.
const IntervalLevel = 0.95

// Figures are computed from the noisy numbers of an assessment and from nothing else. A
// figure that does not apply is nil.
type Figures struct {
	Records  Interval
	Accuracy *Interval // share of the records whose class is predicted
	LogLoss  *Interval // mean, nats, each record's cut off at LossBound
	// in squared units of the label, predictions and labels within its bounds
	MeanSquaredError *Interval
	RSquared         *Interval // 1 − mean squared error/variance of the label
	Table            []FiguresBin
}

// FiguresBin is a row of the calibration table: of the records whose
// probability (or value) predicted is from Low to High, the share of the
// positive class, of those right, or the mean of the label.
type FiguresBin struct {
	Low, High float64
	Records   Interval
	Outcome   Interval
}

// Figures computes them. It panics unless the assessment is one of the model
// (see Release.Verify).
func (a *Assessment) Figures(m Model) Figures {
	l := m.AssessmentLayout()
	scale, ok := a.scale(l)
	if !ok || a.check(m) != nil {
		panic("learn: an assessment of another model")
	}
	bins := float64(len(a.Cells))
	label := &m.Schema.Label
	low, high := m.BinRange()
	at := func(k int) float64 { return low + float64((high-low)*float64(k))/bins }
	f := Figures{Table: make([]FiguresBin, len(a.Cells))}

	if label.Type == data.NumericLabel {
		var count, sum float64
		width := label.Max - label.Min
		for k, cell := range a.Cells {
			count, sum = count+cell[0], sum+cell[1]
			mean := share(
				cell[1], cell[0], scale, term{1, 1}, term{1, 1},
			).times(width).
				plus(label.Min)
			f.Table[k] = FiguresBin{at(k), at(k + 1), around(cell[0], scale, term{1, 1}), mean}
		}
		f.Records = around(count, scale, term{1, bins})
		squared := share(
			a.Sums[1], count, scale, term{1, 1}, term{1, bins},
		).times(width).
			times(width)
			// width² may be no double, and 0 times it none
		f.MeanSquaredError = &squared
		determined := determination(count, sum, a.Sums[0], a.Sums[1], bins, scale)
		f.RSquared = &determined
		return f
	}

	var right, wrong float64
	for k, cell := range a.Cells {
		pair := cell[0] + cell[1]
		f.Table[k] = FiguresBin{
			at(k),
			at(k + 1),
			around(pair, scale, term{1, 2}),
			ratio(
				cell[1], pair, scale, 1,
				func(x float64) []term { return []term{{1 - x, 1}, {x, 1}} },
			),
		}
		positive := label.Type == data.SeveralClasses || 2*k >= len(a.Cells)
		if positive {
			right, wrong = right+cell[1], wrong+cell[0]
		} else {
			right, wrong = right+cell[0], wrong+cell[1]
		}
	}
	total := right + wrong
	f.Records = around(total, scale, term{1, 2 * bins})
	accuracy := ratio(
		right, total, scale, 1, func(x float64) []term { return []term{{1 - x, bins}, {x, bins}} },
	)
	f.Accuracy = &accuracy
	if l.loss {
		loss := share(a.Sums[0], total, scale, term{1, 1}, term{1, 2 * bins}).times(a.LossBound)
		f.LogLoss = &loss
	}
	return f
}

func (i Interval) times(x float64) Interval {
	return Interval{i.Estimate * x, i.Low * x, i.High * x}
}

func (i Interval) plus(x float64) Interval {
	return Interval{i.Estimate + x, i.Low + x, i.High + x}
}

// term is a part of a sum of noise: count independent Laplace draws, each with
// this weight.
type term struct{ weight, count float64 }

// reach is the distance from 0 that Σ weight·(sum of count Laplace draws of
// this scale) exceeds with probability 1 − IntervalLevel: the Cornish–Fisher
// expansion z + κ(z³ − 3z)/24 in units of the standard deviation, κ the excess
// kurtosis. It is exact as the number of draws grows, and a little too long for
// few: by 2.3 % for one, where the true factor is log(20)/√2, and 0.4 % for two.
func reach(scale float64, terms ...term) float64 {
	const z = 1.9599639845400545 // of the normal distribution at 97.5 %
	var variance, fourth float64
	for _, t := range terms {
		square := t.weight * t.weight
		variance += float64(2 * square * t.count)
		fourth += float64(12 * square * square * t.count) // fourth cumulant
	}
	if variance == 0 {
		return 0
	}
	return scale * math.Sqrt(variance) * (z + fourth/(variance*variance)*(z*z*z-3*z)/24)
}

// around is the interval of a number of records with this noise; there are
// never less than none.
func around(x, scale float64, terms ...term) Interval {
	r := reach(scale, terms...)
	return Interval{math.Max(0, x), math.Max(0, x-r), math.Max(0, x+r)}
}

// share is the ratio of a sum and a count whose noise is independent.
func share(sum, count, scale float64, of, by term) Interval {
	return ratio(sum, count, scale, 1, func(x float64) []term {
		return []term{of, {by.weight * x, by.count}}
	})
}

// ratio estimates the ratio, from 0 to most, of the sums that noise was added
// to: x is in the interval if top − x·bottom is no further from 0 than its own
// noise reaches (Fieller 1954), so the interval's level is that of reach
// whatever the ratio. noise gives the terms of top − x·bottom.
func ratio(top, bottom, scale, most float64, noise func(x float64) []term) Interval {
	over := func(x float64) float64 { return top - float64(x*bottom) - reach(scale, noise(x)...) }
	under := func(x float64) float64 { return top - float64(x*bottom) + reach(scale, noise(x)...) }
	estimate := most / 2
	if bottom > 0 {
		estimate = math.Min(math.Max(top/bottom, 0), most)
	}
	out := Interval{estimate, 0, most}
	if !(bottom > 0) || under(estimate) < 0 || over(estimate) > 0 {
		return out // the noise exceeds all there is: nothing is known
	}
	// The estimate is inside; the ends are where it stops being so.
	if over(0) > 0 {
		out.Low = crossing(over, estimate, 0)
	}
	if under(most) < 0 {
		out.High = crossing(under, estimate, most)
	}
	return out
}

// crossing returns where f changes sign between inside and outside, on the
// outer side.
func crossing(f func(float64) float64, inside, outside float64) float64 {
	sign := math.Signbit(f(outside))
	for range 60 {
		middle := inside + (outside-inside)/2
		if math.Signbit(f(middle)) == sign {
			outside = middle
		} else {
			inside = middle
		}
	}
	return outside
}

// determination is R² = 1 − E/(S₂ − S₁²/n) of noisy n, S₁ (sums over bins), S₂
// and E. x is in the interval if E − (1 − x)(S₂ − S₁²/n) is no further from 0
// than its noise reaches, S₁²/n being taken to first order in its own. Below −1
// it is not followed.
func determination(n, s1, s2, e, bins, scale float64) Interval {
	const least = -1.0
	unknown := Interval{0, least, 1}
	if !(n > 0) {
		return unknown
	}
	mean := s1 / n
	variance := s2 - float64(mean*s1)
	if !(variance > 0) {
		return unknown
	}
	at := func(x float64) (middle, far float64) {
		w := 1 - x
		return e - float64(
				w*variance,
			), reach(
				scale, term{1, 1}, term{w, 1}, term{w * 2 * mean, bins},
				term{w * mean * mean, bins},
			)
	}
	over := func(x float64) float64 { m, r := at(x); return m - r }
	under := func(x float64) float64 { m, r := at(x); return m + r }
	estimate := math.Min(math.Max(1-e/variance, least), 1)
	out := Interval{estimate, least, 1}
	if under(least) < 0 && under(estimate) > 0 {
		out.Low = crossing(under, estimate, least)
	}
	if over(1) > 0 && over(estimate) < 0 {
		out.High = crossing(over, estimate, 1)
	}
	return out
}
