// Package crosscheck sets the accounting methods side by side for one event:
// closed form, Rényi differential privacy and privacy loss distributions. They
// share little code, so an error in one of them shows as a contradiction: an
// upper bound below a lower one.
package crosscheck

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
)

// Report is what the methods say of one event, either about ε at a δ or about
// log δ at an ε. A method that cannot price the event has no value there.
type Report struct {
	Closed *float64 // account.Of: upper bound, exact where the event's profile is
	Renyi  *float64 // rdp.Of, by the tight conversion: upper bound
	Lower  *float64 // pld.Of: certified interval
	Upper  *float64
}

// Contradiction reports two bounds that cannot both be true of the event. It
// means that the library is wrong somewhere; nothing it says of this event may
// then be relied on.
type Contradiction struct {
	Method       string  // whose upper bound it is: "closed", "renyi" or "upper"
	Upper, Lower float64 // Upper < Lower
}

func (e *Contradiction) Error() string {
	return "accounting methods contradict each other: the upper bound " + privacy.Number(e.Upper) +
		" (" + e.Method + ") is below the certified lower bound " + privacy.Number(e.Lower) +
		"; please report this event"
}

// Epsilon reports on the smallest ε ≥ 0 at delta. The report is filled even
// where the error is a *Contradiction.
func Epsilon(event privacy.Event, delta float64, options pld.Options) (Report, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return Report{}, err
	}
	return report(event, options,
		func(c account.Curve) (float64, error) { return account.EpsilonUpper(c, delta) },
		func(renyi func(float64) float64) float64 { return account.EpsilonFromRenyi(renyi, math.Log(delta)) },
		func(d *pld.Distribution) (lower, upper float64, err error) {
			interval, err := d.Epsilon(delta)
			return interval.Lower, interval.Upper, err
		})
}

// LogDelta reports on log δ at epsilon ≥ 0, in nats.
func LogDelta(event privacy.Event, epsilon float64, options pld.Options) (Report, error) {
	if err := privacy.CheckNonNegative("epsilon", epsilon); err != nil {
		return Report{}, err
	}
	return report(event, options,
		func(c account.Curve) (float64, error) { return c.LogDeltaUpper(epsilon), nil },
		func(renyi func(float64) float64) float64 { return account.LogDeltaFromRenyi(renyi, epsilon) },
		func(d *pld.Distribution) (lower, upper float64, err error) {
			interval, err := d.Delta(epsilon)
			return interval.LogLower, interval.LogUpper, err
		})
}

func report(
	event privacy.Event,
	options pld.Options,
	closed func(account.Curve) (float64, error),
	renyi func(func(alpha float64) float64) float64,
	interval func(*pld.Distribution) (lower, upper float64, err error),
) (Report, error) {
	var r Report
	if event == nil {
		return r, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return r, err
	}
	if curve, err := account.Of(event, orAuto(options.Bound)); err == nil {
		value, err := closed(curve)
		if err != nil {
			return r, err
		}
		r.Closed = &value
	} else if !unpriced(err) {
		return r, err
	}
	if curve, err := renyiOf(event, options.Bound); err == nil {
		// Each direction is converted on its own; the answer is the worse.
		value := math.Max(renyi(curve.Added), renyi(curve.Removed))
		if !math.IsInf(value, 1) {
			r.Renyi = &value
		}
	} else if !unpriced(err) {
		return r, err
	}
	if distribution, err := pld.Of(event, options); err == nil {
		lower, upper, err := interval(distribution)
		if err != nil {
			return r, err
		}
		r.Lower, r.Upper = &lower, &upper
	} else if !unpriced(err) {
		return r, err
	}
	if r.Closed == nil && r.Renyi == nil && r.Upper == nil {
		return r, &privacy.ParameterError{Field: "event.mechanism", Value: event.Mechanism(), Want: "one that some method can price"}
	}
	return r, r.contradiction()
}

// renyiOf prices objective perturbation by the bound named, if it is one that
// has a Rényi curve of its own, and everything else as rdp does.
func renyiOf(event privacy.Event, bound account.Bound) (rdp.Curve, error) {
	switch event.(type) {
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima:
		return rdp.OfBound(event, orAuto(bound))
	}
	return rdp.Of(event)
}

func orAuto(bound account.Bound) account.Bound {
	if bound == "" {
		return account.BoundAuto
	}
	return bound
}

// unpriced reports an error that says "not by this method", rather than "not
// this event".
func unpriced(err error) bool {
	switch e := err.(type) {
	case *account.InapplicableError, *pld.NoDistributionError:
		return true
	case *privacy.ParameterError:
		return e.Field == "mechanism" || e.Field == "adjacency"
	}
	return false
}

// contradiction compares every upper bound with the lower one. A closed form
// is exact but for a relative 1e-12, so the comparison allows that.
func (r Report) contradiction() error {
	if r.Lower == nil {
		return nil
	}
	lower := *r.Lower - 1e-12*math.Max(1, math.Abs(*r.Lower))
	for _, method := range []struct {
		name  string
		value *float64
	}{{"closed", r.Closed}, {"renyi", r.Renyi}, {"upper", r.Upper}} {
		if method.value != nil && *method.value < lower {
			return &Contradiction{Method: method.name, Upper: *method.value, Lower: *r.Lower}
		}
	}
	return nil
}
