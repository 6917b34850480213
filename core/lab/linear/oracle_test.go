package linear

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/search"
)

// The oracle gives the least of f(w) − ⟨η, φ(w)⟩, by enumeration and the features themselves, but
// for the rounding of its costs.
func TestOracleIsEnumeration(t *testing.T) {
	p := search.Problem{
		Shape:     search.Shape{Levels: []int{2, 3}, Bound: 1},
		Positives: []int64{3, 0, 7, 2, 5, 1}, Negatives: []int64{1, 4, 6, 0, 3, 9},
	}
	c := Ternary(5)
	source := randomtest.New(41)
	for _, m := range Mechanisms() {
		eta := make([]float64, m.Features.Count(c))
		for range 50 {
			require.NoError(t, random.Gaussian(source, eta, 8))
			value := func(w []int) float64 {
				points := make(search.Points, len(w))
				for j, v := range w {
					points[j] = int8(v)
				}
				sum := float64(p.Loss(points))
				for i, v := range m.Features.Of(c, w) {
					sum -= eta[i] * v
				}
				return sum
			}
			least := math.Inf(1)
			for _, w := range c.all() {
				least = math.Min(least, value(w))
			}
			points, certificate, err := Minimise(context.Background(), p, m.Features, eta)
			require.NoError(t, err)
			w := make([]int, len(points))
			for j, v := range points {
				w[j] = int(v)
			}
			assert.InDelta(t, least, value(w), 2*6./unit, m.Name)
			assert.True(t, certificate.Complete)
		}
	}
	_, _, err := Minimise(context.Background(), p, Sphere{}, make([]float64, 5))
	assert.Error(t, err)
}

// E‖w(σ; Z) − w(σ; Z')‖₁ of one record more is within the stability that is proved, and so is the
// mean of many runs within its sensitivity, on a line of points and a loss that jumps.
func TestOPSampIsAsStableAsProved(t *testing.T) {
	o := OPSamp{Dimension: 2, Diameter: 2, Lipschitz: 1, Rate: 0.02, Calls: 4000}
	c := Ternary(2) // D_∞ = 2; losses in [0, 1] are 1-Lipschitz in ℓ₁
	all := c.all()
	minimiser := func(record float64, sigma []float64) []int {
		best, at := math.Inf(1), []int(nil)
		for _, w := range all {
			value := -sigma[0]*float64(w[0]) - sigma[1]*float64(w[1]) +
				40*math.Abs(float64(w[0])) + 30*math.Abs(float64(w[1]-w[0]))
			if (w[0]+w[1])%2 != 0 {
				value += record
			}
			if value < best {
				best, at = value, w
			}
		}
		return at
	}
	source := randomtest.New(43)
	apart, mean := 0.0, [2]float64{}
	for range o.Calls {
		var sigma [2]float64
		for j := range sigma {
			var err error
			sigma[j], err = gamma(source, 1, 1/o.Rate)
			require.NoError(t, err)
		}
		w, u := minimiser(0, sigma[:]), minimiser(1, sigma[:])
		for j := range w {
			apart += math.Abs(float64(w[j]-u[j])) / float64(o.Calls)
			mean[j] += float64(w[j]-u[j]) / float64(o.Calls)
		}
	}
	assert.Positive(t, apart)
	assert.Less(t, apart, o.Stability(2))
	assert.Less(t, math.Abs(mean[0])+math.Abs(mean[1]), o.Sensitivity(2, 1e-6))
	assert.Less(t, 30*o.Stability(2), o.PublishedStability())
}
