package ledger

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/ledger"
)

// Charges that no method prices have an infinite total, and no method is named for it.
func TestATotalThatNothingPricedNamesNoMethod(t *testing.T) {
	b := newBench(t)
	id := b.opened()
	b.ask("ledger.buy", b.buy(20))
	total := b.ask("ledger.account", map[string]any{"account": id})["total"]
	assert.Contains(t, total, "method")

	var file map[string]any
	text := b.ask("ledger.export", map[string]any{})["text"].(string)
	require.NoError(t, json.Unmarshal([]byte(text), &file))
	charge := charges(file["datasets"].([]any)[0])[0].(map[string]any)
	charge["id"], charge["event"] = "made up", map[string]any{
		"mechanism": "liu-talwar-selection", "adjacency": "add-remove", "tau": 0.1, "cutoff": 1e-6,
		"base": map[string]any{
			"mechanism": "approximate-dp", "adjacency": "add-remove", "epsilon": 0.1, "delta": 0.1,
		},
	}
	delete(file, "checksum")
	sum, err := ledger.Digest(file)
	require.NoError(t, err)
	file["checksum"] = sum
	changed, err := json.Marshal(file)
	require.NoError(t, err)
	b.ask("ledger.import", map[string]any{"text": string(changed)})
	total = b.ask("ledger.account", map[string]any{"account": id})["total"]
	assert.Equal(t, math.Inf(1), total.(map[string]any)["epsilon"])
	assert.NotContains(t, total, "method")
}
