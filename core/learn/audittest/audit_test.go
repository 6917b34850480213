package audittest

import (
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random"
)

// phi is the standard normal distribution function.
func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// gaussian is a Gaussian mechanism of sensitivity 1 and noise sigma.
func gaussian(value, sigma float64) Trial {
	return func(source random.Source) (float64, error) {
		var noise [1]float64
		err := random.Gaussian(source, noise[:], sigma)
		return value + noise[0], err
	}
}

func TestGaussianMechanism(t *testing.T) {
	const mu = 0.5
	audit := Audit{
		Claim: func(epsilon float64) (float64, error) {
			return phi(-epsilon/mu+mu/2) - math.Exp(epsilon)*phi(-epsilon/mu-mu/2), nil
		},
		Epsilons:   Grid(1, 10),
		Thresholds: []float64{-3, -1, 0, 0.5, 1, 2, 4},
		Runs:       Runs(20_000),
	}
	// Sharp as the claim is, it holds; and the audit sees most of it.
	outcome := audit.Run(t, gaussian(0, 1/mu), gaussian(1, 1/mu))
	excess, _ := audit.Excess(t, outcome)
	assert.LessOrEqual(t, excess, 0.0)
	assert.Greater(t, excess, -0.05)
	assert.Greater(t, outcome.EpsilonLower(1e-5), 0.4)
	assert.Less(t, outcome.EpsilonLower(1e-5), 2.4) // its ε at δ = 1e-5 is above 1.9

	audit.Holds(t, "honest", gaussian(0, 1/mu), gaussian(1, 1/mu))
	audit.Holds(t, "turned round", gaussian(1, 1/mu), gaussian(0, 1/mu))
	audit.Catches(t, "noise halved", gaussian(0, 0.5/mu), gaussian(1, 0.5/mu))
	audit.Catches(t, "turned round", gaussian(1, 0.5/mu), gaussian(0, 0.5/mu))
}

// failing notes what a test would do, and goes on.
type failing struct {
	testing.TB
	errors int
}

func (f *failing) Helper()               {}
func (f *failing) Log(...any)            {}
func (f *failing) Errorf(string, ...any) { f.errors++ }

func TestFailuresAreReported(t *testing.T) {
	audit := Audit{
		Claim:      func(float64) (float64, error) { return 0.01, nil },
		Epsilons:   Grid(1, 2),
		Thresholds: []float64{0.5},
		Runs:       2000,
	}
	f := &failing{TB: t}
	audit.Holds(f, "far apart", gaussian(0, 0.1), gaussian(1, 0.1))
	require.Equal(t, 1, f.errors)
	audit.Catches(f, "the same", gaussian(0, 1), gaussian(0, 1))
	require.Equal(t, 2, f.errors)
	audit.Holds(f, "the same", gaussian(0, 1), gaussian(0, 1))
	audit.Catches(f, "far apart", gaussian(0, 0.1), gaussian(1, 0.1))
	require.Equal(t, 2, f.errors)
}

// What is broken is found out by an eighth of the runs, where those show it, and by all, where
// nothing less does.
func TestCatchesStopsWhereItHasCaught(t *testing.T) {
	audit := Audit{
		Claim:      func(float64) (float64, error) { return 0.01, nil },
		Epsilons:   Grid(1, 2),
		Thresholds: []float64{0.5},
		Runs:       2000,
	}
	for _, c := range []struct{ apart, runs int }{{0, 2000}, {1, 250}} {
		var ran atomic.Int64
		counted := func(trial Trial) Trial {
			return func(source random.Source) (float64, error) {
				ran.Add(1)
				return trial(source)
			}
		}
		f := &failing{TB: t}
		audit.Catches(
			f, "broken", counted(gaussian(0, 0.1)), counted(gaussian(float64(c.apart), 0.1)),
		)
		assert.Equal(t, 1-c.apart, f.errors)
		assert.EqualValues(t, 2*c.runs, ran.Load())
	}
}

// Runs in several parts are the runs in one.
func TestPartsAreTheWhole(t *testing.T) {
	whole := newCounts(gaussian(0, 1), []float64{-0.5, 0.5}, 3)
	require.NoError(t, whole.upTo(999))
	parts := newCounts(gaussian(0, 1), []float64{-0.5, 0.5}, 3)
	for _, runs := range []int{124, 249, 499, 999} {
		require.NoError(t, parts.upTo(runs))
	}
	assert.Equal(t, whole.above, parts.above)
}

// Infinite statistics are numbers like others; NaN, and a run's own error, end
// the test.
func TestStatistics(t *testing.T) {
	always := func(x float64) Trial {
		return func(random.Source) (float64, error) { return x, nil }
	}
	count := func(trial Trial, runs int, thresholds []float64) ([]int, error) {
		c := newCounts(trial, thresholds, 1)
		err := c.upTo(runs)
		return c.sums(), err
	}
	counts, err := count(always(math.Inf(1)), 11, []float64{0, math.Inf(-1)})
	require.NoError(t, err)
	assert.Equal(t, []int{11, 11}, counts)
	counts, err = count(always(math.Inf(-1)), 10, []float64{0})
	require.NoError(t, err)
	assert.Equal(t, []int{0}, counts)
	_, err = count(always(math.NaN()), 10, []float64{0})
	assert.ErrorContains(t, err, "NaN")
	_, err = count(
		func(random.Source) (float64, error) { return 0, random.ErrStuck }, 10, []float64{0},
	)
	assert.ErrorIs(t, err, random.ErrStuck)
}
