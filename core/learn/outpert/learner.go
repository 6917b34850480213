package outpert

import (
	"context"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner is output perturbation with the [Defaults].
var Learner = learn.Method{
	Name: "outpert", Title: "output perturbation",
	Labels: learn.OneVectorLabels, Losses: learn.AllLosses, Adjacencies: learn.AllAdjacencies,
	Records: true, Sums: true, Spread: true,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		plan, err := Defaults(a.Schema, a.Loss, a.Guarantee, a.Records).Plan()
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := plan.Event()
		return learn.Chosen{
			Event: event, Price: account.Closed, Tau: plan.Tau,
			Fit:   learn.OneVector(0, plan.fit),
			Trial: func() (learn.Trial, error) { return plan.Trial(), nil },
			Plan:  plan,
		}, err
	},
}

// fit is Fit by this plan.
func (p Plan) fit(
	ctx context.Context, problem learn.Problem, source random.Source, told func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	return Fit(ctx, problem, p, source, told)
}

// Defaults requests a fit of this loss to data of this schema. λ is chosen by Balance
// for about this many records; every other field has the default of Request.
func Defaults(
	schema *data.Schema, loss glm.Loss, guarantee privacy.Guarantee, records float64,
) Request {
	return Request{
		Guarantee: guarantee, Loss: loss,
		Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Records: records,
	}
}

// Trial returns the fit that stands for the plan on made-up records.
func (p Plan) Trial() learn.Trial {
	return learn.Trial{
		Dimension: p.Dimension, Clip: p.Clip, Lambda: p.Lambda, Out: p.Sigma, Radius: p.Radius,
	}
}
