// Package accounting holds the handlers that never see data. They say what an event
// costs, and which noise a guarantee needs. The package is part of the curves binary,
// whose size is bounded, so it uses neither fmt nor encoding/json.
package accounting

import (
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// Service is the handlers of this package.
func Service() *api.Service {
	d := &desk{}
	return &api.Service{
		Handlers: map[string]api.Handler{
			"about":     about,
			"account":   d.price,
			"estimate":  d.estimate,
			"check":     d.check,
			"solve":     solve,
			"afford":    afford,
			"calibrate": calibrated,
			"worst":     worst,
		},
		Explain: explain,
	}
}

// Odometers is the handler that curves has no room for.
func Odometers() *api.Service {
	return &api.Service{Handlers: map[string]api.Handler{"odometer": odometer}, Explain: explain}
}

// desk is what the handlers remember between requests.
type desk struct{ prices prices }

func about(call *api.Call) (map[string]any, error) {
	return map[string]any{"library": privacy.LibraryVersion}, nil
}
