package glm

import "math"

// block is how many rows are evaluated together.
const block = 256

// Rows evaluates the clipped loss for many records at once: it stores f_C′ in slopes
// and f_C″ in curvatures, either of which may be nil to be left out, and returns Σ
// f_C(mᵢ; yᵢ). Call it when there are many rows; At of [Clipped.Row] does the same for
// one.
//
// norms holds ‖xᵢ‖₂ for each record, or a single upper bound for all of them
// (which clips short records more than need be, and no record less).
//
// The logistic loss, shifted or not, goes through a loop of its own, with one exponential a row
// and one logarithm every few hundred. Its slopes and curvatures are within a
// relative 2^-49 of the truth and its sum within 2^-44·Σ f + 2^-50·n of it, so
// not within a relative error when all losses are tiny. Each is a proved bound
// on the rounding, for labels of exactly ±1, if math.Log is within 2 ulp.
//
// It panics if the slices' lengths do not match.
func (c Clipped) Rows(margins, labels, norms, slopes, curvatures []float64) (value float64) {
	n := len(margins)
	if len(labels) != n || (len(norms) != n && len(norms) != 1) ||
		(slopes != nil && len(slopes) != n) || (curvatures != nil && len(curvatures) != n) {
		panic("glm: Rows needs slices of one length")
	}
	compensation := 0.0 // of the sum over blocks (Neumaier 1974)
	var spareSlopes, spareCurvatures, spareMargins [block]float64
	shift, logistic := logisticShift(c.loss)
	for start := 0; start < n; start += block {
		end := min(start+block, n)
		m, y := margins[start:end], labels[start:end]
		s, k := spareSlopes[:len(m)], spareCurvatures[:len(m)]
		if slopes != nil {
			s = slopes[start:end]
		}
		if curvatures != nil {
			k = curvatures[start:end]
		}
		blockNorms := norms
		if len(norms) == n {
			blockNorms = norms[start:end]
		}
		var term float64
		if logistic && !c.anyActive(blockNorms) {
			term = logisticBlock(moved(m, y, shift, spareMargins[:]), y, s, k)
		} else {
			term = c.block(m, y, blockNorms, s, k)
		}
		sum := value + term
		if math.Abs(value) >= math.Abs(term) {
			compensation += (value - sum) + term
		} else {
			compensation += (term - sum) + value
		}
		value = sum
	}
	if math.IsInf(value, 0) {
		return value
	}
	return value + compensation
}

// logisticShift returns h of a logistic loss, 0 for one that is not shifted.
func logisticShift(loss Loss) (h float64, ok bool) {
	switch l := loss.(type) {
	case Logistic:
		return 0, true
	case ShiftedLogistic:
		return l.h, true
	}
	return 0, false
}

// moved returns the margins at which the logistic loss is the one shifted by h, in spare if they
// are others.
func moved(margins, labels []float64, h float64, spare []float64) []float64 {
	if h == 0 {
		return margins
	}
	for i, m := range margins {
		spare[i] = m - labels[i]*h
	}
	return spare[:len(margins)]
}

func (c Clipped) anyActive(norms []float64) bool {
	for _, norm := range norms {
		if c.Active(norm) {
			return true
		}
	}
	return false
}

// block is Rows for any loss, row by row.
func (c Clipped) block(margins, labels, norms, slopes, curvatures []float64) (value float64) {
	for i, m := range margins {
		norm := norms[0]
		if len(norms) > 1 {
			norm = norms[i]
		}
		var v float64
		if c.Active(norm) {
			v, slopes[i], curvatures[i] = c.capped(norm).At(m, labels[i])
		} else {
			v, slopes[i], curvatures[i] = c.loss.At(m, labels[i])
		}
		value += v
	}
	return value
}

// logisticBlock is Rows for the logistic loss without clipping and at most
// block rows.
//
// With z = ym and e = e^(−|z|), log(1 + e^−z) = max(0, −z) + log(1 + e), and the
// logarithms of a block add up to that of the product of all 1 + e ≤ 2, which
// stays below 2^256.
//
// The exponential stands in the loop, because a call costs as much as the rest
// of it under WebAssembly: −|z| = k·ln2/32 + r, k a whole number, |r| ≤ ln2/64,
// and e^(−|z|) = 2^(k/32)·e^r by a table of the 32 fractional powers and the
// Taylor polynomial of degree 6, whose remainder is below 2^-57. ln2/32 is the
// sum of expStepHigh, of 36 bits, and expStepLow, so that k·expStepHigh is
// exact. The result is within 2.2·2^-53: one rounding of the table's entry, one
// of the last sum, and less than a fifth for the rest.
func logisticBlock(margins, labels, slopes, curvatures []float64) (value float64) {
	labels, slopes, curvatures = labels[:len(margins)], slopes[:len(margins)],
		curvatures[:len(margins)]
	product, sum := 1.0, 0.0
	for i, m := range margins {
		y := labels[i]
		z := y * m
		x := -math.Abs(z)
		var e float64
		if x > -700 {
			shifted := x*expSteps + expShift
			k := int64(int32(math.Float64bits(shifted))) // the low bits of the sum are k
			shifted -= expShift
			r := (x - shifted*expStepHigh) - shifted*expStepLow
			r2 := r * r
			p := (r + r2*(1.0/2+r*(1.0/6))) + r2*r2*((1.0/24+r*(1.0/120))+r2*(1.0/720))
			t := expTable[k&31]
			sum -= 0.5*x + 0.5*z // max(0, −z), exactly
			e = (t + t*p) * math.Float64frombits(uint64(1023+k>>5)<<52)
		} else {
			e = math.Exp(x) // tiny, 0 or NaN
			sum += hinge(z)
		}
		larger := 1 / (1 + e)
		smaller := e * larger
		// p = 1/(1+e^z) is the larger of the two when z < 0, else the smaller:
		// chosen by bits, because the processor cannot guess the branch.
		negative := uint64(int64(math.Float64bits(z)) >> 63)
		p := math.Float64frombits(
			math.Float64bits(larger)&negative | math.Float64bits(smaller)&^negative,
		)
		slopes[i] = -y * p
		curvature := smaller * larger
		if curvature > 0.25 { // by rounding, at |z| < 2^-25
			curvature = 0.25
		}
		curvatures[i] = curvature
		product *= 1 + e
	}
	return sum + math.Log(product)
}
