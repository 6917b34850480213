package amp

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// What comes out is what the mechanism says: replaying the source gives b and
// the output noise; without the latter the output is a lattice point at which
// the gradient is within τ, but for the half step of rounding.
func TestFitDoesWhatItSays(t *testing.T) {
	problem := learntest.Clinic()
	for _, epsilon := range []float64{0.1, 1, 8} {
		event := calibrated(t, problem.Data.Schema, epsilon)
		o := event.Objective
		model, diagnostics, err := Fit(t.Context(), problem, event, randomtest.New(5), nil)
		require.NoError(t, err)

		b, theta := undone(t, event, model, randomtest.New(5))
		rows, err := problem.Rows(o.Lipschitz, o.RowNorm)
		require.NoError(t, err)
		upper := solve.NewObjective(o.Lambda, b, rows).Certify(theta).Upper()
		rounding := (o.Lambda + 0.25*o.RowNorm*o.RowNorm*300) * event.Grid / 2 * math.Sqrt(3)
		assert.LessOrEqual(t, upper, event.Tau+rounding)

		assert.Equal(t, 300, diagnostics.Rows)
		assert.Positive(t, diagnostics.Iterations)
		assert.LessOrEqual(t, diagnostics.Certificate.Upper()+diagnostics.SamplerError, event.Tau)
		assert.InEpsilon(t, 0x1p-47*o.Sigma*(math.Sqrt(3)+40), diagnostics.SamplerError, 1e-15)
	}
}

// The minimisers for the b of this seed were computed at 40 digits with mpmath
// 1.3.0; to them come the rounding to the lattice and the noise drawn on it.
// The same test passes natively and under js/wasm, so the two agree.
func TestFitAgainstGoldenValues(t *testing.T) {
	problem := learntest.Five()
	o := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
		RowNorm:    problem.Data.Schema.RowNorm(),
		Smoothness: 0.25, Lambda: 0.75, Sigma: 1.5, Dimension: 3,
	}
	for _, c := range []struct {
		clip float64
		want []float64
	}{
		{o.RowNorm, []float64{1.07278814356232033, -0.465334074243401119, 0.195177530024011503}},
		{0.25, []float64{1.02492400047685805, -0.250375578106286412, 0.402793554951131227}}, // all five are clipped
	} {
		o.Lipschitz = c.clip
		event := privacy.ApproximateMinima{
			Objective: o,
			Tau:       1e-10,
			SigmaOut:  0x1p-10,
			Grid:      0x1p-40,
		}
		// Fit takes no τ so small
		theta, _, err := run(t.Context(), problem, event, randomtest.New(2026), nil)
		require.NoError(t, err)
		for j, want := range c.want {
			assert.InEpsilon(t, want, theta[j], 1e-9)
		}
	}
}

func TestFitIsDeterminedByItsSource(t *testing.T) {
	problem := learntest.Clinic()
	event := calibrated(t, problem.Data.Schema, 1)
	learntest.DeterminedByItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			model, diagnostics, err := Fit(t.Context(), problem, event, source, nil)
			assert.Equal(t, glm.Logistic{}, model.Loss)
			return model, diagnostics, err
		},
	)
}

