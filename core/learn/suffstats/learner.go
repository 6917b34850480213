package suffstats

import (
	"context"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner is linear regression on moments with noise.
var Learner = learn.Method{
	Name: "suffstats", Title: "noisy moments",
	Labels: []data.LabelType{data.NumericLabel}, Losses: []string{learn.SquaredLoss},
	Adjacencies: learn.AllAdjacencies,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		plan, err := NewPlan(a.Guarantee, a.Schema.Dimension(), a.Schema.RowNorm())
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := plan.Event()
		return learn.Chosen{
			Event: event, Price: account.Closed, Plan: plan,
			Fit: learn.OneVector(1, func(
				ctx context.Context, p learn.Problem, source random.Source,
				told func(solve.Progress),
			) (learn.Model, *learn.Diagnostics, error) {
				return Fit(ctx, p, plan, source, told)
			}),
			Trial: func() (learn.Trial, error) {
				return learn.Trial{}, &privacy.ParameterError{
					Field: "method", Value: `"suffstats"`,
					Want: "another, to be tried out: no trial has noise in the matrix",
				}
			},
		}, err
	},
}
