package dpgd

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
// papers compare with when they leave out the cost of tuning. Each fit of the
// grid keeps its plan's guarantee; their winner does not. So it is an
// Unprotected, which no release takes and which has no JSON form.
type Dishonest struct {
	learn.Unprotected
	Request    Request // the winner's
	Evaluation learn.Evaluation
}

// Grid returns base as the constant schedule with each of the step sizes (of
// the mean objective), numbers of steps and clipping thresholds.
func Grid(base Request, rates []float64, steps []int, clips []float64) []Request {
	base.Schedule = ScheduleConstant
	var list []Request
	for _, base.Clip = range clips {
		for _, base.Steps = range steps {
			for _, base.Rate = range rates {
				list = append(list, base)
			}
		}
	}
	return list
}

// BestOfGrid fits each of the requests' plans once and returns the fit that
// predicts the most of the records in held correctly, the first of equals. It
// is a yardstick, to be shown to nobody as private. Fits that diverge lose; if
// all do, the error is the last one's.
//
// Errors are those of Request.Plan and Fit, and a *privacy.ParameterError
// without a request.
func BestOfGrid(ctx context.Context, problem learn.Problem, requests []Request, held *data.Dataset, source random.Source, progress func(solve.Progress)) (Dishonest, error) {
	err := error(&privacy.ParameterError{Field: "requests", Value: "empty", Want: "one request or more"})
	best, found := Dishonest{}, false
	for _, request := range requests {
		plan, failed := request.Plan()
		if failed != nil {
			return Dishonest{}, failed
		}
		model, _, failed := Fit(ctx, problem, plan, source, progress)
		var divergence *Divergence
		if errors.As(failed, &divergence) {
			err = failed
			continue
		}
		if failed != nil {
			return Dishonest{}, failed
		}
		fit := learn.NewUnprotected("the plan was chosen by looking at the data, and the choice was not paid for", problem, model.Coefficients)
		if e := fit.Evaluate(held); !found || e.Correct > best.Evaluation.Correct {
			best, found = Dishonest{Unprotected: fit, Request: request, Evaluation: e}, true
		}
	}
	if !found {
		return Dishonest{}, err
	}
	return best, nil
}
