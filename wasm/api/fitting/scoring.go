package fitting

import (
	"context"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/evaluate"
	"cloister/wasm/api"
)

// How a model does on a data set, of which other workers may keep a part of the rows.

// tally is evaluate.Tally of a data set.
func (s *Session) tally(
	id int, release *learn.Release, plan evaluate.Plan,
) ([][]float64, error) {
	return s.byBlock(id, release, question{
		method: "shard.tally",
		params: map[string]any{
			"adjacency": plan.Adjacency.String(), "epsilon": plan.Epsilon,
			"bins": float64(plan.Bins), "lossBound": plan.LossBound,
		},
		count: tallied(release.Model, plan),
	})
}

// exactSums is evaluate.ExactSums of a data set.
func (s *Session) exactSums(id int, release *learn.Release) ([][]float64, error) {
	return s.byBlock(id, release, question{
		method: "shard.exact", params: map[string]any{}, count: exact(release.Model),
	})
}

func tallied(model learn.Model, plan evaluate.Plan) blockwise {
	return func(d *data.Dataset) ([][]float64, error) {
		return evaluate.Tally(context.Background(), model, d, plan)
	}
}

func exact(model learn.Model) blockwise {
	return func(d *data.Dataset) ([][]float64, error) { return evaluate.ExactSums(model, d) }
}

// tallyShard answers {release, adjacency, epsilon, bins, lossBound} with evaluate.Tally of the
// blocks that are kept here.
func (s *Session) tallyShard(call *api.Call) (map[string]any, error) {
	plan := readEvaluation(call.Fields)
	return s.countShard(call, func(release *learn.Release) (blockwise, error) {
		return tallied(release.Model, plan), nil
	})
}

// exactShard answers {release} with evaluate.ExactSums of the blocks that are kept here.
func (s *Session) exactShard(call *api.Call) (map[string]any, error) {
	return s.countShard(call, func(release *learn.Release) (blockwise, error) {
		return exact(release.Model), nil
	})
}
