package plain

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// The compiler keeps a reference fit out of a release: this is what it returns.
var _ func(
	context.Context, learn.Problem, float64, func(solve.Progress),
) (learn.Unprotected, *learn.Diagnostics, error) = Fit

func TestAReferenceFitIsNoModel(t *testing.T) {
	returns := reflect.TypeOf(Fit).Out(0)
	takes := reflect.TypeOf(learn.NewRelease)
	for i := range takes.NumIn() {
		assert.False(t, returns.AssignableTo(takes.In(i)))
		assert.False(t, returns.ConvertibleTo(takes.In(i)))
	}
}

func TestFitAgainstGoldenValues(t *testing.T) {
	problem := learntest.Five()
	for k, want := range learntest.FiveMinimisers() {
		problem.Loss = learntest.Losses(t)[k]
		model, diagnostics, err := Fit(t.Context(), problem, 0.75, nil)
		require.NoError(t, err)
		for j, c := range model.Coefficients() {
			assert.InEpsilon(t, want[j], c, 1e-8)
		}
		assert.Equal(t, 5, diagnostics.Rows)
		assert.Positive(t, diagnostics.Iterations)
		assert.Equal(t, "no noise was added", model.Reason())
	}
}

func TestFitOnDegenerateData(t *testing.T) {
	for name, problem := range learntest.Degenerate() {
		for _, problem.Loss = range learntest.Losses(t) {
			for _, lambda := range []float64{1e-6, 1, 1e6} {
				model, _, err := Fit(t.Context(), problem, lambda, nil)
				require.NoError(t, err, "%s, λ = %g", name, lambda)
				learntest.RequireFinite(t, model.Coefficients(), problem.Dimension(), name)
				again, _, err := Stochastic{
					Rate:   0.1,
					Batch:  1,
					Epochs: 3,
				}.Fit(
					t.Context(), problem, randomtest.New(1),
				)
				require.NoError(t, err)
				learntest.RequireFinite(t, again.Coefficients(), problem.Dimension(), name)
			}
		}
	}
}

// Small steps on batches of one come near the minimiser, and so do steps on the
// whole, the same for any order.
func TestStochasticComesNearTheMinimiser(t *testing.T) {
	problem := learntest.Five()
	for _, problem.Loss = range learntest.Losses(t) {
		best, _, err := Fit(t.Context(), problem, 0.75, nil)
		require.NoError(t, err)
		for _, c := range []struct {
			s    Stochastic
			near float64
		}{
			{Stochastic{Rate: 0.002, Lambda: 0.15, Batch: 1, Epochs: 8000}, 0.02},
			{Stochastic{Rate: 0.5, Lambda: 0.15, Batch: 5, Epochs: 2000}, 1e-6},
		} {
			model, diagnostics, err := c.s.Fit(t.Context(), problem, randomtest.New(4))
			require.NoError(t, err)
			assert.Equal(t, c.s.Epochs, diagnostics.Iterations)
			for j, want := range best.Coefficients() {
				assert.InDelta(t, want, model.Coefficients()[j], c.near)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	var parameter *privacy.ParameterError
	field := func(err error) string { require.ErrorAs(t, err, &parameter); return parameter.Field }
	for _, lambda := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, _, err := Fit(t.Context(), learntest.Five(), lambda, nil)
		assert.Equal(t, "lambda", field(err))
	}
	bare := learntest.Five()
	bare.Data = &data.Dataset{X: bare.Data.X, Y: bare.Data.Y}
	_, _, err := Fit(t.Context(), bare, 1, nil)
	assert.Equal(t, "schema", field(err))
	bare.Data.Schema = learntest.Schema(3, 0.5)
	_, _, err = Fit(t.Context(), bare, 1, nil)
	assert.Equal(t, "dimension", field(err))
	_, _, err = Fit(
		t.Context(), learntest.Problem(learntest.Schema(MaxDimension+1, 0), nil, nil), 1, nil,
	)
	assert.Equal(t, "dimension", field(err))
	learntest.RefusesRowsThatBreakThePromise(t, func(problem learn.Problem, _ random.Source) error {
		_, _, err := Fit(t.Context(), problem, 1, nil)
		return err
	})

	for want, s := range map[string]Stochastic{
		"rate":   {Batch: 1},
		"batch":  {Rate: 1},
		"epochs": {Rate: 1, Batch: 1, Epochs: -1},
		"lambda": {Rate: 1, Batch: 1, Lambda: -1},
	} {
		_, _, err := s.Fit(t.Context(), learntest.Five(), randomtest.New(1))
		assert.Equal(t, want, field(err))
	}
	squared := learntest.Five()
	squared.Loss = glm.Squared{}
	_, _, err = Stochastic{
		Rate:   1e9,
		Batch:  1,
		Epochs: 100,
	}.Fit(
		t.Context(), squared, randomtest.New(1),
	)
	assert.Equal(t, "rate", field(err))

	why := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, _, err = Fit(ctx, learntest.Five(), 1, nil)
	assert.ErrorIs(t, err, why)
	once := Stochastic{Rate: 1, Batch: 1, Epochs: 1}
	_, _, err = once.Fit(ctx, learntest.Five(), randomtest.New(1))
	assert.ErrorIs(t, err, why)
	_, _, err = once.Fit(t.Context(), learntest.Five(), &randomtest.Script{Err: why})
	assert.ErrorIs(t, err, why)
}

// What could not be released is not fitted, or it would be no measure of what can.
func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	learntest.RefusesLossesThatDoNotSuitTheLabel(
		t,
		func(problem learn.Problem, _ random.Source) error {
			_, _, err := Fit(t.Context(), problem, 1, nil)
			return err
		},
	)
	learntest.RefusesLossesThatDoNotSuitTheLabel(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Stochastic{Rate: 1, Batch: 1, Epochs: 1}.Fit(t.Context(), problem, source)
			return err
		},
	)
}
