package glm

import "cloister/core/privacy"

// Huber is the Huber support-vector loss (Chaudhuri, Monteleoni & Sarwate
// 2011, section 3.4.2), the hinge max(0, 1 − z) in z = ym with its corner
// replaced by a parabola over 1 − h < z < 1 + h:
//
//	f = 0                   z ≥ 1 + h
//	    (1 + h − z)²/(4h)   in between
//	    1 − z               z ≤ 1 − h
//
// The sign of f′ is fixed by y: −yf′ lies in [0, 1].
type Huber struct{ h float64 }

// NewHuber returns the loss with half-width h, in units of the margin, from
// 2^-500 to 2^500 (0.5 is usual). Anything else is a *privacy.ParameterError
// for the field "huber_width".
func NewHuber(h float64) (Huber, error) {
	if !(h >= 0x1p-500 && h <= 0x1p500) {
		return Huber{}, &privacy.ParameterError{
			Field: "huber_width", Value: privacy.Number(h), Want: "a number above 0, such as 0.5",
		}
	}
	return Huber{h: h}, nil
}

// Width is the half-width h.
func (l Huber) Width() float64 { return l.h }

// Value is f(m; y).
func (l Huber) Value(m, y float64) float64 {
	value, _, _ := l.At(m, y)
	return value
}

// Slope is f′(m; y), within [−1, 1].
func (l Huber) Slope(m, y float64) float64 {
	_, slope, _ := l.At(m, y)
	return slope
}

// Curvature is 1/(2h) on the parabola and 0 elsewhere.
func (l Huber) Curvature(m, y float64) float64 {
	_, _, curvature := l.At(m, y)
	return curvature
}

// At returns value, slope and curvature.
func (l Huber) At(m, y float64) (value, slope, curvature float64) {
	z := y * m
	p := ((1 - z) + l.h) / (2 * l.h) // −yf′ on the parabola
	switch {
	case p <= 0:
		return 0, 0, 0
	case p >= 1:
		return 1 - z, -y, 0
	}
	return l.h * p * p, -y * p, 1 / (2 * l.h)
}

// Margin is y(1 + h − 2hp) for p = −y·slope.
func (l Huber) Margin(slope, y float64) float64 {
	return marginAt(-y*slope, y, func(p float64) float64 { return y * (1 + l.h*(1-2*p)) })
}

// Class is privacy.LossSigned.
func (Huber) Class() privacy.LossClass { return privacy.LossSigned }

// MaxSlope is 1.
func (Huber) MaxSlope() float64 { return 1 }

// MaxCurvature is 1/(2h).
func (l Huber) MaxCurvature() float64 { return 1 / (2 * l.h) }
