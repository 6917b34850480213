// Package crosscheck prices one event by every accounting method: closed form, Rényi
// differential privacy and privacy loss distributions. Use it to look for errors. The
// methods share little code, so an error in one shows as a contradiction: an upper
// bound below a lower one.
package crosscheck

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// Pricer is account.Of, or a function that caches its answers.
type Pricer func(
	event privacy.Event, method account.Method, options pld.Options,
) (account.Price, error)

// Report holds the methods' answers for one event, either ε at a δ or log δ at an ε. A
// method that cannot price the event has no value.
type Report struct {
	Closed *float64 // objective.Of: upper bound
	Renyi  *float64 // rdp.Of, by the tight conversion: upper bound
	Lower  *float64 // pld.Of: certified interval
	Upper  *float64

	// Reached is a lower bound on what all methods can answer, since they price by the
	// same bounds. For objective perturbation it may be above the true value, but no
	// upper bound here is below it; but for objective.BoundControl, of which only
	// compositions take chords: there it is what these come to. For every other event it is
	// Lower.
	Reached *float64

	chords bool // Reached is of chords

	// Exact says that Closed is the true value except for rounding. Then no upper bound
	// may lie below it either.
	Exact bool
}

// Contradiction reports two bounds that cannot both be true of the event. The library
// is then wrong somewhere: rely on none of its answers for this event.
type Contradiction struct {
	Method       string  // whose upper bound it is: "closed", "renyi" or "upper"
	Against      string  // what it is below: "lower", or "closed" where that is exact
	Upper, Lower float64 // Upper < Lower
}

func (e *Contradiction) Error() string {
	return "accounting methods contradict each other: the upper bound " + privacy.Number(e.Upper) +
		" (" + e.Method + ") is below " + privacy.Number(e.Lower) + " (" + e.Against + "), which is certified not to exceed the truth; please report this event"
}

// Epsilon reports on the smallest ε ≥ 0 at delta. The report is filled even if the
// error is a *Contradiction. A nil price stands for account.Of.
func Epsilon(
	price Pricer, event privacy.Event, delta float64, options pld.Options,
) (Report, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return Report{}, err
	}
	r, err := report(price, event, options,
		func(p account.Price) (float64, error) { return p.EpsilonUpper(delta) },
		func(d *pld.Distribution) (lower, upper, reached float64, err error) {
			interval, err := d.Epsilon(delta)
			return interval.Lower, interval.Upper, interval.Reached, err
		})
	if err != nil {
		return r, err
	}
	// (Of log δ, which falls without end at the largest loss, rounding may be
	// all the difference. Next to δ = 1, where log δ is almost flat, what is added to
	// it for rounding, 1e-13, is more than 1e-9 of ε.)
	r.Exact = r.Closed != nil && exact(event) && !math.IsInf(*r.Closed, 1) &&
		math.Log(delta) < -1e-3
	return r, r.contradiction()
}

// LogDelta reports on log δ at epsilon ≥ 0, in nats.
func LogDelta(
	price Pricer, event privacy.Event, epsilon float64, options pld.Options,
) (Report, error) {
	if err := privacy.CheckNonNegative("epsilon", epsilon); err != nil {
		return Report{}, err
	}
	r, err := report(price, event, options,
		func(p account.Price) (float64, error) { return p.LogDeltaUpper(epsilon), nil },
		func(d *pld.Distribution) (lower, upper, reached float64, err error) {
			interval, err := d.Delta(epsilon)
			return interval.LogLower, interval.LogUpper, interval.LogReached, err
		})
	if err != nil {
		return r, err
	}
	return r, r.contradiction()
}

func report(
	price Pricer, event privacy.Event, options pld.Options,
	value func(account.Price) (float64, error),
	interval func(*pld.Distribution) (lower, upper, reached float64, err error),
) (Report, error) {
	if price == nil {
		price = account.Of
	}
	r := Report{chords: chorded(event, options.Bound)}
	if event == nil {
		return r, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return r, err
	}
	for _, method := range []account.Method{account.Closed, account.Renyi, account.Distribution} {
		asked := options
		if method == account.Renyi && !account.Bounded(event) {
			asked.Bound = objective.BoundAuto
		}
		p, err := price(event, method, asked)
		if unpriced(err) {
			continue
		}
		if err != nil {
			return r, err
		}
		if p.Certified != nil {
			lower, upper, reached, err := interval(p.Certified)
			if err != nil {
				return r, err
			}
			r.Lower, r.Upper, r.Reached = &lower, &upper, &reached
			continue
		}
		upper, err := value(p)
		switch {
		case err != nil:
			return r, err
		case method == account.Closed:
			r.Closed = &upper
		case !math.IsInf(upper, 1): // a Rényi curve may bound nothing
			r.Renyi = &upper
		}
	}
	if r.Closed == nil && r.Renyi == nil && r.Upper == nil {
		return r, &privacy.ParameterError{
			Field: "mechanism",
			Value: event.Mechanism(),
			Want:  "one that some method can price",
		}
	}
	return r, nil
}

// exact reports whether objective.Of of the event, if there is one, is its profile. It is
// only a bound where the event is, or holds,
//
//   - objective perturbation: priced by a theorem;
//   - noisy min or the proximal centre: priced as the worst ε-DP mechanism. The Rényi
//     curve of Gumbel noise, whose loss has a bounded range, is below that;
//   - a Liu–Talwar selection: priced as the worst mechanism that keeps its promise.
func exact(event privacy.Event) bool {
	exact := true
	privacy.Walk(event, func(e privacy.Event) {
		switch e.(type) {
		case privacy.ObjectivePerturbation, privacy.ApproximateMinima,
			privacy.NoisyMin, privacy.ProximalCentre, privacy.LiuTalwarSelection:
			exact = false
		}
	})
	return exact
}

// chorded reports whether there is objective perturbation in an event that a bound's name
// prices by objective.BoundControl.
func chorded(event privacy.Event, bound objective.Bound) (found bool) {
	if bound == "" {
		bound = objective.BoundAuto
	}
	privacy.Walk(event, func(e privacy.Event) {
		if len(privacy.Parts(e)) > 0 {
			return
		}
		if perturbation, ok := privacy.ObjectiveOf(e); ok {
			resolved, err := bound.Resolve(perturbation.Loss)
			found = found || err == nil && resolved == objective.BoundControl
		}
	})
	return found
}

// unpriced reports an error that says "not by this method", rather than "not
// this event".
func unpriced(err error) bool {
	switch e := err.(type) {
	case *objective.InapplicableError, *pld.NoDistributionError:
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
	}{{"lower", r.Lower, 1e-12}, {"lower", r.Reached, 1e-12}, {"closed", r.Closed, 1e-9}} {
		if lower.value == nil || lower.name == "closed" && !r.Exact ||
			lower.value == r.Reached && r.chords {
			continue
		}
		least := *lower.value - lower.rounded*math.Max(1, math.Abs(*lower.value))
		for _, method := range []struct {
			name  string
			value *float64
		}{{"closed", r.Closed}, {"renyi", r.Renyi}, {"upper", r.Upper}} {
			if method.value != nil && *method.value < least {
				return &Contradiction{
					Method:  method.name,
					Against: lower.name,
					Upper:   *method.value,
					Lower:   *lower.value,
				}
			}
		}
	}
	return nil
}
