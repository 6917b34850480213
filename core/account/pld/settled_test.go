package pld

import (
	"math"
	"math/cmplx"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/special"
)

// realistic draws a question about DP-SGD, log-uniformly: sampling rates of one
// record in 100,000 to every second one, noise multipliers 0.3 to 30, 1 to a
// million steps, δ from 1e-12 to 1e-3.
func realistic(random *draw) (event privacy.SubsampledGaussian, delta float64) {
	q, sigma := random.between(1e-5, 0.5), random.between(0.3, 30)
	steps := int(math.Round(random.between(1, 1e6)))
	return dpsgd(q, sigma, steps), random.between(1e-12, 1e-3)
}

// fewest returns the least number of events out of n of which so many or more
// have a probability of at most alarm when each has probability p: a test that
// fails from there on raises a false alarm as rarely as that.
func fewest(n int, p, alarm float64) int {
	tail := 0.0
	for k := n; k >= 0; k-- {
		choose, _ := math.Lgamma(float64(n + 1))
		below, _ := math.Lgamma(float64(k + 1))
		above, _ := math.Lgamma(float64(n - k + 1))
		tail += math.Exp(
			choose - below - above + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p),
		)
		if tail > alarm {
			return k + 1
		}
	}
	return 0
}

// The questions of the long form are fresh in every run, and CLOISTER_SEED repeats
// those of another; the short form asks those of seed 7. As long as 99 of 100 settle,
// this fails once in a million runs. That the answers are right is asked of every one.
func TestEstimatesOfRandomDescentsSettle(t *testing.T) {
	nativetest.Only(t)
	seed := uint64(7)
	if long() {
		seed = uint64(time.Now().UnixNano())
	}
	if text := os.Getenv("CLOISTER_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("CLOISTER_SEED=%d repeats these questions", seed)
	random := draw(seed)
	n := 100
	if long() {
		n = 1500
	}
	open, openDelta := 0, 0
	for range n {
		event, delta := realistic(&random)
		e, err := EstimateOf(event, Options{Accuracy: 0.01})
		require.NoError(t, err)
		epsilon, err := e.Epsilon(delta)
		require.NoError(t, err)
		truth, err := e.certified.Epsilon(delta)
		require.NoError(t, err)
		if !epsilon.Settled {
			open++
			t.Logf("ε of %+v at δ = %v does not settle: %+v", event, delta, epsilon)
		}
		assert.GreaterOrEqual(t, epsilon.Value, truth.Lower*(1-agreeing)-1e-15,
			"ε of %+v at δ = %v", event, delta)
		assert.LessOrEqual(t, epsilon.Value, truth.Upper*(1+agreeing)+1e-15,
			"ε of %+v at δ = %v", event, delta)

		at := (truth.Lower + truth.Upper) / 2 * (0.3 + 1.2*random.next())
		log, err := e.Delta(at)
		require.NoError(t, err)
		interval, err := e.certified.Delta(at)
		require.NoError(t, err)
		if !log.Settled {
			openDelta++
			t.Logf("δ of %+v at ε = %v does not settle: %+v", event, at, log)
		}
		assert.GreaterOrEqual(t, log.Log, interval.LogLower-agree, "δ of %+v at ε = %v", event, at)
		assert.LessOrEqual(t, log.Log, interval.LogUpper+agree, "δ of %+v at ε = %v", event, at)
	}
	most := fewest(n, 0.01, 1e-6)
	if seed == 7 && n <= 100 {
		most = 2 // these questions are always the same, and 1 % of 100 is 1
	}
	t.Logf("of %d questions, %d for ε and %d for δ did not settle; %d would be too many",
		n, open, openDelta, most)
	assert.Less(t, open, most)
	assert.Less(t, openDelta, most)
}

// By hand: of 5 with probability ¼ each, P(X ≥ 5) = 0.00098, P(X ≥ 4) = 0.0156,
// P(X ≥ 3) = 0.104.
func TestTooManyIsABinomialQuantile(t *testing.T) {
	assert.Equal(t, 4, fewest(5, 0.25, 0.1))
	assert.Equal(t, 4, fewest(5, 0.25, 0.016))
	assert.Equal(t, 5, fewest(5, 0.25, 0.015))
	assert.Equal(t, 6, fewest(5, 0.25, 0.0009))
}

// At rates this small a single sampled step is what δ is about, and log δ falls steeply
// and then hardly at all. Newton's method went round for ever between the two, along
// either contour, and stopped at 0.780 and 0.0715, twice the truth.
func TestRareLargeLossesArePartOfTheEstimate(t *testing.T) {
	for _, c := range []struct {
		q, sigma     float64
		steps        int
		delta, wrong float64
	}{
		{8.24e-5, 0.766, 220517, 3.36e-7, 0.781},
		{1.25e-4, 1.35, 2810, 3.58e-10, 0.0714},
	} {
		e, err := EstimateOf(dpsgd(c.q, c.sigma, c.steps), Options{})
		require.NoError(t, err)
		got, err := e.Epsilon(c.delta)
		require.NoError(t, err)
		truth := intervalOf(t, dpsgd(c.q, c.sigma, c.steps), c.delta, Options{})
		assert.True(t, got.Settled)
		assert.Less(t, got.Value, 0.6*c.wrong)
		assert.GreaterOrEqual(t, got.Value, truth.Lower)
		assert.LessOrEqual(t, got.Value, truth.Upper)
		for _, runs := range e.directions() {
			if epsilon, _, ok := invertEpsilon(runs, math.Log(c.delta)); ok {
				assert.LessOrEqual(t, epsilon, truth.Upper, "along contours")
			}
		}
	}
}

// From any first guess: a normal loss of spread 0.005, and one of spread 0.05 that has
// a probability of 1e-12. Their log δ falls by 850 a unit before 0.03, and by 200 after.
func TestContoursAreSolvedFromAnywhere(t *testing.T) {
	const s, spacing, rare = 110, 5, 1e-12
	parts := []struct{ weight, mean, spread float64 }{{1 - rare, 0, 0.005}, {rare, 0, 0.05}}
	line := &contour{s: s, spacing: spacing}
	scale := 0.0
	for j := range 400 {
		z, sum := complex(s, spacing*float64(j)), complex(0, 0)
		for _, p := range parts {
			square := complex(p.spread*p.spread/2, 0)
			sum += complex(p.weight, 0) * cmplx.Exp(complex(p.mean, 0)*z+square*z*z)
		}
		if j == 0 {
			scale = real(sum)
			line.scale = math.Log(scale)
		}
		line.re, line.im = append(line.re, real(sum)/scale), append(line.im, imag(sum)/scale)
	}
	exact := func(epsilon float64) (log float64) {
		delta := 0.0
		for _, p := range parts {
			x := (p.mean - epsilon) / p.spread
			above := special.LogNormalCDF(x)
			below := special.LogNormalCDF(x-p.spread) + epsilon - p.mean + p.spread*p.spread/2
			delta += p.weight * math.Exp(special.LogDiffExp(above, below))
		}
		return math.Log(delta)
	}
	const want = 0.026
	target := exact(want)
	for _, guess := range []float64{0, 1e-6, 0.01, 0.026, 0.035, 0.0516, 0.061, 0.0816, 0.2} {
		epsilon, ok := line.solve(target, guess)
		assert.True(t, ok, guess)
		assert.InEpsilon(t, want, epsilon, 1e-6, guess)
	}
}

// Lagrange's weights are exact up to the fifth degree, which keeps the moments of
// a node, and are those of the nearest point on the grid.
func TestNodesKeepTheirMomentsOnAGrid(t *testing.T) {
	for _, x := range []float64{0, 0.1, 0.5, 0.77, 1} {
		for degree := range 6 {
			sum := 0.0
			for k, part := range lagrange(x) {
				sum += part * math.Pow(float64(k-2), float64(degree))
			}
			assert.InDelta(t, math.Pow(x, float64(degree)), sum, 1e-13)
		}
	}
}
