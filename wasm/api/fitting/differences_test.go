package fitting

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/differences"
)

// What is found follows from the release alone, and is what package differences says.
func TestDifferencesOfARelease(t *testing.T) {
	e := newEdge(t)
	reply := e.ask("differences", map[string]any{"release": release(t)})
	assert.Equal(t, differences.Share, reply["share"])
	vectors := reply["vectors"].([]any)
	assert.Len(t, vectors, 1)
	vector := vectors[0].(map[string]any)
	limit := vector["limit"].(float64)
	assert.Positive(t, limit)
	assert.NotContains(t, vector, "class")
	numbers, categories := 0, 0
	for _, item := range vector["differences"].([]any) {
		d := item.(map[string]any)
		if _, category := d["category"]; category {
			categories++
			assert.NotEmpty(t, d["reference"])
			assert.InEpsilon(t, math.Sqrt2*limit, d["error"], 1e-12)
			continue
		}
		numbers++
		assert.Equal(t, limit, d["error"])
	}
	assert.Positive(t, numbers)
	assert.Positive(t, categories)
	assert.Equal(t, "release", e.refused("differences", map[string]any{}).Field)
}
