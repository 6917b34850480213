package pld

import (
	"errors"
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// ErrUnattainable reports that no value of the parameter in the given range
// keeps the guarantee.
var ErrUnattainable = errors.New("pld: no value of the parameter in its range keeps the guarantee")

// calibrationAccuracy is the width of the intervals that certify an answer; its
// upper end, and with it the parameter, is off by about half of it.
const calibrationAccuracy = 7e-5

// Smallest returns a parameter x in [low, high] with which the event is
// certified to keep the guarantee, and which exceeds the smallest such x by
// about one part in 10,000: a noise, say. The event's privacy loss must not
// grow in x, and 0 < low < high. Options.Accuracy is not used.
func Smallest(event func(x float64) privacy.Event, low, high float64, keep privacy.Guarantee, options Options) (float64, error) {
	return calibrate(event, high, low, keep, options)
}

// Largest is Smallest for a parameter in which the privacy loss does not fall:
// a sampling rate, say. The answer is below the largest such x by as little.
func Largest(event func(x float64) privacy.Event, low, high float64, keep privacy.Guarantee, options Options) (float64, error) {
	return calibrate(event, low, high, keep, options)
}

type calibration struct {
	event   func(x float64) privacy.Event
	keep    privacy.Guarantee
	options Options
	err     error
}

// calibrate searches between safe and unsafe, both positive, for the point next
// to unsafe that is certified. Estimates find the place; only a certified
// interval decides.
func calibrate(event func(x float64) privacy.Event, safe, unsafe float64, keep privacy.Guarantee, options Options) (float64, error) {
	if err := keep.Validate(); err != nil {
		return 0, err
	}
	if !(safe > 0 && unsafe > 0) || math.IsInf(safe, 1) || math.IsInf(unsafe, 1) || safe == unsafe {
		return 0, &privacy.ParameterError{
			Field: "range", Value: privacy.Number(math.Min(safe, unsafe)) + " to " + privacy.Number(math.Max(safe, unsafe)),
			Want: "two different finite numbers above 0",
		}
	}
	c := &calibration{event: event, keep: keep, options: options}
	c.options.Accuracy = calibrationAccuracy
	from, to := math.Log(safe), math.Log(unsafe)
	if c.excess(to) <= 0 && c.certified(unsafe) {
		return unsafe, c.err
	}
	if c.err != nil {
		return 0, c.err
	}
	if c.excess(from) > 0 {
		if c.err == nil {
			c.err = ErrUnattainable
		}
		return 0, c.err
	}
	root := from
	if c.excess(to) > 0 {
		found, err := special.ConservativeRoot(c.excess, to, from, 2e-6)
		if err == nil {
			root = found
		}
	}
	// Step back by what the certificate is expected to add, and more if that is
	// not enough.
	back := math.Copysign(0.3*calibrationAccuracy, from-to)
	for x := root + back; c.err == nil; back *= 2 {
		if (x-from)*(to-from) <= 0 {
			if c.certified(safe) {
				return safe, c.err
			}
			break
		}
		if c.certified(math.Exp(x)) {
			return math.Exp(x), c.err
		}
		x += back
	}
	if c.err == nil {
		c.err = ErrUnattainable
	}
	return 0, c.err
}

func (c *calibration) distribution(x float64) *Distribution {
	event := c.event(x)
	if event != nil && event.Neighbours() != c.keep.Adjacency {
		c.err = &privacy.ParameterError{
			Field: "adjacency", Value: c.keep.Adjacency.String(),
			Want: event.Neighbours().String() + ", the event's",
		}
		return nil
	}
	d, err := Of(event, c.options)
	if err != nil {
		c.err = err
		return nil
	}
	return d
}

// excess is the estimated log δ(ε) at x = e^log, less what is allowed. Far from
// the answer, where the inversion may not settle, something rough will do.
func (c *calibration) excess(log float64) float64 {
	if c.err != nil {
		return math.NaN()
	}
	d := c.distribution(math.Exp(log))
	if d == nil {
		return math.NaN()
	}
	allowed := math.Log(c.keep.Delta)
	worst := math.Inf(-1)
	for _, one := range d.directions() {
		value, _, ok := invertDelta(one.runs, c.keep.Epsilon)
		if !ok {
			// A guess that is not below the truth by much is enough where it is far
			// below what is allowed, or where ε is about what is lost on average.
			g := aimAt(one.runs, c.keep.Epsilon, intervalCut)
			_, mean, _ := g.at(0)
			if value = g.logDelta; value > allowed-5 && c.keep.Epsilon > mean+g.deviation {
				low, high := one.logDelta(c.keep.Epsilon, 0.03, math.Inf(-1))
				value = (math.Max(low, high-5) + high) / 2
			}
		}
		worst = math.Max(worst, value)
	}
	return math.Max(-1e4, worst-allowed)
}

// certified reports whether (ε, δ)-DP is proved at x.
func (c *calibration) certified(x float64) bool {
	d := c.distribution(x)
	if d == nil {
		return false
	}
	return d.keeps(c.keep.Epsilon, math.Log(c.keep.Delta)*(1+0x1p-50))
}
