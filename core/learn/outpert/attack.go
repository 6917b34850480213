package outpert

import (
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Attack returns the audit of a fit by this plan. The price is that of a Gaussian
// mechanism, which a record reaches whose gradient is clipped at both minimisers: it
// moves the first coefficient by C/λ. Records with short rows hold its margin below 0,
// where the slope of every loss is as steep as learn.DefaultClip asks for. One that is
// replaced by its opposite needs none, since the minimisers are then on either side of
// 0.
func Attack(
	schema *data.Schema, loss glm.Loss, plan Plan, suspect learn.Suspect,
) (learn.Attack, error) {
	test, err := suspect.Shifted()
	if err != nil {
		return learn.Attack{}, err
	}
	record, opposite := learn.Mark{Scale: 1, Label: 1}, learn.Mark{Scale: -1, Label: 1}
	shared, first := []learn.Mark(nil), []learn.Mark(nil)
	if plan.Adjacency == privacy.ReplaceOne {
		first = []learn.Mark{opposite}
	} else {
		moves := 2 * plan.Clip * plan.RowNorm / plan.Lambda
		shared = learn.Pulling(loss, plan.RowNorm, 1.2*plan.Clip, moves)
		first = shared
	}
	fit := func(noise float64) (learn.Fit, error) {
		plan := plan
		plan.Sigma *= noise
		_, err := plan.Event()
		return learn.OneVector(0, plan.fit), err
	}
	return learn.Attack{
		Without:   learn.Marks(schema, loss, plan.RowNorm, first),
		With:      learn.Marks(schema, loss, plan.RowNorm, append(shared, record)),
		Statistic: func(theta []float64) float64 { return theta[0] },
		Test:      test,
		Fit:       fit,
	}, nil
}
