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
		log := special.LogAddExp(
			d.logSurely(), math.Log1p(-math.Exp(d.logSurely()))+logGain(-epsilon),
		)
		return ends(log-d.sumError(), log+d.sumError())
	}
	upper = math.Inf(-1)
	part := epsilon / float64(d.count())
	part -= 0x1p-50 * math.Abs(part)
	for _, r := range b.runs {
		high := r.logDeltaCoarse(part)
		upper = special.LogAddExp(upper, math.Log(float64(r.count))+high)
	}
	upper += float64(len(b.runs)) * 0x1p-42 // of so many sums of logarithms, each from −745 to 0
	return ends(b.lower(d, epsilon), upper+massError)
}

func (b basic) lower(d *direction, epsilon float64) float64 {
	lower := d.logInfinite()
	for _, r := range b.runs {
		lower = math.Max(lower, r.logDeltaLower(epsilon))
	}
	return lower
}

func (b basic) logDeltaLower(epsilon float64) float64 {
	d := &direction{runs: b.runs}
	if d.flat() {
		lower, _ := b.logDelta(epsilon)
		return lower
	}
	lower, _ := ends(b.lower(d, epsilon), 0)
	return lower
}

// sumError bounds the error of logBeyond: a sum of n terms, each right to 2⁻⁵² of
// itself, is off by n·2⁻⁵¹ of itself at most, and log(1 − e^−x) moves by no more than
// x does.
func (d *direction) sumError() float64 { return 0x1p-40 + float64(len(d.runs))*0x1p-51 }

// logInfinite returns log of the probability that some loss is +∞ for certain,
// rounded down.
func (d *direction) logInfinite() float64 {
	return d.logSurely() - d.sumError()
}

// logInfiniteUpper is the same rounded up. What is only a bound on a profile
// has mass at +∞ only when it is moved to a grid.
func (d *direction) logInfiniteUpper() float64 {
	return d.logBeyond(func(l *loss) float64 { return l.infinite + l.dust }) + d.sumError()
}

func (d *direction) logSurely() float64 {
	return d.logBeyond(func(l *loss) float64 { return l.infinite })
}

// logBeyond is log of the probability that some run's loss is among the given mass.
func (d *direction) logBeyond(mass func(*loss) float64) float64 {
	finite := 0.0
	for _, r := range d.runs {
		switch s := r.source.(type) {
		case *loss:
			finite += float64(r.count) * math.Log1p(-mass(s))
		case *chords:
			finite += float64(r.count) * math.Log1p(-mass(s.losses().most))
		}
	}
	if finite == 0 {
		return math.Inf(-1)
	}
	return special.Log1mExp(finite)
}
