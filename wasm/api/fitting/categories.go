package fitting

import (
	"cloister/core/learn/categories"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// categories prepares {dataset, adjacency, epsilon, delta}: the categories of the
// columns that the reading named, which was for the purpose "categories".
func (s *Session) categories(call *api.Call) (*api.Purchase, error) {
	id := call.Fields.Int("dataset")
	counts, ok := s.listed[id]
	if !ok {
		return nil, lost(id)
	}
	plan := readCategories(call.Fields, len(counts.Columns))
	event, err := eventOf(call, plan)
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		drawing(call)
		return released(categories.Run(counts, plan, s.source))
	}
	return &api.Purchase{Event: event, Dataset: id, Run: run}, nil
}

func readCategories(f *privacy.Fields, columns int) categories.Plan {
	return categories.Plan{
		Adjacency: f.Adjacency(),
		Columns:   columns,
		Epsilon:   f.Number("epsilon"),
		Delta:     f.Number("delta"),
	}
}

// planCategories answers {columns, adjacency, epsilon, delta}, columns being how
// many, with what buying their categories would be charged for and how many records
// a category needs. No data is needed.
func planCategories(call *api.Call) (map[string]any, error) {
	plan := readCategories(call.Fields, call.Fields.Int("columns"))
	event, err := eventOf(call, plan)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"event":   privacy.EncodeEvent(event),
		"epsilon": plan.Epsilon,
		"delta":   plan.Delta,
		"even":    plan.Even(),
		"sure":    plan.Sure(),
	}, nil
}
