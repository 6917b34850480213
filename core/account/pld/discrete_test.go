package pld

import (
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// A shift far below σ, down to where the losses are far below the rounding of what the
// groups of noise add to them: the profile is still above the Gaussian mechanism's, which
// the discrete one's is next to, and not by much.
func TestDiscreteGaussiansOfSmallShifts(t *testing.T) {
	nativetest.Only(t)
	for _, sigma := range []float64{1e4, 1e8, 3e14, 1e20, 1e25, 2e36, 7e43, 1e50} {
		for _, shift := range []int{1, 7, 1000, 1 << 40, 1 << 53} {
			ratio := float64(shift) / sigma
			if ratio > 1e-3 {
				continue
			}
			d, err := Of(privacy.DiscreteGaussian{
				Adjacency: addRemove, Sensitivity: shift, Sigma: sigma,
			}, Options{})
			require.NoError(t, err)
			like, err := objective.Of(privacy.Gaussian{
				Adjacency: addRemove, Sensitivity: float64(shift), Sigma: sigma,
			}, objective.BoundAuto)
			require.NoError(t, err)
			for _, epsilon := range []float64{0, 0.3 * ratio, ratio, 4 * ratio} {
				exact := like.LogDeltaUpper(epsilon)
				got, err := d.Delta(epsilon)
				require.NoError(t, err)
				require.GreaterOrEqual(
					t, got.LogUpper, exact-1e-7, "%d, σ = %v at %v", shift, sigma, epsilon,
				)
				require.LessOrEqual(
					t, got.LogLower, exact+1e-7, "%d, σ = %v at %v", shift, sigma, epsilon,
				)
				require.InDelta(
					t, got.LogUpper, got.LogLower, 0.05, "%d, σ = %v at %v", shift, sigma, epsilon,
				)
			}
		}
	}
}
