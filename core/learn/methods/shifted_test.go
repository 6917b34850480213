package methods

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A release of either loss is read again as it was written and holds; with the other's event, a
// shift that is none, or the loss of another class, it does not.
func TestReleasesOfShiftedLosses(t *testing.T) {
	for _, loss := range learntest.Shifted(t) {
		problem := learntest.Clinic()
		problem.Loss = loss
		fit, err := Choose("amp", learn.Asked{
			Schema: problem.Data.Schema, Loss: loss,
			Guarantee: privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5},
		})
		require.NoError(t, err)
		model, _, err := fit.Fit(t.Context(), problem, randomtest.New(3), learn.Watch{})
		require.NoError(t, err)
		release, err := learn.NewRelease(
			fit.Event, privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5},
			fit.Bound, model,
		)
		require.NoError(t, err)
		text, err := json.Marshal(release)
		require.NoError(t, err)
		read, err := learn.ParseRelease(text)
		require.NoError(t, err)
		assert.Equal(t, loss, read.Model.Loss)
		_, failed := read.Verify().Failed()
		assert.False(t, failed, learn.LossName(loss))
		p := read.Model.PredictRow(problem.Data.X.Row(0))
		if _, hinge := loss.(glm.RoundedHinge); hinge {
			assert.Empty(t, p.Probabilities, "its scores stand for none")
		} else {
			_, want := learn.ShiftedProbabilities(p.Margins[0], 2, math.Inf(1))
			assert.Equal(t, want, p.Probability())
		}
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		inner := tree["model"].(map[string]any)
		for _, wrong := range []any{0.0, -1.0, 17.0, "2", nil} {
			if inner["shift"] = wrong; wrong == nil {
				delete(inner, "shift")
			}
			forged, err := json.Marshal(tree)
			require.NoError(t, err)
			_, err = learn.ParseRelease(forged)
			assert.Error(t, err, "%v", wrong)
		}
		// The mechanism of one class, and the model of another.
		read.Model.Loss = map[bool]glm.Loss{
			true: learntest.Huber(t, 2), false: learntest.Shifted(t)[1],
		}[loss == learntest.Shifted(t)[1]]
		finding, failed := read.Verify().Failed()
		assert.True(t, failed)
		assert.Equal(t, "loss", finding.Claim)
	}
}
