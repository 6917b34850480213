package distance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// Golden values P, integer_test: thresholds and tails in 30 digits by independent code.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		sigma, failure float64
		threshold      int64
		logTail        float64
	}{
		{1, 1e-3, 4, -8.907845826050924},
		{1, 1e-9, 7, -25.418385494598507},
		{1, 1e-12, 8, -32.91873507565582},
		{2.5, 1e-3, 9, -8.078628012702888},
		{2.5, 1e-9, 16, -22.242038344516054},
		{2.5, 1e-12, 18, -27.70245084371129},
		{15, 1e-3, 47, -6.942626862666932},
		{15, 5e-6, 67, -12.284742331161535},
		{15, 1e-9, 91, -20.94950508225392},
		{15, 1e-12, 106, -27.632097563261272},
		{40, 5e-6, 178, -12.30081316828172},
		{40, 1e-9, 241, -20.81479229661382},
		{40, 1e-12, 282, -27.653970367267824},
	} {
		test, err := New(c.sigma, c.failure)
		require.NoError(t, err)
		assert.Equal(t, c.threshold, test.Threshold(), "%+v", c)
		event := test.Event(privacy.AddRemove)
		assert.InEpsilon(t, 1/c.sigma, float64(event.Sensitivity)/event.Sigma, 1e-9, "%+v", c)
		assert.InDelta(t, c.logTail, math.Log(tail(c.sigma, c.threshold)), 1e-8, "%+v", c)
	}
}

// The tail at the threshold, in 400 bits, is the failure at most; at one less it is more.
func TestAllowanceThreshold(t *testing.T) {
	for _, sigma := range []float64{1e-3, 0.1, 0.37, 1, 3} {
		for _, failure := range []float64{0.5, 0.1, 1e-6, 1e-30, 1e-100} {
			test, err := New(sigma, failure)
			require.NoError(t, err)
			at := func(k int64) float64 {
				all, above := golden.Big(0), golden.Big(0)
				for j := -int64(40*sigma) - 50; j <= int64(40*sigma)+50; j++ {
					x := golden.Big(float64(j))
					x = golden.Over(x, golden.Big(sigma))
					x = golden.Over(golden.Times(x, x), golden.Big(-2))
					if golden.Float(x) < -1e4 {
						continue
					}
					w := golden.Exp(x)
					all = golden.Plus(all, w)
					if j >= k {
						above = golden.Plus(above, w)
					}
				}
				return golden.Float(golden.Over(above, all))
			}
			k := test.Threshold()
			assert.LessOrEqual(t, at(k), failure, "σ = %g, δ′ = %g", sigma, failure)
			if k > 1 {
				assert.Greater(t, at(k-1), failure, "σ = %g, δ′ = %g", sigma, failure)
			}
		}
	}
	// Where the tail is the failure itself, but for a rounding, it is not cut off.
	test, err := New(3, tail(3, 7)*(1-0x1p-40))
	require.NoError(t, err)
	assert.EqualValues(t, 8, test.Threshold())
}

// How often data pass is as computed: false alarm 1e-6, by Hoeffding's bound.
func TestPassesAsOftenAsSaid(t *testing.T) {
	const runs = 40_000
	slack := math.Sqrt(math.Log(2/1e-6) / (2 * runs))
	test, err := New(4, 0.05)
	require.NoError(t, err)
	source := randomtest.New(3)
	for _, distance := range []int64{-1, 3, 6, 9, 20} {
		passed := 0
		for range runs {
			noisy, passes, err := test.Run(source, distance)
			require.NoError(t, err)
			require.Equal(t, noisy >= test.Needs(), passes)
			if passes {
				passed++
			}
		}
		assert.InDelta(t, test.Passes(distance), float64(passed)/runs, slack, "D = %d", distance)
	}
	assert.LessOrEqual(t, test.Passes(-1), 0.05)
}

func TestEvent(t *testing.T) {
	test, err := New(15, 5e-6)
	require.NoError(t, err)
	event := test.Event(privacy.ReplaceOne)
	require.NoError(t, event.Validate())
	assert.Equal(
		t, privacy.DiscreteGaussian{
			Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 15,
		}, event,
	)
	assert.EqualValues(t, 66, test.Needs())
}

func TestTestsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		sigma, failure float64
		field          string
	}{
		{0, 1e-6, "testSigma"}, {math.NaN(), 1e-6, "testSigma"}, {1e5, 1e-6, "testSigma"},
		{math.Inf(1), 1e-6, "testSigma"}, {1, 0, "failure"}, {1, 0.6, "failure"},
		{1, math.NaN(), "failure"},
	} {
		_, err := New(c.sigma, c.failure)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, "%+v", c)
		assert.Equal(t, c.field, bad.Field)
	}
	test, err := New(1, 1e-6)
	require.NoError(t, err)
	_, _, err = test.Run(&randomtest.Script{}, 0)
	assert.ErrorIs(t, err, randomtest.ErrExhausted)
}
