package random

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// massFunction returns the probabilities of a law on the whole numbers whose
// weight at k is weight(|k|), a decreasing function, up to where it vanishes.
func massFunction(weight func(k float64) float64) func(k int) float64 {
	total, last := weight(0), 0
	for k := 1; ; k++ {
		w := weight(float64(k))
		if w < 1e-18*total {
			break
		}
		total += 2 * w
		last = k
	}
	return func(k int) float64 {
		if k > last || -k > last {
			return 0
		}
		return weight(math.Abs(float64(k))) / total
	}
}

func gaussianMass(s float64) func(int) float64 {
	return massFunction(func(k float64) float64 { return math.Exp(-k * k / (2 * s * s)) })
}

// massFault compares the frequencies of n draws with an exact law: every cell
// by Chernoff's bound, and all of them, pooled to at least 100 expected draws,
// by Pearson's statistic. It says what is wrong, or nothing; the probability of
// a false alarm is at most 2·falseAlarm.
func massFault(n int, draw func() int64, mass func(int) float64) string {
	counts := make(map[int]int)
	for range n {
		counts[int(draw())]++
	}
	reach := 0
	for k := range counts {
		reach = max(reach, k, -k)
	}
	for mass(reach+1) > 0 {
		reach++
	}
	var observed []int
	var expected []float64
	poolObserved, poolExpected := 0, 0.0
	for k := -reach; k <= reach; k++ {
		p := mass(k)
		if (p == 0 && counts[k] > 0) ||
			(p > 0 && !plausibleCount(counts[k], n, p, falseAlarm/float64(2*reach+1))) {
			return "the frequency of " + number(float64(k))
		}
		poolObserved += counts[k]
		poolExpected += p * float64(n)
		if poolExpected >= 100 {
			observed, expected = append(observed, poolObserved), append(expected, poolExpected)
			poolObserved, poolExpected = 0, 0
		}
	}
	last := len(observed) - 1
	observed[last] += poolObserved
	expected[last] += poolExpected
	if last > 0 && chiSquare(observed, expected) < falseAlarm {
		return "the frequencies taken together"
	}
	return ""
}

func sampler(t *testing.T, g *DiscreteGaussian, seed uint64) func() int64 {
	src := randomtest.New(seed)
	return func() int64 {
		k, err := g.Sample(src)
		require.NoError(t, err)
		return k
	}
}

var smallRatios = []float64{0.2, 0.3, 0.5, 0.7071, 0.99, 1, 1.5, 2, 3.7, 10.3, 40}

func TestDiscreteGaussianHasItsMassFunction(t *testing.T) {
	for i, s := range smallRatios {
		g, err := NewDiscreteGaussian(s, 1)
		require.NoError(t, err)
		assert.Empty(
			t, massFault(40_000, sampler(t, g, uint64(100+i)), gaussianMass(s)), "s = %v", s,
		)
	}
}

func TestDiscreteGaussianSabotageIsCaught(t *testing.T) {
	const n = 30_000
	for i, s := range []float64{0.4, 1, 3.7} {
		if testing.Short() && s != 1 {
			continue // all of them natively
		}
		honest, mass := newDiscreteGaussian(s), gaussianMass(s)
		seed := uint64(200 + 10*i)
		caught := func(what string, draw func() int64) {
			t.Helper()
			assert.NotEmpty(t, massFault(n, draw, mass), "s = %v: %s", s, what)
		}

		caught("noise halved", sampler(t, newDiscreteGaussian(s*0.5), seed))
		caught("noise 5 % larger", sampler(t, newDiscreteGaussian(s*1.05), seed+1))
		draw := sampler(t, honest, seed+2)
		caught("off by one", func() int64 { return draw() + 1 })
		caught("one sign", func() int64 { return max(draw(), -draw()) })

		// The rejection step left out: a discrete Laplace law remains.
		src := randomtest.New(seed + 3)
		caught("proposal taken as it is", func() int64 {
			y, negative, err := discreteLaplace(src, honest.t)
			require.NoError(t, err)
			if negative {
				return -int64(y.low)
			}
			return int64(y.low)
		})

		// "Negative and 0" not drawn anew: 0 comes twice as often against the
		// rest as it should.
		caught("zero with two signs", func() int64 {
			for {
				k := draw()
				if word, _ := src.Uint64(); k == 0 || word&1 == 0 {
					return k
				}
			}
		})
	}
}

func TestDiscreteLaplaceHasItsMassFunction(t *testing.T) {
	for i, scale := range []uint64{1, 2, 3, 10} {
		src := randomtest.New(uint64(300 + i))
		draw := func() int64 {
			k, err := DiscreteLaplace(src, scale)
			require.NoError(t, err)
			return k
		}
		mass := massFunction(func(k float64) float64 { return math.Exp(-k / float64(scale)) })
		assert.Empty(t, massFault(40_000, draw, mass), "t = %d", scale)
	}
	for _, scale := range []uint64{0, MaxLaplaceScale + 1} {
		_, err := DiscreteLaplace(randomtest.New(1), scale)
		var wrong *ParameterError
		require.ErrorAs(t, err, &wrong)
	}
	_, err := DiscreteLaplace(randomtest.New(1), MaxLaplaceScale)
	require.NoError(t, err)
}

