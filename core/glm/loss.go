// Package glm holds the losses of generalised linear models,
// ℓ(θ; x, y) = f(xᵀθ; y) with f convex in the margin m = xᵀθ, their derivatives,
// the constants that a privacy analysis needs of them, and gradient clipping.
//
//	loss      f(m; y)                          |f′| ≤      f″ ≤      labels
//	Logistic  log(1 + e^(−ym))                 1           1/4        −1, +1
//	Huber     hinge with a parabola of half-   1           1/(2h)     −1, +1
//	          width h in place of its corner
//	Squared   (m − y)²/2                       unbounded   1          any number
//	Shifted-  log(1 + e^(h−ym))                1           1/4        −1, +1
//	Logistic
//	Weighted- w·log(1 + e^(−ym)), w ≤ 1 by y   1           1/4        −1, +1
//	Logistic
//	Rounded-  w − 1 + e^(−w), w = h − ym > 0   1           1          −1, +1
//	Hinge     else 0
//
// A margin is in the units of the linear predictor. A value is in nats for Logistic,
// shifted, weighted or not, and in squared units of y for Squared. If the margin or label is
// NaN, so are the value and the slope. Labels other than those above are the caller's mistake,
// and are not checked.
package glm

import "cloister/core/privacy"

// Loss is f(m; y): a convex function of the margin m for each label y, with
// a continuous derivative.
type Loss interface {
	// Value is f(m; y).
	Value(m, y float64) float64

	// Slope is f′(m; y), the derivative by m. It does not decrease in m.
	Slope(m, y float64) float64

	// Curvature is f″(m; y) ≥ 0. At a kink of f′ it is the value on either
	// side.
	Curvature(m, y float64) float64

	// At returns all three, for little more than the price of one.
	At(m, y float64) (value, slope, curvature float64)

	// Margin is the inverse of Slope: an m with f′(m; y) = slope, or ±Inf if
	// slope is not strictly between the least and the greatest value of f′.
	Margin(slope, y float64) float64

	// Class says which privacy bounds hold for the loss.
	Class() privacy.LossClass

	// MaxSlope is the least upper bound of |f′| over all margins and labels,
	// +Inf if there is none.
	MaxSlope() float64

	// MaxCurvature is the least upper bound β of f″.
	MaxCurvature() float64
}
