package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
)

// scores is a data set of three classes and one column: plus[k] records of class k with x =
// R = 1, and minus[k] with x = −1.
type scores struct{ plus, minus [3]float64 }

// exact integrates both directions of one record more, of class 0 and x = 1, against these
// data, at ε, from the densities of theory §2. Θ has three numbers. Along (1, 1, 1) nothing
// depends on the data but λ, the same for both; so the integral is over the plane of θ
// that sum to 0, in coordinates s, t along (2, −1, −1)/√6 and (0, 1, −1)/√2.
func (z scores) exact(lambda, sigma, epsilon float64) (added, removed float64) {
	axes := [2][3]float64{
		{2 / math.Sqrt(6), -1 / math.Sqrt(6), -1 / math.Sqrt(6)},
		{0, 1 / math.Sqrt2, -1 / math.Sqrt2},
	}
	n := 0.0
	for k := range 3 {
		n += z.plus[k] + z.minus[k]
	}
	// The density of Z and of Z and the record, but for a common factor.
	density := func(theta [3]float64, one float64) float64 {
		gradient := [3]float64{}
		var h [2][2]float64
		add := func(weight, x float64, class [3]float64) {
			var p [3]float64
			top := math.Max(x*theta[0], math.Max(x*theta[1], x*theta[2]))
			sum := 0.0
			for k := range 3 {
				p[k] = math.Exp(x*theta[k] - top)
				sum += p[k]
			}
			for k := range 3 {
				p[k] /= sum
				gradient[k] += x * (weight*p[k] - class[k])
			}
			for a := range 2 {
				for b := range 2 {
					mean, both, other := 0.0, 0.0, 0.0
					for k := range 3 {
						both += p[k] * axes[a][k] * axes[b][k]
						mean += p[k] * axes[a][k]
						other += p[k] * axes[b][k]
					}
					h[a][b] += weight * (both - mean*other)
				}
			}
		}
		count := func(c [3]float64) float64 { return c[0] + c[1] + c[2] }
		with := z.plus
		with[0] += one
		add(count(with), 1, with)
		add(count(z.minus), -1, z.minus)
		square := 0.0
		for k := range 3 {
			g := gradient[k] + lambda*theta[k]
			square += g * g
		}
		det := (h[0][0]+lambda)*(h[1][1]+lambda) - h[0][1]*h[1][0]
		return math.Exp(-square/(2*sigma*sigma)) / (2 * math.Pi * sigma * sigma) * det
	}
	// Where b = −∇J is 9σ long or less, θ is no longer than that and n gradients make it;
	// a coarse pass finds the part of that square where the densities are.
	reach := (9*sigma + math.Sqrt2*(n+1)) / lambda
	box := [2][2]float64{{-reach, reach}, {-reach, reach}}
	for pass := range 4 {
		steps := 160
		if pass == 3 {
			steps = 700
		}
		width := [2]float64{
			(box[0][1] - box[0][0]) / float64(steps), (box[1][1] - box[1][0]) / float64(steps),
		}
		found := [2][2]float64{
			{math.Inf(1), math.Inf(-1)}, {math.Inf(1), math.Inf(-1)},
		}
		most, mass := 0.0, 0.0
		added, removed = 0, 0
		type place struct {
			at    [2]float64
			value float64
		}
		var places []place
		for i := range steps {
			for j := range steps {
				at := [2]float64{
					box[0][0] + (float64(i)+0.5)*width[0], box[1][0] + (float64(j)+0.5)*width[1],
				}
				var theta [3]float64
				for k := range 3 {
					theta[k] = at[0]*axes[0][k] + at[1]*axes[1][k]
				}
				without, with := density(theta, 0), density(theta, 1)
				mass += without
				added += math.Max(0, with-math.Exp(epsilon)*without)
				removed += math.Max(0, without-math.Exp(epsilon)*with)
				if pass < 3 {
					places = append(places, place{at, without + with})
					most = math.Max(most, without+with)
				}
			}
		}
		area := width[0] * width[1]
		if pass == 3 {
			if math.Abs(mass*area-1) > 1e-4 {
				return math.NaN(), math.NaN()
			}
			return added * area, removed * area
		}
		for _, p := range places {
			if p.value < most*1e-13 {
				continue
			}
			for k := range 2 {
				found[k][0] = math.Min(found[k][0], p.at[k]-2*width[k])
				found[k][1] = math.Max(found[k][1], p.at[k]+2*width[k])
			}
		}
		box = found
	}
	return added, removed
}

// What explicit data cost, from densities on the plane of scores, is never more than the
// bound. Values of the worst of 81 data sets are those of an independent program
// (verify_softmax.py of the design notes, a grid of its own). It is below the price of one
// Gaussian mechanism in these cases: the data do not pin p hard enough.
func TestSoftmaxExactOnThePlane(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct {
		epsilon, r, lambda float64
		data               scores
		want               float64
	}{
		{0.3, 0.5, 1.818, scores{[3]float64{0, 30, 0}, [3]float64{10, 0, 0}}, 1.5965e-01},
		{1, 1, 2, scores{[3]float64{0, 30, 0}, [3]float64{10, 0, 0}}, 2.4773e-01},
		{1, 1, 1, scores{[3]float64{0, 30, 0}, [3]float64{10, 0, 0}}, 2.6319e-01},
		{1, 1, 0.5, scores{[3]float64{0, 0, 30}, [3]float64{10, 0, 0}}, 2.7260e-01},
		{3, 2, 0.5, scores{[3]float64{0, 30, 0}, [3]float64{10, 0, 0}}, 4.7699e-01},
	} {
		sigma := 1 / c.r
		added, removed := c.data.exact(c.lambda, sigma, c.epsilon)
		require.False(t, math.IsNaN(added))
		assert.InEpsilon(t, c.want, math.Max(added, removed), 1e-3)
		up, down := softmaxDirections(softmaxEvent(3, c.lambda, sigma))
		assert.Less(t, added, math.Exp(up.logDelta(c.epsilon)))
		assert.Less(t, removed, math.Exp(down.logDelta(c.epsilon)))
	}
}

// With no other record and three classes, removing one costs up to twice what one Gaussian
// mechanism of sensitivity √2·R does: softmax is not one Gaussian at the λ that fits are
// made with. Ratios at δ_G(ε; √2·R/σ) = 1e-5 are those of an independent quadrature
// (onegaussian.md §3), m = λ·ε(K−1)/(K·R²).
func TestSoftmaxIsNotOneGaussian(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct{ epsilon, m, want float64 }{
		{1, 1, 1.83}, {1, 3, 1.07}, {0.5, 1, 1.79}, {3, 1, 1.87}, {3, 3, 1.23},
	} {
		sigma := noiseFor(c.epsilon, func(sigma float64) float64 {
			return logGaussianDelta(c.epsilon, math.Sqrt2/sigma)
		})
		lambda := c.m * 1.5 / c.epsilon
		_, exact := scores{}.exact(lambda, sigma, c.epsilon)
		ratio := exact / 1e-5
		assert.InDelta(t, c.want, ratio, 0.02, "ε %g, m %g", c.epsilon, c.m)
		_, removed := softmaxDirections(softmaxEvent(3, lambda, sigma))
		assert.LessOrEqual(t, exact, math.Exp(removed.logDelta(c.epsilon))*(1+1e-3))
		assert.Less(t, 2.0, math.Exp(removed.logDelta(c.epsilon))/1e-5*(1+1e-3), "the union bound")
	}
}
