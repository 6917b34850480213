package learn

import (
	"math"

	"cloister/core/glm"
)

// Probability returns the probability of the positive label that a margin
// stands for, after a fit with the logistic loss whose slope was cut off at c.
//
// With q = 1/(1 + e^−m) it is min(q, c)/(min(q, c) + min(1 − q, c)): the p at
// which the expected loss p·f_C(m; +1) + (1 − p)·f_C(m; −1) is least at m, for
// then p·min(1 − q, c) = (1 − p)·min(q, c). For c ≥ 1, no clipping, p = q; else
// p = q between 1 − c and c (c > 1/2), and outside the odds are nearer to even
// by a factor of about c. On Adult with ε = 8 and c = 0.56 records with q near
// 0.15 are positive in one case of five, which is this p.
//
// Probability(−m, c) is the probability of the negative label, without
// cancellation.
func Probability(margin, c float64) float64 {
	_, positive := Probabilities(margin, c)
	return positive
}

// Probabilities returns those of the negative and of the positive label: Probability(−m, c) and
// Probability(m, c), to the last bit.
func Probabilities(margin, c float64) (negative, positive float64) {
	return ShiftedProbabilities(margin, 0, c)
}

// ShiftedProbabilities is Probabilities after a fit with the logistic loss shifted by h, by the
// same argument: with σ(t) = 1/(1 + e^−t), the pulls towards the labels are u = min(σ(h − m), c)
// and v = min(σ(h + m), c), and p·u = (1 − p)·v at p = v/(u + v).
func ShiftedProbabilities(margin, h, c float64) (negative, positive float64) {
	q, rest := 1/(1+math.Exp(-(h+margin))), 1/(1+math.Exp(-(h-margin)))
	q, rest = math.Min(q, c), math.Min(rest, c)
	return rest / (q + rest), q / (q + rest)
}

// weightedProbabilities is Probabilities after a fit with weights, by the same argument: the pulls
// are u = min(w₊σ(−m), c) and v = min(w₋σ(m), c). So they are the chances among the records as
// they come, not among weighted ones: without clipping the odds are e^m/ratio.
func weightedProbabilities(
	margin float64, loss glm.WeightedLogistic, c float64,
) (negative, positive float64) {
	up := math.Min(loss.Slope(margin, -1), c)
	down := math.Min(-loss.Slope(margin, 1), c)
	return down / (up + down), up / (up + down)
}

// squaredProbability is the same for the squared loss with labels −1 and +1,
// whose slope m − y is cut off at c: with u = min(1 − m, c) and v = min(1 + m,
// c), the pulls towards the labels, p·u = (1 − p)·v at p = v/(u + v). Beyond
// −1 and +1 both labels pull one way and p is 0 or 1. Without clipping p =
// (1 + m)/2.
func squaredProbability(margin, c float64) float64 {
	up, down := math.Min(1-margin, c), math.Min(1+margin, c)
	switch {
	case up <= 0:
		return 1
	case down <= 0:
		return 0
	}
	return down / (up + down)
}
