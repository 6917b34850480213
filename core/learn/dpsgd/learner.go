package dpsgd

import (
	"context"
	"strconv"

	"cloister/core/account"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner is gradient descent on samples of the records with the [Defaults]. It has no
// form for replace-one, which would be two changes to a Poisson sample.
var Learner = learn.Method{
	Name: "dpsgd", Title: "noisy gradient descent on samples (DP-SGD)",
	Labels: learn.OneVectorLabels, Losses: learn.AllLosses,
	Adjacencies: []privacy.Adjacency{privacy.AddRemove},
	Records:     true,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		plan, err := Defaults(a.Schema, a.Loss, a.Guarantee, a.Records)
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := plan.Event()
		return learn.Chosen{
			Event: event, Price: account.Distribution,
			Fit:   learn.OneVector(plan.Steps, plan.fit),
			Trial: func() (learn.Trial, error) { return plan.Trial(a.Schema.Dimension()) },
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

// Trial returns the fit that stands for the plan on made-up records of this many
// columns. A plan with another optimiser than momentum, or with a mean of its last
// steps, is a *privacy.ParameterError: trials have neither.
func (p Plan) Trial(dimension int) (learn.Trial, error) {
	if method := string(p.Optimiser.Method); p.Optimiser.Method != Momentum {
		return learn.Trial{}, &privacy.ParameterError{
			Field: "optimiser.method", Value: strconv.Quote(method), Want: `"momentum" in a trial`,
		}
	}
	if p.Average > 1 {
		return learn.Trial{}, &privacy.ParameterError{
			Field: "average", Value: strconv.Itoa(p.Average), Want: "0 in a trial",
		}
	}
	steps := &learn.TrialSteps{
		Rate: p.Rate, Momentum: p.Optimiser.Momentum,
		Sigmas: make([]float64, p.Steps), Sizes: make([]float64, p.Steps),
	}
	for t := range steps.Sigmas {
		steps.Sigmas[t], steps.Sizes[t] = p.NoiseMultiplier*p.Clip, p.Optimiser.LearningRate/p.Batch
	}
	return learn.Trial{Dimension: dimension, Clip: p.Clip, Steps: steps}, nil
}