// On a fine lattice the draws follow the continuous Gaussian to within the
// lattice, and their lowest bits are uniform.
func TestDiscreteGaussianOnFineLattices(t *testing.T) {
	const n = 30_000
	for i, s := range []float64{
		1000.5, 0x1p20, 1.1e9, 1 << 40, 0x1.23456789abcdep52, MaxGridRatio,
	} {
		g, err := NewDiscreteGaussian(s*0x1p-30, 0x1p-30)
		require.NoError(t, err)
		draw := sampler(t, g, uint64(400+i))
		scaled := make([]float64, n)
		low := make([]int, 16)
		for j := range scaled {
			k := draw()
			scaled[j] = float64(k) / s
			low[k&15]++
		}
		assert.LessOrEqual(
			t, ksDistance(scaled, normalCDF), ksThreshold(n, falseAlarm)+1/s, "s = %v", s,
		)
		assert.Greater(t, chiSquareUniform(low), falseAlarm, "s = %v", s)
		assert.Greater(t, ksDistance(scaled, func(x float64) float64 { return normalCDF(x / 0.9) }),
			ksThreshold(n, falseAlarm)+1/s, "s = %v: the test has no power", s)
	}
}

// s² = n/d, t and the denominator are the exact numbers that the algorithm
// wants, for any float64 ratio.
func TestDiscreteGaussianConstantsAreExact(t *testing.T) {
	for _, s := range []float64{
		MinGridRatio, 0.1, 1 - 0x1p-53, 1, 1 + 0x1p-52, math.Pi, 12, 0x1.fffffffffffffp30,
		0x1.fffffffffffffp52, 0x1.8p56, MaxGridRatio,
	} {
		g := newDiscreteGaussian(s)
		ratio := new(big.Rat).SetFloat64(s)
		square := new(big.Rat).Mul(ratio, ratio)
		bigT := new(big.Int).SetUint64(g.t)

		floor := new(big.Int).Quo(ratio.Num(), ratio.Denom())
		assert.Equal(t, floor.Add(floor, big.NewInt(1)).String(), bigT.String(), "t of %v", s)
		d := new(big.Int).Quo(g.td, bigT)
		assert.Zero(t, new(big.Int).Mul(d, bigT).Cmp(g.td))
		assert.Zero(t, square.Cmp(new(big.Rat).SetFrac(g.n, d)), "s² of %v", s)

		// γ at Y = 5 both ways.
		gap := new(
			big.Rat,
		).Sub(big.NewRat(5, 1), new(big.Rat).Quo(square, new(big.Rat).SetInt(bigT)))
		want := gap.Mul(gap, gap)
		want.Quo(want, square.Mul(square, big.NewRat(2, 1)))
		num := new(big.Int).Sub(new(big.Int).Mul(big.NewInt(5), g.td), g.n)
		assert.Zero(t, want.Cmp(new(big.Rat).SetFrac(num.Mul(num, num), g.den)), "γ of %v", s)
	}
}

func TestNewDiscreteGaussianTakesTheRatioExactly(t *testing.T) {
	for _, c := range []struct{ sigma, grid, ratio float64 }{
		{3.7, 1, 3.7},
		{3.7e-9, 0x1p-40, 3.7e-9 * 0x1p40},
		{0x1p-1040, 0x1p-1050, 1024},
		{0x1.8p1000, 0x1p990, 1536},
		{5e-324, 5e-324, 1},
		{0x1p-500, 0x1p-468, MinGridRatio},
		{0x1p57, 1, MaxGridRatio},
	} {
		got, err := NewDiscreteGaussian(c.sigma, c.grid)
		require.NoError(t, err, "%v on %v", c.sigma, c.grid)
		assert.Equal(t, newDiscreteGaussian(c.ratio), got)
	}
}

func TestNewDiscreteGaussianRefusesBadParameters(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		sigma, grid float64
		field       string
	}{
		{0, 1, "sigma"}, {-1, 1, "sigma"}, {inf, 1, "sigma"}, {nan, 1, "sigma"},
		{1, 0, "grid"}, {1, -1, "grid"}, {1, 3, "grid"}, {1, inf, "grid"}, {1, nan, "grid"}, {1, 0.1, "grid"},
		{math.Nextafter(0x1p57, inf), 1, "sigma"}, {math.Nextafter(0x1p-32, 0), 1, "sigma"},
		{1e300, 0x1p-1000, "sigma"}, {1e-300, 0x1p1000, "sigma"},
	} {
		_, err := NewDiscreteGaussian(c.sigma, c.grid)
		var parameter *ParameterError
		require.ErrorAs(t, err, &parameter, "%v on %v", c.sigma, c.grid)
		assert.Equal(t, c.field, parameter.Field, "%v on %v", c.sigma, c.grid)
	}
}

