package fitting

import (
	"cloister/core/learn/selection"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// plan answers {schema, method?, loss?, huberWidth?, adjacency, epsilon, delta, …}
// (see readChoosing) with the event that a fit with these parameters would be
// charged for, and its guarantee; of a private choice also with each, the ε that every
// candidate's fit has by itself. No data is needed.
func (s *Session) plan(call *api.Call) (map[string]any, error) {
	schema, err := readSchema(call.Fields)
	if err != nil || schema == nil {
		return nil, err
	}
	asked := readChoosing(call.Fields, schema)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	fit, err := s.choose(asked)
	if err != nil {
		return nil, err
	}
	guarantee := promise(asked.Guarantee, fit)
	reply := map[string]any{"event": privacy.EncodeEvent(fit.Event), "guarantee": guarantee}
	if choice, ok := fit.Plan.(selection.Plan); ok {
		reply["each"] = choice.Each.Epsilon
	}
	return reply, nil
}
