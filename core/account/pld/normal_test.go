package pld

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/special"
)

// The ratio of a bin to the shifted one is within its slack of the exact one, whatever the bin
// and the shift, and the slack of a small shift is small beside the shift.
func TestTheRatioOfABinIsWithinItsSlack(t *testing.T) {
	means := []float64{0, -1.7, 6, 1e-9, -0.3, 1, 3, -11}
	if testing.Short() {
		means = means[:3] // all of them natively
	}
	for _, m := range means {
		for _, w := range []float64{1e-9, 1e-4, 3e-3, 0.01, 0.05, 0.19} {
			for _, s := range []float64{-1e-2, 1e-4, -1e-6, 1e-7, 4e-8, -1e-10, 1e-13} {
				if w*math.Max(1, math.Abs(m)+math.Abs(s)) >= 0.2 {
					continue
				}
				a, b := m-w, m+w
				own := normalOf(number(a), number(b))
				shifted := normalOf(plus(number(a), number(s)), plus(number(b), number(s)))
				_, got, slack := normalBin(a, b, s)
				off := math.Abs(float(minus(logOf(over(own, shifted)), number(got))))
				assert.LessOrEqual(t, off, slack, "m %v w %v s %v", m, w, s)
				if s*s*w*w*w <= 0x1p-50 {
					assert.Less(t, slack, 2e-14*math.Abs(s)*(1+math.Abs(m)))
				}
			}
		}
	}
}

// What a mass above the window adds is bounded by the largest of (1 − e^{ε−x})e^{−r(x−top)} over
// x ≥ top, looked for on a grid and at its stationary point, times the moment's e^{K−r·top}.
func TestWhatIsBeyondAWindowIsBounded(t *testing.T) {
	for _, r := range []float64{1e-6, 0.1, 1, 7, 1e3, 1e9} {
		for _, room := range []float64{1e-12, 1e-6, 0.01, 0.3, 1, 20} {
			e := &end{window: window{above: r}, moments: [3]float64{0, 0, 3}}
			e.offset, e.step = -1, 0 // every loss is −1: so is the top
			found := math.Inf(-1)
			weigh := func(y float64) {
				found = math.Max(found, math.Log(-math.Expm1(-room-y))-r*y)
			}
			weigh(0)
			weigh(math.Max(0, math.Log1p(1/r)-room))
			for k := range 400 {
				weigh(math.Exp(float64(k-300) / 10))
			}
			got := e.logBeyond(-1-room) - (3 + r)
			// What is to be lost is no more than the rounding of the sums in this test.
			tiny := 0x1p-49 * (3 + r + math.Abs(found))
			assert.InDelta(t, found, got, 1e-9+2*tiny+r*0x1p-40, "r %v room %v", r, room)
			if r <= 1 && room >= 0.01 {
				assert.Greater(t, got-found, 0x1p-52, "r %v room %v", r, room)
			}
		}
	}
}

// With huge noise the loss of a sampled step is q·t(1 + O(1/σ)), t that of the Gaussian, so T
// steps together are a Gaussian mechanism with μ = q√T/σ, within a few times 1/σ: its profile is
// in closed form. The answers enclose it, and closely.
func TestHugeNoiseIsPricedAsSharplyAsUsual(t *testing.T) {
	nativetest.Only(t)
	for _, sigma := range []float64{1e7, 1e9, 1e11} {
		for _, c := range []struct {
			q     float64
			steps int
		}{{0.217, 373}, {0.01, 10_000}, {0.9, 20}} {
			name := fmt.Sprintf("σ %v q %v T %v", sigma, c.q, c.steps)
			d, err := Of(privacy.SubsampledGaussian{
				Adjacency: privacy.AddRemove, Rate: c.q, NoiseMultiplier: sigma, Steps: c.steps,
			}, Options{})
			require.NoError(t, err)
			mu := c.q * math.Sqrt(float64(c.steps)) / sigma
			for _, k := range []float64{0, 0.1, 1, 3, 8, 20} {
				i, err := d.Delta(k * mu)
				require.NoError(t, err)
				// φ(k) − k·Φ(−k), times μ: the terms in μ² are below 1e-6.
				want := math.Log(mu) + special.LogNormalDensity(k) +
					math.Log(1-k*special.Mills(k))
				assert.LessOrEqual(t, i.LogLower, want+1e-5*(1+k*k), "%s ε = %vμ", name, k)
				assert.GreaterOrEqual(t, i.LogUpper, want-1e-5*(1+k*k), "%s ε = %vμ", name, k)
				assert.Less(t, i.LogUpper-i.LogLower, 4e-3*(1+k*k), "%s ε = %vμ", name, k)
			}
		}
	}
}
