package dpsgd

import (
	"context"
	"errors"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Tuning is the private selection of a learning rate (Papernot & Steinke 2022):
// K is drawn from the Poisson distribution of mean Mean; K times, a learning
// rate is drawn uniformly from LearningRates and the plan is run with it; each
// run is scored, and the run with the best score is released, with its learning
// rate and score. All other runs, and K, stay secret.
//
// The theorem is for K independent runs of one mechanism that gives out its
// score together with the rest. So that is what a run is: a random rate, a
// model, and a private score,
//
//	score = (records predicted correctly − records predicted wrongly) + noise,
//
// which one record changes by 1, with discrete Gaussian noise. It is counted on the
// training records, or on records held out, and paid for in every run. (As a score of
// accuracy is better by two for each record that is right in the place of wrong, this
// sum has half the sensitivity of a count of correct ones for the same differences
// between models.) Ties between best scores are broken at random.
//
// Redberg, Koskela & Wang 2023 differ in two ways, each of which gives their
// honest baseline more than the theorem allows: the K rates are the points of a
// grid of K points, so not independent draws; and the score is the accuracy on
// the test set, at no charge.
type Tuning struct {
	Plan          Plan // Optimiser.LearningRate is not looked at
	LearningRates []float64
	Mean          float64 // μ = E[K]
	ScoreSigma    float64 // σ of the score's noise
}

// PaperRates are n learning rates evenly spaced by logarithm from 1e-8 to 1e-1.
func PaperRates(n int) []float64 {
	rates := make([]float64, n)
	for i := range rates {
		rates[i] = math.Pow(10, -8+7*float64(i)/float64(max(1, n-1)))
	}
	return rates
}

// PaperMean is the μ with which K exceeds 10, the size of the dishonest grid,
// with probability 0.9.
const PaperMean = 15.4

// PaperTuning is Redberg, Koskela & Wang's tuning of PaperPlan(n), but for the
// two differences that [Tuning] names. Its noise is for [Tuning.For] to set.
func PaperTuning(n int) Tuning {
	return Tuning{Plan: PaperPlan(n), LearningRates: PaperRates(10), Mean: PaperMean}
}

// For returns the tuning with the noise, sampling and mean of an event, which
// must have the form that Event gives: as calibration gives it out. Another form
// is a *privacy.ParameterError.
func (t Tuning) For(event privacy.PoissonSelection) (Tuning, error) {
	base, ok := event.Base.(privacy.Composition)
	if ok && len(base.Parts) == 2 && base.Parts[0].Count == 1 && base.Parts[1].Count == 1 {
		descent, isDescent := base.Parts[0].Event.(privacy.SubsampledGaussian)
		score, isScore := base.Parts[1].Event.(privacy.DiscreteGaussian)
		if isDescent && isScore && score.Sensitivity == 1 {
			t.Plan, t.Mean, t.ScoreSigma = t.Plan.For(descent), event.Mean, score.Sigma
			return t, nil
		}
	}
	return t, &privacy.ParameterError{
		Field: "base", Value: "another event",
		Want: "a composition of one subsampled-gaussian and one discrete-gaussian of sensitivity 1",
	}
}

// Event is what account prices: the selection, from μ runs on average, of the
// composition of DP-SGD with its score.
func (t Tuning) Event() (privacy.PoissonSelection, error) {
	plan := t.Plan
	plan.Optimiser.LearningRate = 1
	descent, err := plan.Event()
	if err != nil {
		return privacy.PoissonSelection{}, privacy.Within("plan", err)
	}
	event := privacy.PoissonSelection{
		Base: privacy.Composition{Adjacency: plan.Adjacency, Parts: []privacy.Part{
			{Event: descent, Count: 1},
			{
				Event: privacy.DiscreteGaussian{
					Adjacency:   plan.Adjacency,
					Sensitivity: 1,
					Sigma:       t.ScoreSigma,
				},
				Count: 1,
			},
		}},
		Mean: t.Mean,
	}
	if err := privacy.CheckPositive("score_sigma", t.ScoreSigma); err != nil {
		return event, err
	}
	return event, event.Validate()
}

// ErrNoRun says that K was 0, which it is with probability e^−μ: there is no
// model. It is an output like others; the charge stays.
var ErrNoRun = errors.New(
	"dpsgd: private selection drew no run at all, and so selects nothing: the charge stays",
)

// Choice is the rest of a tuned fit's output. The event covers it too.
type Choice struct {
	LearningRate float64
	Score        int64 // records predicted correctly less those predicted wrongly, with noise
}

// Tune runs the tuning. Scores are counted on held, or on the problem's own
// records if it is nil; held has the problem's schema, and its records are as
// private as the others: a neighbour differs in one record of either set.
//
// The calls of progress are private, because they reveal K. So is the time that the
// call takes.
//
// Errors are those of Fit, and ErrNoRun; a *learn.DivergedError is of the run it
// happened in, which then counts with a score of −∞ and is the outcome only if
// no run did better.
func Tune(
	ctx context.Context, problem learn.Problem, tuning Tuning, held *data.Dataset,
	source random.Source, progress func(solve.Progress),
) (learn.Model, Choice, *learn.Diagnostics, error) {
	none := learn.Model{}
	run, noise, err := tuning.prepare(problem, &held)
	if err != nil {
		return none, Choice{}, nil, err
	}
	best, err := tuning.selectBest(ctx, run, noise, held, source, progress)
	if err != nil {
		return none, Choice{}, nil, err
	}
	return learn.NewModel(
			problem,
			tuning.Plan.Clip,
			best.theta,
		), Choice{
			best.rate,
			best.score,
		}, run.diagnostics(), nil
}

func (t Tuning) prepare(
	problem learn.Problem, held **data.Dataset,
) (*run, *random.DiscreteGaussian, error) {
	if _, err := t.Event(); err != nil {
		return nil, nil, privacy.Within("tuning", err)
	}
	if len(t.LearningRates) == 0 {
		return nil, nil, &privacy.ParameterError{
			Field: "tuning.learning_rates",
			Value: "empty",
			Want:  "one learning rate or more",
		}
	}
	for i, rate := range t.LearningRates {
		if err := privacy.CheckPositive("tuning.learning_rates["+strconv.Itoa(i)+"]", rate); err != nil {
			return nil, nil, err
		}
	}
	noise, err := random.NewDiscreteGaussian(t.ScoreSigma, 1)
	if err != nil {
		return nil, nil, &privacy.ParameterError{
			Field: "tuning.score_sigma",
			Value: privacy.Number(t.ScoreSigma),
			Want:  "from 2^-32 to 2^57",
		}
	}
	t.Plan.Optimiser.LearningRate = 1
	run, err := prepare(problem, t.Plan)
	if err != nil {
		return nil, nil, err
	}
	if math.IsInf(problem.Loss.MaxSlope(), 1) {
		return nil, nil, &privacy.ParameterError{
			Field: "loss",
			Value: "squared",
			Want:  "a loss of classes: the score counts records that are predicted correctly",
		}
	}
	if *held == nil {
		*held = problem.Data
	} else if (*held).X.Columns != problem.Dimension() {
		return nil, nil, &privacy.ParameterError{
			Field: "held", Value: "of " + strconv.Itoa((*held).X.Columns) + " columns",
			Want: "of the same columns as the problem",
		}
	} else if err := learn.CheckRows(*held, problem.Data.Schema.RowNorm()); err != nil {
		return nil, nil, err
	}
	return run, noise, nil
}

type candidate struct {
	theta    []float64
	rate     float64
	score    int64
	diverged error // in the place of theta and score: below every score
}

// selectBest is private selection itself.
func (t Tuning) selectBest(
	ctx context.Context, run *run, noise *random.DiscreteGaussian, held *data.Dataset,
	source random.Source, progress func(solve.Progress),
) (candidate, error) {
	runs, err := random.Poisson(source, t.Mean)
	if err != nil {
		return candidate{}, err
	}
	best, err := random.BestOf(
		source, runs, candidate{diverged: ErrNoRun}, func() (candidate, error) {
			return t.candidate(ctx, run, noise, held, source, progress)
		}, candidate.against,
	)
	if err != nil {
		return candidate{}, err
	}
	return best, best.diverged
}

// candidate is one run of the base mechanism.
func (t Tuning) candidate(
	ctx context.Context, run *run, noise *random.DiscreteGaussian, held *data.Dataset,
	source random.Source, progress func(solve.Progress),
) (candidate, error) {
	pick, err := random.Below(source, uint64(len(t.LearningRates)))
	if err != nil {
		return candidate{}, err
	}
	optimiser := t.Plan.Optimiser
	optimiser.LearningRate = t.LearningRates[pick]
	theta, err := run.descend(ctx, optimiser, source, progress)
	var diverged *learn.DivergedError
	if errors.As(err, &diverged) {
		return candidate{rate: optimiser.LearningRate, diverged: err}, nil
	}
	if err != nil {
		return candidate{}, err
	}
	score, err := noise.Sample(source)
	if err != nil {
		return candidate{}, err
	}
	return candidate{
		theta: theta,
		rate:  optimiser.LearningRate,
		score: score + netCorrect(held, theta),
	}, nil
}

// against is above 0 if c is better than d, and 0 if they are equal.
func (c candidate) against(d candidate) int {
	switch {
	case c.diverged != nil && d.diverged != nil:
		return 0
	case c.diverged != nil:
		return -1
	case d.diverged != nil || c.score > d.score:
		return 1
	case c.score < d.score:
		return -1
	}
	return 0
}

// netCorrect counts the records that are predicted correctly, less those that
// are not: a margin of 0 or more predicts the positive label.
func netCorrect(d *data.Dataset, theta []float64) int64 {
	net := int64(0)
	for i := range d.X.Rows() {
		if (d.X.Row(i).Dot(theta) >= 0) == (d.Y[i] > 0) {
			net++
		} else {
			net--
		}
	}
	return net
}
