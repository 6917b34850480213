package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// gaussianNoise is the σ with δ_G(ε; 1/σ) = 1e-5.
func gaussianNoise(epsilon float64) float64 {
	return noiseFor(epsilon, func(sigma float64) float64 {
		return logGaussianDelta(epsilon, 1/sigma)
	})
}

// alongPath is what a path is charged by the theorem's relaxed problem, by plain sums over its own
// points: r₀ for standing, and r₁ for the share of the time in which it moves at full rate.
func alongPath(p control, path Path, epsilon float64) float64 {
	phi := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	cost := func(t, a, kappa float64) float64 {
		return math.Max(0, phi(t-p.m*a)*(1+kappa)-math.Exp(epsilon)*phi(t))
	}
	sum := 0.0
	stand := func(from, to, a float64) {
		n := math.Ceil((to - from) / 0.002)
		for i := 0.5; i < n; i++ {
			sum += cost(from+(to-from)*i/n, a, 0) * (to - from) / n
		}
	}
	last := len(path.Noise) - 1
	stand(path.Noise[0]-12, path.Noise[0], path.Slope[0]*p.top)
	for i := range last {
		const cells = 200
		t, a := path.Noise[i], path.Slope[i]*p.top
		dt, da := (path.Noise[i+1]-t)/cells, (path.Slope[i+1]*p.top-a)/cells
		for j := 0.5; j < cells; j++ {
			kappa, _ := p.rate.at(a + j*da)
			standing := cost(t+j*dt, a+j*da, 0)
			moving := cost(t+j*dt, a+j*da, kappa)
			sum += standing*dt - (moving-standing)*p.m/kappa*da
		}
	}
	stand(path.Noise[last], path.Noise[last]+12, path.Slope[last]*p.top)
	return sum
}

// The path that is drawn is worth the value that is charged, and the data's path what is said of
// it: neither sum knows of levels, offsets or duality.
func TestWorstPathIsWorthItsPrice(t *testing.T) {
	for _, c := range []struct{ epsilon, share float64 }{
		{0.1, 0.35}, {0.5, 0.5}, {1, 0.5}, {1, 0.25}, {3, 0.35}, {8, 0.5},
	} {
		sigma := gaussianNoise(c.epsilon)
		e := logisticEvent(1, 1, c.share*ZeroOverheadLambda(c.epsilon, 1, sigma), sigma)
		w, err := WorstPath(e, c.epsilon)
		require.NoError(t, err)
		require.False(t, w.Pinned, c)
		added, _, err := objectiveDirections(e, BoundControl)
		require.NoError(t, err)
		p := added.(controlDirection).path
		worth := math.Log(alongPath(p, w.Path, c.epsilon))
		data := math.Log(alongPath(p, w.Data, c.epsilon))
		t.Logf("%v: V %.4f, path %.4f, data %.4f (said %.4f) of δ_G, turn %.3f", c,
			math.Exp(w.LogDelta-w.LogGaussian), math.Exp(worth-w.LogGaussian),
			math.Exp(data-w.LogGaussian), math.Exp(w.LogData-w.LogGaussian), w.Turn)
		assert.InDelta(t, w.LogDelta, worth, 2e-3, "the path is worth V")
		assert.InDelta(t, w.LogData, data, 2e-3, "data")
		assert.Less(t, w.LogData, w.LogDelta)
		assert.Greater(t, w.LogData, w.LogDelta-0.05, "within 5 % of V")
		for i, noise := range w.Path.Noise[1:] {
			rise := noise - w.Path.Noise[i]
			kappa, _ := p.rate.at(w.Path.Slope[i+1])
			assert.GreaterOrEqual(t, rise, 0.0, "the slope does not rise")
			if kappa > 0.05 {
				fall := w.Path.Slope[i] - w.Path.Slope[i+1]
				assert.LessOrEqual(t, p.m*fall, kappa*rise*1.2, "nor fall faster than κ")
			}
		}
	}
}

