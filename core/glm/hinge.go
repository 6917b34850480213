package glm

import (
	"math"

	"cloister/core/privacy"
)

// RoundedHinge is, with w = h − ym, the loss
//
//	f = w − 1 + e^(−w)   w > 0
//	    0                w ≤ 0
//
// of labels y ∈ {−1, +1}: the hinge max(0, w) with its corner rounded by an exponential.
// With s = |f′| = 1 − e^(−w), f′ = −ys and f″ = 1 − s. That is twice the logistic loss's
// curvature where s = 1/2, so that the same λ pulls θ towards 0 half as much; and it is 0
// where s = 1, as a privacy bound without overhead needs it (theory §4.8).
//
// f″ jumps from 1 to 0 at w = 0, where f′ is 0. Its margins stand for no probability: a
// record beyond w = 0 pulls no way.
type RoundedHinge struct{ h float64 }

// NewRoundedHinge returns the loss whose records stop pulling at a margin of h, above 0
// and up to [LargestShift]. Anything else is a *privacy.ParameterError for "shift".
func NewRoundedHinge(h float64) (RoundedHinge, error) {
	return RoundedHinge{h: h}, checkShift(h)
}

// Shift is h.
func (l RoundedHinge) Shift() float64 { return l.h }

// Value is f(m; y).
func (l RoundedHinge) Value(m, y float64) float64 {
	value, _, _ := l.At(m, y)
	return value
}

// Slope is f′(m; y), within [−1, 1].
func (l RoundedHinge) Slope(m, y float64) float64 {
	_, slope, _ := l.At(m, y)
	return slope
}

// Curvature is e^(−w), within [0, 1]; 0 for w ≤ 0.
func (l RoundedHinge) Curvature(m, y float64) float64 {
	_, _, curvature := l.At(m, y)
	return curvature
}

// At returns value, slope and curvature. The slope is within a few ulp: the rounding of w
// moves it by w/(e^w − 1) ≤ 1 of that.
func (l RoundedHinge) At(m, y float64) (value, slope, curvature float64) {
	w := l.h - y*m
	if w <= 0 {
		return 0, 0, 0
	}
	drop := math.Expm1(-w) // −s
	if value = w + drop; w < 0.25 {
		// w²/2 − w³/6 + …, whose first terms cancel in the sum. The next one is below
		// 2^-57 of it.
		term := w * w / 2
		value = 0
		for n := 3.0; n <= 16; n++ {
			value += term
			term *= -w / n
		}
	}
	return value, y * drop, math.Exp(-w)
}

// block stores slopes and curvatures of many rows, from one exponential each and the same on every
// platform.
//
// As in logisticBlock, e^(−w) = T + T·p with T = 2^(k/32) of the table and p = e^r − 1. So
// 1 − e^(−w) = (1 − T) − (T·p + low), where 1 − T is exact for T ≥ 1/2, and low is what T is short
// of 2^(k/32): half an ulp of T is up to 46·2^-53 of a slope of 0.01. It is within 8·2^-53 of
// itself. T·p errs by 6·2^-53 of |T·p|, half of that for the end of p's series, and |T·p| is at
// most the slope; the two sums are rounded once each.
func (l RoundedHinge) block(margins, labels, slopes, curvatures []float64) {
	labels, slopes, curvatures = labels[:len(margins)], slopes[:len(margins)],
		curvatures[:len(margins)]
	for i, m := range margins {
		y := labels[i]
		w := l.h - y*m
		if !(w > 0 && w < 700) { // few of them, but for those that pull no way
			if w <= 0 {
				slopes[i], curvatures[i] = 0, 0
			} else {
				_, slopes[i], curvatures[i] = l.At(m, y)
			}
			continue
		}
		shifted := expShift - w*expSteps
		k := int64(int32(math.Float64bits(shifted)))
		shifted -= expShift
		r := (-w - shifted*expStepHigh) - shifted*expStepLow
		r2 := r * r
		p := (r + r2*(1.0/2+r*(1.0/6))) + r2*r2*((1.0/24+r*(1.0/120))+r2*(1.0/720))
		power := math.Float64frombits(uint64(1023+k>>5) << 52)
		t := expTable[k&31] * power
		slopes[i] = y * ((t*p + expLow[k&31]*power) - (1 - t))
		curvatures[i] = t + t*p
	}
}

// Margin is y(h + log(1 − s)) for s = −y·slope.
func (l RoundedHinge) Margin(slope, y float64) float64 {
	return marginAt(-y*slope, y, func(s float64) float64 { return y * (l.h + math.Log1p(-s)) })
}

// Class is privacy.LossHinge.
func (RoundedHinge) Class() privacy.LossClass { return privacy.LossHinge }

// MaxSlope is 1.
func (RoundedHinge) MaxSlope() float64 { return 1 }

// MaxCurvature is 1.
func (RoundedHinge) MaxCurvature() float64 { return 1 }
