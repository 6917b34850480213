package outptr

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

func planFor(t testing.TB, p learn.Problem, epsilon float64) Plan {
	t.Helper()
	plan, err := NewPlan(
		privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5},
		p.Dimension(), p.Data.Schema.RowNorm(), 0)
	require.NoError(t, err)
	return plan
}

// A plan costs what was asked for, to five digits and never more, and that is failure plus the
// price of one Gaussian mechanism.
func TestThePlanIsCalibrated(t *testing.T) {
	for _, adjacency := range learn.AllAdjacencies {
		for _, c := range [][2]float64{{0.1, 1e-6}, {1, 1e-6}, {1, 1e-5}, {10, 1e-9}} {
			p := planOf(t, privacy.Guarantee{
				Adjacency: adjacency, Epsilon: c[0], Delta: c[1],
			}, 5, 0)
			event, err := p.Event()
			require.NoError(t, err)
			price, err := account.Of(event, account.Auto, pld.Options{})
			require.NoError(t, err)
			epsilon, err := price.EpsilonUpper(c[1])
			require.NoError(t, err)
			assert.LessOrEqual(t, epsilon, c[0])
			assert.InEpsilon(t, c[0], epsilon, 1e-5)
			ratio := math.Hypot(p.CurvatureRatio, p.OutputRatio)
			assert.InEpsilon(t, c[1], p.Failure+gaussian(c[0], ratio), 1e-4)
		}
	}
}

// Whatever the data are, what comes out is finite, on the lattice, and checks; and with more
// curvature the noise is less.
func TestWhatIsToldIsChecked(t *testing.T) {
	for name, p := range learntest.Degenerate() {
		plan := planFor(t, p, 1)
		model, told, _, err := Fit(t.Context(), p, plan, randomtest.New(3), nil)
		require.NoError(t, err, name)
		learntest.RequireFinite(t, model.Coefficients, p.Dimension(), name)
		assert.True(t, told.Check(plan, model.Coefficients), name)
		for change, spoil := range map[string]func(*Told, []float64){
			"curvature": func(t *Told, _ []float64) { t.Curvature += 1e6 },
			"sigma":     func(t *Told, _ []float64) { t.Sigma *= 1.001 },
			"grid":      func(t *Told, _ []float64) { t.Grid *= 2 },
			"theta":     func(t *Told, theta []float64) { theta[0] += t.Grid / 2 },
		} {
			other, theta := told, append([]float64(nil), model.Coefficients...)
			spoil(&other, theta)
			assert.False(t, other.Check(plan, theta), "%s: %s", name, change)
		}
	}
	p := planOf(t, privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-6}, 3, 0)
	margin, err := p.Margin()
	require.NoError(t, err)
	before := math.Inf(1)
	for _, noisy := range []float64{-1e9, 0, 100, 500, 1000, 2000} {
		sigma, _ := p.Then(margin, noisy)
		assert.LessOrEqual(t, sigma, before)
		before = sigma
	}
	// Most noise is that of no curvature at all.
	most, _ := p.Then(margin, math.Inf(-1))
	assert.InEpsilon(t, (1/p.Lambda+2*p.Tau()/p.Lambda)/p.OutputRatio, most, 1e-4)
	assert.Less(t, before, most/50)
}

// With next to no noise the model is the minimiser.
func TestWithLittleNoiseItIsTheMinimiser(t *testing.T) {
	p := learntest.Clinic()
	plan := planFor(t, p, 1)
	plan.OutputRatio = 100
	model, told, _, err := Fit(t.Context(), p, plan, randomtest.New(1), nil)
	require.NoError(t, err)
	theta, _ := minimum(t, plan, p)
	assert.InDeltaSlice(t, theta, model.Coefficients, 7*told.Sigma)
}

func TestFitIsDeterminedByItsSource(t *testing.T) {
	p := learntest.Clinic()
	plan := planFor(t, p, 1)
	fit := func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
		model, _, diagnostics, err := Fit(t.Context(), p, plan, source, nil)
		return model, diagnostics, err
	}
	learntest.DeterminedByItsSource(t, fit)
	learntest.FailsWithItsSource(t, fit)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _, err := Fit(ctx, p, plan, randomtest.New(4), nil)
	assert.ErrorIs(t, err, context.Canceled)
}

// How records are stored does not matter but for the last digits.
func TestStorage(t *testing.T) {
	p := learntest.Clinic()
	plan := planFor(t, p, 1)
	theta, least := minimum(t, plan, p)
	dense := learn.Problem{Data: learntest.Dense(p.Data), Loss: p.Loss}
	other, found := minimum(t, plan, dense)
	assert.InDeltaSlice(t, theta, other, 1e-9)
	assert.InEpsilon(t, least, found, 1e-9)
}

func TestQuestionsThatHaveNoAnswer(t *testing.T) {
	good := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-6}
	for field, ask := range map[string]func() error{
		"adjacency": func() error {
			_, err := NewPlan(privacy.Guarantee{Epsilon: 1, Delta: 1e-6}, 3, 1, 0)
			return err
		},
		"dimension": func() error { _, err := NewPlan(good, 201, 1, 0); return err },
		"row_norm":  func() error { _, err := NewPlan(good, 3, 0, 0); return err },
		"lambda":    func() error { _, err := NewPlan(good, 3, 1, 0.06); return err },
		"output_ratio": func() error {
			p := planOf(t, good, 3, 0)
			p.OutputRatio = math.NaN()
			_, err := p.Event()
			return err
		},
		"failure": func() error {
			p := planOf(t, good, 3, 0)
			p.Failure = 0
			_, err := p.Event()
			return err
		},
	} {
		var wrong *privacy.ParameterError
		require.ErrorAs(t, ask(), &wrong, field)
		assert.Equal(t, field, wrong.Field)
	}
	p := learntest.Clinic()
	plan := planFor(t, p, 1)
	for _, other := range []learn.Problem{
		{Data: p.Data, Loss: glm.Squared{}}, {Data: p.Data},
		{Data: learntest.Numeric(p.Data, -1, 1), Loss: glm.Squared{}},
	} {
		_, _, _, err := Fit(t.Context(), other, plan, &randomtest.Script{}, nil)
		assert.Error(t, err)
		assert.False(t, errors.Is(err, randomtest.ErrExhausted), "before any noise")
	}
	learntest.RefusesRowsThatBreakThePromise(t, func(p learn.Problem, source random.Source) error {
		_, _, _, err := Fit(t.Context(), p, plan, source, nil)
		return err
	})
}
