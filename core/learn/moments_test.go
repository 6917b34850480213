package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// exact are the moments of 400 made-up records with two features, an intercept of ½ and a
// label, as noise of this scale would leave them with none drawn.
func exact(scale float64) *learn.Moments {
	m := &learn.Moments{
		Matrix: solve.NewPacked(3), Vector: make([]float64, 3), MatrixSigma: scale,
		VectorSigma: scale, SquareSigma: scale, Grid: 0x1p-20, Intercept: 0.5,
	}
	rows, labels := records()
	for k, x := range rows {
		y := labels[k]
		for i := range x {
			for j := range i + 1 {
				m.Matrix.Row(i)[j] += x[i] * x[j]
			}
			m.Vector[i] += y * x[i]
		}
		m.Square += y * y
	}
	m.Ridge = m.DefaultRidge()
	return m
}

// noisy adds normal noise of the scales that the moments name.
func noisy(t *testing.T, m *learn.Moments, source *randomtest.Seeded) *learn.Moments {
	t.Helper()
	out := *m
	out.Matrix, out.Vector = solve.NewPacked(m.Columns()), append([]float64(nil), m.Vector...)
	out.Matrix.Set(m.Matrix)
	d := m.Columns()
	draws := learntest.Gaussians(t, source, d*(d+1)/2+d+1)
	for k := range out.Matrix.At {
		out.Matrix.At[k] += m.MatrixSigma * draws[k]
	}
	for i, at := 0, 0; i < d; i++ {
		out.Matrix.At[at] += (math.Sqrt2 - 1) * m.MatrixSigma * draws[at]
		at += i + 2
	}
	draws = draws[len(out.Matrix.At):]
	for i := range out.Vector {
		out.Vector[i] += m.VectorSigma * draws[i]
	}
	out.Square += m.SquareSigma * draws[d]
	return &out
}

func spectrum(t *testing.T, m *learn.Moments) *learn.Spectrum {
	t.Helper()
	s, err := m.Spectrum()
	require.NoError(t, err)
	return s
}

// squaredError is Σ(y − xᵀθ)² by the exact moments.
func squaredError(m *learn.Moments, theta []float64) float64 {
	sum := m.Square
	for i, a := range theta {
		sum -= 2 * a * m.Vector[i]
		for j, b := range theta {
			sum += a * b * m.Matrix.Row(max(i, j))[min(i, j)]
		}
	}
	return sum
}

// The estimate of the squared error is right on average, with noise that makes eigenvalues
// negative as well as without, and what the moments give without its correction is not.
func TestTheSquaredErrorIsUnbiased(t *testing.T) {
	for _, scale := range []float64{1, 8} {
		truth, source := exact(scale), randomtest.New(11)
		const runs = 8000
		mean, square, naive, clipped := 0.0, 0.0, 0.0, 0
		for range runs {
			m := noisy(t, truth, source)
			s := spectrum(t, m)
			theta := s.Coefficients(m.Ridge)
			off := s.SquaredError(m.Ridge) - squaredError(truth, theta)
			mean += off / runs
			square += off * off / runs
			naive += (squaredError(m, theta) - squaredError(truth, theta)) / runs
			if e, err := solve.Decompose(m.Matrix); err == nil && e.Values[0] < 0 {
				clipped++
			}
		}
		deviation := math.Sqrt(square / runs)
		assert.InDelta(t, 0, mean, 5*deviation, "scale %g", scale)
		assert.Less(t, naive, -10*deviation, "scale %g: θ was fitted to the noise", scale)
		if scale > 1 {
			assert.Greater(t, clipped, runs/4)
		}
	}
}

// Over many draws of the noise, the coefficients are spread as the standard errors say, but
// for the records' own part, which does not vary here; and what that adds is s²/n of theirs.
func TestStandardErrors(t *testing.T) {
	truth, source := exact(1), randomtest.New(12)
	ridge := truth.DefaultRidge()
	const runs = 3000
	mean, square := make([]float64, 3), make([]float64, 3)
	for range runs {
		theta := spectrum(t, noisy(t, truth, source)).Coefficients(ridge)
		for j, c := range theta {
			mean[j] += c / runs
			square[j] += c * c / runs
		}
	}
	stated, err := spectrum(t, truth).StandardErrors(ridge)
	require.NoError(t, err)
	quiet := *truth
	quiet.MatrixSigma, quiet.VectorSigma = 1e-9, 1e-9
	sampling, err := spectrum(t, &quiet).StandardErrors(ridge)
	require.NoError(t, err)
	for j := range stated {
		spread := math.Sqrt(square[j] - mean[j]*mean[j])
		assert.InEpsilon(t, math.Hypot(spread, sampling[j]), stated[j], 0.1, "column %d", j)
	}
	// Without noise and with hardly a ridge they are those of least squares, s²(XᵀX)⁻¹.
	sampling, err = spectrum(t, &quiet).StandardErrors(1e-9)
	require.NoError(t, err)
	residual := squaredError(truth, spectrum(t, &quiet).Coefficients(1e-9)) / 400
	inverse := []float64{0, 1, 0}
	factor := solve.NewPacked(3)
	factor.Set(truth.Matrix)
	require.True(t, factor.Factorize())
	factor.SolveFactorized(inverse)
	assert.InEpsilon(t, math.Sqrt(residual*inverse[1]), sampling[1], 1e-6)
}

