package selection

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// The audit runs the real choice on no record and on one whose gradient is as long as rows
// allow, so that both the fit and the score are moved as far as one record can move them.
//
// CLOISTER_AUDIT=long runs ten times as many, from secure randomness.
func TestAudit(t *testing.T) {
	schema := learntest.Schema(1, 0)
	without := learntest.Problem(schema, nil, nil)
	with := learntest.Problem(schema, [][]float64{{1}}, []float64{1})
	guarantee := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 3, Delta: 1e-3}
	plan, err := Choose(Asked{
		learn.Asked{Schema: schema, Loss: glm.Logistic{}, Guarantee: guarantee},
		[]Candidate{{Method: "amp", Lambda: 2}, {Method: "amp", Lambda: 6}},
	})
	require.NoError(t, err)
	price, err := account.Of(plan.Event, account.Renyi, pld.Options{Bound: plan.Bound})
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim: func(epsilon float64) (float64, error) {
			return math.Exp(price.LogDeltaUpper(epsilon)), nil
		},
		Epsilons: audittest.Grid(3, 20),
		Runs:     audittest.Runs(4_000),
	}
	if runtime.GOARCH == "wasm" {
		audit.Runs /= 4
	}

	// What is read of the outcome; −∞ where there was no run.
	trial := func(
		plan Plan, problem learn.Problem, read func(learn.Model) float64,
	) audittest.Trial {
		return func(source random.Source) (float64, error) {
			model, _, err := plan.Fit(context.Background(), problem, source, learn.Watch{})
			if errors.Is(err, ErrNoRun) {
				return math.Inf(-1), nil
			}
			if err != nil {
				return 0, err
			}
			return read(model), nil
		}
	}
	scored := func(m learn.Model) float64 { return float64(m.Selected.Score) }
	fitted := func(m learn.Model) float64 { return m.Coefficients[0] * m.Coefficients[0] }
	slope := func(m learn.Model) float64 { return m.Coefficients[0] }
	which := func(m learn.Model) float64 { return float64(m.Selected.Candidate) }

	sigma := plan.noise
	audit.Thresholds = nil
	for k := -1.0; k <= 3; k += 0.5 {
		audit.Thresholds = append(audit.Thresholds, math.Round(k*sigma)+0.5)
	}
	audit.Thresholds = append(audit.Thresholds, -0.5)
	audit.Holds(t, "honest, score", trial(plan, without, scored), trial(plan, with, scored))
	bare := plan
	bare.noise = 0x1p-10
	audit.Catches(t, "scores without noise", trial(bare, without, scored), trial(bare, with, scored))

	audit.Thresholds = []float64{-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4}
	audit.Holds(t, "honest, slope", trial(plan, without, slope), trial(plan, with, slope))
	audit.Holds(t, "honest, length", trial(plan, without, fitted), trial(plan, with, fitted))
	// The fits' noise is that of an ε thirty times as large: as if the runs were not counted.
	loud, err := Choose(Asked{
		learn.Asked{Schema: schema, Loss: glm.Logistic{}, Guarantee: privacy.Guarantee{
			Adjacency: privacy.AddRemove, Epsilon: 100, Delta: 1e-3,
		}},
		[]Candidate{{Method: "amp", Lambda: 2}, {Method: "amp", Lambda: 6}},
	})
	require.NoError(t, err)
	quiet := plan
	quiet.Fits = loud.Fits
	audit.Catches(
		t, "fits of too little noise", trial(quiet, without, slope), trial(quiet, with, slope),
	)

	audit.Thresholds = []float64{-0.5, 0.5}
	audit.Holds(t, "honest, candidate", trial(plan, without, which), trial(plan, with, which))
}
