package learn

import (
	"math"
	"slices"

	"cloister/core/account/calibrate"
	"cloister/core/data"
)

// possible reports whether some records and noise of this scale, in records, give such numbers.
// Figures worked out of others would be those of no records: nobody is wrong all the time, and a
// loss is what the probabilities make it.
//
// Theorem. With n the records of a bin or of all, each of these is true of what is counted, but
// for the rounding of each record's share to the lattice:
//
//	no number is below 0, and all records are calibrate.MostRecords at most
//	none are in bins that such coefficients put no record in (predicted)
//	Σ t ≤ n in every bin, Σ t² ≤ Σ t, and Σ t² ≥ 2aΣt − a²n whatever a is
//	Σ e² ≤ Σ max(h, 1 − l)²·n, l and h the ends of a bin
//	Σ e² ≥ 2c(Σt − Σhn) − c²n, in every bin and in all of them, whatever c is:
//	    the value predicted is from one end of a record's bin to the other, and h is here the
//	    upper one for c > 0, the lower one for c < 0
//	Σ loss from Σ ln to Σ hn, l and h what a probability from one end of the bin to the other
//	    makes the loss, over its bound; of several classes one that is wrong has at most what
//	    the likeliest leaves
//
// Each is a sum Σ wᵢxᵢ of the counted numbers that is no less than 0, fixed beforehand. So with
// noise it is no less than −z, but for a chance of 2^-100 for some of K such sums:
//
//	z = b·w·T for one number, T = log 2K + 100·log 2, b the scale and w = max |wᵢ|; else
//	z = min over 0 < x ≤ 1/(2w) of b·(T + 1.151·x²·Σwᵢ²)/x.
//
// Proof. (t − a)² and (e − c)² are no less than 0. Noise is beyond t with a chance of e^(−t/b)
// at most, and E e^(sX) = sinh²(1/2b')/(sinh²(1/2b') − sinh²(s'/2)) ≤ 1/(1 − s²b²) for |s| < 1/b,
// in steps of the lattice, because sinh is convex where it is above 0; −log(1 − y²) ≤ 1.151·y² for
// y ≤ ½, likewise; and Chernoff's bound with s = x/b. What is moved to the lattice's end comes
// nearer to what is counted. ∎
func (a *Assessment) possible(m Model, scale float64) bool {
	kind, bins := m.Schema.Label.Type, len(a.Cells)
	logs := math.Log(float64(2*4*(bins+2)*(largestTried+2))) - math.Log(leastChance)
	not := func(s weighted) bool { return !(s.value >= -s.reach(scale, logs)) }
	single := func(x float64) weighted { return weighted{}.plus(1, x) }
	var all weighted // the records
	for _, row := range a.Cells {
		all = all.plus(1, row[0])
		if not(single(row[0])) || not(single(row[1])) {
			return false
		}
		if kind != data.NumericLabel {
			all = all.plus(1, row[1])
		} else if not(single(row[0]).plus(-1, row[1])) {
			return false
		}
	}
	if !(all.value <= calibrate.MostRecords+all.reach(scale, logs)) {
		return false
	}
	first, last := m.predicted(bins)
	var elsewhere weighted
	for k, row := range a.Cells {
		if k < first || k > last {
			elsewhere = elsewhere.plus(-1, row[0])
			if kind != data.NumericLabel {
				elsewhere = elsewhere.plus(-1, row[1])
			}
		}
	}
	if not(elsewhere) {
		return false
	}
	for _, x := range a.Sums {
		if not(single(x)) || not(all.plus(-1, x)) {
			return false
		}
	}
	switch {
	case kind == data.NumericLabel:
		return !a.tried(not)
	case len(a.Sums) == 1:
		least, most := single(a.Sums[0]), weighted{}.plus(-1, a.Sums[0])
		for k, row := range a.Cells {
			for j, x := range row {
				low, high := m.lossesOf(float64(k)/float64(bins), float64(k+1)/float64(bins), j)
				least = least.plus(-rounded(low/a.LossBound, -1), x)
				most = most.plus(rounded(high/a.LossBound, 1), x)
			}
		}
		return !not(least) && !not(most)
	}
	return true
}

// Nobody reports whether the counts of a bin are such as noise leaves of no records at all. The
// assessment must be one of the model, as Release.VerifyAssessment finds.
func (a *Assessment) Nobody(m Model, bin int) bool {
	scale, ok := a.scale(m.AssessmentLayout())
	reach := LaplaceReach(scale, 1, len(a.Cells[bin]))
	return ok && slices.Max(a.Cells[bin]) <= reach
}

// largestTried is how many a, and c of each sign, are tried.
const largestTried = 32

