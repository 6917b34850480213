package special

import (
	"errors"
	"math"
)

// ErrBracket reports that the two ends of a search do not enclose a solution,
// or that the function was NaN.
var ErrBracket = errors.New("special: the search interval does not enclose a solution")

// SmallestTrue bisects for the point in [lo, hi] where a monotone predicate
// (false below, true above) turns. It returns a point at which pred was
// evaluated and was true, at most relative·|point| (or one spacing of floats)
// above a point at which it was false. It returns lo if pred holds there, and
// false if pred does not hold at hi. Intervals of positive numbers that span
// more than a factor of 4 are halved in logarithm.
func SmallestTrue(pred func(float64) bool, lo, hi, relative float64) (float64, bool) {
	if pred(lo) {
		return lo, true
	}
	if !pred(hi) {
		return hi, false
	}
	for {
		middle := lo + (hi-lo)/2
		if lo > 0 && hi/4 > lo {
			middle = math.Sqrt(lo) * math.Sqrt(hi)
		}
		if !(lo < middle && middle < hi) || hi-lo <= relative*math.Abs(hi) {
			return hi, true
		}
		if pred(middle) {
			hi = middle
		} else {
			lo = middle
		}
	}
}

// ConservativeRoot finds where a monotone f turns from positive (at bad) to
// zero or negative (at good); bad may lie on either side of good. It returns a
// point on the good side: f was evaluated there and was ≤ 0, while f was > 0 at
// a point no further away than tolerance (or a few spacings of floats).
// f may be ±Inf, which is bisected; NaN gives ErrBracket, as do ends of
// which bad is not bad or good not good.
//
// The method is Chandrupatla's (1997), inverse quadratic interpolation where
// it is safe and bisection where not, with steps that always move by half the
// tolerance at least, so that both ends close in.
func ConservativeRoot(f func(float64) float64, bad, good, tolerance float64) (float64, error) {
	return ConservativeRootBetween(f, bad, f(bad), good, f(good), 0.5, tolerance)
}

// ConservativeRootBetween is ConservativeRoot for one who knows f(bad) and f(good), and where to
// look first: a share of the way from good to bad.
func ConservativeRootBetween(
	f func(float64) float64, bad, fBad, good, fGood, first, tolerance float64,
) (float64, error) {
	if !(fBad > 0) || !(fGood <= 0) {
		return math.NaN(), ErrBracket
	}
	// a is the latest point, b the other end, c the point before.
	a, fa, b, fb := good, fGood, bad, fBad
	c, fc := a, fa
	t := first
	for range 400 {
		width := math.Abs(b - a)
		smallest := math.Max(tolerance, 4*0x1p-53*math.Max(math.Abs(a), math.Abs(b)))
		if width <= smallest {
			break
		}
		edge := smallest / 2 / width
		t = math.Min(1-edge, math.Max(edge, t))
		x := a + t*(b-a)
		if x == a || x == b {
			break
		}
		fx := f(x)
		if math.IsNaN(fx) {
			return math.NaN(), ErrBracket
		}
		if (fx > 0) == (fa > 0) {
			c, fc = a, fa
		} else {
			c, fc = b, fb
			b, fb = a, fa
		}
		a, fa = x, fx

		t = 0.5
		xi, phi := (a-b)/(c-b), (fa-fb)/(fc-fb)
		if !math.IsInf(fa, 0) && !math.IsInf(fb, 0) && !math.IsInf(fc, 0) &&
			phi*phi < xi && (1-phi)*(1-phi) < 1-xi {
			t = fa/(fb-fa)*fc/(fb-fc) + (c-a)/(b-a)*fa/(fc-fa)*fb/(fc-fb)
		}
		if math.IsNaN(t) {
			t = 0.5
		}
	}
	if fa <= 0 {
		return a, nil
	}
	return b, nil
}
