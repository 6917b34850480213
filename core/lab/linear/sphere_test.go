package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of 100,000 features the density is known to ten digits or so, fewer than are asked of the
// integral: what is found is taken. The sums here are of Simpson's rule, of the bracket and of the
// density.
func TestSphereDeltaOfManyFeatures(t *testing.T) {
	const k, steps = 100_000, 20_000
	for _, c := range [][2]float64{
		{0.0008352100000000001, 0.17085937500000004}, {0.03427189630763299, 0.050625},
		{0.058262223722976084, 0.5766503906250001},
	} {
		mu, epsilon := c[0], c[1]
		excess := epsilon - mu*mu/2
		density := func(r float64) float64 {
			return math.Exp((k-1)*math.Log(r/math.Sqrt(k)) - (r*r-k)/2)
		}
		simpson := func(low, high float64, f func(r float64) float64) float64 {
			sum, step := f(low)+f(high), (high-low)/steps
			for i := 1; i < steps; i++ {
				sum += float64(2+2*(i%2)) * f(low+float64(i)*step)
			}
			return sum * step / 3
		}
		bottom, top := math.Sqrt(k)-12, math.Sqrt(k)+12
		want := simpson(math.Max(bottom, excess/mu), top, func(r float64) float64 {
			return density(r) * -math.Expm1(excess-mu*r)
		}) / simpson(bottom, top, density)
		is, err := SphereDelta(k, mu, epsilon)
		require.NoError(t, err)
		assert.InEpsilon(t, want, is, 1e-9)
	}
}
