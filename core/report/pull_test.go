package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn/learntest"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// Where λ pulls hard, taking its pull out again brings in the Hessian's noise, which
// then is most of an interval: 95 % of intervals hold if they count it (a few more,
// for the scores at Theta are larger than at the population's coefficients), and not
// if it is taken for a third of what it is.
func TestCoverageUnderAStrongPull(t *testing.T) {
	truth := []float64{0.5, -0.3, 0.2, 0.1}
	const d, n, lambda, sigma = 4, 1000, 120.0, 0.3
	plan := Plan{Hessian: 12, Scores: 0.01}
	c := lossCase{"squared", glm.Squared{}, math.Inf(1)}
	x := trial{c: lossCase{"squared", glm.Squared{}, 2}, lambda: lambda, sigma: sigma}
	source := randomtest.New(3)
	fits := 500
	if testing.Short() {
		fits = 80
	}
	held, third := 0.0, 0.0
	for range fits {
		s := population(t, source, n, truth)
		for i, row := range s.x {
			s.y[i] = inner(row, truth) + 0.05*(2*learntest.Uniform(source)-1)
		}
		b := make([]float64, d)
		require.NoError(t, random.Gaussian(source, b, sigma))
		m, err := NewMechanism(x.event(d), c.loss, s.minimiser(t, c.loss, c.clip, lambda, b))
		require.NoError(t, err)
		problem := learntest.Problem(learntest.Schema(d-1, 0.5), s.x, s.y)
		problem.Loss, problem.Data = c.loss, learntest.Numeric(problem.Data, -1, 1)
		p, err := Release(m, plan, problem, b, source)
		require.NoError(t, err)
		share := func() (held float64) {
			intervals, err := m.Intervals(p, 0.95)
			require.NoError(t, err)
			for j, v := range truth {
				if intervals[j].Low <= v && v <= intervals[j].High {
					held += 1 / float64(d*fits)
				}
			}
			return held
		}
		held += share()
		p.Plan.Hessian /= 3
		third += share()
	}
	t.Logf("coverage %.2f %%; with a third of the Hessian's noise %.2f %%", 100*held, 100*third)
	assert.InDelta(t, 0.95, held, 0.02+2*math.Sqrt(0.05*0.95/float64(fits)))
	assert.Less(t, third, 0.85)
}
