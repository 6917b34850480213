package accounting

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The worst path is that of the bound "control", and its price the same; from λ₀ on there is none.
func TestWorstIsTheControlProblems(t *testing.T) {
	params := map[string]any{"event": logisticAt(0.4), "epsilon": 1.0}
	reply := ask(t, "worst", params)
	priced := ask(t, "account", map[string]any{
		"event": logisticAt(0.4), "epsilon": 1.0, "bound": "control",
	})
	assert.InDelta(t, priced["logDelta"], reply["logDelta"], 1e-9)
	assert.Equal(t, false, reply["pinned"])
	noise := reply["path"].(map[string]any)["noise"].([]float64)
	slope := reply["path"].(map[string]any)["slope"].([]float64)
	assert.Len(t, slope, len(noise))
	assert.Less(t, noise[0], noise[len(noise)-1])
	assert.Greater(t, slope[0], slope[len(slope)-1])
	assert.Less(t, reply["logDeltaGaussian"], reply["logDeltaData"])
	assert.Less(t, reply["logDeltaData"], reply["logDelta"])

	free := reply["freeLambda"].(float64)
	assert.InDelta(t, 1/(1+1/(2*3.7*3.7)), free, 1e-12)
	pinned := ask(t, "worst", map[string]any{"event": logisticAt(free), "epsilon": 1.0})
	assert.Equal(t, true, pinned["pinned"])
	assert.NotContains(t, pinned, "path")
}

func TestWorstIsOfObjectivePerturbationOnly(t *testing.T) {
	params := map[string]any{"event": gaussian(3), "epsilon": 1.0}
	assert.Equal(t, "event.mechanism", refused(t, "worst", params).Field)
	params = map[string]any{"event": logisticAt(0.4), "epsilon": 0.0}
	assert.Equal(t, "epsilon", refused(t, "worst", params).Field)
}
