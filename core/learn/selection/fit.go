package selection

import (
	"context"
	"errors"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
)

// ErrNoRun says that K was 0, which it is with probability e^−μ: there is no model. It is an
// output like others; the charge stays.
var ErrNoRun = errors.New(
	"selection: the private choice drew no run at all, and so there is no model: the charge stays",
)

// run is what one run gives out.
type run struct {
	model     learn.Model
	notes     []*learn.Diagnostics // private
	candidate int
	score     int64
	failed    error // in the place of model and score: below every score
}

// Fit runs the choice: see the package. The model says which candidate it is of and its
// score, and may be published. The diagnostics are of the fit that was kept, and may not.
// Calls of watch.Progress are private, as they reveal K, and so is the time that Fit takes.
// watch.Noise is not called. Charge for Event before calling, and keep the charge whatever
// comes back.
//
// Errors: ErrNoRun; a *learn.Refusal or *learn.DivergedError if no run did better; the
// context's and the source's; and before any noise is drawn a *privacy.ParameterError or, for
// a row that breaks what the schema promises, a *learn.RowError.
func (p Plan) Fit(
	ctx context.Context, problem learn.Problem, source random.Source, watch learn.Watch,
) (learn.Model, []*learn.Diagnostics, error) {
	noise, err := random.NewDiscreteGaussian(p.noise, 1)
	if err != nil {
		return learn.Model{}, nil, bad("score.sigma", privacy.Number(p.noise), "from 2^-32 to 2^57")
	}
	if err := p.check(problem); err != nil {
		return learn.Model{}, nil, err
	}
	if err := learn.CheckRowsOf(problem.Data, problem.Data.Schema.RowNorm()); err != nil {
		return learn.Model{}, nil, err
	}
	best, err := p.best(source, func(candidate int) (run, error) {
		fit := p.Fits[candidate].Fit
		model, notes, err := fit(ctx, problem, source, learn.Watch{Progress: watch.Progress})
		var refused *learn.Refusal
		var diverged *learn.DivergedError
		if errors.As(err, &refused) || errors.As(err, &diverged) {
			return run{candidate: candidate, failed: err}, nil
		}
		if err != nil {
			return run{}, err
		}
		drawn, err := noise.Sample(source)
		return run{
			model: model, notes: notes, candidate: candidate,
			score: within53(drawn + score(model, problem.Data)),
		}, err
	})
	if err != nil {
		return learn.Model{}, nil, err
	}
	best.model.Selected = &learn.Selected{Candidate: best.candidate, Score: best.score}
	return best.model, best.notes, nil
}

// best is private selection itself.
func (p Plan) best(source random.Source, once func(candidate int) (run, error)) (run, error) {
	runs, err := random.Poisson(source, p.Event.Mean)
	if err != nil {
		return run{}, err
	}
	best, err := random.BestOf(source, runs, run{failed: ErrNoRun}, func() (run, error) {
		candidate, err := random.Below(source, uint64(len(p.Fits)))
		if err != nil {
			return run{}, err
		}
		return once(int(candidate))
	}, run.against)
	if err != nil {
		return run{}, err
	}
	return best, best.failed
}

// against is above 0 if r is better than s, and 0 if they are equal.
func (r run) against(s run) int {
	switch {
	case r.failed != nil && s.failed != nil:
		return 0
	case r.failed != nil:
		return -1
	case s.failed != nil || r.score > s.score:
		return 1
	case r.score < s.score:
		return -1
	}
	return 0
}
