package dpsgd

import (
	"context"
	"errors"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Dishonest is the best of a grid of fits, chosen by the data at no charge: what
// papers call DP-SGD when they leave out the cost of tuning it. Each fit of the
// grid keeps the plan's guarantee; their winner does not. So it is an
// Unprotected, which no release takes and which has no JSON form.
type Dishonest struct {
	learn.Unprotected
	LearningRate float64 // the winner's
	Evaluation   learn.Evaluation
}

// BestOfGrid fits the plan once with each of the learning rates and returns the
// fit that predicts the most of the records in held correctly (the first of
// equals), as Redberg, Koskela & Wang 2023 do for "dishonest DP-SGD", with held
// the test set. It is a yardstick, to be shown to nobody as private. Fits that
// diverge lose; if all do, the error is the last one's.
//
// Errors are those of Fit, and a *privacy.ParameterError without a learning
// rate.
func BestOfGrid(ctx context.Context, problem learn.Problem, plan Plan, rates []float64, held *data.Dataset, source random.Source, progress func(solve.Progress)) (Dishonest, error) {
	err := error(&privacy.ParameterError{Field: "learning_rates", Value: "empty", Want: "one learning rate or more"})
	best, found := Dishonest{}, false
	for _, rate := range rates {
		plan.Optimiser.LearningRate = rate
		run, failed := prepare(problem, plan)
		if failed != nil {
			return Dishonest{}, failed
		}
		theta, failed := run.descend(ctx, plan.Optimiser, source, progress)
		var diverged *DivergedError
		if errors.As(failed, &diverged) {
			err = failed
			continue
		}
		if failed != nil {
			return Dishonest{}, failed
		}
		fit := learn.NewUnprotected("the learning rate was chosen by looking at the data, and the choice was not paid for", problem, theta)
		if e := fit.Evaluate(held); !found || e.Correct > best.Evaluation.Correct {
			best, found = Dishonest{Unprotected: fit, LearningRate: rate, Evaluation: e}, true
		}
	}
	if !found {
		return Dishonest{}, err
	}
	return best, nil
}
