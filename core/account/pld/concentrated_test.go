package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// besideLaplace is all that is ρ-zCDP, composed with a little noise, so that it is
// answered for by grids.
func besideLaplace(rho float64) privacy.Event {
	return privacy.Composition{Adjacency: addRemove, Parts: []privacy.Part{
		{Event: privacy.ZeroConcentrated{Adjacency: addRemove, Rho: rho}, Count: 1},
		{Event: privacy.Laplace{Adjacency: addRemove, Sensitivity: 1, Scale: 1}, Count: 1},
	}}
}

// A Gaussian mechanism of ratio √(2ρ) is ρ-zCDP, so that no δ below its own may be
// promised. The largest loss there is was once sought no further than 1e12, and every ε
// beyond counted as one that no loss exceeds.
func TestNothingIsConcludedFromASearchThatGaveUp(t *testing.T) {
	nativetest.Only(t)
	for _, rho := range []float64{1e11, 1e13, 1e14, 1e20, 1e100} {
		for _, part := range []float64{1e-9, 0.15, 0.9, 3} {
			d, err := Of(besideLaplace(rho), Options{})
			require.NoError(t, err)
			epsilon := rho * part
			i, err := d.Delta(epsilon)
			require.NoError(t, err)
			least, _ := gaussianLoss(math.Sqrt(2*rho) * (1 - 0x1p-40)).logDelta(epsilon)
			assert.GreaterOrEqual(t, i.LogUpper, least-1e-9, "ρ = %v at ε = %v", rho, epsilon)
			assert.LessOrEqual(t, i.LogLower, i.LogUpper)
			// And without looking at millions of bins of which nothing comes.
			assert.Less(t, d.added.total, 4<<20, "ρ = %v at ε = %v", rho, epsilon)
		}
		i, err := mustOf(t, besideLaplace(rho)).Epsilon(1e-5)
		require.NoError(t, err)
		assert.Greater(t, i.Upper, rho)
	}
}

func mustOf(t *testing.T, event privacy.Event) *Distribution {
	t.Helper()
	d, err := Of(event, Options{})
	require.NoError(t, err)
	return d
}

func TestTheReachOfAProfileIsWithinIt(t *testing.T) {
	for _, rho := range []float64{1e-100, 1e-5, 1, 1e13, 1e100, 1e200} {
		p := concentrated(rho, 0)
		for _, log := range []float64{-1e-3, -1, -30, -700} {
			epsilon := p.reaches(log)
			assert.LessOrEqual(t, p.profile.LogDeltaUpper(epsilon), log, "ρ = %v", rho)
			if epsilon > 1.25e-6 {
				assert.Greater(
					t, p.profile.LogDeltaUpper(epsilon/1.25), log, "ρ = %v: no further", rho,
				)
			}
		}
	}
	assert.True(t, math.IsInf((&promise{profile: nothing{}}).reaches(-1), 1))
}

// nothing is the profile of an event of which nothing is known.
type nothing struct{}

func (nothing) LogDeltaUpper(float64) float64 { return 0 }
