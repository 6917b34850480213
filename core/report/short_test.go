package report

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/solve"
)

// A report whose numbers were given out with little noise cannot be said to have had much,
// and so to have cost next to nothing: they are too near 0 for it. (Of three numbers alone,
// as a gradient here, it is said with a chance of 2^-81 at least: on a lattice of 2^-26 σ.)
func TestNumbersNextToNothingAreNotNoise(t *testing.T) {
	for name, plan := range map[string]Plan{
		"all":       {Gradient: 20, Hessian: 5, Least: 5, Scores: 5, Rest: true},
		"a Hessian": {Hessian: 5},
	} {
		const factor = 0x1p40
		release, honest, _ := reportOf(t, plan)
		m, err := MechanismOf(release)
		require.NoError(t, err)
		forged := *honest
		p := &forged.Published
		p.Plan.Gradient *= factor
		p.Plan.Hessian *= factor
		p.Plan.Least *= factor
		p.Plan.Scores *= factor
		// On the lattices of that noise, one step of which is all there is of most.
		near := func(list []float64, grid float64) []float64 {
			list = slices.Clone(list)
			for i, v := range list {
				list[i] = math.Round(v/grid) * grid
			}
			return list
		}
		if p.Gradient != nil {
			p.Gradient = near(p.Gradient, gridOf(p.Plan.Gradient))
		}
		for _, of := range []**solve.Packed{&p.Hessian, &p.Rest, &p.Scores} {
			if *of == nil {
				continue
			}
			by, err := p.Plan.matrix(m)
			if of == &p.Scores {
				by, err = p.Plan.scores(m)
			}
			require.NoError(t, err)
			*of = &solve.Packed{N: (*of).N, At: near((*of).At, by.Grid)}
		}
		if p.Plan.Least > 0 {
			p.Least = near([]float64{p.Least}, gridOf(p.Plan.Least))[0]
		}
		text, err := forged.Marshal(release)
		require.NoError(t, err)
		_, err = Parse(text, release)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, "published", wrong.Field, name)
	}
}
