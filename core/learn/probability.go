package learn

import (
	"math"

	"cloister/core/data"
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
	q, rest := 1/(1+math.Exp(-margin)), 1/(1+math.Exp(margin))
	q, rest = math.Min(q, c), math.Min(rest, c)
	return q / (q + rest)
}

// Cut returns the c of [Probability] for one row of the design matrix: L/‖x‖, L
// the threshold at which the release's fit clipped gradients.
func (r *Release) Cut(row data.Row) float64 {
	objective, _, ok := objectiveOf(r.Event)
	if !ok {
		return 1
	}
	squares := 0.0
	for _, v := range row.Value {
		squares += v * v
	}
	return objective.Lipschitz / math.Sqrt(squares)
}
