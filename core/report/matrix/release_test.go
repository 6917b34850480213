package matrix

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

func rowOf(x ...float64) data.Row {
	r := data.Row{Value: x}
	for j := range x {
		r.Index = append(r.Index, int32(j))
	}
	return r
}

func mechanism(t testing.TB, dimension int, norm, sigma float64) Mechanism {
	t.Helper()
	m, err := NewMechanism(privacy.AddRemove, dimension, norm, sigma)
	require.NoError(t, err)
	return m
}

func sumOf(t testing.TB, m Mechanism, weight float64, rows ...data.Row) *Sum {
	t.Helper()
	s, err := m.Sum()
	require.NoError(t, err)
	for _, r := range rows {
		require.NoError(t, s.AddOuter(weight, r))
	}
	return s
}

// The sum is exact on the lattice, a record alone makes the difference between
// neighbours, and none makes more than the sensitivity.
func TestSum(t *testing.T) {
	m := mechanism(t, 3, 0.25, 3)
	rows := []data.Row{
		rowOf(0.6, -0.8, 0),
		rowOf(0.1, 0.2, 0.3),
		rowOf(100, 2, 1),
		rowOf(math.NaN(), 1, 1),
		rowOf(1e-200, 0, 0),
	}
	whole := sumOf(t, m, 0.25, rows...)
	for i := range rows {
		less := sumOf(t, m, 0.25, append(append([]data.Row{}, rows[:i]...), rows[i+1:]...)...)
		alone := sumOf(t, m, 0.25, rows[i])
		square := 0.0
		for k := range whole.total {
			assert.Equal(t, alone.total[k], whole.total[k]-less.total[k])
			square += float64(alone.total[k]) * float64(alone.total[k])
		}
		for _, k := range []int{0, 2, 5} {
			square -= float64(alone.total[k]) * float64(alone.total[k]) / 2
		}
		assert.LessOrEqual(t, math.Sqrt(square)*m.Grid, whole.Sensitivity())
	}
	assert.InEpsilon(t, 0.25/math.Sqrt2, whole.Sensitivity(), 1e-6)
	assert.InDelta(t, -0.25*0.48, float64(sumOf(t, m, 0.25, rows[0]).total[1])*m.Grid, m.Grid)
}

// Sums over parts of the records, in any order, are that over all of them, to the last step.
func TestSumsOfSums(t *testing.T) {
	m := mechanism(t, 3, 0.25, 3)
	source := randomtest.New(2)
	var rows []data.Row
	for range 50 {
		x := make([]float64, 3)
		require.NoError(t, random.Gaussian(source, x, 0.2))
		rows = append(rows, rowOf(x...))
	}
	whole := sumOf(t, m, -0.2, rows...)
	total := sumOf(t, m, -0.2, rows[31:]...)
	for _, part := range [][]data.Row{rows[:7], nil, rows[7:31]} {
		require.NoError(t, total.AddNumbers(sumOf(t, m, -0.2, part...).Numbers()))
	}
	assert.Equal(t, whole, total)

	// The largest and the smallest elements that there can be.
	full, again := sumOf(t, m, 1), sumOf(t, m, 1)
	largest := []int64{MaxRows * maxSteps, -MaxRows * maxSteps}
	copy(full.total, append(largest, 1<<32-1, -1, -1<<32, 1<<60+1))
	full.rows = MaxRows
	require.NoError(t, again.AddNumbers(full.Numbers()))
	assert.Equal(t, full, again)
	assert.Equal(t, ErrRows, again.AddNumbers(sumOf(t, m, 1, rows[0]).Numbers()))
	assert.Panics(t, func() { _ = again.AddNumbers([]float64{1}) })
}

// At one price, Analyze Gauss has twice the variance off the diagonal.
func TestHalfTheVarianceOfAnalyzeGauss(t *testing.T) {
	m := mechanism(t, 4, 0.25, 2)
	event, err := m.Event()
	require.NoError(t, err)
	analyzeGauss := m.Norm / (event.Sensitivity / event.Sigma) // its σ for the same ratio
	const runs = 8_000
	sum, source := sumOf(t, m, 1), randomtest.New(3)
	var on, off float64
	for range runs {
		out, err := m.Release(sum, source)
		require.NoError(t, err)
		on += out.At[5] * out.At[5] / runs
		off += out.At[4] * out.At[4] / runs
	}
	// A variance of Gaussian draws has a relative standard error of √(2/runs).
	assert.InEpsilon(t, analyzeGauss*analyzeGauss, on, 6*math.Sqrt(2.0/runs))
	assert.InEpsilon(t, analyzeGauss*analyzeGauss/2, off, 6*math.Sqrt(2.0/runs))
}

