package accounting

import (
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// question is what is asked of an event: some of ε at a δ, δ at an ε, and δ at
// many ε.
type question struct {
	deltaAsked, epsilonAsked bool
	delta, epsilon           float64
	points                   []float64
}

func readQuestion(f *privacy.Fields) question {
	q := question{deltaAsked: f.Has("delta"), epsilonAsked: f.Has("epsilon")}
	q.epsilon, q.delta = f.NumberOr("epsilon", 0), f.NumberOr("delta", 0.5)
	f.Fail(privacy.CheckNonNegative("epsilon", q.epsilon))
	f.Fail(privacy.CheckDelta(q.delta))
	return q
}

func (q question) empty() bool { return !q.deltaAsked && !q.epsilonAsked && q.points == nil }

func nothingAsked(more string) error {
	return &api.Error{
		Code:    api.CodeParameter,
		Message: "Nothing is asked: give epsilon (to learn delta), delta (to learn epsilon)" + more + ".",
	}
}
