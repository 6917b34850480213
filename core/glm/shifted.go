package glm

import "cloister/core/privacy"

// LargestShift is the largest h of [ShiftedLogistic] and [RoundedHinge], and DefaultShift
// the one that is taken where none is given. At θ = 0 the slope of either loss is within
// 1e-6 of its largest from h = 14 on.
const (
	LargestShift = 16.0
	DefaultShift = 2.0
)

// ShiftedLogistic is f(m; y) = log(1 + e^(h−ym)), y ∈ {−1, +1}: the logistic loss of the
// margin m − yh. Use it where the noise is large and few steps away from θ = 0 are
// affordable: there the slope is 1/(1 + e^−h) in place of 1/2, at the same price.
//
// With s = 1/(1 + e^(ym−h)) = |f′|, f′ = −ys and f″ = s(1 − s), as for [Logistic]: all that
// a privacy bound asks of the logistic loss. Shift moves where the two losses bend, to
// ±h, and no derivative's range.
//
// ym − h is rounded once, which moves a slope by up to 0.28·2^-53 besides the few ulp of
// the logistic loss.
type ShiftedLogistic struct{ h float64 }

// NewShiftedLogistic returns the loss with shift h, in units of the margin, above 0 and
// up to [LargestShift]. Anything else is a *privacy.ParameterError for the field "shift".
func NewShiftedLogistic(h float64) (ShiftedLogistic, error) {
	return ShiftedLogistic{h: h}, checkShift(h)
}

func checkShift(h float64) error {
	if !(h >= 0x1p-20 && h <= LargestShift) {
		return &privacy.ParameterError{
			Field: "shift", Value: privacy.Number(h), Want: "a number above 0, 16 or less, such as 2",
		}
	}
	return nil
}

// Shift is h.
func (l ShiftedLogistic) Shift() float64 { return l.h }

// moved is the margin at which the logistic loss is this one. y·(ym − h), y = ±1.
func (l ShiftedLogistic) moved(m, y float64) float64 { return m - y*l.h }

// Value is log(1 + e^(h−ym)).
func (l ShiftedLogistic) Value(m, y float64) float64 { return Logistic{}.Value(l.moved(m, y), y) }

// Slope is −y/(1 + e^(ym−h)), within [−1, 1].
func (l ShiftedLogistic) Slope(m, y float64) float64 { return Logistic{}.Slope(l.moved(m, y), y) }

// Curvature is s(1 − s), within [0, 1/4].
func (l ShiftedLogistic) Curvature(m, y float64) float64 {
	return Logistic{}.Curvature(l.moved(m, y), y)
}

// At returns value, slope and curvature.
func (l ShiftedLogistic) At(m, y float64) (value, slope, curvature float64) {
	return Logistic{}.At(l.moved(m, y), y)
}

// Margin is y·(h + log((1 − s)/s)) for s = −y·slope.
func (l ShiftedLogistic) Margin(slope, y float64) float64 {
	return Logistic{}.Margin(slope, y) + y*l.h
}

// Class is privacy.LossLogistic, whose bounds ask for f″ = |f′|(1 − |f′|) alone.
func (ShiftedLogistic) Class() privacy.LossClass { return privacy.LossLogistic }

// MaxSlope is 1.
func (ShiftedLogistic) MaxSlope() float64 { return 1 }

// MaxCurvature is 1/4.
func (ShiftedLogistic) MaxCurvature() float64 { return 0.25 }