// The data's path is found at any λ below λ₀, and within 3.2 % of V where V and one Gaussian
// mechanism's price are apart: how near V is, as the documentation says it.
func TestWorstDataAreFoundAtAnyRegulariser(t *testing.T) {
	nativetest.Only(t)
	for delta, near := range map[float64]float64{1e-5: 0.977, 1e-8: 0.968} {
		least := 1.0
		for _, epsilon := range []float64{0.05, 0.1, 0.5, 1, 3, 5, 8, 20} {
			sigma := noiseFor(epsilon, func(sigma float64) float64 {
				return logGaussianDelta(epsilon, 1/sigma) - math.Log(delta/1e-5)
			})
			for _, share := range []float64{0.01, 0.02, 0.03, 0.047, 0.07, 0.1, 0.2, 0.35, 0.5} {
				e := logisticEvent(1, 1, share*ZeroOverheadLambda(epsilon, 1, sigma), sigma)
				w, err := WorstPath(e, epsilon)
				require.NoError(t, err)
				if w.Pinned {
					continue
				}
				assert.LessOrEqual(t, w.LogData, w.LogDelta, "%v %v %v", delta, epsilon, share)
				least = math.Min(least, math.Exp(w.LogData-w.LogDelta))
			}
		}
		t.Logf("δ = %v: data reach %.4f of V at least", delta, least)
		assert.Greater(t, least, near, delta)
	}
}

// Data in one column with many rows of length 1e-4, whose divergence was integrated from the
// density (figures of bound.md): the limit is no less than theirs, and V no less than the limit.
func TestWorstDataAgainstRows(t *testing.T) {
	for _, c := range []struct{ epsilon, share, rows float64 }{
		{0.5, 0.5, 1.406}, {1, 0.5, 1.373}, {1, 0.35, 4.929}, {3, 0.35, 2.411},
	} {
		sigma := gaussianNoise(c.epsilon)
		e := logisticEvent(1, 1, c.share*ZeroOverheadLambda(c.epsilon, 1, sigma), sigma)
		w, err := WorstPath(e, c.epsilon)
		require.NoError(t, err)
		data := math.Exp(w.LogData - w.LogGaussian)
		assert.GreaterOrEqual(t, data, c.rows*(1-5e-4), c)
		assert.LessOrEqual(t, data, math.Exp(w.LogDelta-w.LogGaussian), c)
		assert.InEpsilon(t, c.rows, data, 0.011, c)
	}
}

// From λ₀ on the worst data pin the slope; at ε out of range there is no answer.
func TestWorstPathPinned(t *testing.T) {
	for _, epsilon := range []float64{0.05, 0.3, 1, 5, 20} {
		sigma := gaussianNoise(epsilon)
		free := ZeroOverheadLambda(epsilon, 1, sigma)
		w, err := WorstPath(logisticEvent(1, 1, free, sigma), epsilon)
		require.NoError(t, err)
		assert.True(t, w.Pinned, epsilon)
		assert.Empty(t, w.Path.Noise)
		assert.LessOrEqual(t, w.LogData, w.LogGaussian+1e-6)
	}
	_, err := WorstPath(logisticEvent(1, 1, 1, 4), 0)
	assert.Error(t, err)
	smooth := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossSmooth, Lipschitz: 1, Smoothness: 1,
		Lambda: 5, Sigma: 4, Dimension: 3,
	}
	_, err = WorstPath(smooth, 1)
	assert.ErrorAs(t, err, new(*InapplicableError))
}

// At an ε whose square is no number the worst data cost nothing that can be told.
func TestWorstAtAnyEpsilon(t *testing.T) {
	for _, epsilon := range []float64{1e100, 1e155, 1e300, math.MaxFloat64} {
		w, err := WorstPath(privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
			Smoothness: 0.25, Lambda: 0.4, Sigma: 3.7,
		}, epsilon)
		require.NoError(t, err)
		assert.Equal(t, math.Inf(-1), w.LogData, "ε = %v", epsilon)
		assert.GreaterOrEqual(t, w.LogDelta, w.LogGaussian)
	}
}
