package dpgd

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// planOf is a plan of so many steps of the same noise.
func planOf(
	problem learn.Problem, adjacency privacy.Adjacency, steps int, sigma, rate float64,
) Plan {
	p := Plan{
		Adjacency: adjacency, Dimension: problem.Dimension(),
		RowNorm: problem.Data.Schema.RowNorm(),
		Clip:    0.6, Lambda: 3, Sigmas: make([]float64, steps), Rates: make([]float64, steps),
	}
	for t := range steps {
		p.Sigmas[t], p.Rates[t] = sigma, rate
	}
	return p
}

func TestEventIsWhatIsCharged(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 3, 2, 1e-3)
	event, err := plan.Event()
	require.NoError(t, err)
	assert.Equal(t, plan.Sigmas, event.Sigmas)
	// C + (g/2)√3 with g = 2^-33; noise being discrete adds nothing visible.
	assert.InEpsilon(t, 0.6+math.Ldexp(math.Sqrt(3), -34), event.Sensitivity, 1e-14)
	plan.Adjacency = privacy.ReplaceOne
	replaced, err := plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2*event.Sensitivity, replaced.Sensitivity, 1e-15)
	assert.Equal(t, privacy.ReplaceOne, replaced.Adjacency)

	// Noise just above what is allowed: s = 2^20 or so.
	plan.Sigmas[1] = 0.6 / 4095
	event, err = plan.Event()
	require.NoError(t, err)
	assert.Greater(t, event.Sensitivity, replaced.Sensitivity*(1+1e-12))
	// Noise so large that the lattice is coarser.
	plan.Sigmas[1] = 1e12
	event, err = plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2*(0.6+math.Ldexp(math.Sqrt(3), 39-56-1)), event.Sensitivity, 1e-14)
	_, _, err = Fit(t.Context(), problem, plan, randomtest.New(1), nil)
	assert.NoError(t, err)

	none, err := Plan{Adjacency: privacy.AddRemove, Dimension: 3, RowNorm: 1, Clip: 1}.Event()
	require.NoError(t, err)
	assert.Empty(t, none.Sigmas)
}

// What two neighbours' sums differ by is what the event charges for, exactly,
// whoever else is there: the sum of other records leaves no rounding error.
func TestNeighboursDifferByNoMoreThanIsCharged(t *testing.T) {
	source := randomtest.New(3)
	for _, n := range []int{1, 5000} {
		const d, clip = 20, 0.3
		var x [][]float64
		var y []float64
		for range n + 2 {
			row := learntest.Gaussians(t, source, d)
			length := learntest.Length(row)
			for j := range row {
				row[j] /= length * (1 + 1e-12)
			}
			x, y = append(x, row), append(y, 1)
		}
		y[n], y[n+1] = 1, -1
		copy(x[n+1], x[n]) // replaced by its opposite
		theta := learntest.Gaussians(t, source, d)
		grid := gridOf(clip, 1)
		sums := func(rows ...int) []int64 {
			var some [][]float64
			var labels []float64
			for _, i := range rows {
				some, labels = append(some, x[i]), append(labels, y[i])
			}
			problem := learntest.Problem(learntest.Schema(d, 0), some, labels)
			s, err := newSummer(problem, Plan{Clip: clip, RowNorm: 1})
			require.NoError(t, err)
			s.sum(theta, grid)
			return s.total
		}
		others := make([]int, n)
		for i := range others {
			others[i] = i
		}
		without, one, other, alone := sums(
			others...), sums(
			append(others, n)...), sums(
			append(others, n+1)...), sums(
			n,
		)
		added, replaced := 0.0, 0.0
		for j := range without {
			assert.Equal(t, alone[j], one[j]-without[j])
			a, b := float64(one[j]-without[j])*grid, float64(one[j]-other[j])*grid
			added, replaced = added+a*a, replaced+b*b
		}
		added, replaced = math.Sqrt(added), math.Sqrt(replaced)
		assert.LessOrEqual(t, added, Sensitivity(privacy.AddRemove, clip, 1, d))
		assert.LessOrEqual(t, replaced, Sensitivity(privacy.ReplaceOne, clip, 1, d))
		assert.Less(t, added, clip*(1+1e-8))
		assert.Greater(
			t, replaced, clip*(1+1e-8),
			"the sensitivity of one adjacency does not do for the other",
		)
	}
}

func TestPlansOfSomethingElseAreRefused(t *testing.T) {
	problem := learntest.Clinic()
	for field, change := range map[string]func(*Plan, *learn.Problem){
		"plan.adjacency": func(p *Plan, _ *learn.Problem) { p.Adjacency = 0 },
		"plan.dimension": func(p *Plan, _ *learn.Problem) { p.Dimension = 4 },
		"plan.row_norm":  func(p *Plan, _ *learn.Problem) { p.RowNorm = math.Nextafter(p.RowNorm, 0) },
		"plan.clip":      func(p *Plan, _ *learn.Problem) { p.Clip = math.Inf(1) },
		"plan.lambda":    func(p *Plan, _ *learn.Problem) { p.Lambda = -1 },
		"plan.momentum":  func(p *Plan, _ *learn.Problem) { p.Momentum = 1 },
		"plan.radius":    func(p *Plan, _ *learn.Problem) { p.Radius = math.NaN() },
		"plan.sigmas[1]": func(p *Plan, _ *learn.Problem) { p.Sigmas[1] = 0 },
		"plan.sigmas[2]": func(p *Plan, _ *learn.Problem) { p.Sigmas[2] = p.Clip / 5000 },
		"plan.rates[0]":  func(p *Plan, _ *learn.Problem) { p.Rates[0] = math.Inf(1) },
		"plan.rates":     func(p *Plan, _ *learn.Problem) { p.Rates = p.Rates[:2] },
		"schema": func(_ *Plan, q *learn.Problem) {
			q.Data = &data.Dataset{X: q.Data.X, Y: q.Data.Y}
		},
		"plan.dimension ": func(p *Plan, q *learn.Problem) {
			q.Data = &data.Dataset{Schema: learntest.Schema(3, 0.5), X: q.Data.X, Y: q.Data.Y}
		},
	} {
		plan, p := planOf(problem, privacy.AddRemove, 3, 1, 1e-3), problem
		change(&plan, &p)
		script := &randomtest.Script{}
		_, _, err := Fit(t.Context(), p, plan, script, nil)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, strings.TrimSpace(field), parameter.Field)
		assert.Zero(t, script.Read, "no noise was drawn")
	}
	plan := planOf(problem, privacy.AddRemove, 3, 1, 1e-3)
	learntest.RefusesRowsThatBreakThePromise(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, plan, source, nil)
			return err
		},
	)
}
