package dpgd

import (
	"context"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

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

// BestOfGrid fits each of the requests' plans once and returns the best by the
// records in held (learn.BestOfGrid), which is not private.
//
// Errors are those of Request.Plan and Fit, and a *privacy.ParameterError
// without a request.
func BestOfGrid(
	ctx context.Context, problem learn.Problem, requests []Request, held *data.Dataset,
	source random.Source, progress func(solve.Progress),
) (learn.Dishonest[Request], error) {
	if len(requests) == 0 {
		return learn.Dishonest[Request]{}, bad("requests", "empty", "one request or more")
	}
	return learn.BestOfGrid(
		problem,
		held,
		"the plan",
		requests,
		func(request Request) ([]float64, error) {
			plan, err := request.Plan()
			if err != nil {
				return nil, err
			}
			model, _, err := Fit(ctx, problem, plan, source, progress)
			return model.Coefficients, err
		},
	)
}
