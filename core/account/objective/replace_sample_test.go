package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// replaced are events under replace-one, and a bound of each kind for them.
func replaced() map[Bound]privacy.ObjectivePerturbation {
	event := privacy.ObjectivePerturbation{
		Adjacency: privacy.ReplaceOne, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25,
		Lambda: 3, Sigma: 4, Dimension: 5,
	}
	of := func(loss privacy.LossClass) privacy.ObjectivePerturbation {
		e := event
		e.Loss = loss
		return e
	}
	return map[Bound]privacy.ObjectivePerturbation{
		BoundLogistic: of("logistic"), BoundSigned: of("signed"), BoundGLM: of("glm"),
		BoundProfile: of("logistic"), BoundControl: of("logistic"),
	}
}

// A sample of a replace-one profile is above it, but for what the search for ε₁ leaves to
// be found, and by no more than 1/50 of δ (at the kink of a cut loss); by the control
// problem either of them may come upon the better ε₁, by as little.
func TestSamplesOfReplaceOneAreItsProfile(t *testing.T) {
	for bound, event := range replaced() {
		c, err := Of(event, bound)
		require.NoError(t, err)
		for _, step := range []float64{0.004, 0.02, 0.05} {
			n, below := 80, 1e-4
			if bound == BoundControl {
				n, below = 12, 0.005
			}
			sample := curve.Sample(c, step, n)
			require.Len(t, sample, n+1)
			for i, value := range sample {
				exact := c.LogDeltaUpper(step * float64(i))
				assert.Greater(t, value, exact-below, "%v at %d·%v", bound, i, step)
				assert.Less(t, value, exact+0.02, "%v at %d·%v", bound, i, step)
			}
		}
	}
}

// Replacing a record under a Gaussian mechanism is one of twice the ratio, so that no
// sample may be below that one's profile.
func TestSamplesAreNotBelowTheTruth(t *testing.T) {
	for _, mu := range []float64{0.01, 0.3, 1, 4} {
		g := gaussianDirection{mu}
		r := replaceOne{pair: curve.Pair{Added: rounded{g}, Removed: rounded{g}}}
		r.guide = r.pair
		for i, value := range r.Sample(mu/10, 300) {
			exact := logGaussianDelta(float64(i)*mu/10, 2*mu)
			assert.Greater(t, value, exact, "μ = %v at %d", mu, i)
			assert.Less(t, value, exact+0.002-1e-4*exact, "μ = %v at %d", mu, i)
		}
	}
}

// lastAsked remembers the ε it was asked.
type lastAsked struct{ epsilon float64 }

func (a *lastAsked) LogDeltaUpper(epsilon float64) float64 {
	a.epsilon = epsilon
	return -epsilon
}

// The second step is asked at no more than what the first one leaves of ε, as exact
// differences of the float64s that ε and ε₁ are.
func TestAllowanceOfDifferencesOnAGrid(t *testing.T) {
	u := units{randomtest.New(11)}
	whole := func(most int) int { return int(u.between(1, float64(most)+1)) }
	for range 2000 {
		step, n := u.between(1e-4, 1e4), whole(400)
		profile := &lastAsked{}
		grid := newGridPair(curve.Pair{Added: profile, Removed: profile}, step, n)
		i, first := whole(n), whole(8*n)-4*n
		grid.added.at(i - first)
		left := new(big.Float).SetPrec(200).Sub(
			big.NewFloat(step*float64(i)), big.NewFloat(step*float64(first)),
		)
		require.Negative(t, big.NewFloat(profile.epsilon).Cmp(left), "%d − %d of %v", i, first, step)
		assert.InDelta(t, step*float64(i-first), profile.epsilon, 1e-11*step*float64(n))
	}
	grid := newGridPair(curve.Pair{Added: &lastAsked{}, Removed: &lastAsked{}}, 1, 10)
	assert.True(t, math.IsInf(grid.added.at(81), 1))
	assert.True(t, math.IsInf(grid.removed.at(-81), 1))
	assert.Equal(t, 80, grid.added.nearest(1e300))
}
