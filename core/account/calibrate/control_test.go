package calibrate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// The noise that "control" asks for at δ = 1e-5, over that of one Gaussian mechanism, with λ a
// share of λ₀ at that Gaussian's σ: onegaussian's table, to its digits. "logistic" needs more.
func TestControlNeedsLessNoise(t *testing.T) {
	for _, c := range []struct{ epsilon, half, quarter, logistic float64 }{
		{0.1, 1.023, 3.01, 1.144},
		{0.5, 1.027, 1.88, 1.116},
		{1, 1.022, 1.46, 1.089},
		{3, 1.010, 1.14, 1.044},
		{8, 1.004, 1.04, 1.018},
	} {
		g := addRemove(c.epsilon, 1e-5)
		gaussian, err := Gaussian(g.Epsilon, g.Delta, 1)
		require.NoError(t, err)
		ratio := func(share float64, bound objective.Bound) float64 {
			sigma, err := SmallestSigma(privacy.ObjectivePerturbation{
				Adjacency: g.Adjacency, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
				Smoothness: 0.25, Sigma: 1,
				Lambda: share * objective.ZeroOverheadLambda(g.Epsilon, 1, gaussian),
			}, g, bound)
			require.NoError(t, err)
			return sigma / gaussian
		}
		half, quarter := ratio(0.5, objective.BoundControl), ratio(0.25, objective.BoundControl)
		t.Logf("ε = %v: %.4f at λ₀/2, %.4f at λ₀/4", c.epsilon, half, quarter)
		assert.LessOrEqual(t, half, c.half, c.epsilon)
		assert.LessOrEqual(t, quarter, c.quarter, c.epsilon)
		assert.GreaterOrEqual(t, half, 1.0, "no less than a Gaussian's")
		assert.GreaterOrEqual(t, half, c.half-0.003, "nor less than what is known to be needed")
		assert.GreaterOrEqual(t, quarter, c.quarter-0.03)
		assert.InDelta(t, c.logistic, ratio(0.5, objective.BoundLogistic), 2e-3)
		assert.Less(t, ratio(0.68, objective.BoundControl), 1.0005, "two thirds of λ₀ are free")
	}
}

// A fit that is calibrated by it has the guarantee, the λ that it would have anyway, and less
// noise where that is small.
func TestMinimaByControl(t *testing.T) {
	for _, loss := range []privacy.LossClass{
		privacy.LossLogistic, privacy.LossSigned, privacy.LossHinge,
	} {
		for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
			r := request(1, 1e-5, loss, objective.BoundControl)
			r.Guarantee.Adjacency = adjacency
			r.Lipschitz, r.Dimension = 0, 6
			if loss == privacy.LossHinge { // the λ that it would have costs nothing
				if r.Smoothness, r.Lambda = 1, 1.5; adjacency == privacy.ReplaceOne {
					r.Lambda = 3
				}
			}
			sharper, err := Minima(r)
			require.NoError(t, err)
			r.Bound, err = objective.BoundAuto.Quick(loss)
			require.NoError(t, err)
			simpler, err := Minima(r)
			require.NoError(t, err)
			t.Logf("%s, %s: σ %.4f, %.4f", loss, adjacency, sharper.Objective.Sigma, simpler.Objective.Sigma)
			assert.Equal(t, simpler.Objective.Lambda, sharper.Objective.Lambda)
			assert.Less(t, sharper.Objective.Sigma, simpler.Objective.Sigma)
			profile, err := objective.Of(sharper, objective.BoundControl)
			require.NoError(t, err)
			assert.LessOrEqual(t, profile.LogDeltaUpper(1), -11.5129)
			assert.Greater(t, profile.LogDeltaUpper(1), -11.52)
		}
	}
}
