package dpgd

import (
	"context"

	"cloister/core/account"
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
		plan, err := Defaults(a.Schema, a.Loss, a.Guarantee, a.Records).Plan()
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := plan.Event()
		return learn.Chosen{
			Event: event, Price: account.Closed,
			Fit: learn.OneVector(len(plan.Sigmas), func(
				ctx context.Context, p learn.Problem, source random.Source,
				told func(solve.Progress),
			) (learn.Model, *learn.Diagnostics, error) {
				return Fit(ctx, p, plan, source, told)
			}),
			Trial: plan.Trial,
			Plan:  plan,
		}, err
	},
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
	steps := &learn.TrialSteps{Rate: 1, Sigmas: p.Sigmas, Sizes: p.Rates, Momentum: p.Momentum}
	return learn.Trial{Dimension: p.Dimension, Clip: p.Clip, Steps: steps}, nil
}
