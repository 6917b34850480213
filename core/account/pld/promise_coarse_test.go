package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// What is known of a profile without asking it again is above it everywhere, and near it
// where it was asked.
func TestTheCoarseProfileIsAbove(t *testing.T) {
	like, err := objective.Of(
		privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 1}, objective.BoundAuto,
	)
	require.NoError(t, err)
	p := &promise{profile: like}
	assert.Equal(t, p.at(0.3), p.logDeltaCoarse(0.3), "nothing was asked before")
	p.ask(3)
	for epsilon := -5.0; epsilon < 6; epsilon += 0.0137 {
		coarse := p.logDeltaCoarse(epsilon)
		require.GreaterOrEqual(t, coarse, p.at(epsilon), epsilon)
		if math.Abs(epsilon) < 3 {
			require.Less(t, coarse, p.at(epsilon)+1e-3, epsilon)
		}
	}
	assert.Zero(t, p.logDeltaCoarse(math.NaN()))
	assert.Zero(t, p.logDeltaCoarse(math.Inf(-1)))
	assert.GreaterOrEqual(t, p.logDeltaCoarse(math.Inf(1)), p.at(3))
}
