package dpgd

import (
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Attack returns the audit of a fit by this plan. The price is that of a Gaussian
// mechanism for each step, which a record reaches whose gradient is clipped in every one.
// Then the sums of all steps differ by C in the first coordinate, and what is released
// adds them up by the plan's weights. The more the weights differ, the less of the price
// one number shows, and the more runs are taken.
// Records with short rows pull the margin below 0, against the noise of all steps.
func Attack(
	schema *data.Schema, loss glm.Loss, plan Plan, suspect learn.Suspect,
) (learn.Attack, error) {
	weights := plan.weights()
	gain, squares, price := 0.0, 0.0, 0.0 // of a force in every step; of the noise; μ²/C²
	for t, sigma := range plan.Sigmas {
		gain += weights[t]
		squares += weights[t] * weights[t] * sigma * sigma
		price += 1 / (sigma * sigma)
	}
	test, err := suspect.ShiftedIn(gain / math.Sqrt(squares*price))
	if err != nil {
		return learn.Attack{}, err
	}
	record, opposite := learn.Mark{Scale: 1, Label: 1}, learn.Mark{Scale: -1, Label: 1}
	var shared []learn.Mark
	first := []learn.Mark{opposite}
	if plan.Adjacency != privacy.ReplaceOne {
		force := 3 * math.Sqrt(squares) / gain
		shared = learn.Pulling(loss, plan.RowNorm, force, plan.RowNorm*gain*force)
		first = shared
	}
	fit := func(noise float64) (learn.Fit, error) {
		plan := plan
		plan.Sigmas = slices.Clone(plan.Sigmas)
		for t := range plan.Sigmas {
			plan.Sigmas[t] *= noise
		}
		_, err := plan.Event()
		return learn.OneVector(len(plan.Sigmas), plan.fit), err
	}
	return learn.Attack{
		Without:   learn.Marks(schema, loss, plan.RowNorm, first),
		With:      learn.Marks(schema, loss, plan.RowNorm, append(shared, record)),
		Statistic: func(theta []float64) float64 { return theta[0] },
		Test:      test,
		Fit:       fit,
	}, nil
}
