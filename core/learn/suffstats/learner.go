package suffstats

import (
	"context"
	"math"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner is linear regression on moments with noise.
var Learner = learn.Method{
	Name: "suffstats", Title: "noisy moments",
	Labels: []data.LabelType{data.NumericLabel}, Losses: []string{learn.SquaredLoss},
	Adjacencies: learn.AllAdjacencies, Spread: true,
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
			Trial: func() (learn.Trial, error) { return plan.Trial(), nil },
		}, err
	},
}

// Trial returns the fit that stands for the plan on made-up records: moments with such noise,
// and the coefficients of their default ridge.
func (p Plan) Trial() learn.Trial {
	return learn.Trial{
		Dimension: p.Dimension, Clip: math.Inf(1), Moments: &learn.Moments{
			MatrixSigma: p.MatrixSigma, VectorSigma: p.VectorSigma, SquareSigma: p.SquareSigma,
		},
	}
}
