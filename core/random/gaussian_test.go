package random

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

func drawGaussians(t *testing.T, seed uint64, n int, sigma float64) []float64 {
	dst := make([]float64, n)
	require.NoError(t, Gaussian(randomtest.New(seed), dst, sigma))
	return dst
}

func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// gaussianFault looks for a departure of draws from independent N(0, 1) and
// names the first one found. Each of its checks raises a false alarm with
// probability at most falseAlarm, at most 16 of them are made.
func gaussianFault(draws []float64) string {
	n := len(draws)
	if ksDistance(draws, normalCDF) > ksThreshold(n, falseAlarm) {
		return "the distribution function"
	}
	// Radius and angle of a pair: e^(−r²/2) and the angle are uniform.
	radii, angles := make([]float64, 0, n/2), make([]float64, 0, n/2)
	for i := 0; i+1 < n; i += 2 {
		x, y := draws[i], draws[i+1]
		radii = append(radii, math.Exp(-(x*x+y*y)/2))
		angles = append(angles, math.Atan2(y, x)/(2*math.Pi)+0.5)
	}
	uniform := func(x float64) float64 { return x }
	if ksDistance(radii, uniform) > ksThreshold(len(radii), falseAlarm) {
		return "the radius of pairs"
	}
	if ksDistance(angles, uniform) > ksThreshold(len(angles), falseAlarm) {
		return "the angle of pairs"
	}
	// Tails: counts beyond k standard deviations, on either side.
	for _, k := range []float64{2, 3, 4} {
		above, below := 0, 0
		for _, x := range draws {
			if x > k {
				above++
			}
			if x < -k {
				below++
			}
		}
		if p := normalCDF(-k); !plausibleCount(above, n, p, falseAlarm) ||
			!plausibleCount(below, n, p, falseAlarm) {
			return "the tails beyond " + number(k)
		}
	}
	// Neighbours at lags 1, 2 and 3 in an 8×8 table of equally likely cells.
	for lag := 1; lag <= 3; lag++ {
		observed := make([]int, 64)
		for i := 0; i+lag < n; i += 2 * lag { // disjoint pairs
			row, column := int(8*normalCDF(draws[i])), int(8*normalCDF(draws[i+lag]))
			observed[8*min(row, 7)+min(column, 7)]++
		}
		if chiSquareUniform(observed) < falseAlarm {
			return "the independence of draws"
		}
	}
	return ""
}

func TestGaussianDistribution(t *testing.T) {
	draws := drawGaussians(t, 4, 200_000, 1)
	assert.Empty(t, gaussianFault(draws))

	// Mean, variance and kurtosis by their known standard errors; 5.4 standard
	// errors is a false alarm of 7e-8 each.
	var m1, m2, m4 float64
	for _, x := range draws {
		m1 += x
		m2 += x * x
		m4 += x * x * x * x
	}
	n := float64(len(draws))
	assert.InDelta(t, 0, m1/n, 5.4/math.Sqrt(n))
	assert.InDelta(t, 1, m2/n, 5.4*math.Sqrt(2/n))
	assert.InDelta(t, 3, m4/n, 5.4*math.Sqrt(96/n))
}

func TestGaussianSabotageIsCaught(t *testing.T) {
	for name, spoilt := range map[string]func(x []float64){
		"noise halved":       func(x []float64) { scale(x, 0.5) },
		"noise 2.5 % larger": func(x []float64) { scale(x, 1.025) },
		"one sign": func(x []float64) {
			for i := range x {
				x[i] = math.Abs(x[i])
			}
		},
		"tails cut": func(x []float64) {
			for i := range x {
				x[i] = max(-3, min(3, x[i]))
			}
		},
		"a pair shares its radius' sign": func(x []float64) {
			for i := 0; i+1 < len(x); i += 2 {
				x[i+1] = math.Copysign(x[i+1], x[i])
			}
		},
		"every second draw repeated": func(x []float64) {
			for i := 0; i+1 < len(x); i += 2 {
				x[i+1] = x[i]
			}
		},
	} {
		draws := drawGaussians(t, 5, 200_000, 1)
		spoilt(draws)
		assert.NotEmpty(t, gaussianFault(draws), name)
	}
}

func scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

func TestGaussianScalesAndFillsAnyLength(t *testing.T) {
	one := drawGaussians(t, 6, 7, 1)
	for _, sigma := range []float64{0x1p-600, 1e-9, 3.25, 0x1p900} {
		for n := range 8 {
			for i, x := range drawGaussians(t, 6, n, sigma) {
				assert.InEpsilon(t, one[i], x/sigma, 4*roundoff)
			}
		}
	}
}

func TestGaussianRefusesBadSigma(t *testing.T) {
	for _, sigma := range []float64{0, -1, math.NaN(), math.Inf(1), 0x1p-601, 0x1p901} {
		dst := []float64{1, 2, 3}
		err := Gaussian(randomtest.New(1), dst, sigma)
		var parameter *ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, "sigma", parameter.Field)
		assert.Contains(t, err.Error(), "sigma is "+number(sigma))
		for _, x := range dst {
			assert.True(t, math.IsNaN(x))
		}
	}
}

func TestGaussianReturnsTheSourcesErrorAndNoNumbers(t *testing.T) {
	broken := errors.New("the well is dry")
	for words := range 8 {
		dst := make([]float64, 4) // needs 8 words
		require.ErrorIs(t, Gaussian(randomtest.NewFailAfter(7, words, broken), dst, 1), broken)
		for _, x := range dst {
			assert.True(t, math.IsNaN(x), "%d words", words)
		}
	}
	require.NoError(t, Gaussian(randomtest.NewFailAfter(7, 8, broken), make([]float64, 4), 1))
}

func TestGaussianNoticesASourceOfZeros(t *testing.T) {
	dst := make([]float64, 2)
	require.ErrorIs(t, Gaussian(&randomtest.Script{Words: make([]uint64, 100)}, dst, 1), ErrStuck)
	assert.True(t, math.IsNaN(dst[0]))
}
