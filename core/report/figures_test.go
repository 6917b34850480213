package report

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/glm"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// sphere is the thesis' synthetic set: rows N(0, I) of unit length, labels by a
// linear score (section 2.4.1).
func sphere(t testing.TB, n, d int, seed uint64) sample {
	t.Helper()
	source := randomtest.New(seed)
	var s sample
	truth, x := make([]float64, d), make([]float64, d)
	require.NoError(t, random.Gaussian(source, truth, 1))
	for range n {
		require.NoError(t, random.Gaussian(source, x, 1))
		length := math.Sqrt(inner(x, x))
		row := make([]float64, d)
		for j := range row {
			row[j] = x[j] / length * (1 - 1e-12)
		}
		s.x, s.y = append(s.x, row), append(s.y, math.Copysign(1, inner(row, truth)))
	}
	return s
}

var figureLoss = lossCase{"logistic", glm.Logistic{}, math.Inf(1)}

// released is a release of s by objective perturbation with Kifer et al.'s
// parameters for (epsilon, 1e-6), λ inflated, and a report.
func released(
	t testing.TB, s sample, epsilon, inflation float64, planOf func(Mechanism) Plan, seed uint64,
) (*Reader, *Exact, []float64) {
	t.Helper()
	d := len(s.x[0])
	lambda, sigma, err := calibrate.KiferParameters(epsilon, 1e-6, 1, 1, 0.25)
	require.NoError(t, err)
	lambda *= inflation
	source := randomtest.New(seed)
	b := make([]float64, d)
	require.NoError(t, random.Gaussian(source, b, sigma))
	part := s.part(t, figureLoss.loss, figureLoss.clip)
	solved, err := solve.Newton(
		t.Context(), solve.NewObjective(lambda, b, part), solve.Options{Tolerance: 1e-7},
	)
	require.NoError(t, err)
	x := trial{c: figureLoss, lambda: lambda, sigma: sigma}
	m, err := NewMechanism(x.event(d), figureLoss.loss, solved.Theta)
	require.NoError(t, err)
	plan := Plan{}
	if planOf != nil {
		plan = planOf(m)
	}
	p, err := Release(m, plan, learntest.Problem(learntest.Schema(d, 0), s.x, s.y), b, source)
	require.NoError(t, err)
	reader, err := NewReader(m, p, 1e-6, Scope{People: 1})
	require.NoError(t, err)
	exact, err := NewExact(solve.NewObjective(lambda, nil, part), solved.Theta, sigma)
	require.NoError(t, err)
	return reader, exact, solved.Theta
}

// gaussianPlan calibrates gradient and Hessian for an ε each, as the thesis does.
func gaussianPlan(t testing.TB, gradient, hessian float64) func(Mechanism) Plan {
	return func(m Mechanism) Plan {
		of := func(epsilon float64, shares Shares) Plan {
			plan, err := Calibrate(
				m, privacy.Guarantee{Epsilon: epsilon, Delta: 1e-6, Adjacency: privacy.AddRemove},
				shares,
			)
			require.NoError(t, err)
			return plan
		}
		return Plan{
			Gradient: of(gradient, Shares{Gradient: 1}).Gradient,
			Hessian:  of(hessian, Shares{Hessian: 1}).Hessian,
		}
	}
}

// exactAt knows the losses at θ*.
func exactAt(t testing.TB, s sample, c lossCase, lambda, sigma float64, theta []float64) *Exact {
	t.Helper()
	exact, err := NewExact(solve.NewObjective(lambda, nil, s.part(t, c.loss, c.clip)), theta, sigma)
	require.NoError(t, err)
	return exact
}

// worst is the largest bound and the largest true loss over the records.
func worst(
	t testing.TB, s sample, reader *Reader, exact *Exact, theta []float64,
) (bound, truth float64) {
	for i, x := range s.x {
		b, err := reader.Row(rowOf(x), s.y[i])
		require.NoError(t, err)
		bound = math.Max(bound, b.In.Largest())
		truth = math.Max(
			truth, math.Abs(exact.Loss(recordOf(t, figureLoss, x, s.y[i], theta), true)),
		)
	}
	return bound, truth
}

