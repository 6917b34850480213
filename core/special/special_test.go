package special

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErfcx(t *testing.T) {
	for _, x := range []float64{-2, -0.5, 0, 0.3, 1, 3} {
		near(t, math.Exp(x*x)*math.Erfc(x), Erfcx(x), 2e-15, "Erfcx", x)
	}
}

func TestQuantileInvertsTails(t *testing.T) {
	for logp := -1e-12; logp > -1e15; logp *= 1.37 {
		x := NormalQuantileLog(logp)
		slack := 4e-16 * math.Max(1, math.Abs(x/Mills(-x)/logp))
		near(t, logp, LogNormalCDF(x), slack, "log Φ of its quantile", logp)
	}
}

func TestTailsAreMonotone(t *testing.T) {
	before, mills := math.Inf(-1), math.Inf(1)
	for x := -45.0; x < 45; x += 1.0 / 64 {
		now := LogNormalCDF(x)
		assert.GreaterOrEqual(t, now, before, "log Φ at %v", x)
		before = now
		m := Mills(x)
		assert.LessOrEqual(t, m, mills, "Mills at %v", x)
		mills = m
	}
}

func TestLogarithms(t *testing.T) {
	inf := math.Inf(1)
	near(t, math.Log(3), LogAddExp(0, math.Ln2), 1e-15, "LogAddExp")
	assert.Equal(t, 5.0, LogAddExp(5, -inf))
	assert.Equal(t, -inf, LogAddExp(-inf, -inf))
	assert.Equal(t, inf, LogAddExp(inf, 3))
	assert.Equal(t, inf, LogAddExp(inf, inf))
	assert.True(t, math.IsNaN(LogAddExp(1, math.NaN())))
	assert.True(t, math.IsNaN(LogAddExp(math.NaN(), 1)))
	assert.True(t, math.IsNaN(LogAddExp(inf, math.NaN())))

	near(t, 1000+math.Log(3), LogSumExp(1000, 1000, 1000), 1e-15, "LogSumExp")
	near(t, 1e-40, LogSumExp(0, math.Log(1e-40)), 1e-13, "LogSumExp keeps small terms")
	assert.Equal(t, -inf, LogSumExp())
	assert.Equal(t, inf, LogSumExp(1, inf))
	assert.True(t, math.IsNaN(LogSumExp(1, math.NaN())))

	near(t, math.Log(0.5), Log1mExp(-math.Ln2), 1e-15, "Log1mExp")
	near(t, -1e-30, Log1mExp(math.Log(1e-30)), 1e-13, "Log1mExp of a tiny probability")
	near(t, math.Log(1e-20), Log1mExp(-1e-20), 1e-15, "Log1mExp of one near 1")
	assert.Equal(t, -inf, Log1mExp(0))
	assert.Equal(t, 0.0, Log1mExp(-inf))
	assert.True(t, math.IsNaN(Log1mExp(0.1)))

	near(t, math.Log(2), Log1pExp(0), 1e-15, "Log1pExp")
	near(t, 1e-30, Log1pExp(math.Log(1e-30)), 1e-13, "Log1pExp")
	assert.Equal(t, 800.0, Log1pExp(800))
	near(t, math.Log(math.E-1), LogExpm1(1), 1e-15, "LogExpm1")
	near(t, math.Log(1e-20), LogExpm1(1e-20), 1e-15, "LogExpm1")
	near(t, 5000, LogExpm1(5000), 1e-15, "LogExpm1")
	assert.Equal(t, -inf, LogExpm1(0))

	near(t, math.Log(2), LogDiffExp(math.Log(5), math.Log(3)), 1e-15, "LogDiffExp")
	assert.Equal(t, -inf, LogDiffExp(7, 7))
	assert.Equal(t, 7.0, LogDiffExp(7, -inf))
	assert.Equal(t, -inf, LogDiffExp(-inf, -inf))
	assert.True(t, math.IsNaN(LogDiffExp(1, 2)))
}

