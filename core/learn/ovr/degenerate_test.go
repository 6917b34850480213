package ovr_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/learntest"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// Degenerate data of several classes are fitted: a class that nobody has, and one
// that everybody has, among them. What comes out is finite and on the lattice, and
// so is what is predicted from it.
func TestFitOnDegenerateData(t *testing.T) {
	const k = 4
	// Most of the tables have one schema, which is calibrated once.
	known := map[calibrate.MinimaRequest]privacy.ApproximateMinima{}
	for name, two := range learntest.Degenerate() {
		problem := several(len(two.Data.Schema.Features), k, two.Data.Schema.Intercept)
		problem.Data.X = two.Data.X
		for i, y := range two.Data.Y {
			class := 1 + float64(i%2) // one of two others, and never the last
			if y > 0 {
				class = 0
			}
			problem.Data.Y = append(problem.Data.Y, class)
		}
		for _, problem.Loss = range []glm.Loss{glm.Logistic{}, learntest.Huber(t, 0.5)} {
			for _, epsilon := range []float64{0.01, 1, 50} {
				keep := privacy.Guarantee{
					Adjacency: privacy.AddRemove,
					Epsilon:   epsilon,
					Delta:     1e-5,
				}
				request := amp.Defaults(
					problem.Data.AgainstRest(0).Schema, problem.Loss, keep, objective.BoundAuto,
				)
				one, ok := known[request]
				if !ok {
					var err error
					one, err = calibrate.Minima(request)
					require.NoError(t, err, name)
					known[request] = one
				}
				model, diagnostics, err := ovr.Fit(
					t.Context(), problem, one, honest, randomtest.New(3), nil,
				)
				require.NoError(t, err, name)
				require.Len(t, diagnostics, k)
				learntest.RequireFinite(t, model.Coefficients, k*problem.Dimension(), name)
				for _, c := range model.Coefficients {
					require.Zero(t, math.Remainder(c, one.Grid), name)
				}
				for i := range problem.Data.Y {
					p := model.PredictRow(problem.Data.X.Row(i))
					require.True(t, p.Class >= 0 && p.Class < k, name)
					for _, share := range p.Probabilities {
						require.True(t, share >= 0 && share <= 1, name)
					}
				}
			}
		}
	}
}

// Where noise is next to nothing, each record of a separable file is predicted to
// be of its class, and none to be of a class that nobody has.
func TestAClassThatNobodyHasIsNotPredicted(t *testing.T) {
	problem := several(2, 3, 0.5)
	two := learntest.Degenerate()["separable, many"]
	problem.Data.X = two.Data.X
	for _, y := range two.Data.Y {
		problem.Data.Y = append(problem.Data.Y, 1-y) // 0 and 2
	}
	keep := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 50, Delta: 1e-5}
	one, err := calibrate.Minima(
		amp.Request(problem.Data.AgainstRest(0).Schema, keep, objective.BoundAuto),
	)
	require.NoError(t, err)
	model, _, err := ovr.Fit(t.Context(), problem, one, honest, randomtest.New(3), nil)
	require.NoError(t, err)
	for i, y := range problem.Data.Y {
		assert.Equal(t, int(y), model.PredictRow(problem.Data.X.Row(i)).Class)
	}
}

// Rows that break the schema's promise are the learner's to find: what it says of
// them comes out as it is.
func TestRowsThatBreakThePromise(t *testing.T) {
	for name, row := range map[string][]float64{
		"too long": {0.8, 0.61, 0.5}, "not a number": {math.NaN(), 0, 0.5},
		"infinite": {0.1, math.Inf(1), 0.5},
	} {
		problem := several(2, 3, 0.5, []float64{0, 0, 0.5}, row)
		keep := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
		one, err := calibrate.Minima(
			amp.Request(problem.Data.AgainstRest(0).Schema, keep, objective.BoundAuto),
		)
		require.NoError(t, err)
		_, _, err = ovr.Fit(t.Context(), problem, one, honest, &randomtest.Script{}, nil)
		var wrong *learn.RowError
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, 1, wrong.Row)
	}
}
