package calibrate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

func TestKiferValues(t *testing.T) {
	// λ = 2·0.25·4/0.5 and σ = 2·√(8 log(2·10⁵) + 2)/0.5, by hand.
	lambda, sigma, err := KiferParameters(0.5, 1e-5, 2, 2, 0.25)
	require.NoError(t, err)
	assert.InEpsilon(t, 4, lambda, 1e-14)
	assert.InEpsilon(t, 39.92965437651398, sigma, 1e-13)
	event := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 2,
		Lipschitz: 2, Smoothness: 0.25, Lambda: lambda, Sigma: sigma,
	}
	epsilon, err := curve.EpsilonUpper(curveOf(t, event, objective.BoundKifer), 1e-5)
	require.NoError(t, err)
	assert.InEpsilon(t, 0.5, epsilon, 1e-12)
	assert.GreaterOrEqual(t, epsilon, 0.5*(1-1e-15))
}

// The theorem says nothing below ε = 2βR²/λ, whatever the noise.
func TestKiferNeedsItsLambda(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1, 8} {
		lambda, sigma, err := KiferParameters(epsilon, 1e-5, 2, 1.5, 0.25)
		require.NoError(t, err)
		assert.InEpsilon(t, 2*0.25*2*2/epsilon, lambda, 1e-12)
		o := privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: 2, Lipschitz: 1.5,
			Smoothness: 0.25,
			Lambda:     lambda, Sigma: 1000 * sigma, Dimension: 3,
		}
		for share, given := range map[float64]bool{1.001: true, 0.999: false, 0.6: false} {
			o.Lambda = lambda * share
			curve, err := objective.Of(o, objective.BoundKifer)
			require.NoError(t, err)
			assert.Equal(
				t, given, curve.LogDeltaUpper(epsilon) < 0, "λ = %v of what is needed", share,
			)
		}
	}
}

func TestReferenceKifer(t *testing.T) {
	for _, c := range golden.OfKind[referenceCase](t, "F", "min_params") {
		lambda, sigma, err := KiferParameters(
			c.Params.Epsilon, c.Params.Delta, 1, c.Params.L, c.Params.Beta,
		)
		require.NoError(t, err)
		assert.InEpsilon(t, c.number(t, "lambda_min"), lambda, 1e-13, c.ID)
		assert.InEpsilon(t, c.number(t, "sigma_min"), sigma, 1e-13, c.ID)
		event := c.glm()
		event.Lambda, event.Sigma = lambda, sigma
		epsilon, err := curve.EpsilonUpper(curveOf(t, event, objective.BoundKifer), c.Params.Delta)
		require.NoError(t, err)
		assert.InEpsilon(t, c.Params.Epsilon, epsilon, 1e-12, c.ID)
	}
}
