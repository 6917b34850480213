package ovr_test

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// several is a problem of these rows, all of class 0 of k.
func several(features, k int, kappa float64, rows ...[]float64) learn.Problem {
	p := learntest.Problem(learntest.Schema(features, kappa), rows, make([]float64, len(rows)))
	p.Data.Schema.Label = data.Label{Name: "y", Type: data.SeveralClasses, Provenance: data.Public}
	for class := range k {
		p.Data.Schema.Label.Classes = append(
			p.Data.Schema.Label.Classes, []string{string(rune('a' + class))},
		)
	}
	return p
}

// worstCase is one record against none, and fits whose price is nearly tight:
// λ = 100 R² keeps every margin near 0, where gradients clipped at R/4 are as long
// as they may be. The record is positive in the fit of its own class and negative
// in all others, so that what tells the two files apart best is the sum of the
// margins of that row, each with the sign of its fit.
type worstCase struct {
	without, with learn.Problem
	row           []float64
	classes       int
	one           privacy.ApproximateMinima // of one fit
}

// worst has fits that would cost a single one ε, but for √K times its noise.
func worst(t *testing.T, features, classes int, kappa, epsilon float64, row []float64) worstCase {
	w := worstCase{
		several(features, classes, kappa),
		several(features, classes, kappa, row),
		row,
		classes,
		privacy.ApproximateMinima{},
	}
	schema := w.with.Data.AgainstRest(0).Schema
	request := amp.Request(
		schema, privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5},
		objective.BoundAuto,
	)
	square := request.RowNorm * request.RowNorm
	request.Lipschitz, request.Lambda = request.RowNorm/4, 100*square
	one, err := calibrate.Minima(request)
	require.NoError(t, err)
	one.Objective.Sigma *= math.Sqrt(float64(classes))
	w.one = one
	return w
}

// claimed is the profile of so many of these fits.
func (w worstCase) claimed(t *testing.T, fits int) func(float64) (float64, error) {
	price, err := account.Of(ovr.Event(w.one, fits), account.Distribution, pld.Options{})
	require.NoError(t, err)
	return func(at float64) (float64, error) { return math.Exp(price.LogDeltaUpper(at)), nil }
}

func (w worstCase) audit(t *testing.T, fits, runs int, epsilon float64) audittest.Audit {
	a := audittest.Audit{
		Claim:    w.claimed(t, fits),
		Epsilons: audittest.Grid(epsilon, 20),
		Runs:     runs,
	}
	// θ without the record is b/λ: five values of the statistic of that, −1 to 1
	// standard deviations. And what one fit moves by, which a difference shows from
	// which the noise is gone.
	o := w.one.Objective
	unit := o.Sigma / o.Lambda * learntest.Length(w.row) * math.Sqrt(float64(w.classes))
	a.Thresholds = []float64{o.Lipschitz / o.Lambda * learntest.Length(w.row)}
	for k := -2; k <= 2; k++ {
		a.Thresholds = append(a.Thresholds, float64(k)/2*unit)
	}
	return a
}

type learner = learn.FitBy[privacy.ApproximateMinima]

func honest(
	ctx context.Context, p learn.Problem, event privacy.ApproximateMinima, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	return amp.Fit(ctx, p, event, source, progress)
}

// trials are runs on either file. The statistic is of the first so many classes.
func (w worstCase) trials(
	event privacy.ApproximateMinima, make func(source random.Source) learner, classes int,
) (without, with audittest.Trial) {
	on := func(p learn.Problem) audittest.Trial {
		return func(source random.Source) (float64, error) {
			model, _, err := ovr.Fit(context.Background(), p, event, make(source), source, nil)
			if err != nil {
				return 0, err
			}
			d, sum := len(w.row), 0.0
			for class := range classes {
				margin := learntest.Dot(w.row, model.Coefficients[class*d:(class+1)*d])
				if class > 0 {
					margin = -margin
				}
				sum += margin
			}
			return sum, nil
		}
	}
	return on(w.without), on(w.with)
}

func same(random.Source) learner { return honest }

// oneNoise fits every class with the noise of the first.
func oneNoise(source random.Source) learner {
	seed, err := source.Uint64()
	return func(
		ctx context.Context, p learn.Problem, event privacy.ApproximateMinima, _ random.Source,
		progress func(solve.Progress),
	) (learn.Model, *learn.Diagnostics, error) {
		if err != nil {
			return learn.Model{}, nil, err
		}
		return amp.Fit(ctx, p, event, randomtest.New(seed), progress)
	}
}

// Every record takes part in all K fits: the price is that of K of them, and that
// of one is caught, as are fits that share their noise or have half of
// it. CLOISTER_AUDIT=long has more classes, columns and ε.
func TestAudit(t *testing.T) {
	if runtime.GOARCH == "wasm" && !audittest.Long() {
		t.Skip("audited natively: the code is the same, and three times as slow")
	}
	for _, c := range []struct {
		name     string
		features int
		kappa    float64
		row      []float64
		classes  int
		epsilon  float64
		runs     int
		long     bool
	}{
		{"K=3", 1, 0, []float64{1}, 3, 2, 12_000, false},
		{"K=3 epsilon=0.5", 1, 0, []float64{1}, 3, 0.5, 10_000, true},
		{"K=2 d=3", 2, 0.5, []float64{0.59, 0.8, 0.5}, 2, 2, 6_000, true},
		{"K=10 d=3", 2, 0.5, []float64{0.59, 0.8, 0.5}, 10, 2, 2_000, true},
	} {
		if c.long && !audittest.Long() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := worst(t, c.features, c.classes, c.kappa, c.epsilon, c.row)
			audit := w.audit(t, c.classes, audittest.Runs(c.runs), c.epsilon)
			without, with := w.trials(w.one, same, c.classes)
			asItIs := audit.Run(t, without, with)
			audit.HoldsBy(t, "honest", asItIs)

			once := audit
			once.Claim = w.claimed(t, 1)
			once.CatchesBy(t, "charged for one fit", asItIs)

			without, with = w.trials(w.one, oneNoise, 2)
			audit.Catches(t, "one noise for all fits", without, with)

			halved := w.one
			halved.Objective.Sigma /= 2
			without, with = w.trials(halved, same, c.classes)
			audit.Catches(t, "noise halved", without, with)
		})
	}
}
