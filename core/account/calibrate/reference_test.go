package calibrate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// referenceCase is one golden value of noise, from mpmath, for a GLM loss with
// ‖x‖ ≤ 1.
type referenceCase struct {
	ID, Kind string
	Params   struct {
		Epsilon, Delta, Sensitivity float64
		L, Beta, Tau                float64
		SigmaOut                    float64 `json:"sigma_out"`
	}
	Expected map[string]any
}

func (c referenceCase) number(t *testing.T, name string) float64 {
	t.Helper()
	value, ok := c.Expected[name].(float64)
	require.True(t, ok, "%s: expected.%s", c.ID, name)
	return value
}

// glm is the event, but for λ and σ.
func (c referenceCase) glm() privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 1,
		Lipschitz: c.Params.L, Smoothness: c.Params.Beta,
	}
}

func curveOf(t *testing.T, event privacy.Event, bound objective.Bound) curve.Curve {
	t.Helper()
	c, err := objective.Of(event, bound)
	require.NoError(t, err)
	return c
}