// The released matrix against the claim, for a record on the diagonal and one
// that is not, by the likelihood ratio.
func TestAudit(t *testing.T) {
	for name, x := range map[string]data.Row{"axis": rowOf(1, 0), "oblique": rowOf(0.6, 0.8)} {
		t.Run(name, func(t *testing.T) {
			m := mechanism(t, 2, 1, 1)
			event, err := m.Event()
			require.NoError(t, err)
			profile, err := objective.Of(event, objective.BoundAuto)
			require.NoError(t, err)
			audit := audittest.Audit{
				Claim: func(epsilon float64) (float64, error) {
					return curve.DeltaUpper(profile, epsilon)
				},
				Epsilons: audittest.Grid(2, 16), Runs: audittest.Runs(20_000),
			}
			for k := -4; k <= 4; k++ {
				audit.Thresholds = append(audit.Thresholds, 0.25+float64(k)/3)
			}
			other := rowOf(0.3, 0.4)
			first, second := sumOf(t, m, 1, other, x), sumOf(t, m, 1, other)
			origin := sumOf(t, m, 1, other)
			statistic := func(out *solve.Packed) float64 {
				total := 0.0
				for k, weight := range []float64{0.5, 1, 0.5} {
					direction := float64(first.total[k]-second.total[k]) * m.Grid
					total += weight * direction * (out.At[k] - float64(origin.total[k])*m.Grid)
				}
				return total
			}
			trial := func(sum *Sum, offScale, diagonalScale float64) audittest.Trial {
				off, err := random.NewDiscreteGaussian(m.Sigma*offScale, m.Grid)
				require.NoError(t, err)
				diagonal, err := random.NewDiscreteGaussian(m.diagonal()*diagonalScale, m.Grid)
				require.NoError(t, err)
				return func(source random.Source) (float64, error) {
					out, err := m.noisy(sum, off, diagonal, source)
					if err != nil {
						return 0, err
					}
					return statistic(out), nil
				}
			}
			audit.Holds(t, "honest", trial(first, 1, 1), trial(second, 1, 1))
			audit.Catches(t, "noise halved", trial(first, 0.5, 0.5), trial(second, 0.5, 0.5))
			if name == "axis" {
				audit.Catches(
					t, "diagonal not doubled", trial(first, 1, 1/math.Sqrt2),
					trial(second, 1, 1/math.Sqrt2),
				)
			}
			unclipped := mechanism(t, 2, 1, 1)
			wide, err := NewSum(2, 16, unclipped.Grid)
			require.NoError(t, err)
			require.NoError(t, wide.AddOuter(1, other))
			require.NoError(t, wide.AddOuter(4, x))
			audit.Catches(t, "norm not kept", trial(wide, 1, 1), trial(second, 1, 1))
		})
	}
}

// The noise exceeds the bound as seldom as is said, and the bound of the thesis'
// units mixed up (1/√2 of it) nearly always at d = 50.
func TestSpectralBound(t *testing.T) {
	m := mechanism(t, 50, 1, 2)
	bound, err := m.SpectralBound(0.05)
	require.NoError(t, err)
	sum, source := sumOf(t, m, 1), randomtest.New(4)
	over, mixed := 0, 0
	const runs = 150
	for range runs {
		out, err := m.Release(sum, source)
		require.NoError(t, err)
		e, err := solve.Decompose(out)
		require.NoError(t, err)
		if top := e.Values[49]; top > bound {
			over++
		} else if top <= bound/math.Sqrt2 {
			mixed++
		}
	}
	assert.LessOrEqual(t, over, 8+21) // P[Bin(150, 0.05) > 29] < 1e-6
	assert.Less(t, mixed, 40)
	for _, tail := range []float64{0, 1, math.NaN()} {
		_, err := m.SpectralBound(tail)
		assert.ErrorContains(t, err, "tail")
	}
	largeBound, err := mechanism(t, 512, 1, 2).SpectralBound(0.05)
	require.NoError(t, err)
	assert.Greater(t, largeBound, 2*2*math.Sqrt(512))
}

