package accounting

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// price answers {event, method?, bound?, accuracy?, epsilon?, delta?, curve?,
// compare?, orders?}: epsilon for a delta, delta (and logDelta) for an epsilon,
// a curve, other curves of the same event beside it, and a Rényi curve. What
// comes back is on the safe side; where the method knows a certified lower end
// too, it is beside it.
func (d *desk) price(call *api.Call) (map[string]any, error) {
	f := call.Fields
	event := f.Event("event")
	method, err := account.ParseMethod(f.TextOr("method", ""))
	f.Fail(err)
	options := readOptions(f)
	q := readQuestion(f)
	q.points = readPoints(f, "curve")
	names := readComparisons(f, "compare")
	if names != nil && q.points == nil {
		f.Fail(
			&privacy.ParameterError{
				Field: "compare",
				Value: "given without a curve",
				Want:  `left out, or given beside "curve", whose points it uses`,
			},
		)
	}
	orders := readOrders(f, "orders")
	if orders != nil && method != account.Renyi {
		f.Fail(
			&privacy.ParameterError{
				Field: "orders",
				Value: "given for another method",
				Want:  `left out, or given with the method "rdp"`,
			},
		)
	}
	if options.Accuracy != 0 && (method == account.Closed || method == account.Renyi) {
		f.Fail(
			&privacy.ParameterError{
				Field: "accuracy",
				Value: "given for another method",
				Want:  `left out, or given with the method "auto" or "pld"`,
			},
		)
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if q.empty() && orders == nil {
		return nil, nothingAsked(" or curve")
	}
	price, err := d.prices.of(event, method, options)
	if err != nil {
		return nil, within(err)
	}
	name, theorem := cited(event, options.Bound, price.Method, price.Quick())
	reply := map[string]any{
		"adjacency": event.Neighbours().
			String(),
		"method": string(price.Method), "bound": name, "theorem": theorem,
	}
	if err := q.answer(reply, price); err != nil {
		return nil, err
	}
	if q.points != nil {
		drawn := often(price, event, q.points)
		if reply["curve"], err = drawUpper(name, theorem, drawn, q.points); err != nil {
			return nil, err
		}
	}
	if names != nil {
		if err := d.compare(reply, event, names, options, q.points); err != nil {
			return nil, err
		}
	}
	if orders != nil {
		reply["renyi"] = drawRenyi(*price.Renyi, orders)
	}
	return reply, nil
}

// answer fills in what a price says of the two numbers that can be asked for.
func (q question) answer(reply map[string]any, price account.Price) (err error) {
	if q.deltaAsked {
		if price.Certified != nil {
			interval, err := price.Certified.Epsilon(q.delta)
			if err != nil {
				return err
			}
			reply["epsilon"], reply["epsilonLower"] = interval.Upper, interval.Lower
		} else if reply["epsilon"], err = price.EpsilonUpper(q.delta); err != nil {
			return err
		}
	}
	if !q.epsilonAsked {
		return nil
	}
	if price.Certified != nil {
		interval, err := price.Certified.Delta(q.epsilon)
		if err != nil {
			return err
		}
		reply["delta"], reply["deltaLower"] = interval.Upper(), interval.Lower()
		reply["logDelta"], reply["logDeltaLower"] = interval.LogUpper, interval.LogLower
		return nil
	}
	log := price.LogDeltaUpper(q.epsilon)
	reply["logDelta"] = log
	reply["delta"], err = curve.DeltaUpper(known(log), q.epsilon)
	return err
}

// drawRenyi lists the bounds on the Rényi divergences of both directions.
func drawRenyi(curve rdp.Curve, orders []float64) map[string]any {
	added, removed := make([]float64, len(orders)), make([]float64, len(orders))
	for i, alpha := range orders {
		added[i], removed[i] = curve.Added(alpha), curve.Removed(alpha)
	}
	return map[string]any{"order": orders, "added": added, "removed": removed}
}

// readOrders reads a list of Rényi orders; nil if the field is absent.
func readOrders(f *privacy.Fields, name string) []float64 {
	if !f.Has(name) {
		return nil
	}
	orders := readList(f, name)
	for i, alpha := range orders {
		if !(alpha >= 1) || math.IsInf(alpha, 1) {
			f.Fail(
				&privacy.ParameterError{
					Field: item(f, name, i),
					Value: privacy.Number(alpha),
					Want:  "a finite number, 1 or more",
				},
			)
		}
	}
	return orders
}

// within says that a parameter that the accountant refuses is the event's.
func within(err error) error {
	if p, ok := err.(*privacy.ParameterError); ok && (p.Field == "bound" || p.Field == "accuracy") {
		return err
	}
	return privacy.Within("event", err)
}
