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
	audited(
		t, learntest.Problem(schema, [][]float64{{1}}, []float64{1}), 4_000,
		Candidate{Method: "amp", Lambda: 2}, Candidate{Method: "amp", Lambda: 6},
	)
}

// The same of three classes, by one softmax and by one fit a class. The record is of the first.
// CLOISTER_AUDIT=long also chooses λ of a softmax.
func TestAuditOfSeveralClasses(t *testing.T) {
	if runtime.GOARCH == "wasm" && !audittest.Long() {
		t.Skip("audited natively: the code is the same, and three times as slow")
	}
	one := learntest.Several(learntest.Problem(
		learntest.Schema(1, 0), [][]float64{{1}}, []float64{-1},
	).Data)
	amp := func(lambda float64) Candidate { return Candidate{Method: "amp", Lambda: lambda} }
	softmax := learn.Problem{Data: one, Loss: glm.Softmax{}}
	audited(t, softmax, 1_500, amp(4), Candidate{Method: "steps"})
	if audittest.Long() {
		audited(t, softmax, 2_000, amp(2), amp(6))
	}
	audited(t, learn.Problem{Data: one, Loss: glm.Logistic{}}, 1_500, amp(2), amp(6))
}

// audited runs the choice on this problem of one record and on none.
func audited(t *testing.T, with learn.Problem, runs int, candidates ...Candidate) {
	schema := with.Data.Schema
	without := with
	without.Data = learntest.Every(with.Data, func(int) bool { return false })
	asked := func(epsilon float64) Asked {
		return Asked{
			learn.Asked{
				Schema: schema, Loss: with.Loss, Records: 20, Guarantee: privacy.Guarantee{
					Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-3,
				},
			},
			candidates,
		}
	}
	plan, err := Choose(asked(3))
	require.NoError(t, err)
	price, err := account.Of(plan.Event, account.Renyi, pld.Options{Bound: plan.Bound})
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim: func(epsilon float64) (float64, error) {
			return math.Exp(price.LogDeltaUpper(epsilon)), nil
		},
		Epsilons: audittest.Grid(3, 20),
		Runs:     audittest.Runs(runs),
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
	slope := func(m learn.Model) (sum float64) { // of the first class, beside all others
		for k, theta := range m.Coefficients {
			if k > 0 {
				theta = -theta
			}
			sum += theta
		}
		return sum
	}
	fitted := func(m learn.Model) float64 { return slope(m) * slope(m) }
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
	loud, err := Choose(asked(100))
	require.NoError(t, err)
	quiet := plan
	quiet.Fits = loud.Fits
	audit.Catches(
		t, "fits of too little noise", trial(quiet, without, slope), trial(quiet, with, slope),
	)

	audit.Thresholds = []float64{-0.5, 0.5}
	audit.Holds(t, "honest, candidate", trial(plan, without, which), trial(plan, with, which))
}
