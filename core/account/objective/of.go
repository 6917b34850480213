package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// Of returns an upper bound on the privacy profile of an event that has one in
// closed form or as one integral: ObjectivePerturbation, ApproximateMinima,
// Gaussian mechanisms alone or composed, and the mechanisms of closedForm. The
// bound matters to the first two only; BoundAuto is the sharpest one for their
// loss class. What else there is, package pld prices.
//
// A bound that does not hold for the loss class is an *InapplicableError; a
// parameter out of range, among them a λ that is too small for the bound, is a
// *privacy.ParameterError.
func Of(event privacy.Event, bound Bound) (curve.Curve, error) {
	if event == nil {
		return nil, missingEvent()
	}
	if err := event.Validate(); err != nil {
		return nil, err
	}
	if _, err := ParseBound(string(bound)); err != nil {
		return nil, err
	}
	if profile, ok := closedForm(event); ok {
		return symmetric{profile, event.Neighbours()}, nil
	}
	pair, err := Directions(event, bound)
	if err != nil {
		return nil, err
	}
	perturbation, _ := privacy.ObjectiveOf(event)
	if bound, err = bound.Resolve(perturbation.Loss); err != nil {
		return nil, err
	}
	if event.Neighbours() == privacy.ReplaceOne {
		r := replaceOne{
			pair: pair, guide: pair,
			same: bound == BoundProfile || bound == BoundRDP || bound == BoundKifer,
		}
		if bound == BoundControl {
			quick, _ := BoundAuto.Quick(perturbation.Loss)
			mu, _ := Floor(event)
			r.other, r.mu = true, 2*mu
			r.guide, err = Directions(event, quick)
		}
		if both, ok := pair.Added.(rounded); ok {
			if curved, ok := both.direction.(renyiDirection); ok && curved.slow {
				quick := rounded{curved.drawn()}
				r.guide = curve.Pair{Added: quick, Removed: quick}
				r.other, r.near, r.same = true, true, true
			}
		}
		return r, err
	}
	if bound == BoundControl { // below 0 its removed direction is the larger
		return pair, nil
	}
	return worseAdded{pair}, nil
}

// worseAdded is a Pair whose added direction is never the smaller: in every
// bound but BoundControl its loss is, for each v, at least the removed direction's.
type worseAdded struct{ curve.Pair }

func (w worseAdded) LogDeltaUpper(epsilon float64) float64 {
	return curve.CertifiedLogDelta(w.Added.LogDeltaUpper(epsilon))
}

// Inverse implements curve.Invertible.
func (w worseAdded) Inverse(logDelta float64) (float64, bool) {
	return curve.Invert(w.Added, logDelta)
}

// symmetric is a Curve whose directions share one profile.
type symmetric struct {
	curve.Profile
	adjacency privacy.Adjacency
}

func (s symmetric) Adjacency() privacy.Adjacency { return s.adjacency }

// Inverse implements curve.Invertible.
func (s symmetric) Inverse(logDelta float64) (float64, bool) {
	return curve.Invert(s.Profile, logDelta)
}

// Directions returns the two directions of objective perturbation or
// approximate minima under add/remove, whatever the event's own adjacency:
// what Of maximises over, or goes through for replace-one. Errors are those
// of Of.
func Directions(event privacy.Event, bound Bound) (curve.Pair, error) {
	if event == nil {
		return curve.Pair{}, missingEvent()
	}
	if err := event.Validate(); err != nil {
		return curve.Pair{}, err
	}
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		added, removed, err := objectiveDirections(e, bound)
		if err != nil {
			return curve.Pair{}, err
		}
		if control, ok := added.(controlDirection); ok {
			up := chorded{rounded{added}, control}
			return curve.Pair{Added: up, Removed: rounded{removed}}, nil
		}
		return curve.Pair{Added: rounded{added}, Removed: rounded{removed}}, nil
	case privacy.ApproximateMinima:
		objective, muOut, lattice := Decompose(e)
		added, removed, err := objectiveDirections(objective, bound)
		if err != nil {
			return curve.Pair{}, err
		}
		return curve.Pair{
			Added:   onGrid(compose(added, muOut), lattice),
			Removed: onGrid(compose(removed, muOut), lattice),
		}, nil
	}
	return curve.Pair{}, unpriced(event)
}

// onGrid applies the lattice's correction. A Rényi curve needs none: the
// discrete Gaussian's divergence for a shift on its lattice is at most the
// continuous one's (Canonne, Kamath & Steinke 2020, Proposition 5).
func onGrid(d direction, lattice Lattice) curve.Profile {
	if _, ok := d.(renyiDirection); ok || lattice.Ratio == 0 {
		return rounded{d}
	}
	return onLattice{d, lattice}
}

