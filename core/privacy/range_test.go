package privacy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Every number of every event is accepted at both ends of its range and refused,
// with its field and its range, on the float next to either end and beyond.
func TestRangesOfEveryParameter(t *testing.T) {
	objective := privacy.ObjectivePerturbation{
		Adjacency: either, Loss: privacy.LossGLM, RowNorm: 1, Lipschitz: 1, Smoothness: 1,
		Lambda: 1, Sigma: 1, Dimension: 2,
	}
	minima := privacy.ApproximateMinima{Objective: objective, Tau: 1, SigmaOut: 1, Grid: 0x1p-24}
	pure := privacy.PureDP{Adjacency: either, Epsilon: 1}
	belowOne := math.Nextafter(1, 0)
	type parameter struct {
		field       string
		least, most float64
		zero        bool
		with        func(x float64) privacy.Event
	}
	const small, large = privacy.LeastScale, privacy.LargestScale
	scale := func(field string, with func(x float64) privacy.Event) parameter {
		return parameter{field, small, large, false, with}
	}
	list := []parameter{
		scale(
			"sensitivity",
			func(x float64) privacy.Event {
				return privacy.Gaussian{Adjacency: either, Sensitivity: x, Sigma: 1}
			},
		),
		scale(
			"sigma",
			func(x float64) privacy.Event {
				return privacy.Gaussian{Adjacency: either, Sensitivity: 1, Sigma: x}
			},
		),
		scale(
			"sensitivity",
			func(x float64) privacy.Event {
				return privacy.Laplace{Adjacency: either, Sensitivity: x, Scale: 1}
			},
		),
		scale(
			"scale",
			func(x float64) privacy.Event {
				return privacy.Laplace{Adjacency: either, Sensitivity: 1, Scale: x}
			},
		),
		scale("scale", func(x float64) privacy.Event {
			return privacy.DiscreteLaplace{Adjacency: either, Sensitivity: 1, Scale: x}
		}),
		scale("sigma", func(x float64) privacy.Event {
			return privacy.DiscreteGaussian{Adjacency: either, Sensitivity: 1, Sigma: x}
		}),
		{"truth", privacy.LeastProbability, belowOne, false, func(x float64) privacy.Event {
			return privacy.RandomisedResponse{Adjacency: either, Categories: 2, Truth: x}
		}},
		{
			"epsilon",
			small,
			large,
			true,
			func(x float64) privacy.Event { return privacy.PureDP{Adjacency: either, Epsilon: x} },
		},
		{
			"epsilon",
			small,
			large,
			true,
			func(x float64) privacy.Event {
				return privacy.ApproximateDP{Adjacency: either, Epsilon: x}
			},
		},
		{
			"delta",
			privacy.LeastProbability,
			belowOne,
			true,
			func(x float64) privacy.Event {
				return privacy.ApproximateDP{Adjacency: either, Delta: x}
			},
		},
		{
			"rho",
			privacy.LeastRho,
			privacy.LargestRho,
			true,
			func(x float64) privacy.Event {
				return privacy.ZeroConcentrated{Adjacency: either, Rho: x}
			},
		},
		{"rate", small, 1, true, func(x float64) privacy.Event {
			return privacy.SubsampledGaussian{
				Adjacency:       either,
				Rate:            x,
				NoiseMultiplier: 1,
				Steps:           1,
			}
		}},
		scale("noise_multiplier", func(x float64) privacy.Event {
			return privacy.SubsampledGaussian{
				Adjacency:       either,
				Rate:            0.1,
				NoiseMultiplier: x,
				Steps:           1,
			}
		}),
		scale("sensitivity", func(x float64) privacy.Event {
			return privacy.GradientDescent{Adjacency: either, Sensitivity: x, Sigmas: []float64{1}}
		}),
		scale("sigmas[1]", func(x float64) privacy.Event {
			return privacy.GradientDescent{
				Adjacency:   either,
				Sensitivity: 1,
				Sigmas:      []float64{1, x},
			}
		}),
		scale(
			"row_norm", func(x float64) privacy.Event { e := objective; e.RowNorm = x; return e },
		),
		scale(
			"lipschitz",
			func(x float64) privacy.Event { e := objective; e.Lipschitz = x; return e },
		),
		scale(
			"smoothness",
			func(x float64) privacy.Event { e := objective; e.Smoothness = x; return e },
		),
		scale("lambda", func(x float64) privacy.Event { e := objective; e.Lambda = x; return e }),
		scale("sigma", func(x float64) privacy.Event { e := objective; e.Sigma = x; return e }),
		{
			"tau",
			small,
			large,
			true,
			func(x float64) privacy.Event { e := minima; e.Tau = x; return e },
		},
		scale(
			"sigma_out",
			func(x float64) privacy.Event { e := minima; e.SigmaOut, e.Grid = x, 0; return e },
		),
		{"eta", privacy.LeastEta, privacy.LargestEta, false, func(x float64) privacy.Event {
			return privacy.NegativeBinomialSelection{Base: pure, Eta: x, Gamma: 0.1}
		}},
		{"gamma", small, belowOne, false, func(x float64) privacy.Event {
			return privacy.NegativeBinomialSelection{Base: pure, Eta: 1, Gamma: x}
		}},
		scale(
			"mean",
			func(x float64) privacy.Event { return privacy.PoissonSelection{Base: pure, Mean: x} },
		),
		{"tau", small, 1, false, func(x float64) privacy.Event {
			return privacy.LiuTalwarSelection{Base: pure, Tau: x, Cutoff: 1e-6}
		}},
		{"cutoff", privacy.LeastProbability, belowOne, false, func(x float64) privacy.Event {
			return privacy.LiuTalwarSelection{Base: pure, Tau: 0.1, Cutoff: x}
		}},
	}
	for _, p := range list {
		name := p.with(1).Mechanism() + "." + p.field
		for _, x := range []float64{
			p.least, p.most, math.Sqrt(p.least) * math.Sqrt(math.Abs(p.most)),
		} {
			if p.least < 0 && math.IsNaN(x) {
				x = 0
			}
			assert.NoError(t, p.with(x).Validate(), "%s = %v", name, x)
		}
		out := []float64{
			math.Nextafter(p.least, math.Inf(-1)), math.Nextafter(p.most, math.Inf(1)), math.NaN(),
			math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
		}
		if p.least > 0 {
			out = append(out, math.SmallestNonzeroFloat64)
			if p.zero {
				assert.NoError(t, p.with(0).Validate(), name)
			} else {
				out = append(out, 0, math.Copysign(0, -1))
			}
		}
		for _, x := range out {
			var refused *privacy.ParameterError
			require.ErrorAs(t, p.with(x).Validate(), &refused, "%s = %v", name, x)
			assert.Equal(t, p.field, refused.Field, "%s = %v", name, x)
			assert.Contains(t, refused.Want, "from "+privacy.Number(p.least), name)
		}
	}
}

