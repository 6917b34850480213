package accounting

import (
	"math"

	"cloister/core/account/sharpest"
	"cloister/wasm/api"
)

// estimate answers {event, bound?, epsilon?, delta?, curve?} quickly and
// without a promise. Its reply has other fields than an account's, so that an
// estimate is not taken for a bound.
func (d *desk) estimate(call *api.Call) (map[string]any, error) {
	f := call.Fields
	event := f.Event("event")
	options := readOptions(f)
	q := readQuestion(f)
	q.points = readPoints(f, "curve")
	if err := f.Done(); err != nil {
		return nil, err
	}
	if q.empty() {
		return nil, nothingAsked(" or curve")
	}
	price, err := d.prices.of(event, sharpest.Distribution, options)
	if err != nil {
		return nil, within(err)
	}
	estimate := price.Certified.Estimate()
	reply := map[string]any{"adjacency": event.Neighbours().String()}
	if q.deltaAsked {
		e, err := estimate.Epsilon(q.delta)
		if err != nil {
			return nil, err
		}
		reply["estimatedEpsilon"], reply["epsilonSpread"] = e.Value, spread(e.Spread)
	}
	if q.epsilonAsked {
		e, err := estimate.Delta(q.epsilon)
		if err != nil {
			return nil, err
		}
		reply["estimatedLogDelta"], reply["logDeltaSpread"] = number(e.Log), spread(e.Spread)
	}
	if q.points != nil {
		log, apart := make([]float64, len(q.points)), make([]float64, len(q.points))
		for i, epsilon := range q.points {
			e, err := estimate.Delta(epsilon)
			if err != nil {
				return nil, err
			}
			log[i], apart[i] = number(e.Log), spread(e.Spread)
		}
		reply["curve"] = map[string]any{"epsilon": q.points, "estimatedLogDelta": log, "logDeltaSpread": apart}
	}
	return reply, nil
}

// spread of two infinite values, or of an unbounded interval, is unbounded.
func spread(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}

// number of an interval that is unbounded below is there.
func number(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(-1)
	}
	return x
}
