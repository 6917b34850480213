package main

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/privacy"
	"cloister/scripts/splitmix"
)

// draw makes up questions that people ask: each parameter is log-uniform over what is of use.
type draw struct{ splitmix.Source }

func (d *draw) below(n int) int { return int(d.Uniform() * float64(n)) }

// between is log-uniform.
func (d *draw) between(low, high float64) float64 {
	return low * math.Pow(high/low, d.Uniform())
}

// guarantee has an ε and a δ that are asked for.
func (d *draw) guarantee(a privacy.Adjacency) privacy.Guarantee {
	return privacy.Guarantee{
		Adjacency: a, Epsilon: d.between(0.1, 10), Delta: d.between(1e-9, 1e-4),
	}
}

// fit is an approximate-minima fit as it is calibrated for some guarantee, with the regulariser
// that it has by default or up to sixteen times more or less.
func (d *draw) fit(a privacy.Adjacency) privacy.Event {
	request := calibrate.MinimaRequest{
		Guarantee: d.guarantee(a), RowNorm: 1, Dimension: int(d.between(2, 300)),
	}
	switch d.below(4) {
	case 0, 1:
		request.Loss, request.Smoothness = privacy.LossLogistic, 0.25
	case 2:
		request.Loss, request.Smoothness = privacy.LossHinge, 1
	case 3:
		request.Loss, request.Smoothness, request.Lipschitz = privacy.LossSigned, 1, 1
	}
	event, err := calibrate.Minima(request)
	if err != nil {
		panic(err) // which is a fault of this program
	}
	if d.below(2) == 0 {
		event.Objective.Lambda *= d.between(1.0/16, 16)
	}
	if d.below(4) == 0 {
		return event.Objective
	}
	return event
}

// descent is DP-SGD.
func (d *draw) descent() privacy.Event {
	return privacy.SubsampledGaussian{
		Adjacency: privacy.AddRemove, Rate: d.between(1e-4, 0.3),
		NoiseMultiplier: d.between(0.5, 10), Steps: int(d.between(10, 1e5)),
	}
}

// plain is an event that is no fit.
func (d *draw) plain(a privacy.Adjacency) privacy.Event {
	sensitivity := int(d.between(1, 100))
	switch d.below(8) {
	case 0:
		return privacy.Gaussian{Adjacency: a, Sensitivity: 1, Sigma: d.between(0.3, 100)}
	case 1:
		return privacy.Laplace{Adjacency: a, Sensitivity: 1, Scale: d.between(0.1, 100)}
	case 2:
		return privacy.DiscreteLaplace{
			Adjacency: a, Sensitivity: sensitivity,
			Scale: float64(sensitivity) * d.between(0.1, 100),
		}
	case 3:
		return privacy.DiscreteGaussian{
			Adjacency: a, Sensitivity: sensitivity,
			Sigma: float64(sensitivity) * d.between(0.3, 100),
		}
	case 4:
		return privacy.RandomisedResponse{
			Adjacency: a, Categories: 2 + d.below(10), Truth: 0.2 + 0.7*d.Uniform(),
		}
	case 5:
		return privacy.NoisyMin{
			Adjacency: a, Epsilon: d.between(0.05, 5), Span: privacy.SpanOf(a),
			Noise: privacy.GumbelNoise,
		}
	case 6:
		return privacy.ZeroConcentrated{Adjacency: a, Rho: d.between(1e-4, 10)}
	}
	if a == privacy.ReplaceOne {
		return privacy.PureDP{Adjacency: a, Epsilon: d.between(0.05, 5)}
	}
	return d.descent()
}

// selected is a private choice among runs.
func (d *draw) selected(a privacy.Adjacency) privacy.Event {
	base := d.plain(a)
	if d.below(3) == 0 {
		base = d.fit(a)
	}
	if d.below(2) == 0 {
		return privacy.PoissonSelection{Base: base, Mean: d.between(2, 50)}
	}
	return privacy.NegativeBinomialSelection{
		Base: base, Eta: float64(d.below(3)), Gamma: d.between(1e-3, 0.5),
	}
}

// single is one event of any kind.
func (d *draw) single(a privacy.Adjacency) privacy.Event {
	switch d.below(8) {
	case 0, 1, 2, 3:
		return d.fit(a)
	case 4:
		return d.selected(a)
	}
	return d.plain(a)
}

// alike is a composition of ten fits of one kind, or of ten that differ.
func (d *draw) alike(a privacy.Adjacency) privacy.Event {
	c := privacy.Composition{Adjacency: a}
	if d.below(2) == 0 {
		c.Parts = []privacy.Part{{Event: d.fit(a), Count: 10}}
		return c
	}
	for range 10 {
		c.Parts = append(c.Parts, privacy.Part{Event: d.fit(a), Count: 1})
	}
	return c
}

// mixed is a composition of ten events of any kinds, half of them fits.
func (d *draw) mixed(a privacy.Adjacency) privacy.Event {
	c := privacy.Composition{Adjacency: a}
	for i := range 10 {
		event := d.plain(a)
		if i%2 == 0 {
			event = d.fit(a)
		}
		c.Parts = append(c.Parts, privacy.Part{Event: event, Count: 1})
	}
	return c
}
