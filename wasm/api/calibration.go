package api

import (
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// ReadCalibration reads what a caller says about the fit to be calibrated:
// adjacency, epsilon, delta, bound?, clip?, lambda?, radius?, tau?. The loss, R
// and d are the caller of this function's to know. It refuses an epsilon or a
// delta out of range at once, so that nothing else is looked at.
func ReadCalibration(
	f *privacy.Fields, loss Loss, rowNorm float64, dimension int,
) calibrate.MinimaRequest {
	bound, err := objective.ParseBound(f.TextOr("bound", ""))
	f.Fail(err)
	request := calibrate.MinimaRequest{
		Guarantee: privacy.Guarantee{
			Adjacency: f.Adjacency(),
			Epsilon:   f.Number("epsilon"),
			Delta:     f.Number("delta"),
		},
		Loss:       loss.Class,
		RowNorm:    rowNorm,
		Smoothness: loss.Smoothness,
		Dimension:  dimension,
		Bound:      bound,
	}
	f.Fail(request.Guarantee.Validate())
	for _, optional := range []struct {
		name string
		to   *float64
	}{
		{"clip", &request.Lipschitz},
		{"lambda", &request.Lambda},
		{"radius", &request.RadiusGuess},
		{"tau", &request.Tau},
	} {
		if f.Has(optional.name) {
			*optional.to = f.Number(optional.name)
			f.Fail(privacy.CheckPositive(f.Path(optional.name), *optional.to))
		}
	}
	// Clipping at more than R·max|f'| clips nothing; 0 is the default.
	request.Lipschitz = min(request.Lipschitz, rowNorm*loss.MaxSlope)
	return request
}

// Loss is what calibration needs to know of a loss. (It is not a glm.Loss, for
// this package is part of the small binary too.)
type Loss struct {
	Class                privacy.LossClass
	Smoothness, MaxSlope float64
}

// Logistic is the logistic loss.
var Logistic = Loss{privacy.LossLogistic, 0.25, 1}

// Promise is a guarantee and the bound that proves it, as replies and releases
// spell it.
func Promise(g privacy.Guarantee, bound objective.Bound) map[string]any {
	return map[string]any{
		"adjacency": g.Adjacency.String(),
		"epsilon":   g.Epsilon,
		"delta":     g.Delta,
		"bound":     string(bound),
		"theorem":   bound.Theorem(),
	}
}
