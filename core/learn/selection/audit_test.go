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
	if runtime.GOARCH == "wasm" && !audittest.Long() {
		t.Skip("audited natively: the code is the same, and three times as slow")
	}
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
		audit.Runs /= 8
	}

	// The outcome of a run of the choice; nil where there was no run.
	choice := func(plan Plan, problem learn.Problem) func(random.Source) (*learn.Model, error) {
		return func(source random.Source) (*learn.Model, error) {
			model, _, err := plan.Fit(context.Background(), problem, source, learn.Watch{})
			if errors.Is(err, ErrNoRun) {
				return nil, nil
			}
			return &model, err
		}
	}
	// What is read of it; −∞ where there was no run.
	read := func(statistic func(learn.Model) float64) func(*learn.Model) float64 {
		return func(m *learn.Model) float64 {
			if m == nil {
				return math.Inf(-1)
			}
			return statistic(*m)
		}
	}
	scored := read(func(m learn.Model) float64 { return float64(m.Selected.Score) })
	sum := func(m learn.Model) (sum float64) { // of the first class, beside all others
		for k, theta := range m.Coefficients {
			if k > 0 {
				theta = -theta
			}
			sum += theta
		}
		return sum
	}
	slope := read(sum)
	fitted := read(func(m learn.Model) float64 { return sum(m) * sum(m) })
	which := read(func(m learn.Model) float64 { return float64(m.Selected.Candidate) })

	// All that is asked of the honest choice is read of the same runs.
	honest, honestWith := audittest.Shared(t, audit.Runs, 1, choice(plan, without)),
		audittest.Shared(t, audit.Runs, 2, choice(plan, with))
	holds := func(name string, statistic func(*learn.Model) float64) {
		t.Helper()
		audit.Holds(t, name, honest(statistic), honestWith(statistic))
	}
	catches := func(name string, broken Plan, statistic func(*learn.Model) float64) {
		t.Helper()
		trial := func(problem learn.Problem) audittest.Trial {
			once := choice(broken, problem)
			return func(source random.Source) (float64, error) {
				model, err := once(source)
				if err != nil {
					return 0, err
				}
				return statistic(model), nil
			}
		}
		audit.Catches(t, name, trial(without), trial(with))
	}

	sigma := plan.noise
	audit.Thresholds = nil
	for k := -1.0; k <= 3; k += 0.5 {
		audit.Thresholds = append(audit.Thresholds, math.Round(k*sigma)+0.5)
	}
	audit.Thresholds = append(audit.Thresholds, -0.5)
	holds("honest, score", scored)
	bare := plan
	bare.noise = 0x1p-10
	catches("scores without noise", bare, scored)

	audit.Thresholds = []float64{-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4}
	holds("honest, slope", slope)
	holds("honest, length", fitted)
	// The fits' noise is that of an ε thirty times as large: as if the runs were not counted.
	loud, err := Choose(asked(100))
	require.NoError(t, err)
	quiet := plan
	quiet.Fits = loud.Fits
	catches("fits of too little noise", quiet, slope)

	audit.Thresholds = []float64{-0.5, 0.5}
	holds("honest, candidate", which)
}
