package dpgd

import (
	"context"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner is gradient descent on all records with the [Defaults].
var Learner = learn.Method{
	Name: "dpgd", Title: "noisy gradient descent",
	Labels: learn.OneVectorLabels, Losses: learn.AllLosses, Adjacencies: learn.AllAdjacencies,
	Records: true,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		return chosen(Defaults(a.Schema, a.Loss, a.Guarantee, a.Records))
	},
}

// fit is Fit by this plan.
func (p Plan) fit(
	ctx context.Context, problem learn.Problem, source random.Source,
	told func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	return Fit(ctx, problem, p, source, told)
}

// Trial returns the fit that stands for the plan on made-up records. A plan with a
// regulariser or a ball is a *privacy.ParameterError: trials have neither.
func (p Plan) Trial() (learn.Trial, error) {
	for _, unknown := range []struct {
		field string
		value float64
	}{{"lambda", p.Lambda}, {"radius", p.Radius}} {
		if unknown.value != 0 {
			return learn.Trial{}, bad(unknown.field, privacy.Number(unknown.value), "0 in a trial")
		}
	}
	steps := &learn.TrialSteps{
		Rate: 1, Sigmas: p.Sigmas, Sizes: p.Rates, Momentum: p.Momentum, Tail: p.Tail,
		Centring: p.Centring,
	}
	return learn.Trial{
		Dimension: p.columns(), Classes: p.Classes, Clip: p.Clip, Steps: steps,
	}, nil
}
