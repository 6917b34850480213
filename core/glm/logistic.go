package glm

import (
	"math"

	"cloister/core/privacy"
)

// Logistic is f(m; y) = log(1 + e^(−ym)), y ∈ {−1, +1}: the negative log
// likelihood, in nats, of label y when P[y = +1] = 1/(1 + e^−m).
//
// With p = 1/(1 + e^(ym)) = |f′|, f′ = −yp and f″ = p(1 − p). All are computed
// from e = e^(−|m|), which neither overflows nor cancels, and are within a few
// ulp of the truth for every finite m, in the tails too, as long as the result
// is a normal float64.
type Logistic struct{}

// Value is log(1 + e^(−ym)).
func (Logistic) Value(m, y float64) float64 {
	z := y * m
	return hinge(z) + math.Log1p(math.Exp(-math.Abs(z)))
}

// Slope is −y/(1 + e^(ym)), within [−1, 1].
func (Logistic) Slope(m, y float64) float64 {
	_, slope, _ := logistic(m, y)
	return slope
}

// Curvature is e^(−|m|)/(1 + e^(−|m|))², within [0, 1/4].
func (Logistic) Curvature(m, y float64) float64 {
	_, _, curvature := logistic(m, y)
	return curvature
}

// At returns value, slope and curvature with one exponential.
func (Logistic) At(m, y float64) (value, slope, curvature float64) {
	e, slope, curvature := logistic(m, y)
	return hinge(y*m) + math.Log1p(e), slope, curvature
}

// logistic returns e = e^(−|m|), f′ and f″.
func logistic(m, y float64) (e, slope, curvature float64) {
	z := y * m
	e = math.Exp(-math.Abs(z))
	larger := 1 / (1 + e) // of p and 1−p
	smaller := e * larger
	if z > 0 {
		slope = -y * smaller
	} else {
		slope = -y * larger
	}
	curvature = smaller * larger
	if curvature > 0.25 { // by rounding, at |m| < 2^-25
		curvature = 0.25
	}
	return e, slope, curvature
}

// hinge is max(0, −z), and 0 for NaN.
func hinge(z float64) float64 {
	if z < 0 {
		return -z
	}
	return 0
}

// Margin is y·log((1 − p)/p) for p = −y·slope.
func (Logistic) Margin(slope, y float64) float64 {
	return marginAt(-y*slope, y, func(p float64) float64 { return y * math.Log((1-p)/p) })
}

// marginAt is inside(p) for 0 < p < 1, and beyond every margin of the label y where the slope
// −yp is as small or as large as it can be.
func marginAt(p, y float64, inside func(p float64) float64) float64 {
	switch {
	case p <= 0:
		return y * math.Inf(1)
	case p >= 1:
		return y * math.Inf(-1)
	}
	return inside(p)
}

// Class is privacy.LossLogistic.
func (Logistic) Class() privacy.LossClass { return privacy.LossLogistic }

// MaxSlope is 1.
func (Logistic) MaxSlope() float64 { return 1 }

// MaxCurvature is 1/4.
func (Logistic) MaxCurvature() float64 { return 0.25 }