// Figures A.1 and A.2: the worst bounds grow neither with n nor with d.
func TestBoundsDoNotGrow(t *testing.T) {
	first := map[bool]float64{}
	check := func(n, d int) {
		s := sphere(t, n, d, uint64(n+d))
		for _, dependent := range []bool{false, true} {
			var plan func(Mechanism) Plan
			if dependent {
				plan = gaussianPlan(t, 1, 1)
			}
			bound, truth := 0.0, 0.0
			const runs = 3
			for k := range runs {
				reader, exact, theta := released(t, s, 1, 1, plan, uint64(k))
				b, tr := worst(t, s, reader, exact, theta)
				bound, truth = bound+b/runs, truth+tr/runs
			}
			t.Logf(
				"n = %5d, d = %2d, data-dependent %-5v: worst bound %.3f, worst loss %.3f", n, d,
				dependent, bound, truth,
			)
			assert.Greater(t, bound, truth)
			if _, ok := first[dependent]; !ok && d > 1 {
				first[dependent] = bound
			}
			// (In one dimension the data are separated, and all bounds next to 0.)
			if d > 1 {
				assert.Less(t, bound, 1.5*first[dependent])
			}
		}
	}
	sizes, dimensions := []int{100, 1000, 10_000}, []int{1, 5, 20, 60}
	if !long() {
		sizes, dimensions = []int{100, 2000}, []int{1, 5, 60}
	}
	if testing.Short() {
		sizes, dimensions = []int{100, 1000}, []int{5, 60}
	}
	for _, n := range sizes {
		check(n, 50)
	}
	clear(first)
	for _, d := range dimensions {
		check(1000, d)
	}
}

// Figure 2.1: λ up to a hundred times what privacy asks for changes the share of
// records misclassified by less than 2 points.
func TestInflatedLambda(t *testing.T) {
	s := sphere(t, 1000, 50, 1)
	runs, epsilons := 40, []float64{0.5, 1, 2}
	if !long() {
		runs, epsilons = 8, []float64{1}
	}
	for _, epsilon := range epsilons {
		least, most := math.Inf(1), 0.0
		for _, inflation := range []float64{1, 10, 100} {
			wrong := 0.0
			for k := range runs {
				_, _, theta := released(t, s, epsilon, inflation, nil, uint64(k))
				for i, x := range s.x {
					if inner(x, theta)*s.y[i] <= 0 {
						wrong += 100 / float64(len(s.x)*runs)
					}
				}
			}
			t.Logf("ε = %g, λ × %g: %.2f %% wrong", epsilon, inflation, wrong)
			least, most = math.Min(least, wrong), math.Max(most, wrong)
		}
		assert.Less(t, most-least, 2.0)
	}
}

// Figure 2.2: with ε = 1 in all, the data-dependent report of ε₁ = 0.2, ε₂ = 0.7,
// ε₃ = 0.1 is closer to the truth than the data-independent one of ε₁ = 1, on
// 30,000 records of 21 features.
func TestDataDependentIsCloser(t *testing.T) {
	n := 30_000
	if !long() {
		n = 6_000
	}
	s := sphere(t, n, 21, 2)
	median := func(reader *Reader, exact *Exact, theta []float64) float64 {
		var ratios []float64
		for i := 0; i < n; i += 5 {
			b, err := reader.Row(rowOf(s.x[i]), s.y[i])
			require.NoError(t, err)
			ratios = append(
				ratios,
				b.In.Largest()/math.Abs(
					exact.Loss(recordOf(t, figureLoss, s.x[i], s.y[i], theta), true),
				),
			)
		}
		slices.Sort(ratios)
		return ratios[len(ratios)/2]
	}
	independent := median(released(t, s, 1, 1, nil, 3))
	dependent := median(released(t, s, 0.2, 1, gaussianPlan(t, 0.7, 0.1), 3))
	t.Logf(
		"n = %d: bound over true loss, median: data-independent %.3g, data-dependent %.3g", n,
		independent, dependent,
	)
	assert.Less(t, dependent, independent)
}
