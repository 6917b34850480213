package fitting

import (
	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// plan answers {schema, method?, loss?, huberWidth?, adjacency, epsilon, delta, …}
// (see readMethod) with the event that a fit with these parameters would be
// charged for, and its guarantee. No data is needed.
func plan(call *api.Call) (map[string]any, error) {
	schema, err := readSchema(call.Fields)
	if err != nil || schema == nil {
		return nil, err
	}
	asked := readMethod(call.Fields, schema)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	fit, err := asked.choose(schema)
	if err != nil {
		return nil, err
	}
	guarantee, err := asked.promise()
	if err != nil {
		return nil, err
	}
	return map[string]any{"event": privacy.EncodeEvent(fit.event), "guarantee": guarantee}, nil
}

// readFit reads what a fit by the default method to data of this schema is asked
// to be (see api.ReadCalibration).
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
