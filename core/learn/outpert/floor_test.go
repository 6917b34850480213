package outpert

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// At the floor of λ neither a degenerate problem nor one that lacks a record of
// it, or has one more, is refused: whether a fit is does not tell them apart. (No
// noise is drawn before a refusal, so one seed says all.)
func TestNoNeighbourIsRefusedAtTheFloorOfLambda(t *testing.T) {
	for name, problem := range learntest.Degenerate() {
		for _, problem.Loss = range append(learntest.Losses(t), glm.Loss(learntest.Huber(t, 2))) {
			for _, epsilon := range []float64{1, 60} {
				request := requestFor(problem, privacy.AddRemove, epsilon)
				request.Lambda = SmallestLambda(request.Loss, request.RowNorm)
				plan, err := request.Plan()
				require.NoError(t, err)
				for which, neighbour := range append(learntest.Neighbours(problem), problem) {
					_, _, err := Fit(t.Context(), neighbour, plan, randomtest.New(1), nil)
					require.NoError(
						t, err, "%s, %T, ε = %g, neighbour %d", name, problem.Loss, epsilon, which,
					)
				}
			}
		}
	}
}

// Below the floor one record would decide: Huber's loss with λ = 1e-16 and the
// squared loss with λ = 1e-20 would fit no record, and refuse one. So λ is refused
// for what it is, whatever the records are, when it is planned and when it is run.
func TestLambdaBelowTheFloorIsRefusedWhateverTheRecords(t *testing.T) {
	all := learntest.Degenerate()
	for _, loss := range learntest.Losses(t) {
		for _, name := range []string{"no records", "one record", "separable, many"} {
			problem := all[name]
			problem.Loss = loss
			request := requestFor(problem, privacy.AddRemove, 1)
			floor := SmallestLambda(loss, request.RowNorm)
			for _, lambda := range []float64{1e-20, 1e-16, 1e-11, floor * (1 - 0x1p-40)} {
				request.Lambda = lambda
				_, err := request.Plan()
				var parameter *privacy.ParameterError
				require.ErrorAs(t, err, &parameter)
				assert.Equal(t, "lambda", parameter.Field)
				plan := planFor(problem, privacy.AddRemove)
				plan.Lambda = lambda
				script := &randomtest.Script{}
				_, _, err = Fit(t.Context(), problem, plan, script, nil)
				require.ErrorAs(t, err, &parameter, name)
				assert.Equal(t, "plan.lambda", parameter.Field)
				assert.Zero(t, script.Read, "no noise was drawn")
			}
		}
	}
	// What is chosen for great ε is above it.
	problem := learntest.Five()
	for _, epsilon := range []float64{1, 10, 1000, 1e5, 1e8} {
		plan, err := requestFor(problem, privacy.AddRemove, epsilon).Plan()
		require.NoError(t, err, epsilon)
		assert.NoError(t, plan.check(problem), epsilon)
	}
}

// A narrow Huber loss, and τ below the floor, are refused for what they are, when a
// plan is made and when it is run, whatever the records are. At the floors of both
// every degenerate problem is fitted.
func TestWidthAndTauBelowTheFloorAreRefusedWhateverTheRecords(t *testing.T) {
	for name, problem := range learntest.Degenerate() {
		problem.Loss = learntest.Huber(t, 1.0/128)
		request := requestFor(problem, privacy.AddRemove, 1)
		request.Lambda = SmallestLambda(problem.Loss, request.RowNorm)
		plan, err := request.Plan()
		require.NoError(t, err)
		least := SmallestTau(plan.RowNorm, plan.Clip)
		assert.Greater(t, plan.Tau, 3*least)
		plan.Tau = least
		_, _, err = Fit(t.Context(), problem, plan, randomtest.New(1), nil)
		require.NoError(t, err, name)

		script := &randomtest.Script{}
		var parameter *privacy.ParameterError
		low := plan
		low.Tau = math.Nextafter(least, 0)
		_, _, err = Fit(t.Context(), problem, low, script, nil)
		require.ErrorAs(t, err, &parameter, name)
		assert.Equal(t, "plan.tau", parameter.Field)
		assert.Contains(t, parameter.Want, "at least "+privacy.Number(least))

		for _, width := range []float64{1e-9, 1e-6, math.Nextafter(1.0/128, 0)} {
			problem.Loss = learntest.Huber(t, width)
			wide := plan
			wide.Lambda = SmallestLambda(problem.Loss, plan.RowNorm)
			_, _, err = Fit(t.Context(), problem, wide, script, nil)
			require.ErrorAs(t, err, &parameter, name)
			assert.Equal(t, "huber_width", parameter.Field)
			request.Loss, request.Lambda = problem.Loss, 0
			_, err = request.Plan()
			require.ErrorAs(t, err, &parameter, name)
			assert.Equal(t, "huber_width", parameter.Field)
		}
		assert.Zero(t, script.Read, "no noise was drawn")
	}
}
