package rdp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// In a composition BoundAuto is BoundControl as long as the terms allow, and what is quick
// beyond: never refused, and by what is public alone.
func TestAutoIsControlUpToThirtyFits(t *testing.T) {
	composed := func(loss privacy.LossClass, different int) privacy.Composition {
		all := privacy.Composition{Adjacency: privacy.AddRemove}
		for i := range different {
			sigma := 4.3 + float64(i)
			lambda := 0.5 * objective.ZeroOverheadLambda(1, 1, sigma)
			e := privacy.ObjectivePerturbation{
				Adjacency: privacy.AddRemove, Loss: loss, RowNorm: 1, Lipschitz: 1,
				Smoothness: 0.25, Lambda: lambda, Sigma: sigma,
			}
			if loss == privacy.LossHinge {
				e.Smoothness = 1
			}
			all.Parts = append(all.Parts, privacy.Part{Event: e, Count: 2})
		}
		return all
	}
	for _, loss := range []privacy.LossClass{privacy.LossLogistic, privacy.LossHinge} {
		for different, quick := range map[int]bool{1: false, 2: false, 90: true} {
			c, err := Of(composed(loss, different))
			require.NoError(t, err)
			assert.Equal(t, quick, c.Quick(), different)
			simpler, err := objective.BoundAuto.Quick(loss)
			require.NoError(t, err)
			simple, err := OfBound(composed(loss, different), simpler)
			require.NoError(t, err)
			if quick {
				assert.Equal(t, simple.Added(8), c.Added(8))
			} else {
				assert.Less(t, c.Added(8), simple.Added(8))
			}
		}
		_, err := OfBound(composed(loss, 90), objective.BoundControl)
		assert.Error(t, err, "asked for by name, it is refused")
	}
}
