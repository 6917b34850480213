package dpsgd

import (
	"context"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// BestOfGrid fits the plan once with each of the learning rates and returns the
// best by the records in held (learn.BestOfGrid), which is not private: as
// Redberg, Koskela & Wang 2023 do for "dishonest DP-SGD", with held the test set.
//
// Errors are those of Fit, and a *privacy.ParameterError without a learning
// rate.
func BestOfGrid(
	ctx context.Context, problem learn.Problem, plan Plan, rates []float64, held *data.Dataset,
	source random.Source, progress func(solve.Progress),
) (learn.Dishonest[float64], error) {
	if len(rates) == 0 {
		return learn.Dishonest[float64]{}, &privacy.ParameterError{
			Field: "learning_rates",
			Value: "empty",
			Want:  "one learning rate or more",
		}
	}
	return learn.BestOfGrid(
		problem,
		held,
		"the learning rate",
		rates,
		func(rate float64) ([]float64, error) {
			plan.Optimiser.LearningRate = rate
			run, err := prepare(problem, plan)
			if err != nil {
				return nil, err
			}
			return run.descend(ctx, plan.Optimiser, source, progress)
		},
	)
}
