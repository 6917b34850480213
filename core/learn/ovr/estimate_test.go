package ovr

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// An estimate has the λ of the calibration, and too little noise by nearly the
// same factor at every ε.
func TestEstimate(t *testing.T) {
	nativetest.Only(t)
	for _, classes := range []int{3, 10} {
		first := 0.0
		for _, epsilon := range []float64{1, 0.1, 8} {
			request := calibrate.MinimaRequest{
				Guarantee: privacy.Guarantee{
					Adjacency: privacy.AddRemove,
					Epsilon:   epsilon,
					Delta:     1e-5,
				},
				Loss: privacy.LossLogistic, RowNorm: 1, Smoothness: 0.25, Dimension: 5,
				Bound: objective.BoundAuto,
			}
			want, err := Calibrate(request, classes)
			require.NoError(t, err)
			estimate, err := Estimate(request, classes)
			require.NoError(t, err)
			assert.Equal(t, want.Objective.Lambda, estimate.Objective.Lambda)
			ratio := want.Objective.Sigma / estimate.Objective.Sigma
			t.Logf("%d classes, ε = %g: σ is %.3f times the estimate", classes, epsilon, ratio)
			if first == 0 {
				first = ratio
			}
			assert.Less(t, ratio, 1.6)
			assert.InEpsilon(t, first, ratio, 0.15)
		}
	}
}