func TestDiscreteGaussianReturnsTheSourcesError(t *testing.T) {
	broken := errors.New("no more bits")
	g, err := NewDiscreteGaussian(1.5, 1)
	require.NoError(t, err)
	failures := 0
	for words := range 200 {
		k, err := g.Sample(randomtest.NewFailAfter(31, words, broken))
		if err != nil {
			require.ErrorIs(t, err, broken)
			assert.Zero(t, k)
			failures++
		}
	}
	assert.Greater(t, failures, 5)
	assert.Less(t, failures, 200)
}

// A source that repeats one word, whichever, ends in a number or in ErrStuck,
// not in an endless loop.
func TestDiscreteGaussianEndsOnAConstantSource(t *testing.T) {
	constants := []uint64{0, 1, math.MaxUint64, 1 << 63, 1 << 62, 3 << 61, 1<<63 - 1}
	stream := randomtest.New(32)
	for range 50 {
		word, _ := stream.Uint64()
		constants = append(constants, word)
	}
	stuck := 0
	for _, s := range []float64{MinGridRatio, 0.6, 1, 17.3, 1e9, MaxGridRatio} {
		g := newDiscreteGaussian(s)
		for _, word := range constants {
			if _, err := g.Sample(constant(word)); err != nil {
				require.ErrorIs(t, err, ErrStuck)
				stuck++
			}
		}
	}
	assert.Positive(t, stuck)
}

type constant uint64

func (c constant) Uint64() (uint64, error) { return uint64(c), nil }

// splitMix is Steele, Lea & Flood's generator: words that any other program
// can make again in three lines.
type splitMix uint64

func (s *splitMix) Uint64() (uint64, error) {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31, nil
}

// Golden draws: the algorithms written anew in Python with fractions.Fraction,
// on the same words (SplitMix64 from 2024). They must agree exactly, natively
// and under WebAssembly.
func TestDiscreteGaussianAgainstExactFractions(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want []int64
	}{
		{0.7, []int64{1, -1, 0, -1, 0, 1, -1, 1}},
		{3.25, []int64{2, -4, 5, 6, 1, 0, 2, 2}},
		{1.1e9, []int64{685042090, -1285737620, 2957651964, 397079195, 764252464, 330059494, 440595050, 254530501}},
		{0x1.23456789abcdep52, []int64{3191110131232548, -5989311317033649, 13777537576711003,
			1849701586184418,
			3560093333538054, 1537505811760016, 2052410134583923, 1185671466870038}},
	} {
		g, err := NewDiscreteGaussian(c.s, 1)
		require.NoError(t, err)
		src := splitMix(2024)
		for i, want := range c.want {
			got, err := g.Sample(&src)
			require.NoError(t, err)
			assert.Equal(t, want, got, "s = %v, draw %d", c.s, i)
		}
	}
}

// The lattice's tails exist: a proposal far out is accepted as it should be
// and not cut off.
func TestDiscreteGaussianAcceptsFarOut(t *testing.T) {
	g := newDiscreteGaussian(1)
	for y := int64(0); y <= 8; y++ {
		gap := new(big.Int).Mul(big.NewInt(y), g.td)
		gap.Sub(gap, g.n)
		gap.Mul(gap, gap)
		gamma, _ := new(big.Rat).SetFrac(gap, g.den).Float64()
		// t = 2, s = 1: γ = (y − 1/2)²/2.
		assert.Equal(t, (float64(y)-0.5)*(float64(y)-0.5)/2, gamma)
	}
}

// The bound on rejections in a row rests on how often a proposal is accepted.
func TestProposalsAreAcceptedOftenEnough(t *testing.T) {
	lowest := 1.0
	for s := 0x1p-20; s < 200; s = s*1.01 + 1e-3 {
		scale := math.Floor(s) + 1
		sum := 1.0
		for k := 1.0; k < 10*s+3; k++ {
			sum += 2 * math.Exp(-k*k/(2*s*s))
		}
		lowest = min(lowest, math.Tanh(1/(2*scale))*math.Exp(-s*s/(2*scale*scale))*sum)
	}
	assert.Greater(t, lowest, 0.42)

	// The proposal itself: U kept, and not "negative and 0".
	lowest = 1.0
	for scale := 1.0; scale < 1e4; scale = math.Floor(scale*1.1) + 1 {
		kept := (1 - math.Exp(-1)) / (scale * (1 - math.Exp(-1/scale)))
		zero := (1 - math.Exp(-1/scale)) / 2
		lowest = min(lowest, kept*(1-zero))
	}
	assert.Greater(t, lowest, 0.42)
	assert.Less(t, math.Pow(1-0.42, maxAttempts), 0x1p-400)
}
