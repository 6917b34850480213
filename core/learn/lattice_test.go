package learn

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random"
	"cloister/core/random/randomtest"
)

func TestLatticeNoiseIsDrawnOnTheLattice(t *testing.T) {
	const grid = 0x1p-30
	x := []float64{0.1, -3, 1e-20, 7.25}
	out, err := AddLatticeNoise(x, 0.01, grid, randomtest.New(4))
	require.NoError(t, err)
	noise, err := random.NewDiscreteGaussian(0.01, grid)
	require.NoError(t, err)
	source := randomtest.New(4)
	for j := range x {
		k, err := noise.Sample(source)
		require.NoError(t, err)
		assert.Zero(t, math.Remainder(out[j], grid))
		assert.Equal(t, math.RoundToEven(x[j]/grid)*grid, out[j]-float64(k)*grid)
	}
}

func TestLatticeNoiseRefuses(t *testing.T) {
	_, err := AddLatticeNoise([]float64{0, math.NaN()}, 1, 0x1p-30, randomtest.New(1))
	assert.ErrorIs(t, err, ErrLattice)
	var parameter *random.ParameterError
	_, err = AddLatticeNoise([]float64{0}, 1, 0.3, randomtest.New(1))
	assert.ErrorAs(t, err, &parameter)
	dry := errors.New("dry")
	_, err = AddLatticeNoise([]float64{0}, 1, 0x1p-30, &randomtest.Script{Err: dry})
	assert.ErrorIs(t, err, dry)
}

// However far out a number is, there is an answer, on the lattice and finite; and
// two numbers out there have one answer, for they are moved to one point.
func TestLatticeNoiseOfLargeNumbers(t *testing.T) {
	const end = 0x1p23 - 0x1p-30
	for _, x := range []float64{0x1p23, 0x1p24, 1e300, math.MaxFloat64, math.Inf(1)} {
		for _, sign := range []float64{1, -1} {
			for seed := range uint64(50) {
				out, err := AddLatticeNoise([]float64{sign * x}, 1, 0x1p-30, randomtest.New(seed))
				require.NoError(t, err)
				assert.LessOrEqual(t, math.Abs(out[0]), end)
				assert.InDelta(t, sign*end, out[0], 10)
				assert.Zero(t, math.Remainder(out[0], 0x1p-30))
				same, err := AddLatticeNoise(
					[]float64{sign * end}, 1, 0x1p-30, randomtest.New(seed),
				)
				require.NoError(t, err)
				assert.Equal(t, same, out)
			}
		}
	}
	// Noise whose own index is far beyond the lattice's end.
	for seed := range uint64(50) {
		out, err := AddLatticeNoise([]float64{1}, 0x1p57, 1, randomtest.New(seed))
		require.NoError(t, err)
		assert.LessOrEqual(t, math.Abs(out[0]), 0x1p53-1)
	}
}

// The theorem, by numerical integration: continuous noise of variance s² − 25,
// rounded by the kernel, is the discrete Gaussian.
func TestContinuousNoiseRoundedAtRandomIsDiscreteNoise(t *testing.T) {
	for _, s := range []float64{6, 11.5} {
		const w = smoothing
		rest := math.Sqrt(s*s - w*w)
		gauss := func(x, sigma float64) float64 { return math.Exp(-x * x / (2 * sigma * sigma)) }
		total := 0.0
		for j := -400; j <= 400; j++ {
			total += gauss(float64(j), s)
		}
		for _, k := range []float64{0, 1, 3, 10, 25} {
			// The trapezoid rule is exact to double precision for such integrands.
			const h = 1.0 / 16
			sum := 0.0
			for x := -40 * rest; x <= 40*rest; x += h {
				weights := 0.0
				for j := math.Floor(x) - 60; j <= x+60; j++ {
					weights += gauss(j-x, w)
				}
				sum += gauss(x, rest) * gauss(k-x, w) / weights
			}
			sum *= h / (rest * math.Sqrt(2*math.Pi))
			assert.InEpsilon(t, gauss(k, s)/total, sum, 1e-12, "s = %g, k = %g", s, k)
		}
	}
}

func TestLatticeSensitivity(t *testing.T) {
	// 1/√(1 − 25·2^-20), at 30 digits.
	assert.InEpsilon(t, 1.00001192114212213, LatticeSensitivity(1, 1, 0x1p-10), 1e-14)
	assert.InEpsilon(t, 3*1.00001192114212213, LatticeSensitivity(3, 8, 0x1p-7), 1e-14)
	assert.Greater(t, LatticeSensitivity(1, 1, 0x1p-50), 1.0)
	assert.Less(t, LatticeSensitivity(1, 1, 0x1p-50), 1+1e-14)
	for _, bad := range []float64{
		LatticeSensitivity(1, 1023, 1), LatticeSensitivity(1, math.NaN(), 1),
		LatticeSensitivity(1, 0, 0),
	} {
		assert.True(t, math.IsInf(bad, 1))
	}
}
