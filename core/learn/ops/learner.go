package ops

import (
	"context"
	"math"
	"strconv"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// TestedLearner is linear regression by one posterior sample whose noise two tests choose. There
// is no replace-one form: what a replaced record moves the tests by is not priced.
var TestedLearner = learn.Method{
	Name: "ops-ptr", Title: "tested posterior sample",
	Labels: []data.LabelType{data.NumericLabel}, Losses: []string{learn.SquaredLoss},
	Adjacencies: []privacy.Adjacency{privacy.AddRemove},
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		plan, err := NewPlan(a.Guarantee, a.Schema.Dimension(), a.Schema.RowNorm())
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := plan.Event()
		return learn.Chosen{
			Event: event, Price: account.Renyi, Plan: plan,
			Fit: learn.OneVector(1, func(
				ctx context.Context, p learn.Problem, source random.Source,
				told func(solve.Progress),
			) (learn.Model, *learn.Diagnostics, error) {
				model, _, diagnostics, err := Fit(ctx, p, plan, source, told)
				return model, diagnostics, err
			}),
			Trial: noTrial("ops-ptr"),
		}, err
	},
}

// FixedLearner is linear regression by one posterior sample, without a test. It rests on a bound
// on the number of records that holds for every table, so it is for replaced records alone,
// among which that number is public.
var FixedLearner = learn.Method{
	Name: "ops", Title: "posterior sample",
	Labels: []data.LabelType{data.NumericLabel}, Losses: []string{learn.SquaredLoss},
	Adjacencies: []privacy.Adjacency{privacy.ReplaceOne}, Records: true,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		if !(a.Records <= 1<<24) {
			return learn.Chosen{}, bad("records", privacy.Number(a.Records), "2^24 at most")
		}
		plan, err := NewFixed(a.Guarantee, false, a.Schema.Dimension(), a.Schema.RowNorm(),
			int(math.Ceil(a.Records)), 0)
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := plan.Event()
		return learn.Chosen{
			Event: event, Price: account.Closed, Plan: plan,
			Check: plan.checkRecords,
			Fit:   learn.OneVector(1, plan.Fit),
			Trial: noTrial("ops"),
		}, err
	},
}

// noTrial says that no trial on made-up records does what a sample does: its noise has the shape
// of the records' own second moments.
func noTrial(name string) func() (learn.Trial, error) {
	return func() (learn.Trial, error) {
		return learn.Trial{}, bad("method", strconv.Quote(name),
			"another, to be tried out: no trial has the noise of a posterior sample")
	}
}
