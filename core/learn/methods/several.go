package methods

import (
	"context"
	"slices"
	"sync"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// ofSeveralClassesToo is approximate minima perturbation, and for a label of several
// classes either one such fit of all of them, with the softmax, or one a class (package
// ovr), which together have the guarantee. ovr chooses the noise of such fits and of no
// others.
func ofSeveralClassesToo(m learn.Method) learn.Method {
	one := m.Choose
	m.Labels = append(slices.Clone(m.Labels), data.SeveralClasses)
	m.Losses = append(slices.Clone(m.Losses), learn.SoftmaxLoss)
	m.Choose = func(a learn.Asked) (learn.Chosen, error) {
		if a.Schema.Label.Type == data.SeveralClasses && !softmax(a) {
			return eachClass(a)
		}
		return one(a)
	}
	return m
}

// softmax reports whether one fit of all classes is asked for.
func softmax(a learn.Asked) bool { return learn.LossName(a.Loss) == learn.SoftmaxLoss }

// eachClass chooses the noise of a fit of one vector a class.
func eachClass(a learn.Asked) (learn.Chosen, error) {
	classes := len(a.Schema.Label.Classes)
	request, err := amp.Requested(a)
	if err != nil {
		return learn.Chosen{}, err
	}
	one, err := ovr.Calibrate(request, classes)
	if err != nil {
		return learn.Chosen{}, err
	}
	bound, err := request.Bound.Resolve(request.Loss)
	return learn.Chosen{
		Event: ovr.Event(one, classes), Bound: bound, Price: account.Distribution, Tau: one.Tau,
		Check: func(p learn.Problem) error { return amp.Check(p, one) },
		Fit: func(
			ctx context.Context, p learn.Problem, source random.Source, watch learn.Watch,
		) (learn.Model, []*learn.Diagnostics, error) {
			var told func(ovr.Progress)
			if watch.Progress != nil {
				told = func(p ovr.Progress) {
					watch.Progress(
						learn.Progress{Progress: p.Progress, Class: p.Class, Classes: classes},
					)
				}
			}
			return ovr.Fit(ctx, p, one, minima, source, told)
		},
		Trial:  func() (learn.Trial, error) { return amp.Trial(one), nil },
		Attack: func(s learn.Suspect) (learn.Attack, error) { return attackOfSeveral(a, one, s) },
	}, err
}

// attackOfSeveral is the audit of one fit a class. All records are of the first class,
// and so positive in its fit and negative in all others: there the first coefficient is
// the negative of what it is in the first, but for the noise. Every fit has noise of its
// own, so the logarithms of their likelihood ratios add up.
func attackOfSeveral(
	a learn.Asked, one privacy.ApproximateMinima, suspect learn.Suspect,
) (learn.Attack, error) {
	classes := len(a.Schema.Label.Classes)
	e, err := amp.FindEvidence(a.Schema, a.Loss, one, classes, suspect)
	if err != nil {
		return learn.Attack{}, err
	}
	without, with := e.Pair(a.Schema, a.Loss, 0)
	dimension := a.Schema.Dimension()
	return learn.Attack{
		Without: without, With: with, Test: e.Test, Placed: true,
		Statistic: func(theta []float64) float64 {
			sum := e.Of(theta[0])
			for k := 1; k < classes; k++ {
				sum += e.Of(-theta[k*dimension])
			}
			return sum
		},
		Fit: func(noise float64) (learn.Fit, error) {
			one := amp.Scaled(one, noise)
			return func(
				ctx context.Context, p learn.Problem, source random.Source, _ learn.Watch,
			) (learn.Model, []*learn.Diagnostics, error) {
				return ovr.Fit(ctx, p, one, minima, source, nil)
			}, one.Validate()
		},
	}, nil
}

// minima is amp.Fit without options.
func minima(
	ctx context.Context, p learn.Problem, event privacy.ApproximateMinima, source random.Source,
	told func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	return amp.Fit(ctx, p, event, source, told)
}

// trialsOfSoftmax is Trials for the softmax: the noise at ε is what its removed direction
// asks for, K−1 Gaussian mechanisms' δ, times what it is too small by at the ε that is asked
// for (nearly the same factor at all: λ follows ε).
func trialsOfSoftmax(a learn.Asked) func(epsilon float64) (learn.Trial, error) {
	request, err := amp.Requested(a)
	classes := len(a.Schema.Label.Classes)
	rough := func(epsilon float64) (float64, error) {
		return calibrate.Gaussian(
			epsilon, a.Guarantee.Delta/float64(classes-1), privacy.SoftmaxSlope*request.RowNorm,
		)
	}
	exact := sync.OnceValues(func() (event privacy.ApproximateMinima, err error) {
		return calibrate.Minima(request)
	})
	return func(epsilon float64) (learn.Trial, error) {
		if err != nil {
			return learn.Trial{}, err
		}
		event, err := exact()
		if err != nil {
			return learn.Trial{}, err
		}
		here, err := rough(a.Guarantee.Epsilon)
		if err != nil {
			return learn.Trial{}, err
		}
		there, err := rough(epsilon)
		event.Objective.Sigma *= there / here
		if request.Lambda == 0 {
			event.Objective.Lambda *= a.Guarantee.Epsilon / epsilon
		}
		return amp.Trial(event), err
	}
}

// trialsOfSeveral is Trials for several classes: the noise at ε is that of
// ovr.Estimate, which is too small, times what it is too small by at the ε that is
// asked for (nearly the same factor at all).
func trialsOfSeveral(a learn.Asked) func(epsilon float64) (learn.Trial, error) {
	classes := len(a.Schema.Label.Classes)
	factor := sync.OnceValues(func() (float64, error) {
		request, err := amp.Requested(a)
		if err != nil {
			return 0, err
		}
		exact, err := ovr.Calibrate(request, classes)
		if err != nil {
			return 0, err
		}
		rough, err := ovr.Estimate(request, classes)
		return exact.Objective.Sigma / rough.Objective.Sigma, err
	})
	return func(epsilon float64) (learn.Trial, error) {
		factor, err := factor()
		if err != nil {
			return learn.Trial{}, err
		}
		at := a
		at.Guarantee.Epsilon = epsilon
		request, err := amp.Requested(at)
		if err != nil {
			return learn.Trial{}, err
		}
		one, err := ovr.Estimate(request, classes)
		one.Objective.Sigma *= factor
		return amp.Trial(one), err
	}
}
