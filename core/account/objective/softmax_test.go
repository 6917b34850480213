package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
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
	nativetest.Only(t)
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

// facesOf is Π of three classes by sums on a fine grid.
func facesOf(s softmax) func(y float64) float64 {
	k := s.kappa / s.r
	// Π(y) = ∫ φ(v) P(v' − y + k ≥ √(4k² − [v − y + k]₊²)) dv
	pi := func(y float64) float64 {
		sum := 0.0
		const width = 1.0 / 256
		for v := -9.0; v <= 9+math.Abs(y); v += width {
			rest := 4*k*k - math.Pow(math.Max(0, v-y+k), 2)
			p := 1.0
			if rest > 0 {
				p = special.NormalSurvival(y - k + math.Sqrt(rest))
			}
			sum += special.NormalDensity(v) * p * width
		}
		return sum
	}
	var table []float64
	const step, from = 1.0 / 32, -14.0
	for y := from; y < 14; y += step {
		table = append(table, pi(y))
	}
	return func(y float64) float64 {
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
}

// The faces of three classes by nested sums on fine grids, where the certified integral
// goes by chords and tangents: never below, and within 3 % above.
func TestSoftmaxFacesAnotherWay(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct{ epsilon, sigma, m, muOut float64 }{
		{0.5, 13, 1.5, 0}, {1, 6.5, 3, 0}, {1, 2, 3, 0}, {3, 2.4, 2, 0}, {1, 6.5, 3, 0.05},
	} {
		s := softmaxOf(softmaxEvent(3, c.m*1.5/c.epsilon, c.sigma))
		require.Greater(t, s.kappa, 0.0)
		at := facesOf(s)
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

// Beside a Gaussian mechanism the loss max(2κ, G) costs, by sums over the mechanism's own loss, not
// more than the faces' bound, of which 2κ alone is most.
func TestSoftmaxFacesBesideAGaussian(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct{ sigma, lambda, over, muOut float64 }{
		{10, 2, 0.05, 0.3}, {4, 2, 0.3, 0.5}, {2, 1, 0.01, 1},
	} {
		s := softmaxOf(softmaxEvent(3, c.lambda, c.sigma))
		pi := facesOf(s)
		tail := func(g float64) float64 { // P(G ≥ g), or more
			sum, middle := 0.0, (g-s.r*s.r/2-s.rho)/s.r
			for u := -8.0; u <= 8; u += 1.0 / 16 {
				sum += special.NormalDensity(u) / 16 * pi(u+middle)
			}
			return math.Min(1, sum)
		}
		// Above 2κ, on a grid, by steps from the right: H(e) = ∫_e^∞ e^{e−g} P(G ≥ g) dg.
		step := math.Min(s.r, c.muOut) / 32
		const n = 1500
		profile := make([]float64, n+1)
		for i := n - 1; i >= 0; i-- {
			mass := tail(2*s.kappa + (float64(i)+0.5)*step)
			profile[i] = math.Exp(-step)*profile[i+1] - math.Expm1(-step)*mass
		}
		epsilon, exact := 2*s.kappa+c.over, 0.0
		const cells = 4000
		for i := range cells {
			v := 8 * (2*(float64(i)+0.5)/cells - 1)
			e := epsilon - c.muOut*v - c.muOut*c.muOut/2 - 2*s.kappa // over 2κ
			h := 0.0
			if e < 0 {
				h = -math.Expm1(e) + math.Exp(e)*profile[0]
			} else if at := int(e / step); at < n {
				h = profile[at+1] // which is less
			}
			exact += special.NormalDensity(v) * 16 / cells * h
		}
		got := math.Exp(newSoftmaxFaces(s).logDeltaWithGaussian(epsilon, c.muOut))
		t.Logf("%+v: %.4g, sums %.4g", c, got, exact)
		assert.Greater(t, got, exact*(1-1e-4))
		assert.Less(t, got, 2*exact)
	}
}

// The bracket's envelope is the largest of aM + 2ρa − (K/(K−1))κa² over a in [0, 1], by trying
// many; and its price is that of these, summed.
func TestSoftmaxEnvelopeIsTheLargestBracket(t *testing.T) {
	for _, c := range []struct {
		classes                int
		lambda, sigma, epsilon float64
	}{{3, 0.5, 2, 1}, {3, 2, 1.2, 0.3}, {5, 0.2, 1, 2}, {2, 0.5, 1, 0.5}} {
		s := softmaxOf(softmaxEvent(c.classes, c.lambda, c.sigma))
		k := float64(c.classes)
		r, rho := 1/c.sigma, 1/c.lambda
		bend := k / (k - 1) * (rho - r*r/2)
		require.Positive(t, bend)
		loss, delta := s.envelope(), 0.0
		const cells = 800
		for i := range cells {
			v := -9 + 18*(float64(i)+0.5)/cells
			most := 0.0
			for a := 0.0; a <= 1; a += 1.0 / 1024 {
				most = math.Max(most, a*(math.Sqrt2*r*v+2*rho-bend*a))
			}
			require.InDelta(t, most, loss.Loss(v), 1e-5*(1+bend), "%+v at %v", c, v)
			if most > c.epsilon {
				delta -= special.NormalDensity(v) * 18 / cells * math.Expm1(c.epsilon-most)
			}
		}
		got := math.Exp((&envelopeDirection{envelopeLoss: loss}).logDelta(c.epsilon))
		require.InEpsilon(t, delta, got, 1e-3, "%+v", c)
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
	epsilons := []float64{-2, -0.1, 0, 0.2, 1, 4}
	if testing.Short() {
		epsilons = epsilons[2:4] // all of them natively
	}
	for _, epsilon := range epsilons {
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

// The numbers that the softmax's price depends on are each at least what they are, in 400 bits: κ
// where it is above 0, and the bracket at a = 1, so that 2ρa − (K/(K−1))κa² is at every a.
func TestAllowanceOfTheSoftmaxRatios(t *testing.T) {
	u := units{randomtest.New(21)}
	for i := range 4000 {
		row := u.between(1e-6, 1e6)
		e := softmaxEvent(3, u.between(1e-4, 1e4)*row*row, u.between(1e-3, 1e3)*row)
		e.RowNorm, e.Lipschitz = row, privacy.SoftmaxSlope*row
		if i%4 == 0 { // where κ is next to 0
			e.Sigma = math.Sqrt(e.Lambda/2) * (1 + 1e-14)
		}
		for _, e.Classes = range []int{2, 3, 4, 100} {
			s := softmaxOf(e)
			longest := math.Max(row, e.Lipschitz/math.Sqrt2)
			r := over(number(longest), number(e.Sigma))
			rho := over(product(number(longest), number(longest)), number(e.Lambda))
			root := new(big.Float).SetPrec(bits).Sqrt(number(2))
			assert.GreaterOrEqual(t, number(s.r).Cmp(r), 0, "r of %+v", e)
			assert.GreaterOrEqual(t, number(s.rho).Cmp(rho), 0, "rho of %+v", e)
			assert.GreaterOrEqual(t, number(s.mu).Cmp(product(root, r)), 0, "mu of %+v", e)
			kappa := minus(rho, over(product(r, r), number(2)))
			if kappa.Sign() <= 0 {
				continue
			}
			assert.GreaterOrEqual(t, number(s.kappa).Cmp(kappa), 0, "kappa of %+v", e)
			k := float64(e.Classes)
			bend := over(product(kappa, number(k)), number(k-1))
			assert.GreaterOrEqual(t,
				minus(product(number(2), number(s.rho)), number(s.scaled)).
					Cmp(minus(product(number(2), rho), bend)), 0, "bracket of %+v", e)
		}
	}
}
