package outptr

import (
	"math"

	"cloister/core/audit"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Attack returns the audit of a fit by this plan. Records with short rows pull the first
// coefficient down, so that a long one with the opposite label has nearly the steepest gradient
// there is; under replace-one one with the label turned round takes its place. The record moves
// the first coefficient by nearly R/λ, which the noise is for where the test finds no curvature:
// the other columns are 0. It moves the tested eigenvalue by nothing, so that of the price the
// test's part is not tried.
func Attack(
	schema *data.Schema, loss glm.Loss, plan Plan, suspect learn.Suspect,
) (learn.Attack, error) {
	record, opposite := learn.Mark{Scale: 1, Label: 1}, learn.Mark{Scale: -1, Label: 1}
	var shared, first []learn.Mark
	slope := 1.0 // of the gradient's length R
	if plan.Adjacency == privacy.ReplaceOne {
		first = []learn.Mark{opposite}
	} else {
		const far = 3 // how far below 0 the margin of a long row lies
		shared = learn.Pulling(loss, plan.RowNorm, far*plan.Lambda/plan.RowNorm, far)
		first = shared
		slope = 1 / (1 + math.Exp(-far))
	}
	with := append(shared[:len(shared):len(shared)], record)
	moved := slope * plan.RowNorm / plan.Lambda
	if plan.Adjacency == privacy.ReplaceOne {
		moved = plan.RowNorm / plan.Lambda // each has half the steepest slope, at 0
	}
	margin, err := plan.Margin()
	if err != nil {
		return learn.Attack{}, err
	}
	sigma, _ := plan.Then(margin, 0)
	aim, err := audit.Take(
		audit.Shifted(moved/(suspect.Noise*sigma)), suspect.Promise, suspect.Epsilons)
	if err != nil {
		return learn.Attack{}, err
	}
	aim.Rounds = min(aim.Rounds+aim.Rounds/4, audit.MaxRounds) // the slope is a little less
	return learn.Attack{
		Without:   learn.Marks(schema, loss, plan.RowNorm, first),
		With:      learn.Marks(schema, loss, plan.RowNorm, with),
		Statistic: func(theta []float64) float64 { return theta[0] },
		Test:      audit.Test{Aim: aim},
		Fit: func(noise float64) (learn.Fit, error) {
			plan := plan
			plan.CurvatureRatio /= noise
			plan.OutputRatio /= noise
			return learn.OneVector(0, by(plan)), plan.Validate()
		},
	}, nil
}
