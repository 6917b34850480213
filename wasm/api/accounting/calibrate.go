package accounting

import (
	"cloister/core/account/calibrate"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// calibrated answers {rowNorm, dimension, adjacency, epsilon, delta, …} (see
// api.ReadCalibration) with the event that has the guarantee.
func calibrated(call *api.Call) (map[string]any, error) {
	f := call.Fields
	rowNorm, dimension := f.Number("rowNorm"), f.Int("dimension")
	f.Fail(privacy.CheckPositive("rowNorm", rowNorm))
	request := api.ReadCalibration(f, api.Logistic, rowNorm, dimension)
	if err := f.Done(); err != nil {
		return nil, err
	}
	event, err := calibrate.Minima(request)
	if err != nil {
		return nil, err
	}
	bound, err := request.Bound.Resolve(request.Loss)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"event":     privacy.EncodeEvent(event),
		"guarantee": api.Promise(request.Guarantee, bound),
	}, nil
}
