package audit_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/audit"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// phi is the standard normal distribution function.
func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// promised is the profile of a Gaussian mechanism with sensitivity mu and noise 1.
func promised(mu float64) func(epsilon float64) (float64, error) {
	return func(epsilon float64) (float64, error) {
		return phi(-epsilon/mu+mu/2) - math.Exp(epsilon)*phi(-epsilon/mu-mu/2), nil
	}
}

// gaussian is that mechanism with its noise multiplied.
func gaussian(mu, noise float64) audit.Pair {
	at := func(value float64) audit.Trial {
		return func(source random.Source) (float64, error) {
			var b [1]float64
			err := random.Gaussian(source, b[:], noise)
			return value + b[0], err
		}
	}
	return audit.Pair{Without: at(-mu / 2), With: at(mu / 2)}
}

func broken(t *testing.T, counts audit.Counts, mu float64) bool {
	points, err := counts.Measure().Against(promised(mu), audit.Grid(1, 20))
	require.NoError(t, err)
	return slices.ContainsFunc(points, audit.Point.Broken)
}

// Half the noise of a mechanism whose price is exact is caught by as many rounds as are
// said to be enough, and the mechanism itself is not accused. Of 20 tries one in a
// thousand would fail the first, and 2e-5 the second.
func TestHalfTheNoiseIsCaughtByTheRoundsThatAreSaidToBeEnough(t *testing.T) {
	const mu = 0.268 // ε = 1 at δ = 1e-5
	aim, err := audit.Take(audit.Shifted(2*mu), promised(mu), audit.Grid(1, 20))
	require.NoError(t, err)
	assert.Zero(t, aim.Epsilon)
	assert.InDelta(t, 0, aim.Line, 0.05)
	assert.InDelta(t, 7_000, aim.Rounds, 400)
	for seed := range uint64(20) {
		source := randomtest.New(seed)
		for _, noise := range []float64{1, 0.5} {
			pair := gaussian(mu, noise)
			test, err := audit.Place(t.Context(), pair, aim, 200, source)
			require.NoError(t, err)
			assert.InDelta(t, 0, test.Aim.Line, 0.35)
			counts, err := audit.Play(t.Context(), pair, test, aim.Rounds, source, nil)
			require.NoError(t, err)
			assert.Equal(t, aim.Rounds, counts.Runs[0]+counts.Runs[1])
			assert.Equal(t, noise < 1, broken(t, counts, mu), "seed %d, noise %g", seed, noise)
		}
	}
}

// Rounds of several workers are rounds of one.
func TestCountsAddUp(t *testing.T) {
	pair, test := gaussian(1, 0.25), audit.Around(audit.Aim{}, 0, 1)
	source := randomtest.New(1)
	told := 0
	first, err := audit.Play(t.Context(), pair, test, 600, source, func(done int) { told = done })
	require.NoError(t, err)
	assert.Equal(t, 600, told)
	second, err := audit.Play(t.Context(), pair, test, 400, source, nil)
	require.NoError(t, err)
	sum := first
	for side := range sum.Above {
		sum.Above[side] = slices.Clone(first.Above[side])
	}
	sum.Add(second)
	again := randomtest.New(1)
	all, err := audit.Play(t.Context(), pair, test, 1000, again, nil)
	require.NoError(t, err)
	assert.Equal(t, all, sum)
	assert.True(t, broken(t, all, 1))
}

// At an ε whose e^ε is no number, counts of 0 allow the other data set what the promise does.
func TestCountsOfNothingAtAnyEpsilon(t *testing.T) {
	counts := audit.Counts{Test: audit.Around(audit.Aim{Epsilon: 1000}, 0, 1)}
	counts.Runs = [2]int{8, 8}
	counts.Above = [2][]int{make([]int, 9), {2, 2, 2, 2, 2, 2, 2, 2, 2}}
	counts.AboveAim = [2]int{0, 2}
	assert.Equal(t, 0.5, counts.Allowed(0.5))
	assert.Equal(t, 0.25, counts.Measure().Delta(1000))
	assert.Zero(t, counts.Measure().DeltaLower(1000))
}

func TestWhatCannotBeCountedEndsTheAudit(t *testing.T) {
	always := func(x float64, err error) audit.Trial {
		return func(random.Source) (float64, error) { return x, err }
	}
	test, source := audit.Around(audit.Aim{}, 0, 1), randomtest.New(1)
	play := func(trial audit.Trial) error {
		_, err := audit.Play(
			t.Context(), audit.Pair{Without: trial, With: trial}, test, 10, source, nil,
		)
		return err
	}
	assert.NoError(t, play(always(math.Inf(1), nil)))
	assert.ErrorContains(t, play(always(math.NaN(), nil)), "not a number")
	lost := errors.New("lost")
	assert.ErrorIs(t, play(always(0, lost)), lost)
	infinite := audit.Pair{Without: always(math.Inf(1), nil), With: always(0, nil)}
	_, err := audit.Place(t.Context(), infinite, audit.Aim{}, 3, source)
	assert.ErrorContains(t, err, "not finite")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = audit.Play(ended, gaussian(1, 1), test, 10, source, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

// The sum of independent Gaussian statistics is Gaussian, but for the width of a bar.
func TestTheLawOfASum(t *testing.T) {
	const mu, count = 0.5, 4
	law := audit.Shifted(mu).Sum(count)
	total, above := 0.0, 0.0
	for i, p := range law.With {
		total += p
		if law.Low+(float64(i)+0.5)*law.Step > 2 {
			above += p
		}
	}
	assert.InDelta(t, 1, total, 1e-6)
	assert.InDelta(t, phi((count*mu/2-2)/math.Sqrt(count)), above, 0.01)
	centre, spread := law.Middle()
	assert.InDelta(t, 0, centre, 4*law.Step)
	assert.InDelta(t, math.Sqrt(count), spread, law.Step)
}

// Where less noise leaves the promise true no number of rounds is enough.
func TestAPromiseWithRoomToSpareCannotBeCaughtOut(t *testing.T) {
	aim, err := audit.Take(audit.Shifted(1), promised(1.01), audit.Grid(1, 20))
	require.NoError(t, err)
	assert.Equal(t, audit.MaxRounds, aim.Rounds)
}
