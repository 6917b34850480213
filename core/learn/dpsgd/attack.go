package dpsgd

import (
	"math"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
)

// Attack returns the audit of a fit by this plan. The price is that of adding the same
// gradient, clipped, to the sum of each step whose sample has the record. Records with
// short rows keep it clipped: they pull the record's margin below 0, against the noise
// of all steps. θ at the end adds the sums up, so that what tells most about a single
// step is lost, but of many steps of a small rate little is.
func Attack(
	schema *data.Schema, loss glm.Loss, plan Plan, suspect learn.Suspect,
) (learn.Attack, error) {
	test, err := suspect.Shifted()
	if err != nil {
		return learn.Attack{}, err
	}
	norm := schema.RowNorm()
	steps := float64(plan.Steps)
	force := 3 * plan.NoiseMultiplier * plan.Clip / math.Sqrt(steps)
	gain := steps * plan.Optimiser.LearningRate / (plan.Batch * (1 - plan.Optimiser.Momentum))
	shared := learn.Pulling(loss, norm, force/plan.Rate, norm*gain*force)
	fit := func(noise float64) (learn.Fit, error) {
		plan := plan
		plan.NoiseMultiplier *= noise
		_, err := plan.Event()
		return learn.OneVector(plan.Steps, plan.fit), err
	}
	record := learn.Mark{Scale: 1, Label: 1}
	return learn.Attack{
		Without:   learn.Marks(schema, loss, norm, shared),
		With:      learn.Marks(schema, loss, norm, append(shared, record)),
		Statistic: func(theta []float64) float64 { return theta[0] },
		Test:      test,
		Fit:       fit,
	}, nil
}
