package pld

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// What hides nothing is answered by one run alone, once a sheet says so too: a curve of it costs
// no more than its first point. Every point took a second in vain.
func TestACurveOfWhatHidesNothingCostsOnePoint(t *testing.T) {
	d, err := Of(privacy.ApproximateMinima{
		Objective: privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 0.3, Lipschitz: 2.5e48,
			Smoothness: 1.3e-50, Lambda: 2e36, Sigma: 1.4e-49, Dimension: 1,
		},
		Tau: 2.3e26, SigmaOut: 0.03,
	}, Options{})
	require.NoError(t, err)
	assert.Zero(t, d.LogDeltaUpper(0))
	first := d.added.total + d.removed.total
	require.Positive(t, first)
	for i := range 24 {
		interval, err := d.Delta(float64(i) / 2)
		require.NoError(t, err)
		assert.Zero(t, interval.LogUpper)
		assert.Greater(t, interval.LogReached, -1e-9)
	}
	assert.LessOrEqual(t, d.added.total+d.removed.total, 2*first)
}
