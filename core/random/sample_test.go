package random

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// Sizes are binomial, every member is as likely as every other, and neighbours
// are as independent as things far apart.
func TestPoissonSamples(t *testing.T) {
	const n, times = 60, 40_000
	for _, rate := range []float64{0.03, 0.3, 0.5, 0.97} {
		p, err := NewPoissonSampler(rate)
		require.NoError(t, err)
		source := randomtest.New(uint64(1000 * rate))
		sizes, members := make([]int, n+1), make([]int, n)
		both := make([]int, n)
		var sample []int32
		for range times {
			sample, err = p.Sample(source, n, sample)
			if err != nil {
				t.Fatal(err)
			}
			sizes[len(sample)]++
			for k, i := range sample {
				members[i]++
				if k > 0 {
					if sample[k-1] >= i {
						t.Fatal("members are not in ascending order")
					}
					if sample[k-1] == i-1 {
						both[i]++
					}
				}
			}
		}
		for i := range n {
			assert.True(t, plausibleCount(members[i], times, rate, falseAlarm/10))
			if i > 0 {
				assert.True(t, plausibleCount(both[i], times, rate*rate, falseAlarm/10))
			}
		}
		// Pool sizes until 25 are expected of each.
		var observed []int
		var expected []float64
		count, mass := 0, 0.0
		for k, o := range sizes {
			choose, _ := math.Lgamma(n + 1)
			a, _ := math.Lgamma(float64(k) + 1)
			b, _ := math.Lgamma(float64(n-k) + 1)
			count += o
			mass += times * math.Exp(
				choose-a-b+float64(k)*math.Log(rate)+float64(n-k)*math.Log1p(-rate),
			)
			if mass >= 25 {
				observed, expected = append(observed, count), append(expected, mass)
				count, mass = 0, 0
			}
		}
		last := len(observed) - 1
		observed[last] += count
		expected[last] += mass
		assert.Greater(t, chiSquare(observed, expected), falseAlarm, "rate %g", rate)
	}
}

// Gaps longer than the table: as likely as they should be, with no memory.
func TestLongGaps(t *testing.T) {
	const rate, n, times = 0x1p-12, 20_000, 4000
	p, err := NewPoissonSampler(rate)
	require.NoError(t, err)
	require.Len(t, p.gaps.low, maxGaps)
	source := randomtest.New(8)
	size, empty := 0, 0
	halves := [2]int{}
	for range times {
		sample, err := p.Sample(source, n, nil)
		require.NoError(t, err)
		size += len(sample)
		if len(sample) == 0 {
			empty++
		}
		for _, i := range sample {
			halves[i/(n/2)]++
		}
	}
	assert.True(t, plausibleCount(size, n*times, rate, falseAlarm))
	assert.True(t, plausibleCount(empty, times, math.Exp(n*math.Log1p(-rate)), falseAlarm))
	assert.True(t, plausibleCount(halves[0], n/2*times, rate, falseAlarm))
}

func TestPoissonSamplerEnds(t *testing.T) {
	for rate, want := range map[float64][]int32{0: {}, 1: {0, 1, 2}} {
		p, err := NewPoissonSampler(rate)
		require.NoError(t, err)
		assert.Equal(t, rate, p.Rate())
		sample, err := p.Sample(&randomtest.Script{}, 3, make([]int32, 7))
		require.NoError(t, err)
		assert.Equal(t, want, sample)
	}
	var parameter *ParameterError
	for _, rate := range []float64{-0.1, 1.1, math.NaN(), 0x1p-41} {
		_, err := NewPoissonSampler(rate)
		assert.ErrorAs(t, err, &parameter)
	}
	p, err := NewPoissonSampler(0.5)
	require.NoError(t, err)
	_, err = p.Sample(randomtest.New(1), -1, nil)
	assert.ErrorAs(t, err, &parameter)
	sample, err := p.Sample(randomtest.New(1), 0, nil)
	require.NoError(t, err)
	assert.Empty(t, sample)
	dry := errors.New("dry")
	sample, err = p.Sample(randomtest.NewFailAfter(1, 2, dry), 100, nil)
	assert.ErrorIs(t, err, dry)
	assert.Empty(t, sample)
}

func TestPoisson(t *testing.T) {
	const times = 100_000
	for _, mean := range []float64{0x1p-9, 0.5, 1, 2.7, 15.4} {
		source := randomtest.New(uint64(mean * 1000))
		counts := map[int]int{}
		for range times {
			k, err := Poisson(source, mean)
			if err != nil { // cheaper than an assertion for each
				require.NoError(t, err)
			}
			counts[k]++
		}
		var observed []int
		var expected []float64
		seen, mass := 0, 0.0
		for k := range 100 {
			factorial, _ := math.Lgamma(float64(k) + 1)
			seen += counts[k]
			mass += times * math.Exp(float64(k)*math.Log(mean)-mean-factorial)
			if mass >= 25 {
				observed, expected = append(observed, seen), append(expected, mass)
				seen, mass = 0, 0
			}
		}
		last := len(observed) - 1
		observed[last] += seen
		expected[last] += mass
		assert.Greater(t, chiSquare(observed, expected), falseAlarm, "mean %g", mean)
	}
	var parameter *ParameterError
	for _, mean := range []float64{0, -1, math.NaN(), 1e9} {
		_, err := Poisson(randomtest.New(1), mean)
		assert.ErrorAs(t, err, &parameter)
	}
	_, err := Poisson(&randomtest.Script{}, 3)
	assert.ErrorIs(t, err, randomtest.ErrExhausted)
}

func TestBelow(t *testing.T) {
	var parameter *ParameterError
	for _, n := range []uint64{0, 1<<58 + 1} {
		_, err := Below(randomtest.New(1), n)
		assert.ErrorAs(t, err, &parameter)
	}
	k, err := Below(randomtest.New(1), 1)
	require.NoError(t, err)
	assert.Zero(t, k)
}

// A sample of 256 of Adult's records.
func BenchmarkPoissonSample(b *testing.B) {
	p, err := NewPoissonSampler(256.0 / 36177)
	require.NoError(b, err)
	source, sample := Secure(), make([]int32, 0, 512)
	for b.Loop() {
		if sample, err = p.Sample(source, 36177, sample); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGaussianCells1000(b *testing.B) {
	source, dst := Secure(), make([]float64, 1000)
	for b.Loop() {
		if err := GaussianCells(source, dst, 20); err != nil {
			b.Fatal(err)
		}
	}
}