func TestFitRefusesAnEventOfSomethingElse(t *testing.T) {
	problem := learntest.Clinic()
	good := calibrated(t, problem.Data.Schema, 1)
	for field, change := range map[string]func(*privacy.ApproximateMinima, *learn.Problem){
		"event.row_norm": func(e *privacy.ApproximateMinima, p *learn.Problem) {
			e.Objective.RowNorm = math.Nextafter(e.Objective.RowNorm, 0)
		},
		"event.dimension": func(e *privacy.ApproximateMinima, p *learn.Problem) { e.Objective.Dimension = 4 },
		"event.loss":      func(e *privacy.ApproximateMinima, p *learn.Problem) { p.Loss = glm.Squared{} },
		"event.smoothness": func(e *privacy.ApproximateMinima, p *learn.Problem) {
			e.Objective.Loss, e.Objective.Smoothness = privacy.LossGLM, 0.2
		},
		"event.grid": func(e *privacy.ApproximateMinima, p *learn.Problem) { e.Grid = 0 },
		"event.tau":  func(e *privacy.ApproximateMinima, p *learn.Problem) { e.Tau = 1e-14 },
		"sigma_out":  func(e *privacy.ApproximateMinima, p *learn.Problem) { e.SigmaOut = -1 },
		"lambda":     func(e *privacy.ApproximateMinima, p *learn.Problem) { e.Objective.Lambda = 0 },
		"adjacency":  func(e *privacy.ApproximateMinima, p *learn.Problem) { e.Objective.Adjacency = 0 },
	} {
		event, p := good, problem
		change(&event, &p)
		script := &randomtest.Script{}
		_, _, err := Fit(t.Context(), p, event, script, nil)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
		assert.Zero(t, script.Read, "no noise was drawn")
	}
	huge := learntest.Schema(MaxDimension+1, 0)
	large := good
	large.Objective.Dimension = MaxDimension + 1
	_, _, err := Fit(
		t.Context(), learntest.Problem(huge, nil, nil), large, &randomtest.Script{}, nil,
	)
	assert.ErrorContains(t, err, "at most 4096")
	smooth := good
	smooth.Objective.Loss = privacy.LossSmooth
	_, _, err = Fit(t.Context(), problem, smooth, &randomtest.Script{}, nil)
	assert.ErrorContains(t, err, "event.loss")

	// A wider class and a longer row are truths that say less.
	wider := good
	wider.Objective.Loss, wider.Objective.RowNorm = privacy.LossGLM, 2
	_, _, err = Fit(t.Context(), problem, wider, randomtest.New(1), nil)
	assert.NoError(t, err)
	// And a matrix whose columns are not the schema's is nobody's.
	mixed := problem
	mixed.Data = &data.Dataset{
		Schema: learntest.Schema(3, 0.5),
		X:      problem.Data.X,
		Y:      problem.Data.Y,
	}
	_, _, err = Fit(t.Context(), mixed, good, randomtest.New(1), nil)
	assert.ErrorContains(t, err, "event.dimension")
}

func TestFitRefusesRowsThatBreakThePromise(t *testing.T) {
	event := calibrated(t, learntest.Schema(2, 0.5), 1)
	learntest.RefusesRowsThatBreakThePromise(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, event, source, nil)
			return err
		},
	)
}

func TestFitRefusesWhatItCannotCertify(t *testing.T) {
	problem := learntest.Clinic()
	event := calibrated(t, problem.Data.Schema, 1)
	// Room for the sampler's error, and none for rounding.
	event.Tau = samplerError(event.Objective.Sigma, 3) + 1e-15
	_, _, err := run(t.Context(), problem, event, randomtest.New(1), nil)
	var refusal *learn.Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, learn.CauseGradient, refusal.Cause)
	var failed *solve.NotConvergedError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, []solve.Reason{solve.ReasonRounding, solve.ReasonStalled}, failed.Reason)
	assert.NotContains(t, err.Error(), "e-", "no number of the data's")
}

// One word in two is 1: uniforms near 2^-63, that is 9.3σ a pair of
// coordinates. In 400 dimensions that is far beyond √d + 40.
type stretched struct{ calls int }

func (s *stretched) Uint64() (uint64, error) {
	if s.calls++; s.calls%2 == 1 {
		return 1, nil
	}
	return 1 << 63, nil
}

func TestFitRefusesNoiseThatCannotBe(t *testing.T) {
	schema := learntest.Schema(400, 0)
	_, _, err := Fit(
		t.Context(), learntest.Problem(schema, nil, nil), calibrated(t, schema, 1), &stretched{},
		nil,
	)
	var refusal *learn.Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, learn.CauseNoise, refusal.Cause)
	assert.NoError(t, errors.Unwrap(refusal))
}

// How far out a minimiser lies is a matter of the data, and no reason to refuse.
func TestNoFitIsRefusedForWhereItsMinimiserLies(t *testing.T) {
	schema := learntest.Schema(2, 0.5)
	event := calibrated(t, schema, 1)
	event.Objective.Lambda, event.Grid, event.SigmaOut = 1e-12, 0x1p-52, 0x1p-20
	for seed := range uint64(20) {
		theta, _, err := run(
			t.Context(), learntest.Problem(schema, nil, nil), event, randomtest.New(seed), nil,
		)
		require.NoError(t, err)
		for _, c := range theta {
			assert.InDelta(t, 2, math.Abs(c), 1e-4)
		}
	}
}

func TestFitPassesErrorsOn(t *testing.T) {
	problem := learntest.Clinic()
	event := calibrated(t, problem.Data.Schema, 1)
	learntest.FailsWithItsSource(
		t,
		func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), problem, event, source, nil)
		},
	)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stop")
	_, _, err := Fit(ctx, problem, event, randomtest.New(1), func(solve.Progress) { cancel(why) })
	assert.ErrorIs(t, err, why)
}

