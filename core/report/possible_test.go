package report

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/report/matrix"
	"cloister/core/solve"
)

// A report that was made up bounds nobody's loss: numbers that no records and no draw
// of the noise come to are refused, whatever they would do to a bound.
func TestNumbersThatNoNoiseGivesOutAreRefused(t *testing.T) {
	plan := Plan{Gradient: 20, Hessian: 5, Least: 5, Scores: 5, Rest: true}
	release, honest, _ := reportOf(t, plan)
	m, err := MechanismOf(release)
	require.NoError(t, err)
	by, err := plan.matrix(m)
	require.NoError(t, err)
	diagonal := func(p *solve.Packed, v float64) {
		for i := range p.N {
			p.Row(i)[i] = v
		}
	}
	for name, c := range map[string]struct {
		field  string
		change func(*Published)
	}{
		"a gradient beyond the noise":      {"gradient", func(p *Published) { p.Gradient[0] = 64 * (m.Sigma + 20) }},
		"a gradient off its lattice":       {"gradient", func(p *Published) { p.Gradient[1] += gridOf(20) / 2 }},
		"a Hessian of 2^40 records":        {"hessian", func(p *Published) { diagonal(p.Hessian, 0x1p40*by.Norm) }},
		"a trace of 2^24 records a column": {"hessian", func(p *Published) { diagonal(p.Hessian, math.Floor(matrix.MaxRows*by.Norm/by.Grid)*by.Grid) }},
		"a Hessian far below 0":            {"hessian", func(p *Published) { diagonal(p.Hessian, -0x1p40*by.Norm) }},
		"a Hessian off its lattice":        {"hessian", func(p *Published) { p.Hessian.At[1] += by.Grid / 2 }},
		"a rest of 2^40 records":           {"hessian.rest", func(p *Published) { diagonal(p.Rest, 0x1p40*by.Norm) }},
		"scores of 2^60 records":           {"scores", func(p *Published) { diagonal(p.Scores, 0x1p60) }},
		"an eigenvalue above the diagonal": {"least", func(p *Published) { p.Least = 1 << 20 }},
		"an eigenvalue far below lambda":   {"least", func(p *Published) { p.Least = -256 * (m.Lambda + 5) }},
		"an eigenvalue off its lattice":    {"least", func(p *Published) { p.Least += gridOf(5) / 2 }},
	} {
		forged := *honest
		p := &forged.Published
		p.Gradient = slices.Clone(p.Gradient)
		for _, matrix := range []**solve.Packed{&p.Hessian, &p.Rest, &p.Scores} {
			*matrix = &solve.Packed{N: (*matrix).N, At: slices.Clone((*matrix).At)}
		}
		c.change(p)
		text, err := forged.Marshal(release)
		require.NoError(t, err, name)
		_, err = Parse(text, release)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, c.field, wrong.Field, name)
	}
}

// What was released is never refused, however little or much noise it has: with the
// least, the lattices end before the numbers do.
func TestNumbersThatWereReleasedArePossible(t *testing.T) {
	release, problem, b := publishedRelease(t, 5)
	m, err := MechanismOf(release)
	require.NoError(t, err)
	cut := false
	for _, noise := range []float64{1e-9, 1e-7, 1e-3, 1, 1e3, 1e9} {
		for seed := range uint64(20) {
			plan := Plan{
				Gradient: noise,
				Least:    noise,
				Hessian:  math.Max(noise, 1e-3),
				Scores:   math.Max(noise, 1e-3),
				Rest:     true,
			}
			p, err := Release(m, plan, problem, b, randomtest.New(seed))
			require.NoError(t, err)
			require.NoError(t, p.check(m), "noise %v", noise)
			cut = cut || p.gradientCutOff()
		}
	}
	assert.True(t, cut, "some gradient is cut off")
}
