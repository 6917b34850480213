package pld

import (
	"math"

	"cloister/core/special"
)

// basic bounds a composition by its runs' own profiles:
//
//	maxᵢ δᵢ(ε) ≤ δ(ε) ≤ Σᵢ δᵢ(εᵢ),  Σᵢ εᵢ = ε,
//
// with equal εᵢ: leaving out all outputs but one is post-processing, and the upper
// end is basic composition (Dwork & Roth 2014, Theorem 3.16), which holds in one
// direction alone and for εᵢ of either sign. That there is nothing to compose
// but mass at 0 and at +∞ it knows exactly.
type basic struct{ runs []run }

func (b basic) logDelta(epsilon float64) (lower, upper float64) {
	d := &direction{runs: b.runs}
	if d.flat() {
		log := special.LogAddExp(d.logSurely(), math.Log1p(-math.Exp(d.logSurely()))+logGain(-epsilon))
		return log - 0x1p-40, math.Min(0, log+0x1p-40)
	}
	lower, upper = d.logInfinite(), math.Inf(-1)
	part := epsilon / float64(d.count())
	part -= 0x1p-50 * math.Abs(part)
	for _, r := range b.runs {
		low, _ := r.logDelta(epsilon)
		_, high := r.logDelta(part)
		lower = math.Max(lower, low)
		upper = special.LogAddExp(upper, math.Log(float64(r.count))+high)
	}
	if upper += massError; upper < 0 {
		return lower, upper
	}
	return lower, 0 // NaN too
}

// logInfinite returns log of the probability that some loss is +∞ for certain,
// rounded down.
func (d *direction) logInfinite() float64 {
	return d.logSurely() - 0x1p-40
}

// logInfiniteUpper is the same rounded up. What is only a bound on a profile
// has mass at +∞ only when it is moved to a grid.
func (d *direction) logInfiniteUpper() float64 {
	return d.logSurely() + 0x1p-40
}

func (d *direction) logSurely() float64 {
	finite := 0.0
	for _, r := range d.runs {
		if l, ok := r.source.(*loss); ok {
			finite += float64(r.count) * math.Log1p(-l.infinite)
		}
	}
	if finite == 0 {
		return math.Inf(-1)
	}
	return special.Log1mExp(finite)
}
