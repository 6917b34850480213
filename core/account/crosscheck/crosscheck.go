// Package crosscheck sets the accounting methods side by side for one event:
// closed form, Rényi differential privacy and privacy loss distributions. They
// share little code, so an error in one of them shows as a contradiction: an
// upper bound below a lower one.
package crosscheck

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/account/sharpest"
	"cloister/core/privacy"
)

// Pricer is sharpest.Of, or what remembers its answers.
type Pricer func(event privacy.Event, method sharpest.Method, options pld.Options) (sharpest.Price, error)

// Report is what the methods say of one event, either about ε at a δ or about
// log δ at an ε. A method that cannot price the event has no value there.
type Report struct {
	Closed *float64 // account.Of: upper bound
	Renyi  *float64 // rdp.Of, by the tight conversion: upper bound
	Lower  *float64 // pld.Of: certified interval
	Upper  *float64

	// Exact says that Closed is the truth itself but for rounding, so that
	// upper bounds must not lie below it either.
	Exact bool
}

// Contradiction reports two bounds that cannot both be true of the event. It
// means that the library is wrong somewhere; nothing it says of this event may
// then be relied on.
type Contradiction struct {
	Method       string  // whose upper bound it is: "closed", "renyi" or "upper"
	Against      string  // what it is below: "lower", or "closed" where that is exact
	Upper, Lower float64 // Upper < Lower
}

func (e *Contradiction) Error() string {
	return "accounting methods contradict each other: the upper bound " + privacy.Number(e.Upper) +
		" (" + e.Method + ") is below " + privacy.Number(e.Lower) + " (" + e.Against + "), which is certified not to exceed the truth; please report this event"
}

// Epsilon reports on the smallest ε ≥ 0 at delta. The report is filled even
// where the error is a *Contradiction. price may be nil, for sharpest.Of.
func Epsilon(price Pricer, event privacy.Event, delta float64, options pld.Options) (Report, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return Report{}, err
	}
	r, err := report(price, event, options,
		func(p sharpest.Price) (float64, error) { return p.EpsilonUpper(delta) },
		func(d *pld.Distribution) (lower, upper float64, err error) {
			interval, err := d.Epsilon(delta)
			return interval.Lower, interval.Upper, err
		})
	if err != nil {
		return r, err
	}
	// (Of log δ, which falls without end at the largest loss, rounding may be
	// all the difference.)
	r.Exact = r.Closed != nil && exact(event) && !math.IsInf(*r.Closed, 1)
	return r, r.contradiction()
}

// LogDelta reports on log δ at epsilon ≥ 0, in nats.
func LogDelta(price Pricer, event privacy.Event, epsilon float64, options pld.Options) (Report, error) {
	if err := privacy.CheckNonNegative("epsilon", epsilon); err != nil {
		return Report{}, err
	}
	r, err := report(price, event, options,
		func(p sharpest.Price) (float64, error) { return p.LogDeltaUpper(epsilon), nil },
		func(d *pld.Distribution) (lower, upper float64, err error) {
			interval, err := d.Delta(epsilon)
			return interval.LogLower, interval.LogUpper, err
		})
	if err != nil {
		return r, err
	}
	return r, r.contradiction()
}

func report(
	price Pricer, event privacy.Event, options pld.Options,
	value func(sharpest.Price) (float64, error),
	interval func(*pld.Distribution) (lower, upper float64, err error),
) (Report, error) {
	if price == nil {
		price = sharpest.Of
	}
	var r Report
	if event == nil {
		return r, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return r, err
	}
	for _, method := range []sharpest.Method{sharpest.Closed, sharpest.Renyi, sharpest.Distribution} {
		asked := options
		if method == sharpest.Renyi && !bounded(event) {
			asked.Bound = account.BoundAuto
		}
		p, err := price(event, method, asked)
		if unpriced(err) {
			continue
		}
		if err != nil {
			return r, err
		}
		if p.Certified != nil {
			lower, upper, err := interval(p.Certified)
			if err != nil {
				return r, err
			}
			r.Lower, r.Upper = &lower, &upper
			continue
		}
		upper, err := value(p)
		switch {
		case err != nil:
			return r, err
		case method == sharpest.Closed:
			r.Closed = &upper
		case !math.IsInf(upper, 1): // a Rényi curve may bound nothing
			r.Renyi = &upper
		}
	}
	if r.Closed == nil && r.Renyi == nil && r.Upper == nil {
		return r, &privacy.ParameterError{Field: "mechanism", Value: event.Mechanism(), Want: "one that some method can price"}
	}
	return r, nil
}

// exact reports whether account.Of of the event is its profile, not a bound on
// it: of all events that it prices but objective perturbation.
func exact(event privacy.Event) bool {
	switch event.(type) {
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima:
		return false
	}
	return true
}

// bounded reports whether a bound's name may matter to the event.
func bounded(event privacy.Event) bool {
	switch event.(type) {
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima, privacy.Composition, privacy.NegativeBinomialSelection, privacy.PoissonSelection:
		return true
	}
	return false
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

// contradiction compares every upper bound with the lower ones. A closed form
// is exact but for a relative 1e-12, so the comparisons allow more than that.
func (r Report) contradiction() error {
	for _, lower := range []struct {
		name    string
		value   *float64
		rounded float64
	}{{"lower", r.Lower, 1e-12}, {"closed", r.Closed, 1e-9}} {
		if lower.value == nil || lower.name == "closed" && !r.Exact {
			continue
		}
		least := *lower.value - lower.rounded*math.Max(1, math.Abs(*lower.value))
		for _, method := range []struct {
			name  string
			value *float64
		}{{"closed", r.Closed}, {"renyi", r.Renyi}, {"upper", r.Upper}} {
			if method.value != nil && *method.value < least {
				return &Contradiction{Method: method.name, Against: lower.name, Upper: *method.value, Lower: *lower.value}
			}
		}
	}
	return nil
}