func unpriced(event privacy.Event) error {
	return &privacy.ParameterError{
		Field: "mechanism", Value: `"` + event.Mechanism() + `"`,
		Want: `"gaussian", "objective-perturbation" or "approximate-minima-perturbation" for this bound`,
	}
}

// objectiveDirections returns the directions (added, removed) of a validated
// objective perturbation.
func objectiveDirections(
	e privacy.ObjectivePerturbation, bound Bound,
) (added, removed direction, err error) {
	bound, err = bound.For(e)
	if err != nil {
		return nil, nil, err
	}
	mu := sensitivityRatio(e)
	switch bound {
	case BoundLogistic:
		return logisticDirection(
			e.RowNorm,
			e.Lipschitz,
			e.Lambda,
			e.Sigma,
			sharperOffset(e),
		), cutDirection(0, mu), nil
	case BoundHinge:
		return &envelopeDirection{
			envelopeLoss: hingeLoss(e.RowNorm, e.Lipschitz, e.Lambda, e.Sigma),
			ceiling:      cutDirection(sharperOffset(e), mu),
		}, cutDirection(0, mu), nil
	case BoundSoftmax:
		added, removed = softmaxDirections(e)
		return added, removed, nil
	case BoundControl:
		return controlDirections(e)
	case BoundSigned:
		return cutDirection(sharperOffset(e), mu), cutDirection(0, mu), nil
	case BoundGLM:
		return halfNormalDirection{sharperOffset(e), mu}, halfNormalDirection{0, mu}, nil
	case BoundKifer:
		k := kifer(e)
		return k, k, nil
	}
	c, err := publishedOffset(e, bound)
	if err != nil {
		return nil, nil, err
	}
	if bound == BoundProfile {
		h := halfNormalDirection{c, mu}
		return h, h, nil
	}
	renyi := halfNormalDirection{c, mu}.renyi
	if e.Loss == privacy.LossSmooth {
		renyi = newSmoothRenyi(e.Dimension, c, mu).renyi
	}
	r := renyiDirection{
		renyi: func(alpha float64) float64 { return curve.RenyiUp(renyi(alpha)) },
		slow:  e.Loss == privacy.LossSmooth,
	}
	return r, r, nil
}

// Renyi returns upper bounds on the Rényi divergences D_α, in nats, of the two
// directions under add/remove at real orders α ≥ 1 (1: the limit), for
// Gaussian, ObjectivePerturbation and ApproximateMinima; +Inf where the
// computation fails or α < 1. BoundKifer is no Rényi bound and gives an
// *InapplicableError; BoundRDP is the published theorem, BoundProfile has the
// same curve, and the others have sharper ones (theory §4). Under replace-one,
// which goes by way of a data set between the two, both are the same.
func Renyi(
	event privacy.Event, bound Bound,
) (added, removed func(alpha float64) float64, err error) {
	if event == nil {
		return nil, nil, missingEvent()
	}
	if err := event.Validate(); err != nil {
		return nil, nil, err
	}
	guard := func(f func(float64) float64, muOut float64) func(float64) float64 {
		return func(alpha float64) float64 {
			if !(alpha >= 1) || math.IsInf(alpha, 1) {
				return math.Inf(1)
			}
			return curve.RenyiUp(f(alpha) + alpha*muOut*muOut/2)
		}
	}
	var objective privacy.ObjectivePerturbation
	muOut := 0.0
	switch e := event.(type) {
	case privacy.Gaussian:
		f := guard(func(float64) float64 { return 0 }, atLeastNormal(e.Sensitivity/e.Sigma))
		return f, f, nil
	case privacy.ObjectivePerturbation:
		objective = e
	case privacy.ApproximateMinima:
		objective, muOut, _ = Decompose(e)
	default:
		return nil, nil, unpriced(event)
	}
	resolved, err := bound.Resolve(objective.Loss)
	if err != nil {
		return nil, nil, err
	}
	if resolved == BoundKifer {
		return nil, nil, &InapplicableError{
			Bound:   bound,
			Loss:    objective.Loss,
			Instead: []Bound{BoundAuto, BoundRDP},
		}
	}
	p, q, err := objectiveDirections(objective, resolved)
	if err != nil {
		return nil, nil, err
	}
	if objective.Adjacency == privacy.ReplaceOne {
		f := guard(renyiBetween(renyiOf(p), renyiOf(q)), muOut)
		return f, f, nil
	}
	return guard(renyiOf(p), muOut), guard(renyiOf(q), muOut), nil
}

// renyiOf is the Rényi curve of a direction that has one.
func renyiOf(d direction) func(alpha float64) float64 {
	if r, ok := d.(renyiDirection); ok {
		return r.renyi
	}
	return d.(interface{ renyi(float64) float64 }).renyi
}