func TestReplaceOne(t *testing.T) {
	m, err := NewMechanism(privacy.ReplaceOne, 2, 1, 1)
	require.NoError(t, err)
	twice, err := m.Event()
	require.NoError(t, err)
	once, err := mechanism(t, 2, 1, 1).Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2*once.Sensitivity, twice.Sensitivity, 1e-12)
}

func TestErrors(t *testing.T) {
	refused := func(field string, m Mechanism, err error) {
		t.Helper()
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p)
		assert.Equal(t, field, p.Field)
	}
	for field, make := range map[string]func() (Mechanism, error){
		"sigma": func() (Mechanism, error) {
			return NewMechanism(privacy.AddRemove, 2, 1, math.NaN())
		},
		"dimension": func() (Mechanism, error) { return NewMechanism(privacy.AddRemove, 513, 1, 1) },
		"norm":      func() (Mechanism, error) { return NewMechanism(privacy.AddRemove, 2, 0, 1) },
		"grid":      func() (Mechanism, error) { return NewMechanism(privacy.AddRemove, 2, 1e5, 1) },
		"adjacency": func() (Mechanism, error) { return NewMechanism(0, 2, 1, 1) },
	} {
		m, err := make()
		refused(field, m, err)
	}
	m := mechanism(t, 2, 1, 1)
	coarse := m
	coarse.Grid = 1
	refused("grid", m, coarse.Validate())
	_, err := m.Release(sumOf(t, mechanism(t, 3, 1, 1), 1), randomtest.New(1))
	refused("sum", m, err)
	_, err = m.Release(sumOf(t, m, 1), randomtest.NewFailAfter(1, 0, random.ErrStuck))
	assert.ErrorIs(t, err, random.ErrStuck)

	sum := sumOf(t, m, 1)
	sum.rows = MaxRows
	assert.ErrorIs(t, sum.AddOuter(1, rowOf(1, 0)), ErrRows)
	_, err = m.Release(sum, randomtest.New(1))
	assert.ErrorIs(t, err, ErrRows)

	sum = sumOf(t, m, 1)
	sum.total[0] = 1 << 60
	out, err := m.Release(sum, randomtest.New(1))
	require.NoError(t, err)
	assert.True(t, m.Saturated(out))
	assert.Equal(t, last*m.Grid, out.At[0])
}

// What AddBelow adds up to is below the exact sum in the semidefinite order, by
// no more than the steps taken off.
func TestAddBelow(t *testing.T) {
	const d, n = 6, 400
	s, err := NewSum(d, 0.25, 0x1p-12) // a lattice that shows
	require.NoError(t, err)
	plain, err := NewSum(d, 0.25, 0x1p-12)
	require.NoError(t, err)
	exact := solve.NewPacked(d)
	x := make([]float64, d)
	source := randomtest.New(8)
	for range n {
		require.NoError(t, random.Gaussian(source, x, 0.3))
		square := 0.0
		for _, v := range x {
			square += v * v
		}
		weight := math.Min(0.25, 0.25/square)
		require.NoError(t, s.AddBelow(weight, rowOf(x...)))
		require.NoError(t, plain.AddOuter(weight, rowOf(x...)))
		for i := range d {
			for j := range exact.Row(i) {
				exact.Row(i)[j] += weight * x[i] * x[j]
			}
		}
	}
	gap := func(s *Sum) solve.Eigen {
		difference := solve.NewPacked(d)
		for k, v := range exact.At {
			difference.At[k] = v - float64(s.total[k])*s.grid
		}
		e, err := solve.Decompose(difference)
		require.NoError(t, err)
		return e
	}
	assert.Greater(t, gap(s).Values[0], 0.0)
	assert.Less(t, gap(s).Values[d-1], n*(d+1)*s.grid)
	assert.Less(t, gap(plain).Values[0], 0.0) // plain rounding is not
}
