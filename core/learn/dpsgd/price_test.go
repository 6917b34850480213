package dpsgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// The smallest noise multipliers for a guarantee, by exact composition of both
// directions at 30 digits and more (mpmath; ../shared/reference, file K, cases
// v0161 to v0164, and kept here as the check of what a plan's event is priced
// at from end to end): with it, and no less, the plan keeps the guarantee.
func TestPlansAreWorthTheirPrice(t *testing.T) {
	for _, c := range []struct {
		rate           float64
		steps          int
		epsilon, delta float64
		smallest       float64
	}{
		{0.01, 1000, 3, 1e-5, 0.8135844674425206},
		{0.004, 10000, 1, 1e-6, 1.8449499077451808},
		{0.1, 100, 2, 1e-5, 2.2477109144502774},
		{0.001, 10000, 0.5, 1e-6, 1.0602784024467995},
	} {
		for _, n := range []struct {
			factor float64
			keeps  bool
		}{{1.0002, true}, {0.9998, false}} {
			plan := planOf(NewSGD(1))
			plan.Rate, plan.Steps, plan.NoiseMultiplier = c.rate, c.steps, c.smallest*n.factor
			event, err := plan.Event()
			require.NoError(t, err)
			price, err := pld.Of(event, pld.Options{Accuracy: 1e-4})
			require.NoError(t, err)
			assert.Equal(
				t, n.keeps, price.LogDeltaUpper(c.epsilon) <= math.Log(c.delta), "%+v, %g", c,
				n.factor,
			)
		}
	}
}

// The event says what is done: where q = 1 it is the Gaussian mechanism of T
// sums, of μ² = T/z².
func TestTheEventWithoutSampling(t *testing.T) {
	plan := planOf(NewSGD(1))
	plan.Rate, plan.Steps, plan.NoiseMultiplier = 1, 25, 10
	event, err := plan.Event()
	require.NoError(t, err)
	a, err := pld.Of(event, pld.Options{})
	require.NoError(t, err)
	b, err := pld.Of(
		privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 2}, pld.Options{},
	)
	require.NoError(t, err)
	for _, epsilon := range []float64{0, 0.3, 1, 3} {
		assert.InDelta(
			t, b.LogDeltaUpper(epsilon), a.LogDeltaUpper(epsilon),
			1e-6*math.Abs(b.LogDeltaUpper(epsilon)),
		)
	}
}
