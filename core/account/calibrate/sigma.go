package calibrate

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
	"cloister/core/special"
)

// UnattainableError reports that no value of a parameter gives the requested guarantee,
// with the other parameters as they are.
type UnattainableError struct {
	Parameter string // "sigma" or "lambda"
	Guarantee privacy.Guarantee
	Bound     objective.Bound
}

func (e *UnattainableError) Error() string {
	return "no " + e.Parameter + " gives epsilon " + privacy.Number(e.Guarantee.Epsilon) +
		" at delta " + privacy.Number(e.Guarantee.Delta) + ` under the bound "` + string(e.Bound) +
		`": other parameters must change first`
}

// solverAccuracy is the relative width to which calibrated parameters are
// bracketed, on the safe side.
const solverAccuracy = 1e-12

// Gaussian returns the smallest σ (to a relative 1e-11, on the safe
// side) for which the Gaussian mechanism with the given sensitivity is
// (epsilon, delta)-DP, epsilon ≥ 0; σ is in the sensitivity's units (Balle &
// Wang 2018).
func Gaussian(epsilon, delta, sensitivity float64) (float64, error) {
	if err := privacy.FirstError(
		privacy.CheckNonNegative("epsilon", epsilon), privacy.CheckDelta(delta),
		privacy.CheckPositive("sensitivity", sensitivity),
	); err != nil {
		return math.Inf(1), err
	}
	target := curve.LogDown(delta)
	sigma, ok := smallestScale(func(sigma float64) float64 {
		return objective.GaussianLogDeltaUpper(epsilon, sensitivity/sigma) - target
	}, sensitivity, solverAccuracy)
	if !ok {
		return math.Inf(1), curve.ErrNumerical
	}
	return sigma, nil
}

// SmallestSigma returns the smallest σ of an event (Gaussian, ObjectivePerturbation,
// ApproximateMinima, whose own σ is ignored) that gives the guarantee under the bound:
// δ̂(ε) ≤ δ holds at the returned value, and fails a relative 1e-11 below it. If there
// is none, the error is an *UnattainableError.
func SmallestSigma(
	event privacy.Event, g privacy.Guarantee, bound objective.Bound,
) (float64, error) {
	return smallestSigma(event, g, bound, solverAccuracy)
}

func smallestSigma(
	event privacy.Event, g privacy.Guarantee, bound objective.Bound, accuracy float64,
) (float64, error) {
	return smallest("sigma", event, g, bound, accuracy, func(sigma float64) privacy.Event {
		if e, ok := event.(privacy.Gaussian); ok {
			e.Sigma = sigma
			return e
		}
		return perturbed(event, func(o *privacy.ObjectivePerturbation) { o.Sigma = sigma })
	})
}

// perturbed is objective perturbation or approximate minima with its objective
// changed; nil for another event.
func perturbed(event privacy.Event, change func(o *privacy.ObjectivePerturbation)) privacy.Event {
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		change(&e)
		return e
	case privacy.ApproximateMinima:
		change(&e.Objective)
		return e
	}
	return nil
}

// SmallestLambda is SmallestSigma for the λ of ObjectivePerturbation or
// ApproximateMinima; their σ is given.
func SmallestLambda(
	event privacy.Event, g privacy.Guarantee, bound objective.Bound,
) (float64, error) {
	return smallest("lambda", event, g, bound, solverAccuracy, func(lambda float64) privacy.Event {
		return perturbed(event, func(o *privacy.ObjectivePerturbation) { o.Lambda = lambda })
	})
}

func smallest(
	parameter string, event privacy.Event, g privacy.Guarantee, bound objective.Bound,
	accuracy float64, with func(float64) privacy.Event,
) (float64, error) {
	if event == nil {
		return math.Inf(1), noEvent()
	}
	if err := g.Validate(); err != nil {
		return math.Inf(1), err
	}
	if event.Neighbours() != g.Adjacency {
		return math.Inf(1), &privacy.ParameterError{
			Field: "adjacency", Value: `"` + g.Adjacency.String() + `"`,
			Want: `"` + event.Neighbours().String() + `", that of the event`,
		}
	}
	guess := 1.0
	switch e := with(1).(type) {
	case nil:
		return math.Inf(1), &privacy.ParameterError{
			Field: "mechanism", Value: `"` + event.Mechanism() + `"`,
			Want: `"gaussian", "objective-perturbation" or "approximate-minima-perturbation" for this bound`,
		}
	case privacy.Gaussian:
		guess = e.Sensitivity
	case privacy.ObjectivePerturbation:
		guess = scaleOf(parameter, e)
	case privacy.ApproximateMinima:
		guess = scaleOf(parameter, e.Objective)
	}
	if !(guess > 0) || math.IsInf(guess, 1) {
		guess = 1
	}
	// A parameter that is wrong at any value of the unknown is reported; one
	// that is only too small for the bound counts as not private.
	if _, err := objective.Of(with(privacy.LargestScale), bound); err != nil {
		return math.Inf(1), err
	}
	target := curve.LogDown(g.Delta)
	excess := func(x float64) float64 {
		profile, err := objective.Of(with(x), bound)
		if err != nil {
			return math.Inf(1)
		}
		return profile.LogDeltaUpper(g.Epsilon) - target
	}
	x, ok := smallestScale(excess, guess, accuracy)
	if !ok {
		return math.Inf(1), &UnattainableError{Parameter: parameter, Guarantee: g, Bound: bound}
	}
	return x, nil
}

// scaleOf is where the search for an objective perturbation's parameter
// starts: L or βR².
func scaleOf(parameter string, e privacy.ObjectivePerturbation) float64 {
	if parameter == "sigma" {
		return e.Lipschitz
	}
	return objective.Curvature(e)
}

// smallestScale returns the smallest x > 0 with excess(x) ≤ 0, for an excess
// that does not increase, bracketed in logarithm from a guess outwards. It is
// false if there is none below 1e150 times the guess, or in the range of scales
// that events may have.
func smallestScale(excess func(float64) float64, guess, accuracy float64) (float64, bool) {
	const limit = 500 // doublings
	within := func(u float64) float64 {
		return math.Min(privacy.LargestScale, math.Max(privacy.LeastScale, guess*math.Exp2(u)))
	}
	at := func(u float64) float64 { return excess(within(u)) }
	good, bad := 0.0, 0.0
	if at(0) <= 0 {
		for step := 1.0; ; step *= 2 {
			if bad = good - step; bad < -limit {
				return within(good), true
			}
			if at(bad) > 0 {
				break
			}
			good = bad
		}
	} else {
		for step := 1.0; ; step *= 2 {
			if good = bad + step; good > limit {
				return math.Inf(1), false
			}
			if at(good) <= 0 {
				break
			}
			bad = good
		}
	}
	u, err := special.ConservativeRoot(at, bad, good, accuracy)
	if err != nil {
		return math.Inf(1), false
	}
	return within(u), true
}

func noEvent() error {
	return &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
}
