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
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
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

	why := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, _, err = Fit(ctx, learntest.Five(), 1, nil)
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
}