// A whole release from a fit holds up to its own claims.
func TestFitMakesATruthfulRelease(t *testing.T) {
	problem := learntest.Clinic()
	for _, bound := range []objective.Bound{
		objective.BoundAuto, objective.BoundProfile, objective.BoundRDP, objective.BoundKifer,
	} {
		event, err := calibrate.Minima(Request(problem.Data.Schema, guaranteed(1), bound))
		require.NoError(t, err)
		model, _, err := Fit(t.Context(), problem, event, randomtest.New(8), nil)
		require.NoError(t, err)
		release, err := learn.NewRelease(event, guaranteed(1), bound, model)
		require.NoError(t, err, bound)
		text, err := release.MarshalJSON()
		require.NoError(t, err)
		again, err := learn.ParseRelease(text)
		require.NoError(t, err)
		_, failed := again.Verify().Failed()
		assert.False(t, failed)
		assert.Equal(t, model.Coefficients, again.Model.Coefficients)
	}
}

// τ bounds the whole of what is certified: one that leaves room for the
// gradient but not for half its rounding bound is refused.
func TestFitRefusesWhatRoundingMayExceed(t *testing.T) {
	problem := learntest.Clinic()
	event := calibrated(t, problem.Data.Schema, 1)
	_, diagnostics, err := Fit(t.Context(), problem, event, randomtest.New(5), nil)
	require.NoError(t, err)
	event.Tau = diagnostics.SamplerError + diagnostics.Certificate.RoundingBound/2
	_, _, err = run(t.Context(), problem, event, randomtest.New(5), nil)
	var refusal *learn.Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, learn.CauseGradient, refusal.Cause)
}

// Fit takes no such τ: where rounding decides, the number of records would. What
// it says of one does not depend on the records, and the least τ that it takes
// does for 2^24 of them.
func TestTheSmallestTauHasRoomForAsManyRecordsAsMayBe(t *testing.T) {
	row := []float64{0.6, 0.7, 0.5}
	for name, loss := range map[string]glm.Loss{"logistic": glm.Logistic{}, "huber": learntest.Huber(t, 0.5)} {
		pair := pairOf(learntest.Schema(2, 0.5), 20_000, row, row).posed(loss, 1)
		event, err := calibrate.Minima(
			Defaults(pair.with.Data.Schema, loss, guaranteed(1), objective.BoundAuto),
		)
		require.NoError(t, err)
		least := calibrate.SmallestTau(event.Objective)
		assert.Greater(t, event.Tau, 3*least)
		assert.Greater(t, least, 2*samplerError(event.Objective.Sigma, 3)*(1-1e-12))
		for _, problem := range []learn.Problem{
			pair.without, pair.with, learntest.Problem(learntest.Schema(2, 0.5), nil, nil),
		} {
			problem.Loss = loss
			event.Tau = math.Nextafter(least, 0)
			script := &randomtest.Script{}
			_, _, err = Fit(t.Context(), problem, event, script, nil)
			var parameter *privacy.ParameterError
			require.ErrorAs(t, err, &parameter, name)
			assert.Equal(t, "event.tau", parameter.Field)
			assert.Zero(t, script.Read)
			event.Tau = least
			_, diagnostics, err := Fit(t.Context(), problem, event, randomtest.New(5), nil)
			require.NoError(t, err, name)
			assert.Less(
				t, diagnostics.Certificate.RoundingBound*calibrate.MostRecords/20_000, event.Tau/2,
			)
		}
	}
}

// undone is the noise of the objective that this source gave, and the lattice point
// that the noise of the output was added to.
func undone(
	t *testing.T, event privacy.ApproximateMinima, model learn.Model, source random.Source,
) (b, theta []float64) {
	t.Helper()
	b = make([]float64, event.Objective.Dimension)
	require.NoError(t, random.Gaussian(source, b, event.Objective.Sigma))
	noise, err := random.NewDiscreteGaussian(event.SigmaOut, event.Grid)
	require.NoError(t, err)
	theta = make([]float64, len(b))
	for j, c := range model.Coefficients {
		k, err := noise.Sample(source)
		require.NoError(t, err)
		require.Zero(t, math.Remainder(c, event.Grid), "on the lattice")
		theta[j] = c - float64(k)*event.Grid // exact
		require.Zero(t, math.Remainder(theta[j], event.Grid))
	}
	return b, theta
}
