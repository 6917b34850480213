package amp

import (
	"context"
	"math"
	"slices"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner is approximate minima perturbation with the [Defaults], which a tuning may
// override. Use it unless there is a reason for another learner.
var Learner = learn.Method{
	Name: "amp", Title: "objective perturbation",
	Labels:      learn.OneVectorLabels,
	Losses:      append(slices.Clone(learn.AllLosses), learn.TwoClassLosses...),
	Adjacencies: learn.AllAdjacencies,
	Tuned:       true, Sums: true, Spread: true,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		request, err := Requested(a)
		if err != nil {
			return learn.Chosen{}, err
		}
		event, err := calibrate.Minima(request)
		if err != nil {
			return learn.Chosen{}, err
		}
		fit, err := chosen(event, request.Bound)
		if _, weighted := a.Loss.(glm.WeightedLogistic); weighted {
			fit.Trial = noTrial
		}
		return fit, err
	},
}

// noTrial says that trials count right answers, which is not what weights are for.
func noTrial() (learn.Trial, error) {
	return learn.Trial{}, &privacy.ParameterError{
		Field: "method", Value: "with weights of the classes",
		Want: "without, to be tried out: trials count right answers, and weights are for a rare class",
	}
}

// PaperLearner is the mechanism with its authors' settings ([Paper]). Use it for
// comparison. It has no form for replace-one: there one record's gradient counts twice,
// and σ = 1.3 σ_G is too little for any λ.
var PaperLearner = learn.Method{
	Name: "amp-paper", Title: "objective perturbation as published in 2023",
	Labels: learn.OneVectorLabels, Losses: learn.AllLosses,
	Adjacencies: []privacy.Adjacency{privacy.AddRemove},
	Sums:        true,
	Spread:      true,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		if err := learn.CheckWidth(a.Loss); err != nil {
			return learn.Chosen{}, err
		}
		event, err := Paper(a.Schema, a.Loss, a.Guarantee)
		if err != nil {
			return learn.Chosen{}, err
		}
		return chosen(event, objective.BoundRDP)
	},
}

// Requested is the request that a question to [Learner] comes to. Errors: a
// *privacy.ParameterError for the field "huber_width", a loss that no solver's
// certificate does for (learn.CheckWidth), or "bound".
func Requested(a learn.Asked) (calibrate.MinimaRequest, error) {
	if err := learn.CheckWidth(a.Loss); err != nil {
		return calibrate.MinimaRequest{}, err
	}
	bound, err := objective.ParseBound(string(a.Tuning.Bound))
	r := Defaults(a.Schema, a.Loss, a.Guarantee, bound)
	t := a.Tuning
	r.Lambda, r.Tau = t.Lambda, t.Tau
	if t.Clip != 0 {
		r.Lipschitz = t.Clip
	}
	if t.Radius != 0 {
		r.RadiusGuess = t.Radius
	}
	return r, err
}

// chosen is the fit by an event that the bound prices.
func chosen(event privacy.ApproximateMinima, bound objective.Bound) (learn.Chosen, error) {
	bound, err := bound.Resolve(event.Objective.Loss)
	return learn.Chosen{
		Event: event, Bound: bound, Price: account.Closed, Tau: event.Tau,
		Check: func(p learn.Problem) error { return Check(p, event) },
		Fit: func(
			ctx context.Context, p learn.Problem, source random.Source, watch learn.Watch,
		) (learn.Model, []*learn.Diagnostics, error) {
			kept := watch.Noise
			if event.Objective.Loss == privacy.LossSoftmax {
				kept = nil // of whose fits no report is made
			}
			return learn.OneVector(0, keeping(event, kept))(ctx, p, source, watch)
		},
		Trial: func() (learn.Trial, error) { return Trial(event), nil },
		Plan:  event,
	}, err
}

// keeping is Fit by the event that hands out its noise (see Noise).
func keeping(event privacy.ApproximateMinima, noise func(b []float64)) func(
	context.Context, learn.Problem, random.Source, func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	return func(
		ctx context.Context, p learn.Problem, source random.Source, told func(solve.Progress),
	) (learn.Model, *learn.Diagnostics, error) {
		return Fit(ctx, p, event, source, told, Noise(noise))
	}
}

// Trial returns the fit that stands for the event on made-up records.
func Trial(e privacy.ApproximateMinima) learn.Trial {
	o := e.Objective
	if o.Loss == privacy.LossSoftmax {
		return learn.Trial{
			Dimension: o.Dimension / o.Classes, Classes: o.Classes, Clip: math.Inf(1),
			Lambda: o.Lambda, Sigma: o.Sigma, Out: e.SigmaOut,
		}
	}
	return learn.Trial{
		Dimension: o.Dimension, Clip: o.Lipschitz, Lambda: o.Lambda, Sigma: o.Sigma,
		Out: e.SigmaOut,
	}
}
