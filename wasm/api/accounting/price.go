package accounting

import (
	"cloister/core/account"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// price answers {event, bound?, epsilon?, delta?, curve?, compare?}: epsilon
// for a delta, delta (and logDelta) for an epsilon, a curve, and other curves
// of the same event beside it. What comes back is on the safe side.
func price(call *api.Call) (map[string]any, error) {
	f := call.Fields
	event := f.Event("event")
	bound, err := account.ParseBound(f.TextOr("bound", ""))
	f.Fail(err)
	epsilonAsked, deltaAsked := f.Has("epsilon"), f.Has("delta")
	epsilon, delta := f.NumberOr("epsilon", 0), f.NumberOr("delta", 0.5)
	f.Fail(privacy.CheckNonNegative("epsilon", epsilon))
	f.Fail(privacy.CheckDelta(delta))
	points := readPoints(f, "curve")
	names := readComparisons(f, "compare")
	if names != nil && !f.Has("curve") {
		f.Fail(&privacy.ParameterError{Field: "compare", Value: "given without a curve", Want: `left out, or given beside "curve", whose points it uses`})
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if !epsilonAsked && !deltaAsked && points == nil {
		return nil, &api.Error{Code: api.CodeParameter, Message: "Nothing is asked: give epsilon (to learn delta), delta (to learn epsilon) or curve."}
	}
	curve, err := account.Of(event, bound)
	if err != nil {
		return nil, within(err)
	}
	name, theorem := cited(event, bound)
	reply := map[string]any{"adjacency": event.Neighbours().String(), "bound": name, "theorem": theorem}
	if deltaAsked {
		if reply["epsilon"], err = account.EpsilonUpper(curve, delta); err != nil {
			return nil, err
		}
	}
	if epsilonAsked {
		if reply["delta"], err = account.DeltaUpper(curve, epsilon); err != nil {
			return nil, err
		}
		reply["logDelta"] = curve.LogDeltaUpper(epsilon)
	}
	if points != nil {
		if reply["curve"], err = drawUpper(name, theorem, curve, points); err != nil {
			return nil, err
		}
	}
	if names != nil {
		if err := compare(reply, event, names, points); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

// within says that a parameter that the accountant refuses is the event's.
func within(err error) error {
	if p, ok := err.(*privacy.ParameterError); ok && p.Field == "bound" {
		return err
	}
	return privacy.Within("event", err)
}

// cited names the bound that prices an event, and its theorem.
func cited(event privacy.Event, bound account.Bound) (name, theorem string) {
	if loss, ok := lossOf(event); ok {
		if resolved, err := bound.Resolve(loss); err == nil {
			bound = resolved
		}
		return string(bound), bound.Theorem()
	}
	return string(account.BoundAuto), "Balle & Wang 2018, Theorem 8: privacy profile of the Gaussian mechanism"
}

// lossOf is the loss class of an event that the bounds are about.
func lossOf(event privacy.Event) (privacy.LossClass, bool) {
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		return e.Loss, true
	case privacy.ApproximateMinima:
		return e.Objective.Loss, true
	}
	return "", false
}
