// Package privacytest holds one example of each event, with the answers that tests of other
// packages expect for it. Use it in the test of a type switch over events: the test fails
// if the switch forgets one. Only tests may import it.
package privacytest

import "cloister/core/privacy"

// Example is a valid event, and what must hold of its mechanism elsewhere. All that a new
// event has to answer stands here, so that no switch over events forgets it.
type Example struct {
	Event privacy.Event

	// Priced are the ways of accounting that price it alone, in this order: "closed",
	// "pld", "rdp" (account.Method).
	Priced []string

	// Parameter can be solved for (calibrate.With). Noiseless says that "noise" cannot: it
	// has no noise to be multiplied, because it answers yes with a rate or promises an ε.
	Parameter string
	Noiseless bool

	// Model says that the event can be that of a released model (learn.Release): it gives
	// out a model's coefficients, or what they follow from.
	Model bool

	// Nothing are events of the same mechanism that tell nothing about the records. It is
	// nil where noise hides what it is added to, and never all of it.
	Nothing []privacy.Event
}

// Name tells the examples apart: the mechanism, and where methods depend on it the law of
// its noise, or a loss that is no linear model's.
func Name(event privacy.Event) string {
	if min, ok := event.(privacy.NoisyMin); ok {
		return min.Mechanism() + ", " + string(min.Noise)
	}
	if e, ok := privacy.ObjectiveOf(event); ok && e.Loss == privacy.LossSoftmax {
		return event.Mechanism() + ", softmax"
	}
	return event.Mechanism()
}

// Events are the events of the examples.
func Events() []privacy.Event {
	var events []privacy.Event
	for _, e := range Examples() {
		events = append(events, e.Event)
	}
	return events
}

const either = privacy.AddRemove

