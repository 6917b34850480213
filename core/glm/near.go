package glm

import "math"

// CurvatureNear returns an upper bound on f_C″, at its kinks too, over all margins
// within radius ≥ 0 of m. An error of the margin up to radius changes the slope by at
// most the bound times that error. y and norm are the record's, as in Row. Use it where
// MaxCurvature, which it never exceeds, is too large:
//
//   - Logistic: f″ ≤ e^(−|m′|) ≤ e^(−a), a = max(0, |m| − radius), and
//     e^(−a) ≤ 1/(1 + a + a²/2). Clipping only takes curvature away, and
//     so does a weight.
//   - Shifted by h, the same of m − yh. Rounded hinge: f″ ≤ e^(−w) where w = h − ym > 0,
//     bounded in the same way, and 0 unless some w within radius is above 0.
//   - Huber: 0 unless some margin within radius is on the parabola, |1 − z| ≤ h.
//   - Squared: 0 unless some is where the slope is not clipped, |m − y| ≤ C/norm.
//
// The distances are compared with 2^-50 of all that goes into them to spare, which
// is more than they are rounded by. A NaN gives MaxCurvature.
func (c Clipped) CurvatureNear(m, radius, y, norm float64) float64 {
	most := c.loss.MaxCurvature()
	reach, distance := math.Inf(1), 0.0
	switch l := c.loss.(type) {
	case Logistic, WeightedLogistic:
		return math.Min(most, tailAt(math.Abs(m)-radius))
	case ShiftedLogistic:
		return math.Min(most, tailAt(math.Abs(m-y*l.h)-radius-0x1p-50*(math.Abs(m)+l.h)))
	case RoundedHinge:
		w := l.h - y*m
		slack := 0x1p-50 * (1 + math.Abs(m) + radius + l.h)
		if -w > radius+slack {
			return 0
		}
		return math.Min(most, tailAt(w-radius-slack))
	case Huber:
		reach, distance = l.h, math.Abs(1-y*m)
	case Squared:
		if c.Active(norm) {
			reach, distance = c.threshold/norm, math.Abs(m-y)
		}
	}
	if distance > reach+radius+0x1p-50*(1+math.Abs(m)+math.Abs(y)+reach+radius) {
		return 0
	}
	return most
}

// tailAt is at least e^(−max(0, a')), for a' with |a' − a| ≤ 2^-50·(1 + |a|).
func tailAt(a float64) float64 {
	if a > 0 {
		return (1 + 0x1p-40) / (1 + a + 0.5*a*a)
	}
	return 1
}