// Whole numbers end where float64 no longer holds each of them.
func TestRangesOfCounts(t *testing.T) {
	const most = privacy.LargestCount
	for field, with := range map[string]func(k int) privacy.Event{
		"sensitivity": func(k int) privacy.Event {
			return privacy.DiscreteLaplace{Adjacency: either, Sensitivity: k, Scale: 1}
		},
		"categories": func(k int) privacy.Event {
			return privacy.RandomisedResponse{Adjacency: either, Categories: k, Truth: 0.5}
		},
		"steps": func(k int) privacy.Event {
			return privacy.SubsampledGaussian{
				Adjacency: either, Rate: 0.1, NoiseMultiplier: 1, Steps: k,
			}
		},
		"parts[0].count": func(k int) privacy.Event {
			return privacy.Composition{Adjacency: either, Parts: []privacy.Part{
				{Event: privacy.PureDP{Adjacency: either, Epsilon: 1}, Count: k},
			}}
		},
	} {
		assert.NoError(t, with(most).Validate(), field)
		var refused *privacy.ParameterError
		require.ErrorAs(t, with(most+1).Validate(), &refused, field)
		assert.Equal(t, field, refused.Field)
		assert.Error(t, with(-1).Validate(), field)
	}
}

// What is inside an event is asked for many times over at every level, so that a
// file of a few kilobytes could keep a reader busy for years.
func TestNestingEnds(t *testing.T) {
	var event privacy.Event = privacy.PureDP{Adjacency: either, Epsilon: 1}
	for level := 1; level <= 40; level++ {
		event = privacy.Composition{
			Adjacency: either,
			Parts:     []privacy.Part{{Event: event, Count: 1}},
		}
		if level <= privacy.DeepestNesting {
			assert.NoError(t, event.Validate(), level)
		} else {
			assert.ErrorContains(t, event.Validate(), "mechanism is inside too many others", level)
		}
	}
	event = privacy.PureDP{Adjacency: either, Epsilon: 1}
	for level := 1; level <= 10; level++ {
		event = privacy.PoissonSelection{Base: event, Mean: 2}
		if level <= privacy.DeepestSelection {
			assert.NoError(t, event.Validate(), level)
		} else {
			assert.ErrorContains(t, event.Validate(), "no more than 2 selections", level)
		}
	}
}
