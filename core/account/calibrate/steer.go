package calibrate

import (
	"math"

	"cloister/core/account/pld"
	"cloister/core/account/rdp"
)

// estimated is log δ less what is allowed, without a promise.
func (s *search) estimated(x float64) float64 {
	if s.spent(mostWork / 2) {
		return math.Inf(1)
	}
	options := s.options
	options.Accuracy = 0.01 // where the inversion does not settle, something rough will do
	e, err := pld.EstimateOf(s.free.with(x), options)
	if err != nil {
		return math.Inf(1)
	}
	delta, err := e.Delta(s.Keep.Epsilon)
	s.work += e.Work()
	if err != nil || math.IsNaN(delta.Log) {
		return math.Inf(1)
	}
	log := delta.Log
	if delta.Spread > 0.5 && !math.IsInf(delta.Spread, 1) {
		log += delta.Spread // an interval: its upper end
	}
	return math.Max(-1e4, log) - s.target
}

// guess returns where the event's Rényi divergence, at the order at which a
// Gaussian mechanism of that guarantee is converted best, equals that of the
// Gaussian mechanism: near the answer, mostly on the private side, and found
// without a single distribution. Where there is no such point, start.
func (s *search) guess(start, lowest, highest float64, at func(t float64) float64) float64 {
	sigma, err := Gaussian(s.Keep.Epsilon, s.Keep.Delta, 1)
	if err != nil {
		return start
	}
	alpha := 1 + sigma*math.Sqrt(-2*math.Log(s.Keep.Delta))
	allowed := alpha / (2 * sigma * sigma)
	safe := func(t float64) bool {
		curve, err := rdp.Quick(s.free.with(at(t)), s.options.Bound)
		return err == nil && curve.At(alpha) <= allowed
	}
	good, bad := start, start
	if safe(start) {
		for step := 1.0; ; step *= 2 {
			if bad = good - step; bad <= lowest {
				bad = lowest
				break
			}
			if !safe(bad) {
				break
			}
			good = bad
		}
	} else {
		for step := 1.0; ; step *= 2 {
			if good = bad + step; good >= highest {
				return start
			}
			if safe(good) {
				break
			}
			bad = good
		}
	}
	for good-bad > 0.02 {
		if middle := (good + bad) / 2; safe(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}
