package accounting

import (
	"cloister/core/account/objective"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// worst answers {event, epsilon} with what the control problem finds of one objective
// perturbation: the path of slopes that costs most, and the one that data come near.
func worst(call *api.Call) (map[string]any, error) {
	f := call.Fields
	event := f.Event("event")
	epsilon := f.Number("epsilon")
	e, ok := event.(privacy.ObjectivePerturbation)
	if event != nil && !ok {
		f.Fail(&privacy.ParameterError{
			Field: "event.mechanism", Value: `"` + event.Mechanism() + `"`,
			Want: `"objective-perturbation"`,
		})
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	w, err := objective.WorstPath(e, epsilon)
	if err != nil {
		if p, ok := err.(*privacy.ParameterError); ok && p.Field == "epsilon" {
			return nil, err
		}
		return nil, within(err)
	}
	reply := map[string]any{
		"logDelta": w.LogDelta, "logDeltaGaussian": w.LogGaussian, "logDeltaData": w.LogData,
		"pinned": w.Pinned, "data": path(w.Data),
	}
	if !w.Pinned {
		reply["path"], reply["turn"] = path(w.Path), w.Turn
	}
	switch {
	case e.Lipschitz != e.RowNorm:
	case e.Loss == privacy.LossLogistic:
		reply["freeLambda"] = objective.ZeroOverheadLambda(epsilon, e.RowNorm, e.Sigma)
	case e.Loss == privacy.LossHinge:
		reply["freeLambda"] = e.RowNorm * e.RowNorm / epsilon // theory §4.8
	}
	return reply, nil
}

func path(p objective.Path) map[string]any {
	return map[string]any{"noise": p.Noise, "slope": p.Slope}
}
