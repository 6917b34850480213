package outpert

import (
	"math"
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

func planFor(problem learn.Problem, adjacency privacy.Adjacency) Plan {
	return Plan{
		Adjacency: adjacency, Dimension: problem.Dimension(),
		RowNorm: problem.Data.Schema.RowNorm(), Clip: 2,
		Lambda: 0.75, Tau: 0x1p-19, Sigma: 0x1p-12, Grid: 0x1p-40,
	}
}

func TestEventIsWhatIsCharged(t *testing.T) {
	plan := planFor(learntest.Five(), privacy.AddRemove)
	plan.Tau = 0.25
	event, err := plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2.5/0.75, event.Sensitivity, 1e-11)
	assert.Greater(t, event.Sensitivity, 2.5/0.75+0x1p-40*math.Sqrt(3))
	assert.Equal(t, plan.Sigma, event.Sigma)
	plan.Adjacency = privacy.ReplaceOne
	event, err = plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 4.5/0.75, event.Sensitivity, 1e-11)
}

func TestPlansOfSomethingElseAreRefused(t *testing.T) {
	problem := learntest.Five()
	for name, c := range map[string]struct {
		field  string
		change func(*Plan, *learn.Problem)
	}{
		"adjacency":     {"plan.adjacency", func(p *Plan, _ *learn.Problem) { p.Adjacency = 0 }},
		"dimension":     {"plan.dimension", func(p *Plan, _ *learn.Problem) { p.Dimension = 4 }},
		"too many":      {"plan.dimension", func(p *Plan, _ *learn.Problem) { p.Dimension = MaxDimension + 1 }},
		"row norm":      {"plan.row_norm", func(p *Plan, _ *learn.Problem) { p.RowNorm = math.Nextafter(p.RowNorm, 0) }},
		"clip":          {"plan.clip", func(p *Plan, _ *learn.Problem) { p.Clip = math.Inf(1) }},
		"lambda":        {"plan.lambda", func(p *Plan, _ *learn.Problem) { p.Lambda = 0 }},
		"tau":           {"plan.tau", func(p *Plan, _ *learn.Problem) { p.Tau = 0 }},
		"tau too small": {"plan.tau", func(p *Plan, _ *learn.Problem) { p.Tau = math.Nextafter(0x1p-20, 0) }},
		"sigma":         {"plan.sigma", func(p *Plan, _ *learn.Problem) { p.Sigma = math.NaN() }},
		"radius":        {"plan.radius", func(p *Plan, _ *learn.Problem) { p.Radius = -1 }},
		"no grid":       {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 0 }},
		"odd grid":      {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 3e-12 }},
		"coarse grid":   {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 0x1p-31 }},
		"fine grid":     {"plan.grid", func(p *Plan, _ *learn.Problem) { p.Grid = 0x1p-70 }},
		"no schema":     {"schema", func(_ *Plan, q *learn.Problem) { q.Data = &data.Dataset{X: q.Data.X, Y: q.Data.Y} }},
		"other columns": {"plan.dimension", func(_ *Plan, q *learn.Problem) {
			q.Data = &data.Dataset{Schema: learntest.Schema(3, 0.5), X: q.Data.X, Y: q.Data.Y}
		}},
	} {
		plan, p := planFor(problem, privacy.AddRemove), problem
		c.change(&plan, &p)
		script := &randomtest.Script{}
		_, _, err := Fit(t.Context(), p, plan, script, nil)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, name)
		assert.Equal(t, c.field, parameter.Field, name)
		assert.Zero(t, script.Read, "no noise was drawn")
	}
	learntest.RefusesRowsThatBreakThePromise(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, planFor(problem, privacy.AddRemove), source, nil)
			return err
		},
	)
}
