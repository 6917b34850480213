package dpsgd

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/random/randomtest"
)

// The theorem's two numbers: no record's vector of whole numbers is longer than
// D, in exact arithmetic, whatever θ, the record and the threshold are; and the
// noise is at least z_σ·D.
func TestNoRecordIsLongerThanTheNoiseAssumes(t *testing.T) {
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	source := randomtest.New(12)
	closest := 0.0
	for _, loss := range []glm.Loss{glm.Logistic{}, huber, glm.Squared{}} {
		for _, d := range []int{1, 2, 30, 1000} {
			schema := learntest.Schema(d, 0)
			for _, clip := range []float64{0x1p-100, 1e-3, 0.3, 1, 5, 0x1p100} {
				for _, z := range []float64{minNoiseMultiplier, 0.3, 1, 1.999, 2, 500, 1e5} {
					var rows [][]float64
					var labels []float64
					for k := range 3 {
						row := make([]float64, d)
						for j := range row {
							if k == 0 || learntest.Uniform(source) < 0.3 {
								row[j] = learntest.Uniform(source) / math.Sqrt(float64(d))
							}
						}
						rows, labels = append(rows, row), append(
							labels, math.Copysign(1, learntest.Uniform(source)-0.5),
						)
					}
					problem := learntest.Problem(schema, rows, labels)
					problem.Loss = loss
					plan := planOf(NewSGD(1))
					plan.Rate, plan.Clip, plan.NoiseMultiplier = 1, clip, z
					if clip > 1 && math.IsInf(loss.MaxSlope(), 1) {
						plan.Clip = 1
					}
					run, err := prepare(problem, plan)
					require.NoError(t, err)
					l := run.lattice
					assertExactly(t, l, z)
					theta := make([]float64, d)
					for _, size := range []float64{0, 1, 1e3, learn.Farthest} {
						for j := range theta {
							theta[j] = size * (2*learntest.Uniform(source) - 1)
						}
						for i := range rows {
							clear(run.sum)
							run.sample = []int32{int32(i)}
							run.gradients(theta)
							squares := new(big.Int)
							for _, x := range run.sum {
								if x != math.Trunc(x) || math.Abs(x) > 0x1p40 {
									t.Fatalf("%g is no small whole number", x)
								}
								whole := big.NewInt(int64(x))
								squares.Add(squares, whole.Mul(whole, whole))
							}
							length, _ := new(big.Float).Sqrt(new(big.Float).SetInt(squares)).
								Float64()
							if !(length <= l.longest) {
								t.Fatalf("a vector of length %g, longer than %g", length, l.longest)
							}
							closest = math.Max(closest, length/l.longest)
						}
					}
				}
			}
		}
	}
	assert.Greater(t, closest, 0.99999, "the bound is sharp")
}

// assertExactly checks 2^k ≥ z·D in exact arithmetic.
func assertExactly(t *testing.T, l lattice, z float64) {
	t.Helper()
	product := new(big.Float).SetPrec(200).
		Mul(new(big.Float).SetFloat64(z), new(big.Float).SetFloat64(l.longest))
	if product.Cmp(new(big.Float).SetMantExp(big.NewFloat(1), l.bits)) > 0 {
		t.Fatalf("the noise is less than %g times the longest vector", z)
	}
}

// Neighbours' sums differ by the vector of the record that one of them has
// more, to the last digit and in any order.
func TestSumsOfNeighbours(t *testing.T) {
	problem := learntest.Clinic()
	run, err := prepare(problem, planOf(NewSGD(1)))
	require.NoError(t, err)
	theta := []float64{3, -2, 1}
	sumOf := func(sample []int32) []float64 {
		clear(run.sum)
		run.sample = sample
		run.gradients(theta)
		return append([]float64(nil), run.sum...)
	}
	var all, backwards []int32
	for i := range int32(300) {
		all, backwards = append(all, i), append(backwards, 299-i)
	}
	assert.Equal(t, sumOf(all), sumOf(backwards))
	whole := sumOf(all)
	for _, i := range []int32{0, 17, 299} {
		one, rest := sumOf([]int32{i}), sumOf(
			append(append([]int32(nil), all[:i]...), all[i+1:]...),
		)
		for j := range whole {
			assert.Equal(t, whole[j], one[j]+rest[j])
		}
	}
}

// One step on no records is noise alone: its moments in units of the gradient.
func TestNoiseOfAStep(t *testing.T) {
	problem := learntest.Problem(learntest.Schema(2, 0), nil, nil)
	const n = 100_000
	for _, z := range []float64{0.05, 1.5, 40} {
		plan := planOf(NewSGD(1))
		plan.NoiseMultiplier, plan.Batch = z, 3
		run, err := prepare(problem, plan)
		require.NoError(t, err)
		source := randomtest.New(5)
		deviation := z * plan.Clip / plan.Batch
		var sums, squares, product float64
		for range n {
			require.NoError(t, run.noisySum(nil, source))
			a, b := run.sum[0]*run.lattice.gradient/deviation,
				run.sum[1]*run.lattice.gradient/deviation
			sums += (a + b) / (2 * n)
			squares += (a*a + b*b) / (2 * n)
			product += a * b / n
		}
		// 5.5 standard deviations each: chances below 4e-8.
		assert.InDelta(t, 0, sums, 5.5/math.Sqrt(2*n))
		assert.InDelta(t, 1, squares, 5.5*math.Sqrt(2/(2.0*n))+1e-5)
		assert.InDelta(t, 0, product, 5.5/math.Sqrt(n))
		assert.GreaterOrEqual(
			t, math.Ldexp(run.lattice.gradient, run.lattice.bits), deviation,
			"never less than asked for",
		)
		assert.InEpsilon(t, deviation, math.Ldexp(run.lattice.gradient, run.lattice.bits), 1e-5)
	}
}

// Every step has a fresh sample in which each record is with the same
// probability, independently: sizes are binomial, and so is how often a record
// is in two samples that follow each other.
func TestBatches(t *testing.T) {
	problem := learntest.Clinic()
	run, err := prepare(problem, planOf(NewSGD(1)))
	require.NoError(t, err)
	source := randomtest.New(6)
	const steps, n, q = 20_000, 300, 0.1
	var mean, variance float64
	with, twice := 0, 0
	last := false
	for range steps {
		require.NoError(t, run.noisySum([]float64{0, 0, 0}, source))
		size := float64(len(run.sample))
		mean += size / steps
		variance += (size - n*q) * (size - n*q) / steps
		now := false
		for _, i := range run.sample {
			now = now || i == 123
		}
		if now {
			with++
			if last {
				twice++
			}
		}
		last = now
	}
	// 5.5 standard deviations: of a mean, a variance (kurtosis 3), two counts.
	deviation := math.Sqrt(n * q * (1 - q))
	assert.InDelta(t, n*q, mean, 5.5*deviation/math.Sqrt(steps))
	assert.InDelta(t, n*q*(1-q), variance, 5.5*deviation*deviation*math.Sqrt(2.0/steps))
	assert.InDelta(t, q*steps, with, 5.5*math.Sqrt(q*(1-q)*steps))
	assert.InDelta(t, q*q*steps, twice, 5.5*math.Sqrt(q*q*(1+2*q)*steps))
}
