package rdp

import (
	"math"

	"cloister/core/account/objective"
	"cloister/core/account/selection"
	"cloister/core/privacy"
)

// Of returns the Rényi curve of an event. Objective perturbation is priced by
// the sharpest bound that its loss class allows (theory §4).
//
// An event that has no finite Rényi divergence at any order, such as
// approximate DP with δ > 0 or a test that may be wrong, gets a curve that is +Inf everywhere: a
// true statement, which no later step can turn into a promise.
func Of(event privacy.Event) (Curve, error) { return OfBound(event, objective.BoundAuto) }

// pricer prices events that are valid.
type pricer struct {
	bound objective.Bound
	quick bool // BoundAuto is taken by objective.Bound.Quick
}

func (p pricer) of(event privacy.Event) (Curve, error) {
	event, err := selection.Promised(event)
	if err != nil {
		return Curve{}, err
	}
	symmetric := func(f func(float64) float64) (Curve, error) {
		return Curve{adjacency: event.Neighbours(), added: f}, nil
	}
	switch e := event.(type) {
	case privacy.Gaussian:
		return symmetric(gaussian(e.Sensitivity / e.Sigma))
	case privacy.DiscreteGaussian:
		return symmetric(gaussian(float64(e.Sensitivity) / e.Sigma))
	case privacy.Laplace:
		return symmetric(laplace(e.Sensitivity / e.Scale))
	case privacy.DiscreteLaplace:
		return symmetric(discreteLaplace(1/e.Scale, e.Sensitivity))
	case privacy.RandomisedResponse:
		return symmetric(randomisedResponse(e.Categories, e.Truth))
	case privacy.PureDP:
		return symmetric(pure(e.Epsilon))
	case privacy.NoisyMin:
		if e.Noise == privacy.GumbelNoise {
			return symmetric(boundedRange(e.Epsilon))
		}
		return symmetric(pure(e.Epsilon))
	case privacy.ProximalCentre:
		return symmetric(pure(e.Epsilon))
	case privacy.ApproximateDP:
		if e.Delta == 0 {
			return symmetric(pure(e.Epsilon))
		}
		return symmetric(func(float64) float64 { return math.Inf(1) })
	case privacy.ZeroConcentrated:
		return symmetric(zeroConcentrated(e.Rho))
	case privacy.RenyiDP:
		return symmetric(func(alpha float64) float64 {
			if alpha > e.Order {
				return math.Inf(1)
			}
			return e.Epsilon
		})
	case privacy.ProposeTestRelease:
		if e.Failure > 0 {
			return symmetric(func(float64) float64 { return math.Inf(1) })
		}
		return p.composition(e.Composition())
	case privacy.SubsampledGaussian:
		return SubsampledGaussian(e.Rate, e.NoiseMultiplier, e.Steps), nil
	case privacy.GradientDescent:
		rho := 0.0
		for _, sigma := range e.Sigmas {
			rho = SumUp(rho, halfSquare(e.Sensitivity/sigma))
		}
		return symmetric(zeroConcentrated(rho))
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima:
		return p.objective(e)
	case privacy.Composition:
		return p.composition(e)
	case privacy.OneOf:
		return p.worst(e)
	case privacy.NegativeBinomialSelection:
		base, err := p.of(e.Base)
		if err != nil {
			return Curve{}, privacy.Within("base", err)
		}
		price, err := selection.TruncatedNegativeBinomial(base.At, e.Eta, e.Gamma)
		return base.Map(price), err
	case privacy.PoissonSelection:
		base, err := p.of(e.Base)
		if err != nil {
			return Curve{}, privacy.Within("base", err)
		}
		price, err := selection.Poisson(base.At, nil, e.Mean)
		return base.Map(price), err
	}
	return Curve{}, &privacy.ParameterError{
		Field: "mechanism",
		Value: event.Mechanism(),
		Want:  "one that has a Rényi curve",
	}
}

// worst is the larger of the events' bounds at each order, in each direction.
func (p pricer) worst(e privacy.OneOf) (Curve, error) {
	curves := make([]Curve, len(e.Events))
	for i, event := range e.Events {
		curve, err := p.of(event)
		if err != nil {
			return Curve{}, err
		}
		curves[i] = curve
	}
	largest := func(direction func(Curve, float64) float64) func(float64) float64 {
		return func(alpha float64) float64 {
			most := 0.0
			for _, c := range curves {
				most = math.Max(most, direction(c, alpha))
			}
			return most
		}
	}
	return FromBounds(e.Adjacency, largest(Curve.Added), largest(Curve.Removed)), nil
}

func (p pricer) composition(e privacy.Composition) (Curve, error) {
	curves := []Curve{{adjacency: e.Adjacency, added: func(float64) float64 { return 0 }}}
	for _, part := range e.Parts {
		curve, err := p.of(part.Event)
		if err != nil {
			return Curve{}, err
		}
		curves = append(curves, curve.Repeat(part.Count))
	}
	return Compose(curves...)
}
