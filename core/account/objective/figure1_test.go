package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// Figure 1 of Redberg, Koskela & Wang 2023, both panels (L = 1): the Gaussian
// lower bound is below Theorem 3.1, that below Theorem 3.2's conversion, and
// that below Kifer et al., wherever the last promises anything. The numbers are
// the formulas of theory §3 in double precision with the system's erfc (the
// orders of the Rényi curve scanned in steps of 0.05 %).
func TestFigure1(t *testing.T) {
	for _, panel := range []struct {
		sigma, lambda float64
		points        [][5]float64 // ε, lower, profile, RDP, Kifer
	}{
		{5, 20, [][5]float64{
			{0.75, 6.092435848499187e-06, 3.388642069153001e-05, 0.00012802935186381975, 0.5017439649198777},
			{1.0, 1.754633331896146e-08, 1.311889553052105e-07, 6.312853257750549e-07, 0.1448795140685029},
		}},
		{10, 5, [][5]float64{
			{0.5, 6.8565824558383895e-09, 0.00019398467643651218, 0.0006221145567305983, 0.1128322790075547},
			{0.75, 5.980306161195457e-16, 3.1830110841675163e-09, 1.6742929313567908e-08, 0.002571919377208418},
		}},
	} {
		event := privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossGLM,
			RowNorm: 1, Lipschitz: 1, Smoothness: 1, Lambda: panel.lambda, Sigma: panel.sigma,
		}
		lower, err := LowerBound(event)
		require.NoError(t, err)
		delta := func(bound Bound, epsilon float64) float64 {
			profile, err := Of(event, bound)
			require.NoError(t, err)
			value, err := curve.DeltaUpper(profile, epsilon)
			require.NoError(t, err)
			return value
		}
		for _, p := range panel.points {
			assert.InEpsilon(t, p[1], lower.DeltaLower(p[0]), 1e-6)
			assert.InEpsilon(t, p[2], delta(BoundProfile, p[0]), 1e-6)
			assert.InEpsilon(t, p[3], delta(BoundRDP, p[0]), 1e-5)
			assert.InEpsilon(t, p[4], delta(BoundKifer, p[0]), 1e-8)
		}
		for epsilon := 2.1 / panel.lambda; epsilon < 4; epsilon += 0.05 {
			profile, rdp, kifer := delta(BoundProfile, epsilon), delta(BoundRDP, epsilon), delta(
				BoundKifer, epsilon,
			)
			assert.Less(t, lower.DeltaLower(epsilon), profile, "ε = %v", epsilon)
			assert.LessOrEqual(t, profile, rdp, "ε = %v", epsilon)
			if kifer < 1 {
				assert.Less(t, rdp, kifer, "ε = %v", epsilon)
			}
			assert.False(t, math.IsNaN(kifer))
		}
	}
}
