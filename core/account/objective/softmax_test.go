package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/privacy"
	"cloister/core/special"
)

// softmaxEvent has R = 1 and one column.
func softmaxEvent(classes int, lambda, sigma float64) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossSoftmax, RowNorm: 1,
		Lipschitz: privacy.SoftmaxSlope, Smoothness: privacy.SoftmaxSmoothness,
		Lambda: lambda, Sigma: sigma, Dimension: classes, Classes: classes,
	}
}

// smallestScale of noise for which the direction has δ = 1e-5 at epsilon.
func noiseFor(epsilon float64, logDelta func(sigma float64) float64) float64 {
	low, high := 0.1, 1000.0
	for range 40 {
		middle := math.Sqrt(low * high)
		if logDelta(middle) <= math.Log(1e-5) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// The noise at δ = 1e-5, in units of that of one Gaussian mechanism of sensitivity √2·R,
// for λ = m·R²K/(ε(K−1)): by the first theorem alone, by both, and by the removed direction,
// against an independent computation (numpy; convolution and quadrature on other grids).
// It took the exact law of the largest of K−1 numbers where we take the union bound, which
// is up to 0.3 % more.
func TestSoftmaxNoise(t *testing.T) {
	for _, c := range []struct {
		classes              int
		epsilon, m           float64
		first, both, removed float64
	}{
		{3, 0.5, 1.5, 1.313, 1.167, 1.045},
		{3, 0.5, 3, 1.160, 1.059, 1.045},
		{3, 1, 2, 1.222, 1.092, 1.041},
		{3, 1, 6, 1.089, 1.042, 1.041},
		{3, 3, 1.5, 1.274, 1.147, 1.034},
		{8, 0.5, 2, 1.731, 1.634, 1.122},
		{8, 1, 3, 1.438, 1.252, 1.111},
		{8, 3, 6, 1.200, 1.101, 1.093},
		{8, 3, 12, 1.126, 1.093, 1.093},
	} {
		if testing.Short() && c.m != 3 {
			continue
		}
		k := float64(c.classes)
		lambda := c.m * k / (c.epsilon * (k - 1))
		gaussian := noiseFor(c.epsilon, func(sigma float64) float64 {
			return logGaussianDelta(c.epsilon, math.Sqrt2/sigma)
		})
		found := func(of func(added, removed direction) direction) float64 {
			return noiseFor(c.epsilon, func(sigma float64) float64 {
				added, removed := softmaxDirections(softmaxEvent(c.classes, lambda, sigma))
				return of(added, removed).logDelta(c.epsilon)
			}) / gaussian
		}
		name := []any{c.classes, c.epsilon, c.m}
		assert.InEpsilon(t, c.first, found(func(added, _ direction) direction {
			if l, ok := added.(leastOf); ok {
				return l[:2]
			}
			return added // κ ≤ 0: all are one
		}), 5e-3, "first %v", name)
		assert.InEpsilon(t, c.both, found(func(added, _ direction) direction {
			return added
		}), 1.5e-3, "both %v", name)
		assert.InEpsilon(t, c.removed, found(func(_, removed direction) direction {
			return removed
		}), 3e-3, "removed %v", name)
	}
}

// With two classes the softmax is the logistic loss along the difference of two scores: for
// λ ≥ 2R²/(ε + R²/σ²) it costs what one Gaussian mechanism of sensitivity √2·R does.
func TestSoftmaxOfTwoClasses(t *testing.T) {
	for _, c := range []struct{ epsilon, sigma float64 }{{0.3, 8}, {1, 3}, {4, 1}} {
		lambda := 2 / (c.epsilon + 1/(c.sigma*c.sigma)) * (1 + 1e-9)
		added, removed := softmaxDirections(softmaxEvent(2, lambda, c.sigma))
		one := logGaussianDelta(c.epsilon, math.Sqrt2/c.sigma)
		assert.InDelta(t, one, added.logDelta(c.epsilon), 1e-9)
		assert.InDelta(t, one, removed.logDelta(c.epsilon), 1e-9)
		assert.GreaterOrEqual(t, added.logDelta(c.epsilon), one)
		less, _ := softmaxDirections(softmaxEvent(2, lambda/2, c.sigma))
		assert.Greater(t, less.logDelta(c.epsilon), one+0.01)
	}
}

// The faces of three classes by nested sums on fine grids, where the certified integral
// goes by chords and tangents: never below, and within 3 % above.
func TestSoftmaxFacesAnotherWay(t *testing.T) {
	if testing.Short() {
		t.Skip("run whole: what is computed does not differ by platform, and takes long")
	}
	for _, c := range []struct{ epsilon, sigma, m, muOut float64 }{
		{0.5, 13, 1.5, 0}, {1, 6.5, 3, 0}, {1, 2, 3, 0}, {3, 2.4, 2, 0}, {1, 6.5, 3, 0.05},
	} {
		s := softmaxOf(softmaxEvent(3, c.m*1.5/c.epsilon, c.sigma))
		require.Greater(t, s.kappa, 0.0)
		k := s.kappa / s.r
		// Π(y) = ∫ φ(v) P(v' − y + k ≥ √(4k² − [v − y + k]₊²)) dv
		pi := func(y float64) float64 {
			sum, const_ := 0.0, 1.0/256
			for v := -9.0; v <= 9+math.Abs(y); v += const_ {
				rest := 4*k*k - math.Pow(math.Max(0, v-y+k), 2)
				p := 1.0
				if rest > 0 {
					p = special.NormalSurvival(y - k + math.Sqrt(rest))
				}
				sum += special.NormalDensity(v) * p * const_
			}
			return sum
		}
		var table []float64
		const step, from = 1.0 / 32, -14.0
		for y := from; y < 14; y += step {
			table = append(table, pi(y))
		}
		at := func(y float64) float64 {
			x := (y - from) / step
			if x < 0 {
				return 1
			}
			i := int(x)
			if i+1 >= len(table) {
				return 0
			}
			part := x - float64(i)
			return math.Exp((1-part)*math.Log(table[i]) + part*math.Log(table[i+1]))
		}
		// δ = ∫_ε^∞ e^{ε−g} ∫ φ(u) Π(s·u + g'/r) du dg
		scale := math.Hypot(1, c.muOut/s.r)
		delta, dg := 0.0, s.r/64
		for g := c.epsilon + dg/2; g < c.epsilon+12*s.r; g += dg {
			middle := (g - s.r*s.r/2 - s.rho - c.muOut*c.muOut/2) / s.r
			for u := -9.0; u <= 9; u += 1.0 / 32 {
				weight := dg / 32 * math.Exp(c.epsilon-g) * special.NormalDensity(u)
				delta += weight * at(scale*u+middle)
			}
		}
		got := math.Exp(newSoftmaxFaces(s).integral(c.epsilon, c.muOut))
		t.Logf("ε %g m %g: %.4g, nested sums %.4g, ratio %.5f", c.epsilon, c.m, got, delta, got/delta)
		assert.Greater(t, got, delta*(1-1e-4))
		assert.Less(t, got, delta*1.03)
	}
}

// Bounds do not rise with ε, σ and λ, do not fall with K, and a composition with a Gaussian
// mechanism costs more, by little where that is quiet.
func TestSoftmaxIsMonotone(t *testing.T) {
	at := func(classes int, lambda, sigma, epsilon, muOut float64) float64 {
		added, _ := softmaxDirections(softmaxEvent(classes, lambda, sigma))
		if muOut > 0 {
			return math.Min(0, added.logDeltaWithGaussian(epsilon, muOut))
		}
		return math.Min(0, added.logDelta(epsilon))
	}
	for _, epsilon := range []float64{-2, -0.1, 0, 0.2, 1, 4} {
		for _, lambda := range []float64{0.1, 1, 2, 6, 40} {
			for _, sigma := range []float64{0.8, 3, 9} {
				base := at(4, lambda, sigma, epsilon, 0)
				require.False(t, math.IsNaN(base) || base > 1e-9, "%g %g %g", epsilon, lambda, sigma)
				const little = 2e-3 // grids do not move with the parameters
				assert.LessOrEqual(t, at(4, lambda, sigma, epsilon+0.1, 0), base+little)
				assert.LessOrEqual(t, at(4, lambda*1.2, sigma, epsilon, 0), base+little)
				assert.LessOrEqual(t, at(4, lambda, sigma*1.2, epsilon, 0), base+little)
				assert.GreaterOrEqual(t, at(5, lambda, sigma, epsilon, 0), base-little)
				if epsilon >= 0 {
					quiet := at(4, lambda, sigma, epsilon, 1e-4/sigma)
					assert.GreaterOrEqual(t, quiet, base-little)
					assert.InDelta(t, base, quiet, 0.02, "%g %g %g", epsilon, lambda, sigma)
				}
			}
		}
	}
}

// The Rényi curve's own conversion is never below the profile's floor, and within what
// conversions lose of the profile.
func TestSoftmaxRenyi(t *testing.T) {
	for _, c := range []struct{ epsilon, sigma, m float64 }{{0.5, 14, 3}, {1, 8, 6}, {3, 4, 3}} {
		added, removed := softmaxDirections(softmaxEvent(3, c.m*1.5/c.epsilon, c.sigma))
		for _, d := range []direction{added, removed} {
			renyi := renyiOf(d)
			for alpha := 1.0; alpha < 100; alpha *= 1.3 {
				value := renyi(alpha)
				require.Greater(t, value, alpha/(c.sigma*c.sigma)*(1-1e-9), "μ²α/2, μ² = 2r²")
			}
			converted := curve.LogDeltaFromRenyi(renyi, c.epsilon)
			assert.Greater(t, converted, logGaussianDelta(c.epsilon, math.Sqrt2/c.sigma))
			assert.Less(t, converted, 0.75*d.logDelta(c.epsilon))
		}
	}
}
