package amp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
)

// replaced is one record against the same with the other label, under
// replace-one. λ = 100 βR² keeps every margin near 0, where gradients clipped at
// R/4 are as long as they may be, so that the two differ by R/2 in all.
func replaced(
	t *testing.T, schema *data.Schema, loss glm.Loss, row []float64, epsilon float64,
) (neighbours, privacy.ApproximateMinima) {
	pose := func(y float64) neighbours { return pairOf(schema, 0, row, row).posed(loss, y) }
	pair := neighbours{without: pose(-1).with, with: pose(1).with, direction: row}
	keep := guaranteed(epsilon)
	keep.Adjacency = privacy.ReplaceOne
	request := Defaults(pair.with.Data.Schema, loss, keep, objective.BoundAuto)
	request.Lipschitz = request.RowNorm / 4
	request.Lambda = 100 * request.Smoothness * request.RowNorm * request.RowNorm
	event, err := calibrate.Minima(request)
	require.NoError(t, err)
	return pair, event
}

// The price of a replaced record is not that of one added: noise that pays for
// the latter is caught. For the squared loss, whose bound is of a half-normal loss
// (see TestAuditOfClippedSquared), only a third of the noise is.
func TestAuditOfReplaceOne(t *testing.T) {
	notUnderWasm(t)
	third := unchecked(func(e *privacy.ApproximateMinima) { e.Objective.Sigma /= 3 })
	for _, c := range []struct {
		name    string
		schema  *data.Schema
		row     []float64
		loss    glm.Loss
		epsilon float64
		long    bool
	}{
		{"logistic R=1", learntest.Schema(1, 0), []float64{1}, glm.Logistic{}, 2, false},
		{"logistic d=3", learntest.Schema(2, 0.5), []float64{0.59, 0.8, 0.5}, glm.Logistic{}, 0.5, true},
		{"huber R=1", learntest.Schema(1, 0), []float64{1}, learntest.Huber(t, 0.5), 2, true},
		{"squared R=1", learntest.Schema(1, 0), []float64{1}, glm.Squared{}, 2, false},
	} {
		if c.long && !audittest.Long() {
			continue
		}
		t.Run(fmt.Sprintf("%s epsilon=%g", c.name, c.epsilon), func(t *testing.T) {
			pair, event := replaced(t, c.schema, c.loss, c.row, c.epsilon)
			require.Equal(t, privacy.ReplaceOne, event.Neighbours())
			audit := pair.audit(t, event, c.epsilon)
			without, with := pair.trials(event, honest)
			audit.Holds(t, "honest", without, with)
			if c.loss.Class() == privacy.LossGLM {
				without, with = pair.trials(event, third)
				audit.Catches(t, "a third of the noise", without, with)
			} else {
				without, with = pair.trials(event, noiseHalved)
				audit.Catches(t, "noise halved", without, with)

				added := event
				added.Objective.Adjacency = privacy.AddRemove
				cheaper := pair.audit(t, added, c.epsilon)
				cheaper.Runs *= 3
				without, with = pair.trials(event, honest)
				cheaper.Catches(t, "price of add/remove", without, with)
			}
			without, with = pair.trials(event, neverClipped)
			audit.Catches(t, "never clipped", without, with)
		})
	}
}
