package ops

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// A release is refused where δ at ε is above the one stated, when its sample has been drawn. No
// plan is.
func TestPlansKeepTheirDelta(t *testing.T) {
	for _, delta := range []float64{1e-4, 1e-5, 1e-6, 1e-9} {
		for _, epsilon := range []float64{0.003, 0.01, 0.03, 0.05, 0.1, 0.3, 1, 4} {
			plan, err := NewPlan(privacy.Guarantee{
				Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: delta,
			}, 3, 1)
			require.NoError(t, err)
			event, err := plan.Event()
			require.NoError(t, err)
			price, err := account.Of(event, account.Renyi, pld.Options{})
			require.NoError(t, err)
			got, err := curve.DeltaUpper(price, epsilon)
			require.NoError(t, err)
			assert.LessOrEqual(t, got, delta, "ε = %v", epsilon)
			assert.Greater(t, got, delta*(1-1e-6), "ε = %v", epsilon)
		}
	}
}
