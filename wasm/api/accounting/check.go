package accounting

import (
	"cloister/core/account/crosscheck"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// check answers {event, bound?, accuracy?} and one of epsilon and delta with
// what every method says, side by side; methods that contradict each other are
// an error.
func (d *desk) check(call *api.Call) (map[string]any, error) {
	f := call.Fields
	event := f.Event("event")
	options := readOptions(f)
	q := readQuestion(f)
	if q.deltaAsked && q.epsilonAsked {
		f.Fail(
			&privacy.ParameterError{
				Field: "epsilon",
				Value: "given beside delta",
				Want:  "left out, or given alone",
			},
		)
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if q.empty() {
		return nil, nothingAsked("")
	}
	of := "epsilon"
	report, err := crosscheck.Report{}, error(nil)
	if q.deltaAsked {
		report, err = crosscheck.Epsilon(d.prices.of, event, q.delta, options)
	} else {
		of = "logDelta"
		report, err = crosscheck.LogDelta(d.prices.of, event, q.epsilon, options)
	}
	if c, ok := err.(*crosscheck.Contradiction); ok {
		return nil, &api.Error{
			Code:    api.CodeInternal,
			Message: api.Sentence("The " + c.Error()),
			Field:   "event",
			Cause:   c,
		}
	}
	if err != nil {
		return nil, within(err)
	}
	reply := map[string]any{"adjacency": event.Neighbours().String(), "of": of}
	for _, method := range []struct {
		name  string
		value *float64
	}{{"closed", report.Closed}, {"rdp", report.Renyi}, {"lower", report.Lower}, {"upper", report.Upper}} {
		if method.value != nil {
			reply[method.name] = *method.value
		}
	}
	return reply, nil
}