func TestGaussLegendreIsExactForPolynomials(t *testing.T) {
	for _, n := range []int{1, 2, 6, 16, 40} {
		rule := GaussLegendre(n)
		for degree := 0; degree < 2*n; degree++ {
			got := rule.Integrate(
				func(x float64) float64 { return math.Pow(x, float64(degree)) }, 0, 2,
			)
			want := math.Pow(2, float64(degree+1)) / float64(degree+1)
			near(t, want, got, 5e-14, "monomial", float64(n), float64(degree))
		}
	}
	assert.Panics(t, func() { GaussLegendre(0) })
}

func TestKronrodIsExactForPolynomials(t *testing.T) {
	for degree := 0; degree <= 22; degree++ {
		got := kronrod(func(x float64) float64 { return math.Pow(x, float64(degree)) }, 0, 2)
		near(
			t, math.Pow(2, float64(degree+1))/float64(degree+1), got.value, 1e-14, "monomial",
			float64(degree),
		)
		if degree <= 13 {
			assert.Less(t, got.bound, 1e-14*got.value+1e-15)
		}
	}
}

func TestAdaptive(t *testing.T) {
	value, bound, err := Adaptive(math.Exp, []float64{0, 1}, 1e-12, 0)
	require.NoError(t, err)
	near(t, math.E-1, value, 1e-15, "∫ exp")
	assert.LessOrEqual(t, bound, 1e-12*value)

	// A kink and an endpoint singularity are found by bisection.
	value, bound, err = Adaptive(
		func(x float64) float64 { return math.Abs(x - 0.3) }, []float64{0, 1}, 1e-10, 0,
	)
	require.NoError(t, err)
	assert.LessOrEqual(t, math.Abs(value-0.29), bound)
	value, bound, err = Adaptive(math.Sqrt, []float64{0, 1}, 1e-9, 0)
	require.NoError(t, err)
	assert.LessOrEqual(t, math.Abs(value-2.0/3), bound)

	// An absolute accuracy stops the search for digits of next to nothing.
	evaluations := 0
	value, bound, err = Adaptive(
		func(x float64) float64 { evaluations++; return 1e-20 * math.Sqrt(x) }, []float64{0, 1},
		1e-14, 1e-18,
	)
	require.NoError(t, err)
	assert.Equal(t, 15, evaluations)
	assert.LessOrEqual(t, math.Abs(value-2e-20/3), bound)
	_, bound, err = Adaptive(
		func(x float64) float64 { return 1 + 1e-9*math.Sin(1e9*x) }, []float64{0, 1}, 1e-14, 0,
	)
	assert.ErrorIs(t, err, ErrQuadrature)
	assert.Less(t, bound, 1e-8, "what was reached is told")
	_, _, err = Adaptive(func(x float64) float64 { return 1 / x }, []float64{-1, 1}, 1e-9, 0)
	assert.ErrorIs(t, err, ErrQuadrature)
	_, _, err = Adaptive(func(float64) float64 { return math.NaN() }, []float64{0, 1}, 1e-9, 0)
	assert.ErrorIs(t, err, ErrQuadrature)
	value, _, err = Adaptive(math.Exp, []float64{2, 2}, 1e-9, 0)
	require.NoError(t, err)
	assert.Zero(t, value)
}

func TestSmallestTrue(t *testing.T) {
	at := func(x float64) func(float64) bool { return func(y float64) bool { return y >= x } }
	for _, want := range []float64{1e-200, 0.3, 1, 7.25, 1e30} {
		got, ok := SmallestTrue(at(want), 1e-300, 1e300, 0)
		assert.True(t, ok)
		assert.Equal(t, want, got)
		got, ok = SmallestTrue(at(want), 1e-300, 1e300, 1e-3)
		assert.True(t, ok)
		assert.GreaterOrEqual(t, got, want)
		assert.LessOrEqual(t, got, want*1.0011)
	}
	got, ok := SmallestTrue(at(-1), -5, 5, 0)
	assert.True(t, ok)
	assert.Equal(t, -1.0, got)
	got, _ = SmallestTrue(at(-9), -5, 5, 0)
	assert.Equal(t, -5.0, got)
	_, ok = SmallestTrue(at(9), -5, 5, 0)
	assert.False(t, ok)
}

