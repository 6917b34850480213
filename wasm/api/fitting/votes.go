package fitting

import (
	"math"
	"strconv"

	"cloister/core/pate"
	"cloister/core/privacy"
	"cloister/core/vote"
	"cloister/wasm/api"
)

// vote answers {votes, changes, adjacency, epsilon, delta}: the majority of each row of two
// counts, by the best private vote, and what that costs. Everything is checked before noise is
// drawn. There is no data set, and so no account that it could be charged to: the event is the
// caller's to charge.
func (s *Session) vote(call *api.Call) (map[string]any, error) {
	f := call.Fields
	votes := readVotes(f)
	changes, adjacency := vote.Changes(f.Text("changes")), f.Adjacency()
	epsilon, delta := f.Number("epsilon"), f.Number("delta")
	if err := f.Done(); err != nil {
		return nil, err
	}
	rule, err := vote.NewRule(changes, adjacency, epsilon, delta)
	if err != nil {
		return nil, err
	}
	labels, err := rule.Labels(s.source, votes)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"labels": classNumbers(labels), "event": privacy.EncodeEvent(rule.Event(len(votes))),
	}, nil
}

// pate answers {votes, adjacency, epsilon, delta, sigma, gap?}: a label for each query, how it
// was made, and what it costs.
func (s *Session) pate(call *api.Call) (map[string]any, error) {
	f := call.Fields
	votes := readVotes(f)
	request := pate.Request{
		Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon"), Delta: f.Number("delta"),
		Sigma: f.Number("sigma"), Gap: f.IntOr("gap", 0),
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	shape, err := pate.ShapeOf(votes)
	if err != nil {
		return nil, err
	}
	request.Shape = shape
	plan, err := pate.Choose(request)
	if err != nil {
		return nil, err
	}
	spent, err := plan.Epsilon(request.Delta)
	if err != nil {
		return nil, err
	}
	answer, err := plan.Labels(s.source, votes)
	if err != nil {
		return nil, err
	}
	reply := map[string]any{
		"labels": classNumbers(answer.Labels), "event": privacy.EncodeEvent(plan.Event()),
		"epsilon": spent, "sigma": answer.Sigma, "test": nil,
	}
	if plan.Tested {
		reply["test"] = map[string]any{
			"passed": answer.Passed, "distance": float64(answer.Distance), "order": plan.Order,
			"budget": plan.Budget, "sigma": plan.TestSigma, "failure": plan.Failure,
			"fallback": plan.Fallback,
		}
	}
	return reply, nil
}

// readVotes reads the field "votes", lists of whole numbers.
func readVotes(f *privacy.Fields) [][]int {
	rows := f.List("votes")
	votes := make([][]int, len(rows))
	for i, row := range rows {
		field := f.Path("votes") + "[" + strconv.Itoa(i) + "]"
		list, ok := row.([]any)
		if !ok {
			f.Fail(&privacy.ParameterError{
				Field: field, Value: "no list", Want: "a list with the votes for each class",
			})
			return nil
		}
		votes[i] = make([]int, len(list))
		for j, value := range list {
			n, ok := value.(float64)
			if !ok || !(n == math.Trunc(n) && math.Abs(n) <= privacy.LargestCount) {
				said := "not a number"
				if ok {
					said = privacy.Number(n)
				}
				f.Fail(&privacy.ParameterError{
					Field: field + "[" + strconv.Itoa(j) + "]", Value: said,
					Want: "a number of votes, which is whole and 0 or more",
				})
				return nil
			}
			votes[i][j] = int(n)
		}
	}
	return votes
}

func classNumbers(labels []int) []any {
	list := make([]any, len(labels))
	for i, label := range labels {
		list[i] = float64(label)
	}
	return list
}
