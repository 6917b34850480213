package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Values of independent code: mpmath and float64 inversions of the moment
// generating function along two contours, which agree to 1e-9 and more.
func TestDescentAgainstIndependentValues(t *testing.T) {
	for _, c := range []struct {
		q, sigma float64
		steps    int
		delta    float64
		epsilon  float64
	}{
		{0.001, 0.6, 1, 1e-6, 0.3322138343889706},
		{0.001, 0.6, 100, 1e-5, 0.7795935835146293},
		{0.004, 2, 1000, 1e-5, 0.22893587320716408},
		{0.01, 1, 1000, 1e-5, 1.8282366665165717},
		{0.01, 1, 1000, 1e-12, 3.914298156037465},
		{0.001, 1, 10000, 1e-6, 0.5551396679329587},
	} {
		for _, accuracy := range []float64{1e-2, 1e-3, 1e-4} {
			i := intervalOf(t, dpsgd(c.q, c.sigma, c.steps), c.delta, Options{Accuracy: accuracy})
			assert.LessOrEqual(t, i.Reached, c.epsilon*(1+1e-9), "%v", c)
			assert.GreaterOrEqual(t, i.Upper, c.epsilon*(1-1e-9), "%v", c)
			assert.LessOrEqual(t, i.Upper-i.Reached, accuracy*i.Upper, "%v", c)
		}
	}
}

// What other accountants get wrong (theory §8): 9.3147 and 10.494 from a
// pessimistic one whose rounding noise is left out.
func TestNoiseOfTheTransformIsPartOfTheAnswer(t *testing.T) {
	for _, c := range []struct{ delta, epsilon, spoilt float64 }{
		{1e-10, 9.3161, 9.3147},
		{1e-14, 11.304, 10.494},
	} {
		i := intervalOf(t, dpsgd(0.01, 1, 10_000), c.delta, Options{Accuracy: 1e-4})
		assert.Greater(t, i.Reached, c.spoilt)
		assert.InDelta(t, c.epsilon, i.Reached, 1e-3)
		assert.InDelta(t, c.epsilon, i.Upper, 1e-3)
	}
}

// thousand is the composition of as many subsampled steps, and its parts on the grid of a window.
func thousand(w window) (*direction, []component) {
	added, _ := subsampledLosses(0.01, 1)
	d := &direction{runs: []run{{added, 1000}}}
	g := aimAt(d.runs, 7, intervalCut)
	grid := &layout{
		step:  (w.to - w.from) / float64(w.length),
		low:   g.low,
		high:  g.high,
		runs:  g.total,
		views: [2]view{{most: math.Inf(1)}},
	}
	return d, []component{{undivided(added.upper(grid)), undivided(added.lower(grid)), 1000}}
}

var untilted = window{from: -16, to: 16, length: 1 << 14, tilt: 0, below: -3, above: 3}

// Left untilted, a composition has nothing but rounding where δ is 1e-25. Its
// interval says so; without the rounding term its lower end would be wrong.
func TestRoundingTermHasPower(t *testing.T) {
	const epsilon = 7.0
	w := untilted
	d, parts := thousand(w)
	truthLow, truthHigh := d.logDelta(epsilon, 1e-2, math.Inf(-1))
	require.Less(t, truthHigh, -50.0)

	c := convolve(parts, &w)
	lowest := append([]float64(nil), c.lowest...)

	c.lower.finish(c.lowest, -c.entry, 0)
	assert.LessOrEqual(t, c.lower.logDeltaLower(epsilon), truthHigh)
	c.lower.finish(lowest, 0, 0)
	assert.Greater(t, c.lower.logDeltaLower(epsilon), truthHigh+1, "without the rounding term")
	c.upper.finish(c.highest, c.entry, c.entry)
	assert.GreaterOrEqual(t, c.upper.logDeltaUpper(epsilon), truthLow)
}

// Which of the two directions is priced shows.
func TestDirectionsAreNotExchanged(t *testing.T) {
	d, err := Of(dpsgd(0.01, 1, 1000), Options{})
	require.NoError(t, err)
	added, removed, err := d.EpsilonEach(1e-8)
	require.NoError(t, err)
	// Independent values: 2.6979 for the mixture against the Gaussian.
	assert.InDelta(t, 2.697867934493849, (added.Reached+added.Upper)/2, 3e-3)
	assert.Less(t, removed.Upper, added.Reached*0.9)
	i, err := d.Epsilon(1e-8)
	require.NoError(t, err)
	assert.Equal(t, added.Upper, i.Upper)
}
