package rdp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// The paper's case for the linearised bound: where λ is large it lies between
// the Gaussian mechanism and Theorem 3.2.
func TestLinearisedLiesBetween(t *testing.T) {
	mu, kappa := 0.2, 0.001
	for _, alpha := range []float64{1.5, 4, 16} {
		halfNormal := -math.Log1p(-kappa) + mu*mu/2 +
			math.Log(
				2*math.Exp((alpha-1)*(alpha-1)*mu*mu/2)*0.5*math.Erfc(-(alpha-1)*mu/math.Sqrt2),
			)/(alpha-1)
		got := Linearised(alpha, mu, kappa)
		assert.Greater(t, got, gaussian(mu)(alpha))
		assert.Less(t, got, halfNormal)
	}
	assert.Equal(t, math.Inf(1), Linearised(1000, mu, kappa), "no q is small enough")
}

// The formula scanned over 400,000 values of q in double precision, by a program of its own.
func TestLinearisedAgainstAScan(t *testing.T) {
	for _, c := range []struct{ alpha, mu, kappa, want float64 }{
		{1.5, 0.2, 0.001, 0.03214926637539254},
		{4, 0.2, 0.001, 0.08311208014813729},
		{16, 0.2, 0.001, 0.33385659517877914},
		{10, 0.1, 0.01, 0.09271280863776005},
	} {
		assert.InEpsilon(t, c.want, Linearised(c.alpha, c.mu, c.kappa), 1e-6)
	}
	assert.Equal(t, math.Inf(1), Linearised(2, 0.2, 1))
}

func TestLinearisedOfAnEventHasItsRatios(t *testing.T) {
	event := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 3, Lipschitz: 2,
		Smoothness: 0.5, Lambda: 1500, Sigma: 20,
	}
	estimated, err := LinearisedOf(event, []float64{2, 10})
	require.NoError(t, err)
	assert.Equal(t, []float64{Linearised(2, 0.1, 0.003), Linearised(10, 0.1, 0.003)}, estimated)
	smooth, replaced, quiet := event, event, event
	smooth.Loss, smooth.RowNorm, smooth.Dimension = privacy.LossSmooth, 0, 3
	replaced.Adjacency = privacy.ReplaceOne
	quiet.Sigma = -1
	for _, c := range []struct {
		event privacy.Event
		field string
	}{
		{privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1}, "mechanism"},
		{smooth, "mechanism"}, {replaced, "mechanism"}, {quiet, "sigma"},
	} {
		_, err := LinearisedOf(c.event, []float64{2})
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, c.field, wrong.Field)
	}
}
