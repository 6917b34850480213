package amp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
)

// Below λ₀ the curvature of the logistic loss costs something, which the control problem prices:
// the noise at half and at a quarter of λ₀ is more than one Gaussian mechanism's and less than the
// closed bound's. The fits hold where the loss bends most. The same noise with a thirtieth
// of λ₀ is caught: its slopes are no steeper, and its densities are pulled together more.
func TestAuditBelowTheFreeRegulariser(t *testing.T) {
	notUnderWasm(t)
	const epsilon = 0.5
	for _, space := range spaces {
		if !audittest.Long() && space.name != "R=1" {
			continue
		}
		for _, share := range []float64{0.5, 0.25} {
			t.Run(fmt.Sprintf("%s, %v of λ₀", space.name, share), func(t *testing.T) {
				pair := pairOf(space.schema, 0, space.extra, space.extra).posed(glm.Logistic{}, 0)
				request := Request(space.schema, guaranteed(epsilon), objective.BoundControl)
				request.Lipschitz = request.RowNorm
				delta := request.Guarantee.Delta
				gaussian, err := calibrate.Gaussian(epsilon, delta, request.RowNorm)
				require.NoError(t, err)
				free := objective.ZeroOverheadLambda(epsilon, request.RowNorm, gaussian)
				request.Lambda = share * free
				event, err := calibrate.Minima(request)
				require.NoError(t, err)
				request.Bound = objective.BoundLogistic
				closed, err := calibrate.Minima(request)
				require.NoError(t, err)
				assert.Greater(t, event.Objective.Sigma, 1.02*gaussian)
				assert.Less(t, event.Objective.Sigma, 0.95*closed.Objective.Sigma)

				audit := pair.audit(t, event, epsilon)
				audit.Thresholds = []float64{-3, -2, -1, -0.5}
				bent := func(lambda float64) (without, with audittest.Trial) {
					run := unchecked(func(e *privacy.ApproximateMinima) {
						e.Objective.Lambda = lambda
					})
					without, with = pair.trials(event, run)
					return near(without, 0), near(with, 0)
				}
				without, with := bent(event.Objective.Lambda)
				audit.Holds(t, "honest", without, with)
				without, with = bent(free / 30)
				audit.Catches(t, "a thirtieth of λ₀", without, with)
			})
		}
	}
}