// Examples are one of each [Name], most of them for records added or removed. Add to it
// with each new mechanism: package privacy's test asks for it.
func Examples() []Example {
	every := []string{"closed", "pld", "rdp"}
	composed := []string{"pld", "rdp"}
	renyi := []string{"rdp"}
	laplace := privacy.Laplace{Adjacency: either, Sensitivity: 2, Scale: 0.5}
	told := privacy.Laplace{Adjacency: either, Sensitivity: 1, Scale: 1}
	nothing := privacy.PureDP{Adjacency: either}
	coin := privacy.RandomisedResponse{Adjacency: either, Categories: 2, Truth: 0.5}
	steps := privacy.SubsampledGaussian{
		Adjacency: either, Rate: 0.01, NoiseMultiplier: 1.1, Steps: 10_000,
	}
	objective := privacy.ObjectivePerturbation{
		Adjacency: either, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25,
		Lambda: 1, Sigma: 4, Dimension: 3,
	}
	softmax := privacy.ObjectivePerturbation{
		Adjacency: either, Loss: privacy.LossSoftmax, RowNorm: 1,
		Lipschitz: privacy.SoftmaxSlope, Smoothness: privacy.SoftmaxSmoothness,
		Lambda: 5, Sigma: 7, Dimension: 12, Classes: 4,
	}
	return []Example{
		{
			Event:  privacy.Gaussian{Adjacency: either, Sensitivity: 1, Sigma: 3},
			Priced: every, Parameter: "sigma", Model: true,
		},
		{Event: laplace, Priced: every, Parameter: "scale"},
		{
			Event:  privacy.DiscreteLaplace{Adjacency: either, Sensitivity: 3, Scale: 0.7},
			Priced: every, Parameter: "scale",
		},
		{
			Event: privacy.DiscreteGaussian{
				Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 12,
			},
			Priced: composed, Parameter: "sigma",
		},
		{
			Event: privacy.RandomisedResponse{
				Adjacency: privacy.ReplaceOne, Categories: 4, Truth: 0.7,
			},
			Priced: every, Parameter: "truth", Noiseless: true,
			Nothing: []privacy.Event{
				coin,
				privacy.RandomisedResponse{Adjacency: either, Categories: 3, Truth: 1.0 / 3},
				privacy.RandomisedResponse{Adjacency: either, Categories: 49, Truth: 1.0 / 49},
			},
		},
		{
			Event:  privacy.PureDP{Adjacency: either, Epsilon: 0.3},
			Priced: every, Parameter: "epsilon", Noiseless: true,
			Nothing: []privacy.Event{nothing},
		},
		{
			Event:  privacy.ApproximateDP{Adjacency: either, Epsilon: 0.3, Delta: 1e-6},
			Priced: every, Parameter: "epsilon", Noiseless: true,
			Nothing: []privacy.Event{privacy.ApproximateDP{Adjacency: either}},
		},
		{
			Event:  privacy.ZeroConcentrated{Adjacency: either, Rho: 0.05},
			Priced: composed, Parameter: "rho", Noiseless: true,
			Nothing: []privacy.Event{privacy.ZeroConcentrated{Adjacency: either}},
		},
		// The next three are of a scorecard, whose release is no model's.
		{
			Event: privacy.NoisyMin{
				Adjacency: either, Epsilon: 0.3, Span: 1, Noise: privacy.GeometricNoise,
				Denominator: 64,
			},
			Priced: every, Parameter: "epsilon", Noiseless: true,
		},
		{
			Event: privacy.NoisyMin{
				Adjacency: either, Epsilon: 0.3, Span: 1, Noise: privacy.GumbelNoise,
			},
			Priced: every, Parameter: "epsilon", Noiseless: true,
		},
		{
			Event: privacy.ProximalCentre{
				Adjacency: either, Epsilon: 0.3, Span: 1, Bound: 1, Dimension: 23, Denominator: 8,
			},
			Priced: every, Parameter: "epsilon", Noiseless: true,
		},
		// Its exact minimiser is no floating-point number, so no release is of it.
		{Event: objective, Priced: every, Parameter: "lambda"},
		{
			Event: privacy.ApproximateMinima{
				Objective: objective, Tau: 1e-5, SigmaOut: 0x1p-10, Grid: 0x1p-40,
			},
			Priced: every, Parameter: "sigma", Model: true,
		},
		{Event: softmax, Priced: every, Parameter: "sigma"},
		{
			Event: privacy.ApproximateMinima{
				Objective: softmax, Tau: 1e-5, SigmaOut: 0x1p-10, Grid: 0x1p-40,
			},
			Priced: every, Parameter: "sigma", Model: true,
		},
		{
			Event: steps, Priced: composed, Parameter: "noise_multiplier", Model: true,
			Nothing: []privacy.Event{
				privacy.SubsampledGaussian{Adjacency: either, NoiseMultiplier: 1, Steps: 5},
				privacy.SubsampledGaussian{Adjacency: either, NoiseMultiplier: 1, Rate: 0.5},
			},
		},
		{
			Event: privacy.GradientDescent{
				Adjacency: either, Sensitivity: 1, Sigmas: []float64{3, 2.5, 2},
			},
			Priced: every, Parameter: "sigmas", Model: true,
			Nothing: []privacy.Event{privacy.GradientDescent{Adjacency: either, Sensitivity: 1}},
		},
		{
			Event:  privacy.RenyiDP{Adjacency: either, Order: 20, Epsilon: 0.05},
			Priced: renyi, Parameter: "epsilon", Noiseless: true,
			Nothing: []privacy.Event{privacy.RenyiDP{Adjacency: either, Order: 2}},
		},
		{
			Event: privacy.ProposeTestRelease{
				Test:    privacy.Gaussian{Adjacency: either, Sensitivity: 1, Sigma: 10},
				Release: privacy.ApproximateDP{Adjacency: either, Epsilon: 0.3, Delta: 1e-6},
				Failure: 1e-6,
			},
			Priced: every, Parameter: "test.sigma",
			Nothing: []privacy.Event{privacy.ProposeTestRelease{Test: nothing, Release: coin}},
		},
		// That of a model has one part that gives it out, and others beside.
		{
			Event: privacy.Composition{
				Adjacency: either,
				Parts:     []privacy.Part{{Event: laplace, Count: 3}, {Event: steps, Count: 1}},
			},
			Priced: composed, Parameter: "parts[1].event.rate", Model: true,
			Nothing: []privacy.Event{
				privacy.Composition{Adjacency: either},
				privacy.Composition{
					Adjacency: either,
					Parts:     []privacy.Part{{Event: coin, Count: 9}, {Event: told}},
				},
			},
		},
		// Which of them gave out a model is for the model to say.
		{
			Event:  privacy.OneOf{Adjacency: either, Events: []privacy.Event{laplace, steps}},
			Priced: renyi, Parameter: "events[1].rate",
			Nothing: []privacy.Event{
				privacy.OneOf{Adjacency: either, Events: []privacy.Event{coin, nothing}},
			},
		},
		// Selections by a score that nothing was paid for give out no model.
		{
			Event:  privacy.NegativeBinomialSelection{Base: steps, Eta: 0, Gamma: 0.1},
			Priced: renyi, Parameter: "base.steps",
			Nothing: []privacy.Event{
				privacy.NegativeBinomialSelection{Base: coin, Eta: 1, Gamma: 0.1},
			},
		},
		{
			Event:  privacy.PoissonSelection{Base: laplace, Mean: 10},
			Priced: renyi, Parameter: "base.scale",
			Nothing: []privacy.Event{
				privacy.PoissonSelection{
					Base: privacy.PoissonSelection{Base: nothing, Mean: 2}, Mean: 10,
				},
			},
		},
		{
			Event: privacy.LiuTalwarSelection{
				Base: privacy.ApproximateDP{Adjacency: either, Epsilon: 0.1, Delta: 1e-12},
				Tau:  0.05, Cutoff: 1e-6,
			},
			Priced: every, Parameter: "base.epsilon", Noiseless: true,
			Nothing: []privacy.Event{
				privacy.LiuTalwarSelection{Base: nothing, Tau: 0.1, Cutoff: 1e-6},
			},
		},
	}
}
