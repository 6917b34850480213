package outptr

import (
	"context"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner is logistic regression by output perturbation whose noise a test chooses.
var Learner = learn.Method{
	Name: "outptr", Title: "tested output perturbation",
	Labels: []data.LabelType{data.TwoClasses}, Losses: []string{learn.LogisticLoss},
	Adjacencies: learn.AllAdjacencies,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		plan, err := NewPlan(a.Guarantee, a.Schema.Dimension(), a.Schema.RowNorm(), 0)
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := plan.Event()
		return learn.Chosen{
			Event: event, Price: account.Closed, Tau: plan.Tau(), Plan: plan,
			Fit: learn.OneVector(0, by(plan)),
			Trial: func() (learn.Trial, error) {
				return learn.Trial{}, &privacy.ParameterError{
					Field: "method", Value: `"outptr"`,
					Want: "another, to be tried out: the data themselves choose its noise",
				}
			},
		}, err
	},
}

// by is Fit by the plan, for those who do not ask what is told.
func by(plan Plan) func(
	context.Context, learn.Problem, random.Source, func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	return func(
		ctx context.Context, p learn.Problem, source random.Source, told func(solve.Progress),
	) (learn.Model, *learn.Diagnostics, error) {
		model, _, diagnostics, err := Fit(ctx, p, plan, source, told)
		return model, diagnostics, err
	}
}