// tried reports whether not is true of a sum for some a or c.
func (a *Assessment) tried(not func(weighted) bool) bool {
	bins := float64(len(a.Cells))
	first, most := weighted{}.plus(-1, a.Sums[0]), weighted{}.plus(-1, a.Sums[1])
	for k, row := range a.Cells {
		first = first.plus(1, row[1])
		end := math.Max(float64(k+1), bins-float64(k)) / bins // how far from t it is at most
		most = most.plus(rounded(end*end, 1), row[0])
	}
	if not(first) || not(most) {
		return true
	}
	for j := -largestTried; j <= largestTried; j++ {
		c := float64(j) / largestTried
		second, errors := weighted{}.plus(1, a.Sums[0]), weighted{}.plus(1, a.Sums[1])
		for k, row := range a.Cells {
			second = second.plus(-2*c, row[1]).plus(c*c+2*AssessmentUnit, row[0])
			end := float64(k) / bins
			if c > 0 {
				end = float64(k+1) / bins
			}
			records := 2*c*end + c*c + 3*AssessmentUnit
			if not(weighted{}.plus(1, a.Sums[1]).plus(-2*c, row[1]).plus(records, row[0])) {
				return true
			}
			errors = errors.plus(-2*c, row[1]).plus(records, row[0])
		}
		if c >= 0 && not(second) || not(errors) {
			return true
		}
	}
	return false
}

// lossesOf is from what to what the log loss of a record is whose bin is from low to high, in
// shares of the range that is binned, and that is counted in column j of it.
func (m Model) lossesOf(low, high float64, j int) (least, most float64) {
	switch {
	case m.Schema.Label.Type == data.SeveralClasses:
		even, _ := m.BinRange()
		low, high = even+float64(low*(1-even)), even+float64(high*(1-even))
		if j == 0 {
			low, high = 0, math.Min(high, 1-low)
		}
	case j == 0:
		low, high = 1-high, 1-low
	}
	return math.Max(0, -math.Log(high)), -math.Log(low)
}

// predicted is from which bin to which the model puts records, by the margins that they can have.
// Clipping brings a probability nearer to ½, and past it none. All of them for a model without
// columns.
func (m Model) predicted(bins int) (first, last int) {
	first, last = 0, bins-1
	kind := m.Schema.Label.Type
	if len(m.Columns) == 0 || kind == data.SeveralClasses && m.countsClasses() {
		return first, last
	}
	bin := func(x float64) int {
		return int(math.Max(0, math.Min(math.Floor(x*float64(bins)), float64(bins-1))))
	}
	if kind == data.SeveralClasses {
		even, _ := m.BinRange()
		least, most := m.likeliest()
		return bin((least-even)/(1-even) - 0x1p-20), bin((most-even)/(1-even) + 0x1p-20)
	}
	of := func(margin, to float64) float64 { // the place among the bins, without clipping
		switch {
		case kind == data.NumericLabel:
			return (margin + 1) / 2
		case m.countsClasses():
			return to
		}
		_, p := m.probabilities(margin, math.Inf(1))
		return p
	}
	low, high := m.margin(func(j int) float64 { return m.Coefficients[j] })
	if kind == data.NumericLabel {
		return bin(of(low, 0) - 0x1p-20), bin(of(high, 1) + 0x1p-20)
	}
	// The class, whose half of the bins it is, follows from the margin's sign.
	if first = bins / 2; low < 0 {
		first = min(bins/2-1, bin(of(low, 0)-0x1p-20))
	}
	if last = bins/2 - 1; high >= 0 {
		last = max(bins/2, bin(of(high, 1)+0x1p-20))
	}
	return first, last
}

// margin is from what to what xᵀθ is. What the features add to the intercept is no more than
// featuresUpTo of θ, and no less than minus that of −θ.
func (m Model) margin(theta func(j int) float64) (low, high float64) {
	middle := 0.0
	if last := len(m.Columns) - 1; m.Columns[last].Intercept {
		middle = m.Columns[last].Scale * theta(last)
	}
	low = -m.featuresUpTo(func(j int) float64 { return -theta(j) })
	high = m.featuresUpTo(theta)
	off := (math.Abs(middle) + math.Max(math.Abs(low), math.Abs(high))) * 0x1p-20
	return middle + low - off, middle + high + off
}

