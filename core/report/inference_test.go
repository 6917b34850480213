package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// population draws n records, uniform in the unit ball but for an intercept, of a
// logistic model that is true.
func population(t testing.TB, source *randomtest.Seeded, n int, truth []float64) sample {
	t.Helper()
	var s sample
	d := len(truth)
	for range n {
		x := make([]float64, d)
		for {
			for j := range d - 1 {
				x[j] = 2*learntest.Uniform(source) - 1
			}
			if inner(x[:d-1], x[:d-1]) <= 1 {
				break
			}
		}
		for j := range d - 1 {
			x[j] *= math.Sqrt(0.75) * (1 - 1e-12)
		}
		x[d-1] = 0.5
		y := -1.0
		if learntest.Uniform(source) < 1/(1+math.Exp(-inner(x, truth))) {
			y = 1
		}
		s.x, s.y = append(s.x, x), append(s.y, y)
	}
	return s
}

// 95 % intervals hold the population's coefficients in 93 to 97 % of fits; those
// that ignore the mechanism's noise do not.
func TestCoverage(t *testing.T) {
	truth := []float64{2, -1, 0.5, 0.4}
	const d = 4
	for _, c := range []struct {
		n        int
		epsilon  float64
		gradient bool
	}{{1000, 0.5, false}, {1000, 2, false}, {10_000, 0.5, false}, {10_000, 2, false},
		{1000, 0.5, true}} {
		fits := 1000
		if !long() {
			fits = 200
			if testing.Short() {
				fits = 60
			}
			if c.n > 1000 || testing.Short() && c.epsilon > 1 {
				continue
			}
		}
		guarantee := privacy.Guarantee{
			Epsilon:   c.epsilon,
			Delta:     1e-5,
			Adjacency: privacy.AddRemove,
		}
		sigma, err := calibrate.Gaussian(c.epsilon, 1e-5, 1)
		require.NoError(t, err)
		lambda := objective.ZeroOverheadLambda(c.epsilon, 1, sigma)
		x := trial{c: figureLoss, lambda: lambda, sigma: sigma}
		source := randomtest.New(uint64(c.n))
		held, naive, refused, width := 0, 0, 0, 0.0
		for range fits {
			s := population(t, source, c.n, truth)
			b := make([]float64, d)
			require.NoError(t, random.Gaussian(source, b, sigma))
			solved, err := solve.Newton(
				t.Context(), solve.NewObjective(lambda, b, s.part(t, glm.Logistic{}, math.Inf(1))),
				solve.Options{Tolerance: 1e-7},
			)
			require.NoError(t, err)
			m, err := NewMechanism(x.event(d), glm.Logistic{}, solved.Theta)
			require.NoError(t, err)
			shares := Shares{Hessian: 1}
			if c.gradient {
				shares.Gradient = 1
			}
			plan, err := Calibrate(m, guarantee, shares)
			require.NoError(t, err)
			p, err := Release(
				m, plan, learntest.Problem(learntest.Schema(d-1, 0.5), s.x, s.y), b, source,
			)
			require.NoError(t, err)
			intervals, err := m.Intervals(p, 0.95)
			if err != nil {
				refused++
				continue
			}
			ignorant := m
			ignorant.Sigma, ignorant.Lambda = 1e-3, 0
			without, err := ignorant.Intervals(
				Published{Plan: Plan{Hessian: p.Plan.Hessian}, Hessian: p.Hessian}, 0.95,
			)
			require.NoError(t, err)
			for j, v := range truth {
				if intervals[j].Low <= v && v <= intervals[j].High {
					held++
				}
				if !c.gradient && without[j].Low <= v && v <= without[j].High {
					naive++
				}
				width += intervals[j].High - intervals[j].Low
			}
		}
		total := float64(d * (fits - refused))
		t.Logf(
			"n = %d, ε = %g, gradient %v: coverage %.2f %%, mean width %.3f, refused %d", c.n,
			c.epsilon, c.gradient, 100*float64(held)/total, width/total, refused,
		)
		if !c.gradient {
			t.Logf("  of intervals that ignore the noise: %.2f %%", 100*float64(naive)/total)
		}
		// Four correlated intervals a fit: the standard error is at most that of fits.
		slack := 0.0
		if !long() {
			slack = 4 * math.Sqrt(0.05*0.95/float64(fits))
		}
		assert.InDelta(t, 0.95, float64(held)/total, 0.02+slack)
		if !c.gradient && c.epsilon < 1 && c.n == 1000 && !testing.Short() {
			assert.Less(t, float64(naive)/total, 0.85)
		}
		assert.Less(t, refused, fits/50)
	}
}

func TestIntervalsRefuse(t *testing.T) {
	truth := []float64{2, -1, 0.5, 0.4}
	s := population(t, randomtest.New(1), 60, truth)
	problem := learntest.Problem(learntest.Schema(3, 0.5), s.x, s.y)
	theta := make([]float64, 4)
	of := func(c lossCase, plan Plan, confidence float64) error {
		x := trial{c: c, lambda: 1, sigma: 2}
		m, err := NewMechanism(x.event(4), c.loss, theta)
		require.NoError(t, err)
		p, err := Release(m, plan, problem, theta, randomtest.New(2))
		require.NoError(t, err)
		_, err = m.Intervals(p, confidence)
		return err
	}
	clipped := lossCase{"clipped", glm.Logistic{}, 0.5}
	for _, c := range []struct {
		err   error
		field string
	}{
		{of(figureLoss, Plan{Hessian: 0.01}, 1), "confidence"},
		{of(clipped, Plan{Hessian: 0.01}, 0.95), "scores"},
		{of(figureLoss, Plan{Gradient: 1}, 0.95), "hessian"},
		{of(figureLoss, Plan{Hessian: 50}, 0.95), "hessian"},
	} {
		var p *privacy.ParameterError
		require.ErrorAs(t, c.err, &p, c.field)
		assert.Equal(t, c.field, p.Field)
	}
	assert.NoError(t, of(figureLoss, Plan{Hessian: 0.01}, 0.95))
	assert.NoError(t, of(clipped, Plan{Hessian: 0.01, Scores: 0.01}, 0.95))
}
