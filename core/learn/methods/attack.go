package methods

import (
	"fmt"

	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/dpsgd"
	"cloister/core/learn/ops"
	"cloister/core/learn/outpert"
	"cloister/core/learn/outptr"
	"cloister/core/learn/suffstats"
	"cloister/core/privacy"
)

// attackOn is what an audit runs of a fit by this plan. It stands here, and not with the
// learners' other closures, so that a program which fits and never audits has no audit in
// its binary. It panics for a plan of no learner of this package's.
func attackOn(asked learn.Asked, plan any) func(learn.Suspect) (learn.Attack, error) {
	return func(suspect learn.Suspect) (learn.Attack, error) {
		switch plan := plan.(type) {
		case privacy.ApproximateMinima:
			if plan.Objective.Loss == privacy.LossSoftmax {
				return amp.SoftmaxAttack(asked.Schema, plan, suspect)
			}
			return amp.Attack(asked.Schema, asked.Loss, plan, suspect)
		case outpert.Plan:
			return outpert.Attack(asked.Schema, asked.Loss, plan, suspect)
		case dpgd.Plan:
			return dpgd.Attack(asked.Schema, asked.Loss, plan, suspect)
		case dpsgd.Plan:
			return dpsgd.Attack(asked.Schema, asked.Loss, plan, suspect)
		case ops.Plan:
			return ops.Attack(asked.Schema, asked.Loss, plan, suspect)
		case ops.Fixed:
			return ops.FixedAttack(asked.Schema, asked.Loss, plan, suspect)
		case outptr.Plan:
			return outptr.Attack(asked.Schema, asked.Loss, plan, suspect)
		case suffstats.Plan:
			return suffstats.Attack(asked.Schema, asked.Loss, plan, suspect)
		}
		panic(fmt.Sprintf("methods: no attack on a plan of type %T", plan))
	}
}