// featuresUpTo is what xᵀθ is at most without the intercept.
//
// Theorem. A row x is t·u, where of each feature one column at most is not 0, a category's being 1
// and a number's at most 1, but for a missing number, whose two are ½ and 1. Let a be the most
// that any such choice makes of uᵀθ for a feature, 0 among them unless the feature always has a
// category, and b the same of lengths 1. Then xᵀθ ≤ Σ max(a, 0) + r·Σ min(a, 0), r =
// data.Schema.RowScale: t is from r to 1 where a category is, and no entry of x is above 1. And
// ≤ (Σ max(b, 0)²)^½ + r·Σ min(a, 0): no row is longer than 1. If all rows are divided by the same
// (data.Scale), t = r. ∎
func (m Model) featuresUpTo(theta func(j int) float64) float64 {
	sum, length, less, j := 0.0, 0.0, 0.0, 0
	for k := range m.Schema.Features {
		f := &m.Schema.Features[k]
		from := j
		j += f.Width()
		most, unit := 0.0, 0.0
		if f.Type == data.Numeric {
			most = math.Max(0, theta(from))
			unit = most
			if f.Missing.Action == data.Indicate {
				missing := theta(from)/2 + theta(from+1)
				most = math.Max(most, missing)
				unit = math.Max(unit, missing/math.Sqrt(1.25))
			}
		} else {
			most = theta(from)
			for i := from + 1; i < j; i++ {
				most = math.Max(most, theta(i))
			}
			if !f.Certain() {
				most = math.Max(0, most)
			}
			unit = most
		}
		sum += math.Max(most, 0)
		length = math.Hypot(length, math.Max(unit, 0))
		less += math.Min(most, 0)
	}
	scale := m.Schema.RowScale()
	if m.Schema.Rows.Norm == data.Scale {
		sum *= scale
	}
	return math.Min(sum, length) + scale*less
}

// likeliest is from what to what the probability of the likeliest of several classes is: that of
// one is 1 over the sum of what each other's is times it.
func (m Model) likeliest() (least, most float64) {
	longest := m.Clip / m.Schema.RowNorm() // the most clipping, that of the longest row
	low, high := make([]float64, m.Vectors()), make([]float64, m.Vectors())
	for k := range low {
		v := m.Vector(k)
		from, to := m.margin(func(j int) float64 { return v[j] })
		_, a := m.probabilities(from, math.Inf(1))
		_, b := m.probabilities(from, longest)
		_, c := m.probabilities(to, math.Inf(1))
		_, d := m.probabilities(to, longest)
		low[k], high[k] = math.Min(a, b), math.Max(c, d)
	}
	for k := range low {
		sumLow, sumHigh := 1.0, 1.0
		for j := range low {
			if j == k {
				continue
			}
			from, to := low[j]/high[k], high[j]/low[k]
			if m.joint() {
				a, b := m.Vector(j), m.Vector(k)
				from, to = m.margin(func(i int) float64 { return a[i] - b[i] })
				from, to = math.Exp(from), math.Exp(to)
			}
			sumLow, sumHigh = sumLow+from, sumHigh+to
		}
		if !(sumLow >= 1 && sumHigh >= 1) { // next to no probability of any
			return 0, 1
		}
		least, most = math.Max(least, 1/sumHigh), math.Max(most, 1/sumLow)
	}
	return least, most
}

// rounded is a share of a record, 1 at most, with what rounding may add to it or take off.
func rounded(share, sign float64) float64 {
	return math.Max(0, math.Min(share*(1+sign*0x1p-20), 1)+sign*AssessmentUnit)
}

// weighted is Σ wᵢxᵢ of noisy numbers.
type weighted struct {
	value, size      float64 // Σ wᵢxᵢ, and Σ |wᵢxᵢ|
	squares, largest float64 // Σ wᵢ², max |wᵢ|
	terms            int
}

func (s weighted) plus(w, x float64) weighted {
	if w != 0 {
		s.value, s.size = s.value+float64(w*x), s.size+math.Abs(w*x)
		s.squares, s.largest = s.squares+float64(w*w), math.Max(s.largest, math.Abs(w))
		s.terms++
	}
	return s
}

// reach is z, with what rounding adds.
func (s weighted) reach(scale, logs float64) float64 {
	reach := s.largest * logs
	if s.terms > 1 {
		x := math.Min(math.Sqrt(logs/(1.151*s.squares)), 1/(2*s.largest))
		reach = (logs + float64(1.151*x*x*s.squares)) / x
	}
	return scale*reach*(1+0x1p-20) + s.size*0x1p-40
}

// LaplaceReach is how far from 0 none of so many sums of discrete Laplace noise is, to either side,
// but for a chance of 2^-100: each of so many draws, whose scale is given (see the theorem of
// evaluations).
func LaplaceReach(scale float64, draws, sums int) float64 {
	all := weighted{squares: float64(draws), largest: 1, terms: draws}
	return all.reach(scale, math.Log(2*float64(sums))-math.Log(leastChance))
}
