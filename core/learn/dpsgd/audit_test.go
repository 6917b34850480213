package dpsgd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// The audit (package audittest) runs the real mechanism where its price is
// nearly tight: one column, no other records, and a record whose gradient is as
// long as clipping lets it be in every step, so that what is summed up is noise
// plus the number of steps the record was in.

// worstCase is a plan with learning rate η = 1 and divisor 1 on such a pair.
// Clipped at a quarter, the gradient of the logistic loss is that long until
// θ = log 3; steps of 2^-20 do not come near it.
func worstCase(rate float64, steps int, z float64) (plan Plan, without, with learn.Problem) {
	schema := learntest.Schema(1, 0)
	plan = Plan{
		Adjacency: privacy.AddRemove, Rate: rate, Steps: steps, Clip: 0.25, NoiseMultiplier: z,
		Batch: 1, Optimiser: NewSGD(0x1p-20),
	}
	return plan, learntest.Problem(
			schema,
			nil,
			nil,
		), learntest.Problem(
			schema, [][]float64{{1}}, []float64{1},
		)
}

// statistic is −θ in units of the threshold.
func statistic(fit func(random.Source) (float64, error)) audittest.Trial {
	return func(source random.Source) (float64, error) {
		theta, err := fit(source)
		return theta * 0x1p20 / 0.25, err
	}
}

func fitting(problem learn.Problem, plan Plan) audittest.Trial {
	return statistic(func(source random.Source) (float64, error) {
		model, _, err := Fit(context.Background(), problem, plan, source, nil)
		if err != nil {
			return 0, err
		}
		return model.Coefficients[0], nil
	})
}

// claimOf is the profile of an event, by the method that prices it.
func claimOf(t *testing.T, event privacy.Event) func(epsilon float64) (float64, error) {
	price, err := account.Of(event, account.Auto, pld.Options{})
	require.NoError(t, err)
	return func(epsilon float64) (float64, error) {
		return math.Exp(price.LogDeltaUpper(epsilon)), nil
	}
}

// CLOISTER_AUDIT=long runs all cases; the short form has one of each kind, and
// one alone under js/wasm, where the code is the same and slower.
func TestAudit(t *testing.T) {
	for _, c := range []struct {
		rate    float64
		steps   int
		z       float64
		epsilon float64
		runs    int
		long    bool
	}{
		{1, 1, 1, 2, 20_000, false},
		{0.5, 1, 1, 1, 30_000, false},
		{0.5, 6, 2, 1, 30_000, true},
		{1, 10, 4, 1.5, 20_000, true},
		{0.2, 10, 0.7, 1.5, 20_000, false},
		{0.1, 40, 0.7, 1.5, 30_000, true},
	} {
		if (c.long || runtime.GOARCH == "wasm" && c.rate < 1) && !audittest.Long() {
			continue
		}
		t.Run(fmt.Sprintf("q=%g T=%d z=%g", c.rate, c.steps, c.z), func(t *testing.T) {
			plan, without, with := worstCase(c.rate, c.steps, c.z)
			event, err := plan.Event()
			require.NoError(t, err)
			audit := audittest.Audit{
				Claim:    claimOf(t, event),
				Epsilons: audittest.Grid(c.epsilon, 20),
				Runs:     audittest.Runs(c.runs),
			}
			spread := c.z * math.Sqrt(float64(c.steps))
			for k := -2.0; k <= 3; k += 0.5 {
				audit.Thresholds = append(audit.Thresholds, c.rate*float64(c.steps)/2+k*spread)
			}
			audit.Holds(t, "honest", fitting(without, plan), fitting(with, plan))

			halved := plan
			halved.NoiseMultiplier /= 2
			audit.Catches(t, "noise halved", fitting(without, halved), fitting(with, halved))

			// The same noise, and gradients up to twice as long.
			unclipped := plan
			unclipped.Clip, unclipped.NoiseMultiplier = 4*plan.Clip, plan.NoiseMultiplier/4
			audit.Catches(t, "never clipped", fitting(without, unclipped), fitting(with, unclipped))

			if c.rate < 1 {
				always := plan
				always.Rate = 1
				audit.Catches(
					t, "every record in every step", fitting(without, always),
					fitting(with, always),
				)
			}
		})
	}
}

// Dividing by the number of records that were drawn, as the public divisor is
// there to avoid, tells how many there were by the noise alone.
func TestAuditOfTheDivisor(t *testing.T) {
	plan, _, one := worstCase(1, 1, 2)
	two := learntest.Problem(one.Data.Schema, [][]float64{{1}, {1}}, []float64{1, 1})
	plan.Batch = 2
	event, err := plan.Event()
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim:    claimOf(t, event),
		Epsilons: audittest.Grid(1, 10),
		Runs:     audittest.Runs(20_000),
	}
	for k := -3.0; k <= 4; k += 0.5 {
		audit.Thresholds = append(audit.Thresholds, k)
	}
	audit.Holds(t, "public divisor", fitting(one, plan), fitting(two, plan))

	realised := func(problem learn.Problem) audittest.Trial {
		return statistic(func(source random.Source) (float64, error) {
			run, err := prepare(problem, plan)
			if err != nil {
				return 0, err
			}
			if err := run.noisySum([]float64{0}, source); err != nil {
				return 0, err
			}
			perWhole := run.lattice.gradient * plan.Batch
			return -plan.Optimiser.LearningRate * run.sum[0] * perWhole / float64(
				len(run.sample),
			), nil
		})
	}
	audit.Catches(t, "divided by the batch drawn", realised(one), realised(two))
}

// Private selection: what comes out is a coefficient and a score.
func TestAuditOfTuning(t *testing.T) {
	nativetest.Only(t)
	plan, without, with := worstCase(1, 1, 6)
	tuning := Tuning{Plan: plan, LearningRates: []float64{0x1p-20}, Mean: 3, ScoreSigma: 6}
	event, err := tuning.Event()
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim:      claimOf(t, event),
		Epsilons:   audittest.Grid(2, 20),
		Thresholds: []float64{math.Inf(-1), -6, -3, 0, 3, 6, 9, 12},
		Runs:       audittest.Runs(10_000),
	}
	// The score of the released run, −∞ without one.
	scores := func(problem learn.Problem, tuning Tuning) audittest.Trial {
		return func(source random.Source) (float64, error) {
			_, choice, _, err := Tune(context.Background(), problem, tuning, nil, source, nil)
			if errors.Is(err, ErrNoRun) {
				return math.Inf(-1), nil
			}
			return float64(choice.Score), err
		}
	}
	audit.Holds(t, "honest", scores(without, tuning), scores(with, tuning))
	// With the record, the score is ±1, and shows it.
	bare := tuning
	bare.ScoreSigma = 0x1p-10
	audit.Catches(t, "scores without noise", scores(without, bare), scores(with, bare))
	// Coefficients of the released run.
	coefficients := func(problem learn.Problem, tuning Tuning) audittest.Trial {
		return statistic(func(source random.Source) (float64, error) {
			model, _, _, err := Tune(context.Background(), problem, tuning, nil, source, nil)
			if errors.Is(err, ErrNoRun) {
				return math.Inf(-1), nil
			}
			if err != nil {
				return 0, err
			}
			return model.Coefficients[0], nil
		})
	}
	audit.Holds(
		t, "honest, coefficients", coefficients(without, tuning), coefficients(with, tuning),
	)
	quiet := tuning
	quiet.Plan.NoiseMultiplier = 0.5
	audit.Catches(
		t, "a twelfth of the noise", coefficients(without, quiet), coefficients(with, quiet),
	)
}
