package pld

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// draw is a fixed stream of numbers in [0, 1).
type draw uint64

func (d *draw) next() float64 {
	*d = *d*6364136223846793005 + 1442695040888963407
	return float64(uint64(*d)>>11) / (1 << 53)
}

// between draws log-uniformly.
func (d *draw) between(low, high float64) float64 {
	return low * math.Pow(high/low, d.next())
}

// limit is what any question may take. The figure is 2 s; under a race
// detector, or two other builds on two cores, a test must not fail for that.
const limit = 6 * time.Second

// sound checks what holds of every answer.
func sound(t *testing.T, event privacy.Event, epsilon, logDelta float64) (EpsilonInterval, DeltaInterval) {
	t.Helper()
	d, err := Of(event, Options{})
	require.NoError(t, err, "%#v", event)
	start := time.Now()
	i, err := d.EpsilonLog(logDelta)
	require.NoError(t, err)
	took := time.Since(start)
	assert.Less(t, took, limit, "ε of %#v at log δ = %v", event, logDelta)
	assert.False(t, math.IsNaN(i.Lower) || math.IsNaN(i.Upper), "%v of %#v", i, event)
	assert.GreaterOrEqual(t, i.Lower, 0.0)
	assert.LessOrEqual(t, i.Lower, i.Upper, "ε of %#v at log δ = %v", event, logDelta)
	start = time.Now()
	j, err := d.Delta(epsilon)
	require.NoError(t, err)
	took = time.Since(start)
	assert.Less(t, took, limit, "δ of %#v at ε = %v", event, epsilon)
	assert.False(t, math.IsNaN(j.LogLower) || math.IsNaN(j.LogUpper), "%v of %#v", j, event)
	assert.LessOrEqual(t, j.LogLower, j.LogUpper, "δ of %#v at ε = %v", event, epsilon)
	assert.LessOrEqual(t, j.LogUpper, 0.0)
	return i, j
}

// The ranges: never NaN, never negative, never less private when σ
// grows or steps fall, and quick whatever is asked. Intervals of two events of
// which one is at least as private as the other may touch, but not contradict
// that.
func TestDescentOverAllRanges(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	descents(t, draw(1), rounds)
}

func descents(t *testing.T, random draw, rounds int) {
	for range rounds {
		event := privacy.SubsampledGaussian{
			Adjacency: privacy.AddRemove,
			Rate:      math.Min(1, random.between(1e-6, 2)), NoiseMultiplier: random.between(1e-6, 1e6),
			Steps: int(random.between(1, 1e7)),
		}
		epsilon, logDelta := random.between(1e-4, 1e3), -random.between(1e-3, 690)
		i, j := sound(t, event, epsilon, logDelta)

		quieter := event
		quieter.NoiseMultiplier *= 1 + random.next()
		fewer := event
		fewer.Steps = int(float64(fewer.Steps) * random.next())
		for _, better := range []privacy.Event{quieter, fewer} {
			k, l := sound(t, better, epsilon, logDelta)
			assert.LessOrEqual(t, k.Lower, i.Upper, "%#v against %#v at log δ = %v", better, event, logDelta)
			assert.LessOrEqual(t, l.LogLower, j.LogUpper, "%#v against %#v at ε = %v", better, event, epsilon)
		}
	}
}
