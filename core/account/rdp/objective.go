package rdp

import (
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// OfBound is Of with the bound that prices objective perturbation, alone or
// inside another event: objective.BoundRDP for the published theorems (3.2, 4.1
// and E.1 of Redberg, Koskela & Wang 2023), objective.BoundAuto for the sharpest
// that applies, or, in an event of too many terms for it, that of objective.Bound.Quick. Other
// events do not depend on it. A bound that is no Rényi bound (objective.BoundKifer), or not of
// the loss, is an *objective.InapplicableError. An event of more than mostTerms terms at one
// order is a *privacy.ParameterError for the field "parts".
func OfBound(event privacy.Event, bound objective.Bound) (Curve, error) {
	return pricer{bound: bound}.checked(event)
}

// Quick is OfBound, but objective.BoundAuto is always that of objective.Bound.Quick. Use it to
// steer a search that asks for ever other parameters.
func Quick(event privacy.Event, bound objective.Bound) (Curve, error) {
	return pricer{bound: bound, quick: true}.checked(event)
}

// checked is the curve of an event that may be no valid one, or too much work.
func (p pricer) checked(event privacy.Event) (Curve, error) {
	if event == nil {
		return Curve{}, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return Curve{}, err
	}
	err := p.checkWork(event)
	if err != nil && p.bound == objective.BoundAuto {
		p.quick = true
		err = p.checkWork(event)
	}
	if err != nil {
		return Curve{}, err
	}
	c, err := p.of(event)
	c.quick = p.quick
	return c, err
}

// objective is Of for objective perturbation and approximate minima.
func (p pricer) objective(event privacy.Event) (Curve, error) {
	perturbation, _ := privacy.ObjectiveOf(event)
	bound, err := p.resolved(perturbation.Loss)
	if err != nil {
		return Curve{}, err
	}
	added, removed, err := objective.Renyi(event, bound)
	if err != nil {
		return Curve{}, err
	}
	return FromBounds(event.Neighbours(), added, removed), nil
}

// resolved is the bound that prices objective perturbation of a loss.
func (p pricer) resolved(loss privacy.LossClass) (objective.Bound, error) {
	if p.quick {
		return p.bound.Quick(loss)
	}
	return p.bound.Resolve(loss)
}
