package glm

import (
	"math"

	"cloister/core/privacy"
)

// Squared is f(m; y) = (m − y)²/2 for any real y: linear regression. Its slope
// has no bound, so a private learner must clip it; clipped, it is Huber's
// robust regression loss with the corner at the threshold.
type Squared struct{}

// Value is (m − y)²/2.
func (Squared) Value(m, y float64) float64 { return 0.5 * (m - y) * (m - y) }

// Slope is m − y.
func (Squared) Slope(m, y float64) float64 { return m - y }

// Curvature is 1.
func (Squared) Curvature(m, y float64) float64 { return 1 }

// At returns value, slope and curvature.
func (l Squared) At(m, y float64) (value, slope, curvature float64) {
	return l.Value(m, y), m - y, 1
}

// Margin is y + slope.
func (Squared) Margin(slope, y float64) float64 { return y + slope }

// Class is privacy.LossGLM: the sign of f′ is not fixed by y.
func (Squared) Class() privacy.LossClass { return privacy.LossGLM }

// MaxSlope is +Inf.
func (Squared) MaxSlope() float64 { return math.Inf(1) }

// MaxCurvature is 1.
func (Squared) MaxCurvature() float64 { return 1 }
