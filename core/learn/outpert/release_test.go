package outpert

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A fit can be released for its price and for no less, and not with another
// regulariser than the one that the guarantee rests on.
func TestFitsAreReleasedForTheirPrice(t *testing.T) {
	problem := learntest.Five()
	for _, problem.Loss = range learntest.Losses(t) {
		for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
			request := requestFor(problem, adjacency, 2)
			plan, err := request.Plan()
			require.NoError(t, err)
			event, err := plan.Event()
			require.NoError(t, err)
			model, _, err := Fit(t.Context(), problem, plan, randomtest.New(8), nil)
			require.NoError(t, err)
			learntest.ReleasedForItsPrice(t, event, request.Guarantee, model)
			for _, lambda := range []float64{0, plan.Lambda * 0.9} {
				other := model
				other.Lambda = lambda
				_, err = learn.NewRelease(event, request.Guarantee, objective.BoundAuto, other)
				assert.Error(t, err, "λ = %g", lambda)
			}
		}
	}
}