// The share explained is that of the records, without noise.
func TestRSquared(t *testing.T) {
	m := exact(1e-9)
	s := spectrum(t, m)
	n, err := m.Records()
	require.NoError(t, err)
	assert.InEpsilon(t, 400, n, 1e-12)
	sum := m.Vector[2] / 0.5
	share, err := s.RSquared(1e-6)
	require.NoError(t, err)
	assert.InDelta(t, 1-squaredError(m, s.Coefficients(1e-6))/(m.Square-sum*sum/400), share, 1e-9)
	assert.Greater(t, share, 0.85)

	m.Intercept = 0
	_, err = s.RSquared(1)
	assert.ErrorContains(t, err, "intercept")
	_, err = s.StandardErrors(1)
	assert.ErrorContains(t, err, "intercept")
}

// A regression on some of the columns, or of another column, is that of the records with the
// others left out.
func TestOtherRegressionsFromTheSameMoments(t *testing.T) {
	m := exact(1e-9)
	kept := m.Keep(1, 2)
	assert.Equal(t, []float64{m.Vector[1], m.Vector[2]}, kept.Vector)
	assert.Equal(t, []float64{m.Matrix.At[2], m.Matrix.At[4], m.Matrix.At[5]}, kept.Matrix.At)
	assert.Equal(t, 0.5, kept.Intercept)
	assert.Zero(t, m.Keep(2, 1).Intercept, "it is not the last column any more")
	// θ solves A θ = b.
	theta := spectrum(t, kept).Coefficients(1e-9)
	for i := range 2 {
		got := 0.0
		for j, c := range theta {
			got += kept.Matrix.Row(max(i, j))[min(i, j)] * c
		}
		assert.InEpsilon(t, kept.Vector[i], got, 1e-7)
	}

	other := m.Of(0, 1, 2)
	assert.Equal(t, []float64{m.Matrix.At[1], m.Matrix.At[3]}, other.Vector)
	assert.Equal(t, m.Matrix.At[0], other.Square)
	assert.Equal(t, m.MatrixSigma, other.VectorSigma)
	assert.Equal(t, math.Sqrt2*m.MatrixSigma, other.SquareSigma)
	assert.Panics(t, func() { m.Of(0, 0, 1) })
	assert.Panics(t, func() { m.Keep(1, 1) })
}

// What a label of one sign turned round moves, and what a row that is replaced, is no more
// than the ratio; a second derivation of it, by a search over all pairs on a grid.
func TestMomentsRatioOfReplacedRecords(t *testing.T) {
	for _, c := range [][3]float64{{3, 2, 9}, {1, 5, 1}, {20, 1, 2}, {2, 2, 2}, {5, 1, 0.3}} {
		const rowNorm = 1.25
		worst := 0.0
		for i := range 41 { // of xᵀx′
			for j := range 41 { // of yy′, |y| = |y′| = 1 but for their signs: then |u| = 1, or less
				t := rowNorm * rowNorm * (float64(i)/20 - 1)
				u := float64(j)/20 - 1
				own := func(x2, y2 float64) float64 {
					return x2*x2/(2*c[0]*c[0]) + x2*y2/(c[1]*c[1]) + y2*y2/(c[2]*c[2])
				}
				inner := t*t/(2*c[0]*c[0]) + t*u/(c[1]*c[1]) + u*u/(c[2]*c[2])
				worst = math.Max(worst, 2*own(rowNorm*rowNorm, 1)-2*inner)
			}
		}
		ratio := learn.MomentsRatio(privacy.ReplaceOne, 3, rowNorm, c[0], c[1], c[2], 0x1p-40)
		assert.GreaterOrEqual(t, ratio, math.Sqrt(worst))
		assert.InEpsilon(t, math.Sqrt(worst), ratio, 2e-3)
	}
	assert.Equal(t, math.Inf(1), learn.MomentsRatio(privacy.AddRemove, 3, 1, 1, 1, 1, 0x1p-5))
}
