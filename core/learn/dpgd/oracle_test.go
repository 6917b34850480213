package dpgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// The oracle's noise follows the gradient, its steps stop where they are told
// to, and Proposition 2c holds for the mean of its runs.
func TestOracle(t *testing.T) {
	problem := learntest.Clinic()
	r := requestFor(problem, privacy.ReplaceOne, 1)
	s, err := r.Setting()
	require.NoError(t, err)
	rows, err := problem.Rows(r.Clip, r.RowNorm)
	require.NoError(t, err)
	objective := solve.NewObjective(r.Lambda, nil, rows)
	best, err := solve.Newton(t.Context(), objective, solve.Options{Tolerance: 1e-8})
	require.NoError(t, err)
	floor := objective.Value(best.Theta) / 300
	gap := objective.Value(make([]float64, 3))/300 - floor
	const steps, runs = 30, 40
	mean := make([]float64, steps+1)
	for seed := range uint64(runs) {
		spent, seen := 0.0, 0
		u, err := Oracle{
			Request: r,
			Rho:     1e9,
			Steps:   steps,
		}.Run(
			t.Context(),
			problem,
			randomtest.New(seed),
			func(at State) {
				mean[at.Step] += (objective.Value(at.Theta)/300 - floor) / runs
				sigma, _ := s.Best(at.GradientNorm / 300)
				spent += s.Cost(sigma)
				seen++
			},
		)
		require.NoError(t, err)
		assert.Equal(t, steps+1, seen)
		assert.Contains(t, u.Reason(), "gradient")
		// Told to stop before the last step is paid for, it does.
		seen = 0
		_, err = Oracle{
			Request: r,
			Rho:     spent * 0.999999,
			Steps:   1000,
		}.Run(
			t.Context(), problem, randomtest.New(seed), func(State) { seen++ },
		)
		require.NoError(t, err)
		assert.Equal(t, steps+1, seen)
	}
	for step, v := range mean {
		assert.LessOrEqual(
			t, v, 1.2*gap*math.Pow(1-s.Convexity/(2*s.Smoothness), float64(step)), "step %d", step,
		)
	}
	_, err = Oracle{Request: r, Rho: -1}.Run(t.Context(), problem, randomtest.New(1), nil)
	assert.ErrorContains(t, err, "rho")
}
