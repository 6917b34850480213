package crosscheck

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	bounds "cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// The lower ends of objective perturbation, whatever bound it is priced by, are those
// of the Gaussian mechanism that it is with a linear loss, which no ε below can be
// true of: k runs of ratio L/σ are one of √k·L/σ. The bound itself comes to more.
func TestLowerEndsOfObjectivePerturbationAreTrue(t *testing.T) {
	nativetest.Only(t)
	const a, delta, epsilon = privacy.AddRemove, 1e-5, 0.7
	objective := privacy.ObjectivePerturbation{
		Adjacency: a, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25, Lambda: 2, Sigma: 4, Dimension: 3,
	}
	output := privacy.ApproximateMinima{
		Objective: objective, Tau: 1e-6, SigmaOut: 0x1p-6, Grid: 0x1p-30,
	}
	for name, one := range map[string]privacy.Event{"objective": objective, "output": output} {
		for _, count := range []int{1, 4} {
			linear := privacy.Gaussian{
				Adjacency: a, Sensitivity: 1, Sigma: objective.Sigma / math.Sqrt(float64(count)),
			}
			curve, err := account.Of(linear, account.Closed, pld.Options{})
			require.NoError(t, err)
			most, err := curve.EpsilonUpper(delta)
			require.NoError(t, err)
			event := privacy.Composition{
				Adjacency: a, Parts: []privacy.Part{{Event: one, Count: count}},
			}
			for _, bound := range bounds.Applicable(objective.Loss) {
				d, err := pld.Of(event, pld.Options{Bound: bound})
				require.NoError(t, err)
				i, err := d.Epsilon(delta)
				require.NoError(t, err)
				assert.LessOrEqual(t, i.Lower, most*(1+1e-9), "%s, %s, %d", name, bound, count)
				assert.Greater(t, i.Lower, most*0.95, "%s, %s, %d", name, bound, count)
				j, err := d.Delta(epsilon)
				require.NoError(t, err)
				log := curve.LogDeltaUpper(epsilon)
				assert.LessOrEqual(t, j.LogLower, log+1e-9, "%s, %s, %d", name, bound, count)
				assert.Greater(t, j.LogLower, log-0.5, "%s, %s, %d", name, bound, count)
			}
		}
	}
}
