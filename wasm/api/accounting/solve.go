package accounting

import (
	"errors"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// solve answers {event, parameter, epsilon, delta, bound?, method?} with the value of
// one parameter of the event that keeps the guarantee. The parameter itself may
// be left out of the event where it is one of its own fields.
func solve(call *api.Call) (map[string]any, error) {
	f := call.Fields
	parameter := f.Text("parameter")
	var event privacy.Event
	if tree := f.Any("event"); tree != nil {
		decoded, err := privacy.DecodeEvent(f.Path("event"), withPlaceholder(tree, parameter))
		f.Fail(err)
		event = decoded
	}
	bound, err := objective.ParseBound(f.TextOr("bound", ""))
	f.Fail(err)
	method, err := account.ParseMethod(f.TextOr("method", ""))
	f.Fail(err)
	keep := privacy.Guarantee{Epsilon: f.Number("epsilon"), Delta: f.Number("delta")}
	f.Fail(privacy.CheckEpsilon(keep.Epsilon))
	f.Fail(privacy.CheckDelta(keep.Delta))
	if err := f.Done(); err != nil {
		return nil, err
	}
	keep.Adjacency = event.Neighbours()
	answer, err := calibrate.Solve(calibrate.Request{
		Event: event, Parameter: parameter, Keep: keep, Bound: bound, Method: method,
	})
	if err != nil {
		if p, ok := err.(*privacy.ParameterError); ok && p.Field != "parameter" {
			return nil, within(err)
		}
		return nil, err
	}
	name, theorem := cited(event, bound, answer.Method, answer.Quick)
	return map[string]any{
		"parameter": parameter,
		"value":     answer.Value,
		"event":     privacy.EncodeEvent(answer.Event),
		"method":    string(answer.Method),
		"guarantee": map[string]any{
			"adjacency": keep.Adjacency.String(), "epsilon": keep.Epsilon, "delta": keep.Delta, "bound": name, "theorem": theorem,
		},
		"delta":           answer.Delta,
		"estimatedExcess": answer.Excess,
	}, nil
}

// withPlaceholder gives a field that is solved for a value, if it has none.
func withPlaceholder(tree any, parameter string) any {
	given, ok := tree.(map[string]any)
	if _, there := given[parameter]; !ok || there || parameter == "noise" || parameter == "sigmas" {
		return tree
	}
	filled := map[string]any{}
	for _, own := range []string{"sigma", "scale", "noise_multiplier", "rate", "steps", "lambda", "truth", "epsilon", "rho", "gamma", "mean", "tau"} {
		if own == parameter {
			filled[own] = 0.5
		}
	}
	if parameter == "steps" {
		filled[parameter] = 1.0
	}
	for name, value := range given {
		filled[name] = value
	}
	return filled
}

// explain gives the errors of the packages that only this one uses a code and a
// place.
func explain(err error) *api.Error {
	if none, ok := errors.AsType[*pld.NoDistributionError](err); ok {
		return &api.Error{
			Code:    api.CodeParameter,
			Message: api.Sentence("The event " + none.Error()),
			Field:   "event.mechanism",
			Cause:   err,
		}
	}
	if e, ok := errors.AsType[*calibrate.InfeasibleError](err); ok {
		return &api.Error{
			Code:    api.CodeParameter,
			Message: api.Sentence("It cannot be had: " + e.Error()),
			Field:   "event." + e.Parameter,
			Cause:   err,
		}
	}
	return nil
}
