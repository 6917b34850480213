package methods

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A release with weights is read again as it was written and holds. With a weight that is none, or
// under the name of a loss that has none, it is refused: whoever knows no weights cannot take it
// for another model.
func TestReleasesOfWeights(t *testing.T) {
	guarantee := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	for _, ratio := range []float64{6, 0.25} {
		problem := learntest.Clinic()
		problem.Loss = learntest.Weighted(t, ratio)
		asked := learn.Asked{
			Schema: problem.Data.Schema, Loss: problem.Loss, Guarantee: guarantee,
		}
		fit, err := Choose("amp", asked)
		require.NoError(t, err)
		asked.Loss = glm.Logistic{}
		plain, err := Choose("amp", asked)
		require.NoError(t, err)
		assert.Equal(t, plain.Event, fit.Event, "at the same price")
		_, err = fit.Trial()
		assert.Equal(t, "method", fieldOf(t, err, "trial"))

		model, _, err := fit.Fit(t.Context(), problem, randomtest.New(3), learn.Watch{})
		require.NoError(t, err)
		release, err := learn.NewRelease(fit.Event, guarantee, fit.Bound, model)
		require.NoError(t, err)
		text, err := json.Marshal(release)
		require.NoError(t, err)
		read, err := learn.ParseRelease(text)
		require.NoError(t, err)
		assert.Equal(t, problem.Loss, read.Model.Loss)
		_, failed := read.Verify().Failed()
		assert.False(t, failed)

		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		inner := tree["model"].(map[string]any)
		refused := func(what any) {
			forged, err := json.Marshal(tree)
			require.NoError(t, err)
			_, err = learn.ParseRelease(forged)
			assert.Error(t, err, "%v", what)
		}
		for _, wrong := range []any{0.0, -1.0, 1e-4, 1001.0, "6", nil} {
			if inner["positive_weight"] = wrong; wrong == nil {
				delete(inner, "positive_weight")
			}
			refused(wrong)
		}
		inner["positive_weight"] = ratio
		for _, other := range []string{learn.LogisticLoss, learn.ShiftedLoss, "weighted"} {
			inner["loss"] = other
			refused(other)
		}
		read.Model.Loss = learntest.Huber(t, 2)
		finding, failed := read.Verify().Failed()
		assert.True(t, failed)
		assert.Equal(t, "loss", finding.Claim)
	}
}

// The attack on such a fit is by a record of the heavier class, whichever that is: it shows half
// the noise in as many rounds either way.
func TestAttacksOnWeightsUseTheHeavierClass(t *testing.T) {
	rounds := func(ratio float64) int {
		problem := learntest.Clinic()
		problem.Loss = learntest.Weighted(t, ratio)
		asked := askedOf(problem, privacy.AddRemove)
		chosen, err := Choose("amp", asked)
		require.NoError(t, err)
		return aimed(t, chosen, asked)(0.5).Test.Aim.Rounds
	}
	assert.Equal(t, rounds(20), rounds(1.0/20))
}
