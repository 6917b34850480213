package fitting

import (
	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// plan answers {schema, loss?, huberWidth?, adjacency, epsilon, delta, …} (see
// api.ReadCalibration) with the event that a fit with these parameters would be
// charged for, and its guarantee. No data is needed.
func plan(call *api.Call) (map[string]any, error) {
	schema, err := readSchema(call.Fields)
	if err != nil || schema == nil {
		return nil, err
	}
	request, _ := readFit(call.Fields, schema)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	_, event, err := calibrated(request, len(schema.Label.Classes))
	if err != nil {
		return nil, err
	}
	bound, err := request.Bound.Resolve(request.Loss)
	if err != nil {
		return nil, err
	}
	return map[string]any{"event": privacy.EncodeEvent(event), "guarantee": api.Promise(request.Guarantee, bound)}, nil
}

// readFit reads what a fit to data of this schema is asked to be.
func readFit(f *privacy.Fields, schema *data.Schema) (account.Request, glm.Loss) {
	loss := readLoss(f, &schema.Label)
	constants := api.Loss{Class: loss.Class(), Smoothness: loss.MaxCurvature(), MaxSlope: loss.MaxSlope()}
	return api.ReadCalibration(f, constants, schema.RowNorm(), schema.Dimension()), loss
}

// calibrated chooses the noise of a fit: what fits one vector, and all of it,
// which is one vector a class if there are several (0: there is one vector).
func calibrated(request account.Request, classes int) (privacy.ApproximateMinima, privacy.Event, error) {
	if classes == 0 {
		one, err := account.CalibrateMinima(request)
		return one, one, err
	}
	one, err := ovr.Calibrate(request, classes)
	if err != nil {
		return one, nil, err
	}
	return one, ovr.Event(one, classes), nil
}
