package calibrate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

func keeping(epsilon float64) privacy.Guarantee {
	return privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}
}

// DP-SGD as Redberg, Koskela & Wang 2023 set it on Adult: the guarantee is kept,
// and with a thousandth less noise it is not.
func TestDescentIsSharp(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1, 8} {
		event, err := Descent(1.0/142, 8520, keeping(epsilon))
		require.NoError(t, err)
		for _, c := range []struct {
			factor float64
			keeps  bool
		}{{1, true}, {0.999, false}} {
			changed := event
			changed.NoiseMultiplier *= c.factor
			price, err := account.Of(changed, account.Auto, pld.Options{Accuracy: sharp})
			require.NoError(t, err)
			delta, err := curve.DeltaUpper(price, epsilon)
			require.NoError(t, err)
			assert.Equal(t, c.keeps, delta <= 1e-5, "ε = %g, factor %g", epsilon, c.factor)
		}
	}
	var parameter *privacy.ParameterError
	_, err := Descent(2, 10, keeping(1))
	assert.ErrorAs(t, err, &parameter)
}

func TestTunedDescent(t *testing.T) {
	event, err := TunedDescent(1.0/142, 8520, 15.4, keeping(1))
	require.NoError(t, err)
	parts := event.Base.(privacy.Composition).Parts
	descent := parts[0].Event.(privacy.SubsampledGaussian)
	score := parts[1].Event.(privacy.DiscreteGaussian)
	alone, err := Descent(1.0/142, 8520, keeping(1))
	require.NoError(t, err)
	assert.Greater(t, descent.NoiseMultiplier, 1.3*alone.NoiseMultiplier, "tuning costs something")
	assert.Less(t, descent.NoiseMultiplier, 4*alone.NoiseMultiplier)
	assert.Equal(t, 1, score.Sensitivity)
	// A little less noise, and the guarantee is gone.
	descent.NoiseMultiplier *= 0.998
	parts[0].Event = descent
	price, err := account.Of(event, account.Auto, pld.Options{})
	require.NoError(t, err)
	assert.Equal(t, account.Renyi, price.Method)
	assert.Greater(t, price.LogDeltaUpper(1), math.Log(1e-5))

	var parameter *privacy.ParameterError
	for _, bad := range []func() (privacy.PoissonSelection, error){
		func() (privacy.PoissonSelection, error) { return TunedDescent(1.5, 10, 15, keeping(1)) },
		func() (privacy.PoissonSelection, error) { return TunedDescent(0.1, 10, -1, keeping(1)) },
		func() (privacy.PoissonSelection, error) { return TunedDescent(0.1, 10, 15, keeping(-1)) },
		func() (privacy.PoissonSelection, error) {
			return TunedDescent(0.1, 10, 15, privacy.Guarantee{Epsilon: 1, Delta: 1e-5})
		},
	} {
		_, err := bad()
		assert.ErrorAs(t, err, &parameter)
	}
}