func TestConservativeRoot(t *testing.T) {
	cubic := func(x float64) float64 { return 2 - x*x*x }
	step := func(x float64) float64 {
		if x < 1.25 {
			return math.Inf(1)
		}
		return -1e-9
	}
	for name, c := range map[string]struct {
		f         func(float64) float64
		bad, good float64
		want      float64
	}{
		"cubic":          {cubic, 0, 10, math.Cbrt(2)},
		"from the right": {func(x float64) float64 { return -cubic(x) }, 10, 0, math.Cbrt(2)},
		"infinite":       {step, 0, 3, 1.25},
		"flat":           {func(x float64) float64 { return math.Pow(3-x, 15) }, -50, 80, 3},
	} {
		evaluations := 0
		counted := func(x float64) float64 { evaluations++; return c.f(x) }
		got, err := ConservativeRoot(counted, c.bad, c.good, 1e-10)
		require.NoError(t, err, name)
		assert.LessOrEqual(t, c.f(got), 0.0, "%s: on the good side", name)
		assert.Less(t, evaluations, 130, name)
		if name != "flat" {
			assert.InDelta(t, c.want, got, 1.01e-10, name)
		}
	}
	evaluations := 0
	_, err := ConservativeRoot(
		func(x float64) float64 { evaluations++; return cubic(x) }, 0, 10, 1e-12,
	)
	require.NoError(t, err)
	assert.Less(t, evaluations, 20)

	_, err = ConservativeRoot(cubic, 5, 10, 0)
	assert.ErrorIs(t, err, ErrBracket)
	_, err = ConservativeRoot(cubic, 0, 1, 0)
	assert.ErrorIs(t, err, ErrBracket)
	_, err = ConservativeRoot(func(x float64) float64 {
		if x == 0 || x == 10 {
			return cubic(x)
		}
		return math.NaN()
	}, 0, 10, 0)
	assert.ErrorIs(t, err, ErrBracket)
}

func TestMinimum(t *testing.T) {
	for name, c := range map[string]struct {
		f          func(float64) float64
		a, b, want float64
	}{
		"parabola":    {func(x float64) float64 { return (x - 0.7) * (x - 0.7) }, -3, 5, 0.7},
		"kink":        {func(x float64) float64 { return math.Abs(x - 0.3) }, -10, 10, 0.3},
		"at the end":  {func(x float64) float64 { return x }, 2, 3, 2},
		"logarithmic": {func(x float64) float64 { return x - math.Log(x) }, 0.01, 50, 1},
		"infinite": {func(x float64) float64 {
			if x < 1 {
				return math.Inf(1)
			}
			return (x - 2) * (x - 2)
		}, 0, 5, 2},
	} {
		evaluations := 0
		x, value := Minimum(
			func(x float64) float64 { evaluations++; return c.f(x) }, c.a, c.b, 1e-6,
		)
		assert.InDelta(t, c.want, x, 1e-6, name)
		assert.Equal(t, c.f(x), value, name)
		assert.Less(t, evaluations, 60, name)
	}
	_, value := Minimum(func(float64) float64 { return math.NaN() }, 0, 1, 1e-6)
	assert.Equal(t, math.Inf(1), value)
}

// The two ways of taking a drop agree on either side of where they meet.
func TestMillsDropIsAdditive(t *testing.T) {
	fine := GaussLegendre(24)
	for x := -1.0; x < 40; x += 0.37 {
		for _, part := range []float64{1e-9, 1e-3, 0.1, 0.149, 0.151, 1, 3} {
			h := part * math.Max(1, x)
			near(t, fine.IntegrateFrom(MillsSlope, x, h), MillsDrop(x, h), 5e-15, "MillsDrop", x, h)
		}
	}
}
