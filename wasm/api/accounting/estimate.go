package accounting

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// estimate answers {event, bound?, method?, epsilon?, delta?, curve?, orders?}
// quickly and without a promise. Its reply has other fields than an account's, so
// that an estimate is not taken for a bound.
//
// The method "pld", which is the default, is near the truth, and says how near. The
// method "rdp" takes the event's Rényi divergences at some orders: a whole curve in
// the time of a frame, roughly. It knows no epsilon for a delta. At orders it
// gives a divergence that is not proved, rdp.Linearised.
func (d *desk) estimate(call *api.Call) (map[string]any, error) {
	f := call.Fields
	event := f.Event("event")
	renyi := false
	switch name := f.TextOr("method", string(account.Distribution)); name {
	case string(account.Renyi):
		renyi = true
	case string(account.Distribution):
	default:
		f.Fail(
			&privacy.ParameterError{
				Field: "method",
				Value: privacy.Quote(name),
				Want:  `"pld" or "rdp"`,
			},
		)
	}
	options := readOptions(f)
	q := readQuestion(f)
	q.points = readPoints(f, "curve")
	orders := readOrders(f, "orders")
	switch {
	case orders != nil && !renyi:
		f.Fail(
			&privacy.ParameterError{
				Field: "orders",
				Value: "given for another method",
				Want:  `left out, or given with the method "rdp"`,
			},
		)
	case renyi && q.deltaAsked:
		f.Fail(
			&privacy.ParameterError{
				Field: "delta",
				Value: `given for the method "rdp"`,
				Want:  `left out, or given with the method "pld"`,
			},
		)
	case renyi && options.Accuracy != 0:
		f.Fail(
			&privacy.ParameterError{
				Field: "accuracy",
				Value: "given for another method",
				Want:  `left out, or given with the method "pld"`,
			},
		)
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if q.empty() && orders == nil {
		return nil, nothingAsked(" or curve")
	}
	if renyi {
		return d.estimateByRenyi(event, options, q, orders)
	}
	price, err := d.prices.of(event, account.Distribution, options)
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
		reply["curve"] = map[string]any{
			"epsilon":           q.points,
			"estimatedLogDelta": log,
			"logDeltaSpread":    apart,
		}
	}
	return reply, nil
}

// estimateByRenyi takes the worse of both directions' saddle points.
func (d *desk) estimateByRenyi(
	event privacy.Event, options pld.Options, q question, orders []float64,
) (map[string]any, error) {
	reply := map[string]any{"adjacency": event.Neighbours().String()}
	if orders != nil {
		estimated, err := rdp.LinearisedOf(event, orders)
		if err != nil {
			return nil, within(err)
		}
		reply["renyi"] = map[string]any{"order": orders, "estimated": estimated}
	}
	if q.empty() {
		return reply, nil
	}
	price, err := d.prices.of(event, account.Renyi, options)
	if err != nil {
		return nil, within(err)
	}
	added, removed := curve.SaddleOf(price.Renyi.Added), curve.SaddleOf(price.Renyi.Removed)
	logDelta := func(epsilon float64) float64 {
		return math.Max(added.EstimatedLogDelta(epsilon), removed.EstimatedLogDelta(epsilon))
	}
	if q.epsilonAsked {
		reply["estimatedLogDelta"] = logDelta(q.epsilon)
	}
	if q.points != nil {
		log := make([]float64, len(q.points))
		for i, epsilon := range q.points {
			log[i] = logDelta(epsilon)
		}
		reply["curve"] = map[string]any{"epsilon": q.points, "estimatedLogDelta": log}
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
